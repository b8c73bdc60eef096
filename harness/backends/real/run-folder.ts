/** The temporary folder of one run: it goes with the run, or with the laboratory. */
import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import { FOLDER_PREFIX } from "./run-folder-name.ts";

export interface RunFolder {
  readonly path: string;
  /** Removes it with all that is in it. Never rejects; harmless when repeated. */
  readonly remove: () => Promise<void>;
}

/** Who removes folders when the laboratory cannot. */
export interface FolderLedger {
  readonly watchFolder: (path: string) => void;
  readonly forgetFolder: (path: string) => void;
}

const NAME_BYTES = 6;
const REMOVE_RETRIES = 10;

/** @throws InfrastructureError when the system's folder for temporary files cannot be written. */
export async function createRunFolder(ledger: FolderLedger, parent: string = tmpdir()): Promise<RunFolder> {
  const path = join(parent, `${FOLDER_PREFIX}${randomBytes(NAME_BYTES).toString("hex")}`);
  // Told first: a laboratory that is killed in between leaves nothing either.
  ledger.watchFolder(path);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    ledger.forgetFolder(path);
    throw new InfrastructureError(
      `No temporary folder can be made in ${parent}; set TMPDIR to a folder that you can write.`,
      { cause },
    );
  }
  return { path, remove: () => remove(path, ledger) };
}

async function remove(path: string, ledger: FolderLedger): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
    ledger.forgetFolder(path);
  } catch {
    // The supervisor still knows of it and tries again when the laboratory has ended.
  }
}
