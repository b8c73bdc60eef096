/** One toxiproxy-server process for a run; its proxies are made through `ToxiproxyClient`. */
import { join } from "node:path";
import { InfrastructureError } from "../../../lab-error.ts";
import { type ProcessLedger, RUN_LABEL, ServerProcess } from "../server-process.ts";
import { ToxiproxyClient } from "./toxiproxy-client.ts";

export interface ToxiproxyServerOptions {
  readonly program: string;
  /** Of the control interface. */
  readonly port: number;
  readonly folder: string;
  readonly runLabel: string;
  readonly ledger: ProcessLedger;
}

const START_LIMIT_MS = 5_000;
const PROBE_LIMIT_MS = 500;

export class ToxiproxyServer {
  readonly client: ToxiproxyClient;
  readonly #process: ServerProcess;

  private constructor(client: ToxiproxyClient, process: ServerProcess) {
    this.client = client;
    this.#process = process;
  }

  /** @throws InfrastructureError when it does not answer within some seconds; no process is left then. */
  static async start(options: ToxiproxyServerOptions): Promise<ToxiproxyServer> {
    const { program, port, folder, runLabel, ledger } = options;
    const process = new ServerProcess(
      {
        program,
        args: ["-host", "127.0.0.1", "-port", String(port)],
        folder,
        logPath: join(folder, "toxiproxy.log"),
        environment: { [RUN_LABEL]: runLabel, LOG_LEVEL: "warn" },
      },
      ledger,
    );
    const probe = new ToxiproxyClient({ port, limitMs: PROBE_LIMIT_MS });
    const readiness = await process.becomeReady(() => answers(probe), { limitMs: START_LIMIT_MS });
    // Another Toxiproxy on this port would answer in the place of ours, which ends when it cannot listen.
    if (readiness === "ready" && process.isRunning) {
      return new ToxiproxyServer(new ToxiproxyClient({ port }), process);
    }
    await process.end();
    const how = readiness === "late" ? `did not answer within ${START_LIMIT_MS} ms` : "did not start";
    throw new InfrastructureError(
      `Toxiproxy (${program}) ${how} on port ${port}: ${await process.reason()}.`,
    );
  }

  get pid(): number | undefined {
    return this.#process.isRunning ? this.#process.pid : undefined;
  }

  /** Ends it with all its proxies. Never rejects; harmless when repeated. */
  async stop(): Promise<void> {
    await this.#process.end();
  }
}

async function answers(client: ToxiproxyClient): Promise<boolean> {
  try {
    return (await client.version()) !== "";
  } catch {
    // Not listening yet: asked again.
    return false;
  }
}
