/** The command line's world as it is: this process, its terminal, and the laboratory. */
import { createRequire } from "node:module";
import type { WriteStream } from "node:tty";
import { SCENARIOS } from "../../scenarios/index.ts";
import type { Backend, BackendName } from "../backends/backend.ts";
import { UsageError } from "../lab-error.ts";
import type { BackendOptions, CliWorld, Output } from "./world.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function processWorld(): CliWorld {
  return {
    version: packageVersion(),
    out: outputTo(process.stdout),
    err: outputTo(process.stderr),
    env: process.env,
    nowMs: () => Date.now(),
    onInterrupt,
    exitNow: (code) => process.exit(code),
    laboratory: {
      scenarios: SCENARIOS,
      runLab: async (request) => (await import("../runner/run-lab.ts")).runLab(request),
      createBackend,
      runDoctor: async (options) => (await import("./doctor.ts")).runDoctor(options),
    },
  };
}

/** Only the one that is asked for is loaded. */
async function createBackend(name: BackendName, { portBase }: BackendOptions): Promise<Backend> {
  if (name === "local") {
    return await (await import("../backends/local/local-backend.ts")).createLocalBackend({ portBase });
  }
  if (portBase !== undefined) {
    throw new UsageError(`--port-base is for servers; the ${name} backend starts none.`);
  }
  return (await import("../backends/simulated/simulated-backend.ts")).createSimulatedBackend();
}

/** The package knows itself by its name, compiled or not. */
function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)("redlock-lab/package.json");
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "unknown";
}

/** A reader that went away (`| head`) ends nothing: what follows is written to nobody. */
function outputTo(stream: NodeJS.WriteStream & { fd: 1 | 2 }): Output {
  let isGone = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isGone = true;
  });
  return {
    write: (text) => {
      if (!isGone) stream.write(text);
    },
    isTerminal: stream.isTTY,
    columns: columnsOf(stream),
  };
}

function columnsOf(stream: WriteStream): number | undefined {
  return stream.isTTY ? stream.columns : undefined;
}

function onInterrupt(listener: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
