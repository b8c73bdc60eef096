/**
 * How commands that compare are sent to one node: as scripts, or as the compare commands of newer servers, where
 * scripts are denied or not wanted. Those say less: of a key that is not as expected, not whether it was there.
 *
 * Redis has `DELEX … IFEQ` and `SET … IFEQ` since 8.4; Valkey has `SET … IFEQ` since 8.1, `DELIFEQ` since 9.0 and `DELEX`
 * since 9.2. What a server has is found out by sending it: what it does not know it has not run.
 */
import type { GuardCommand, LockCommand } from "../ports/command.ts";
import { isCommandDenied } from "./command-denied.ts";
import { failureText } from "./failure-text.ts";
import { type WireCommand, type WireContext, wireFromCommand } from "./wire.ts";

const NO_IFEQ = /syntax error/i;
const DELETE_COMMANDS: readonly ("DELEX" | "DELIFEQ")[] = ["DELEX", "DELIFEQ"];

const NO_DELETE = "the server does not let us use DELEX or DELIFEQ";
const NO_EXTEND = "the server has no SET … IFEQ";
const SEVERAL = "several resources at once need one";
const NOT_ONE_TTL = "SET … IFEQ can extend only a lock whose lifetimes were all the same";

/** What is to be written, or why nothing can be. */
export type Spelled = WireCommand | { readonly name: undefined; readonly obstacle: string };

/** What one node was found to take. */
export class CompareForms {
  readonly #wantsScripts: boolean;
  #areScriptsRun: boolean;
  #whyNoScripts = "scripts are not wanted";
  #unusable = new Set<string>();

  constructor({ wantsScripts }: { readonly wantsScripts: boolean }) {
    this.#wantsScripts = wantsScripts;
    this.#areScriptsRun = wantsScripts;
  }

  /** A connection has been made, perhaps to another server. */
  meet(): void {
    this.#areScriptsRun = this.#wantsScripts;
    this.#unusable = new Set();
  }

  spell(command: LockCommand | GuardCommand, context: WireContext): Spelled {
    if (this.#areScriptsRun) return wireFromCommand(command, context);
    if ("others" in command && command.others !== undefined) return this.#obstacle(SEVERAL);
    switch (command.kind) {
      case "delete":
        return this.#spellDelete(command.resource, command.value);
      case "extend":
        return this.#spellExtend(command);
      case "acquire":
        // Who would take over an ended value of this process waits for its delete.
        return wireFromCommand({ ...command, replaces: undefined }, context);
      default:
        return wireFromCommand(command, context);
    }
  }

  /** @returns whether the command can be spelled another way now: the server has refused it, and not run it. */
  noteError({ name, args }: WireCommand, message: string): boolean {
    if (name === "SET") {
      if (args.includes("IFEQ") && NO_IFEQ.test(message)) this.#unusable.add("SET");
      return false;
    }
    if (!isCommandDenied(message)) return false;
    if (name === "EVAL") {
      this.#areScriptsRun = false;
      this.#whyNoScripts = `scripts are denied (${failureText(message)})`;
    } else {
      this.#unusable.add(name);
    }
    return true;
  }

  #obstacle(what: string): Spelled {
    return { name: undefined, obstacle: `${this.#whyNoScripts}, and ${what}` };
  }

  #spellDelete(resource: string, value: string): Spelled {
    const name = DELETE_COMMANDS.find((one) => !this.#unusable.has(one));
    if (name === undefined) return this.#obstacle(NO_DELETE);
    return { name, args: name === "DELEX" ? [resource, "IFEQ", value] : [resource, value] };
  }

  /** It sets the expiry, also where that shortens it: which it cannot where every lifetime is the same. */
  #spellExtend({ resource, value, ttlMs, hasOneTtl }: Extract<LockCommand, { kind: "extend" }>): Spelled {
    if (this.#unusable.has("SET")) return this.#obstacle(NO_EXTEND);
    if (hasOneTtl !== true) return this.#obstacle(NOT_ONE_TTL);
    return { name: "SET", args: [resource, value, "PX", String(ttlMs), "IFEQ", value] };
  }
}
