/**
 * Toxiproxy for the laboratory: `toxiproxy-node-client` on a transport with time limits, and the calls it
 * lacks. Everything that goes through a proxy is named by the proxy's name.
 */
import { type Latency, type Proxy, type Timeout, Toxiproxy } from "toxiproxy-node-client";
import type { LinkDirection } from "../../../faults/fault.ts";
import { ToxiproxyError, ToxiproxyHttp } from "./toxiproxy-http.ts";

export type OneWay = Exclude<LinkDirection, "both">;

/** What is done to one direction of a proxy, under a name unique in it. */
export type Toxic =
  /** What is sent vanishes. Its removal closes the connections, so that nothing is delivered in halves. */
  | { readonly kind: "lose"; readonly name: string; readonly direction: OneWay }
  | {
      readonly kind: "slow";
      readonly name: string;
      readonly direction: OneWay;
      readonly latencyMs: number;
      readonly jitterMs: number;
    };

export interface ProxySpec {
  /** `w1-a`: the worker and the node. */
  readonly name: string;
  /** `host:port` on which Toxiproxy listens. */
  readonly listen: string;
  /** `host:port` to which it leads, as Toxiproxy reaches it. */
  readonly upstream: string;
  /** In force from the first connection on. */
  readonly toxics?: readonly Toxic[];
}

export interface ProxyState {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly toxics: readonly string[];
}

type ToxicAttributes = Latency | Timeout;

const CALL_LIMIT_MS = 3_000;
const HOST = "127.0.0.1";
const NOT_FOUND = 404;

export class ToxiproxyClient {
  readonly #url: string;
  readonly #http: ToxiproxyHttp;
  readonly #client: Toxiproxy;
  readonly #proxies = new Map<string, Proxy>();

  constructor({ port, limitMs = CALL_LIMIT_MS }: { readonly port: number; readonly limitMs?: number }) {
    this.#url = `http://${HOST}:${port}`;
    this.#http = new ToxiproxyHttp({ limitMs });
    this.#client = limitedClient(this.#url, this.#http);
  }

  /** @throws ToxiproxyError like every call here. */
  version(): Promise<string> {
    return this.#client.getVersion();
  }

  /** Opens the proxy only after its toxics are in place: a connection could slip through before. */
  async createProxy({ name, listen, upstream, toxics = [] }: ProxySpec): Promise<void> {
    const proxy = await this.#client.createProxy({
      name,
      listen,
      upstream,
      enabled: false,
    });
    this.#proxies.set(name, proxy);
    for (const toxic of toxics) await this.addToxic(name, toxic);
    await this.setEnabled(name, true);
  }

  /** A proxy that is not enabled has closed its connections and refuses new ones. */
  async setEnabled(proxyName: string, isEnabled: boolean): Promise<void> {
    await this.#http.request("PATCH", this.#proxyUrl(proxyName), { enabled: isEnabled });
  }

  async addToxic(proxyName: string, toxic: Toxic): Promise<void> {
    const proxy = this.#proxies.get(proxyName);
    if (proxy === undefined) throw new Error(`there is no proxy ${proxyName}`);
    await proxy.addToxic<ToxicAttributes>({
      name: toxic.name,
      stream: toxic.direction === "request" ? "upstream" : "downstream",
      toxicity: 1,
      ...attributesOf(toxic),
    });
  }

  /** Harmless when it is not there. */
  async removeToxic(proxyName: string, toxicName: string): Promise<void> {
    await this.#remove(`${this.#proxyUrl(proxyName)}/toxics/${encodeURIComponent(toxicName)}`);
  }

  /** Harmless when it is not there. */
  async removeProxy(name: string): Promise<void> {
    await this.#remove(this.#proxyUrl(name));
    this.#proxies.delete(name);
  }

  async listProxies(): Promise<readonly ProxyState[]> {
    const proxies = await this.#client.getAll();
    return await Promise.all(
      Object.values(proxies).map(async ({ name, enabled }) => ({
        name,
        isEnabled: enabled,
        toxics: toxicNames(await this.#http.request("GET", `${this.#proxyUrl(name)}/toxics`)),
      })),
    );
  }

  async #remove(url: string): Promise<void> {
    try {
      await this.#http.request("DELETE", url);
    } catch (error) {
      if (!(error instanceof ToxiproxyError && error.status === NOT_FOUND)) throw error;
    }
  }

  #proxyUrl(name: string): string {
    return `${this.#url}/proxies/${encodeURIComponent(name)}`;
  }
}

/** The library's client asks its `api` for everything; it is given one with limits. */
function limitedClient(url: string, http: ToxiproxyHttp): Toxiproxy {
  const client = new Toxiproxy(url);
  Object.assign(client.api, {
    get: async (path: string) => ({ data: await http.request("GET", path) }),
    post: async (path: string, body?: unknown) => ({ data: await http.request("POST", path, body) }),
    delete: (path: string) => http.request("DELETE", path),
    getText: (path: string) => http.requestText("GET", path),
  });
  return client;
}

function attributesOf(toxic: Toxic) {
  return toxic.kind === "lose"
    ? { type: "timeout" as const, attributes: { timeout: 0 } }
    : { type: "latency" as const, attributes: { latency: toxic.latencyMs, jitter: toxic.jitterMs } };
}

function toxicNames(answer: unknown): readonly string[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((toxic: unknown) =>
    typeof toxic === "object" && toxic !== null && "name" in toxic ? [String(toxic.name)] : [],
  );
}
