/** The `error` event of redlock 5: what goes wrong although nobody's call fails for it. */
import { RedlockError } from "../errors.ts";
import type { RedlockEvent } from "../events.ts";

/** Contention is no error of anybody's, so nothing is told of it; redlock 5 tells each vote against. */
export function errorFromEvent(event: RedlockEvent): RedlockError | undefined {
  switch (event.kind) {
    case "node-away":
      return new RedlockError("unavailable", `node ${event.node} is away: ${event.cause}`);
    case "node-warning":
      return new RedlockError("misuse", `node ${event.node}: ${event.message}`);
    case "finding":
      return new RedlockError("misuse", event.finding.message);
    case "node-quarantined": {
      const message = `node ${event.node} may have forgotten and is quarantined for ${String(event.leftMs)} ms`;
      return new RedlockError("unavailable", message);
    }
    case "acquire-failed":
    case "extend-failed": {
      const { code, resource, votes } = event;
      if (code === "contended" || code === "aborted") return undefined;
      return new RedlockError(
        code,
        `"${resource}" was not ${event.kind === "acquire-failed" ? "acquired" : "extended"}`,
        {
          resource,
          votes,
        },
      );
    }
    case "orphaned":
      return new RedlockError(
        "unavailable",
        `${String(event.count)} keys may be left until their TTL is over`,
      );
    case "acquire-started":
    case "acquired":
    case "extended":
    case "ended":
    case "released":
    case "node-back":
      return undefined;
  }
}
