/**
 * One Redis master in simulation: it answers as a real one does, tells what happens on it as the observer of a
 * real one does, and forgets what a real one would. It acts when it is called and at no other time; true time
 * comes from the caller. Connections, delays and stalls are the network's and the engine's business.
 */
import type { GuardTerms } from "../../../../src/ports/command.ts";
import { replyFromWire } from "../../../../src/redis/wire.ts";
import type { KeyCommand, LabReply } from "../../../strategies/lab-command.ts";
import type { NodeEvent, NodeName } from "../../../history/event.ts";
import { NodeClock } from "../../../history/node-clock.ts";
import type { Persistence } from "../../../scenario/lab-settings.ts";
import { BackgroundSync } from "./background-sync.ts";
import { Counters } from "./counters.ts";
import { KeyCommands } from "./key-commands.ts";
import { KeySpace, type StoredKey } from "./key-space.ts";
import type { NodeAnswer, NodeCommand } from "./node-command.ts";
import { otherLockReply } from "./other-lock-commands.ts";
import { infoText, MS_PER_SECOND, runIdOf, timeParts, wholeSeconds } from "./server-facts.ts";

export interface SimulatedNodeOptions {
  readonly name: NodeName;
  readonly persistence: Persistence;
  /** True time of the run in milliseconds; never goes back. */
  readonly nowMs: () => number;
  readonly record: (body: NodeEvent) => void;
  /** Told of every key that is set (with what is stored then) or removed. */
  readonly onWrite?: ((resource: string, key: StoredKey | undefined) => void) | undefined;
  /** What the node's wall clock shows at first, since the Unix epoch; default 0. */
  readonly wallStartMs?: number;
  /** The node has been in use: it has a guard of these terms, and no quarantine any more. */
  readonly guard?: GuardTerms | undefined;
}

export interface FoundKey {
  readonly resource: string;
  readonly value: string;
  /** Remaining lifetime; `null`: no expiry. */
  readonly expiresInMs: number | null;
}

export class SimulatedNode {
  readonly name: NodeName;
  readonly #persistence: Persistence;
  readonly #nowMs: () => number;
  readonly #record: (body: NodeEvent) => void;
  readonly #clock = new NodeClock();
  readonly #keys: KeySpace;
  readonly #commands: KeyCommands;
  /** Only under `aof-everysec`: the other two keep nothing or all. */
  readonly #sync: BackgroundSync | undefined;
  readonly #counters = new Counters();
  #isUp = true;
  #startCount = 1;
  #startedAtSecond: number;

  /** The node is up, has no keys, and has been idle for a while. */
  constructor(options: SimulatedNodeOptions) {
    const { name, persistence, nowMs, record, onWrite, wallStartMs = 0, guard } = options;
    this.name = name;
    this.#persistence = persistence;
    this.#nowMs = nowMs;
    this.#record = record;
    this.#clock.jump(nowMs(), wallStartMs);
    this.#startedAtSecond = wholeSeconds(wallStartMs);
    const keys = new KeySpace((resource) => {
      this.#sync?.noteWrite(resource);
      onWrite?.(resource, keys.stored(resource));
    });
    this.#keys = keys;
    this.#commands = new KeyCommands(name, keys, { record, runId: () => this.#runId });
    if (guard !== undefined) this.answer({ kind: "trust", guard });
    if (persistence === "aof-everysec") {
      this.#sync = new BackgroundSync((resource) => keys.stored(resource), wallStartMs);
      for (const [resource, key] of keys.entries()) this.#sync.keep(resource, key);
    }
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Answers a lock's command at the present true time. Only while up. */
  execute(command: KeyCommand): LabReply {
    const wallMs = this.#beginCommand();
    const reply = this.#replyAt(command, wallMs);
    this.#sync?.settle(wallMs);
    return reply;
  }

  /** Answers any command as it would go over the wire. Only while up. */
  answer(command: NodeCommand): NodeAnswer {
    const wallMs = this.#beginCommand();
    const answer = this.#answerAt(command, wallMs);
    this.#sync?.settle(wallMs);
    return answer;
  }

  /**
   * The process is gone, and with it what persistence does not keep. Where it is gone already, a loss of power
   * still takes what was not durable.
   */
  goDown(cause: "killed" | "power-loss"): void {
    if (this.#isUp) {
      const wallMs = this.#elapse();
      // What expired was removed on a real node soon after, whether anybody asked for it or not.
      this.#keys.sweep(wallMs);
      this.#sync?.stop();
      this.#isUp = false;
      this.#record({ kind: "node-down", node: this.name, cause });
    }
    if (this.#persistence === "none") {
      this.#keys.replaceBy(new Map());
      this.#counters.forget();
    }
    if (this.#sync !== undefined && cause === "power-loss") this.#keys.replaceBy(this.#sync.losePower());
  }

  /** A new process starts from what was kept, with an empty script cache. Harmless while up. */
  comeUp(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.#startCount += 1;
    const wallMs = this.#wallMs();
    this.#startedAtSecond = wholeSeconds(wallMs);
    this.#sync?.restart(wallMs);
    this.#commands.flushScripts();
    this.#record({ kind: "node-up", node: this.name });
    for (const key of this.findKeys()) {
      this.#record({ kind: "key-set", node: this.name, ...key, cause: "recovered" });
    }
  }

  /** Whether a key that expires then is still there by this node's clock. */
  isAlive({ expiresAtMs }: StoredKey): boolean {
    return this.#wallMs() <= expiresAtMs;
  }

  /** All that is kept, expired or not. */
  storedKeys(): ReadonlyMap<string, StoredKey> {
    return new Map(this.#keys.entries());
  }

  /** Another server answers under this name from now on, with these keys; the one before it is gone. */
  giveWayTo(keys: Map<string, StoredKey>): void {
    this.goDown("killed");
    this.#keys.replaceBy(keys);
    this.#counters.forget();
    this.#sync?.forget();
    for (const resource of keys.keys()) this.#sync?.noteWrite(resource);
    this.comeUp();
  }

  /** Steps the wall clock, back where negative; also while down. */
  jumpClock(byMs: number): void {
    this.#moveClock((atMs) => this.#clock.jump(atMs, byMs));
    this.#record({ kind: "clock-jumped", node: this.name, byMs });
  }

  /** Changes how fast the wall clock runs; 1 is exact. Also while down. */
  setClockRate(rate: number): void {
    this.#moveClock((atMs) => this.#clock.setRate(atMs, rate));
    this.#record({ kind: "clock-rate-set", node: this.name, rate });
  }

  /** While held, background syncs (`aof-everysec`) report success and make nothing durable. */
  holdSync(isHeld: boolean): void {
    if (this.#isUp) this.#elapse();
    this.#sync?.hold(isHeld);
  }

  /** Somebody empties the node. Only while up. */
  flushAll(): void {
    this.answer({ kind: "flush-all" });
  }

  /** Memory is needed, and this key goes, if it is there. Only while up. */
  evict(resource: string): void {
    const wallMs = this.#beginCommand();
    this.#commands.evict(resource, wallMs);
    this.#sync?.settle(wallMs);
  }

  /** The keys alive now by the node's wall clock, in the order in which they were set; none while down. */
  findKeys(): readonly FoundKey[] {
    if (!this.#isUp) return [];
    const wallMs = this.#wallMs();
    const found: FoundKey[] = [];
    for (const [resource, { value, expiresAtMs }] of this.#keys.entries()) {
      if (wallMs > expiresAtMs) continue;
      found.push({ resource, value, expiresInMs: expiresAtMs === Infinity ? null : expiresAtMs - wallMs });
    }
    return found;
  }

  #replyAt(command: KeyCommand, wallMs: number): LabReply {
    switch (command.kind) {
      case "acquire":
      case "extend":
      case "delete":
        return replyFromWire(command.kind, this.#commands.lock(command, wallMs));
      case "survey":
      case "trust":
        return replyFromWire(command.kind, this.#commands.guard(command, wallMs));
      case "guarded-by-uptime": {
        const { command: asked } = command;
        const uptimeMs = this.#uptimeS(wallMs) * MS_PER_SECOND;
        return replyFromWire(asked.kind, this.#commands.lockByUptime(asked, wallMs, uptimeMs));
      }
      case "increment":
        return { kind: "counted", count: this.#counters.increment(command.resource) };
      case "raise-counter":
        return { kind: "counted", count: this.#counters.raise(command.resource, command.to) };
      default:
        return otherLockReply(this.#commands, command, wallMs);
    }
  }

  #answerAt(command: NodeCommand, wallMs: number): NodeAnswer {
    switch (command.kind) {
      case "acquire":
      case "extend":
      case "delete":
        return this.#commands.lock(command, wallMs);
      case "survey":
      case "trust":
        return this.#commands.guard(command, wallMs);
      case "call-cached":
        return this.#commands.callCached(command.script, wallMs);
      case "write":
        return this.#commands.write(command, wallMs);
      case "remove":
        return this.#commands.remove(command.resource, wallMs);
      case "read":
        return this.#commands.read(command.resource, wallMs);
      case "lifetime":
        return this.#commands.lifetime(command.resource, wallMs);
      case "time":
        return timeParts(this.#clock.wallMs(this.#nowMs()));
      case "info":
        return this.#info(wallMs);
      case "flush-all":
        this.#counters.forget();
        this.#sync?.noteFlush();
        return this.#commands.flushAll(wallMs);
      case "flush-scripts":
        return this.#commands.flushScripts();
    }
  }

  get #runId(): string {
    return runIdOf(this.name, this.#startCount);
  }

  #info(wallMs: number): string {
    return infoText({ runId: this.#runId, uptimeS: this.#uptimeS(wallMs) });
  }

  /** The server subtracts whole seconds of its wall clock, so a step of it shows, also below zero. */
  #uptimeS(wallMs: number): number {
    return wholeSeconds(wallMs) - this.#startedAtSecond;
  }

  #beginCommand(): number {
    if (!this.#isUp) throw new Error(`node ${this.name} is down and cannot be asked`);
    return this.#elapse();
  }

  /** Lets happen what was due since the last call. @returns the wall clock in whole milliseconds. */
  #elapse(): number {
    const wallMs = this.#wallMs();
    if (this.#sync !== undefined) this.#letExpire(this.#sync, wallMs);
    this.#sync?.elapse(wallMs);
    return wallMs;
  }

  /** Soon after a key has expired a real server removes it, and that is synced like any other write. */
  #letExpire(sync: BackgroundSync, wallMs: number): void {
    for (const { resource, lastMs } of this.#keys.findExpired(wallMs)) {
      sync.elapse(lastMs);
      this.#keys.remove(resource);
      sync.settle(lastMs + 1);
    }
  }

  /** What has expired on either side of the move is gone for good; a node that is down removes nothing. */
  #moveClock(move: (atMs: number) => void): void {
    if (this.#isUp) this.#keys.sweep(this.#elapse());
    move(this.#nowMs());
    if (!this.#isUp) return;
    const wallMs = this.#wallMs();
    this.#keys.sweep(wallMs);
    this.#sync?.settle(wallMs);
  }

  /** Redis reads its clock in whole milliseconds. */
  #wallMs(): number {
    return Math.floor(this.#clock.wallMs(this.#nowMs()));
  }
}
