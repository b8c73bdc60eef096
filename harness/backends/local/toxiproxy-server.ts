/** One toxiproxy-server process for a run; its proxies are made through `ToxiproxyClient`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "../../lab-error.ts";
import { hasLoggedError } from "./server-log.ts";
import { type ProcessLedger, RUN_LABEL } from "../real/process-ledger.ts";
import { ServerProcess } from "./server-process.ts";
import { ToxiproxyClient } from "../real/proxy/toxiproxy-client.ts";

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
/** A proxy that is never opened: the server that has it is ours, not another one on the same port. */
const MARK_PREFIX = "mark-";

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
    const mark = `${MARK_PREFIX}${runLabel}`;
    const configPath = join(folder, "toxiproxy.json");
    writeFileSync(configPath, JSON.stringify([markProxy(mark)]));
    const process = new ServerProcess(
      {
        program,
        args: ["-host", "127.0.0.1", "-port", String(port), "-config", configPath],
        folder,
        logPath: join(folder, "toxiproxy.log"),
        environment: { [RUN_LABEL]: runLabel, LOG_LEVEL: "warn" },
      },
      ledger,
    );
    const probe = new ToxiproxyClient({ port, limitMs: PROBE_LIMIT_MS });
    const isReady = async (): Promise<boolean> => {
      // One that cannot listen says so and goes on doing nothing.
      if (hasLoggedError(process.log())) await process.end();
      return await carries(probe, mark);
    };
    const readiness = await process.becomeReady(isReady, { limitMs: START_LIMIT_MS });
    if (readiness === "ready") {
      const client = new ToxiproxyClient({ port });
      await client.removeProxy(mark);
      return new ToxiproxyServer(client, process);
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

function markProxy(name: string) {
  return { name, listen: "127.0.0.1:0", upstream: "127.0.0.1:1", enabled: false };
}

async function carries(client: ToxiproxyClient, mark: string): Promise<boolean> {
  try {
    return (await client.listProxies()).some(({ name }) => name === mark);
  } catch {
    // Not listening yet: asked again.
    return false;
  }
}
