/** How much of a processor this process uses. */
export function startCpuTime(): { readonly usedUs: () => number } {
  const before = process.cpuUsage();
  return {
    usedUs: () => {
      const { user, system } = process.cpuUsage(before);
      return user + system;
    },
  };
}
