/**
 * Like `Promise.all`, but settles only when all have: nothing is still being started when what was opened is
 * closed.
 *
 * @throws the first failure, in the order of the list.
 */
export async function allEnded<Value>(pending: readonly Promise<Value>[]): Promise<readonly Value[]> {
  const settled = await Promise.allSettled(pending);
  return settled.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
