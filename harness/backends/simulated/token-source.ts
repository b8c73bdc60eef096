/** Where a worker's fencing tokens come from, each source with its way of going wrong. */
import type { TokenSourceKind } from "../../scenario/lab-settings.ts";
import type { LabCommand } from "../../strategies/lab-command.ts";
import type { Link } from "./network/link.ts";
import type { ServiceLine } from "./network/service-line.ts";
import type { TokenCounter } from "./token-counter.ts";

/** `settle` is never called where no token comes. */
export type DrawToken = (resource: string, settle: (token: bigint) => void) => void;

export interface TokenParts {
  readonly counter: TokenCounter;
  readonly line: ServiceLine;
  readonly links: readonly Link[];
  readonly quorum: number;
}

export function tokenSourceOf(kind: TokenSourceKind, parts: TokenParts): DrawToken {
  const { counter, line } = parts;
  switch (kind) {
    case "counter":
    case "replicated-counter":
      return (resource, settle) => line.ask(() => counter.next(resource), settle);
    case "node-counters":
      return (resource, settle) => countOnNodes(parts, resource, (highest) => settle(BigInt(highest)));
    case "raised-counters":
      return (resource, settle) =>
        countOnNodes(parts, resource, (highest) => {
          const raise: LabCommand = { kind: "raise-counter", resource, to: highest };
          askQuorum(parts, raise, () => settle(BigInt(highest)));
        });
  }
}

/** Each node counts for itself; the highest number of a quorum is the token. */
function countOnNodes(parts: TokenParts, resource: string, settle: (highest: number) => void): void {
  askQuorum(parts, { kind: "increment", resource }, (counts) => settle(Math.max(...counts)));
}

function askQuorum(
  { links, quorum }: TokenParts,
  command: LabCommand,
  settle: (counts: readonly number[]) => void,
): void {
  const counts: number[] = [];
  for (const link of links) {
    link.send(command, (reply) => {
      if (reply.kind !== "counted") return;
      counts.push(reply.count);
      if (counts.length === quorum) settle(counts);
    });
  }
}
