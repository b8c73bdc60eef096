/** Tells the process, and by default its stderr, what nobody else listens to; `--no-warnings` silences it. */
export function emitWarning(message: string, code: string): void {
  process.emitWarning(message, { type: "RedlockWarning", code });
}
