/** INFO as both nodes can give it: identities are drawn, so only whether they change can be compared. */

const COMPARED_FIELDS = ["role", "run_id", "uptime_in_seconds"];
const RUN_ID = /^[0-9a-f]{40}$/;

/** Numbers the run ids of one sequence in the order in which they were seen. */
export class ServerIdentities {
  readonly #seen: string[] = [];

  /** The compared fields of INFO's text, one a line, the run id replaced by its number. */
  describe(info: string): string {
    const fields = info.split("\r\n").map((line) => line.split(":"));
    return COMPARED_FIELDS.map((name) => {
      const value = fields.find(([field]) => field === name)?.[1] ?? "(missing)";
      return `${name}:${name === "run_id" ? this.#number(value) : value}`;
    }).join(" ");
  }

  #number(runId: string): string {
    if (!RUN_ID.test(runId)) return `no run id: ${runId}`;
    if (!this.#seen.includes(runId)) this.#seen.push(runId);
    return `life ${String(this.#seen.indexOf(runId) + 1)}`;
  }
}
