/** What ties the processes of a run to it, so that none outlives the laboratory. */

/** Environment variable by which the processes of a run are found when nobody knows their numbers. */
export const RUN_LABEL = "REDLOCK_LAB_RUN";

/** Who ends the processes of a run when the laboratory cannot. */
export interface ProcessLedger {
  readonly watchProcess: (pid: number) => void;
  readonly forgetProcess: (pid: number) => void;
}
