/**
 * What the laboratory's strategies may ask of a node beyond the coordinator's own commands: the commands that
 * other locks send, right or wrong.
 */
import type {
  AcquireCommand,
  EndConnectionCommand,
  ExtendCommand,
  GuardCommand,
  LockCommand,
} from "../../src/ports/command.ts";
import type { NodeReply } from "../../src/ports/reply.ts";

/** What a server does on its keys. */
export type KeyCommand =
  | LockCommand
  | GuardCommand
  /** The quarantine is shorter by the server's uptime in whole seconds, as INFO gives it. */
  | { readonly kind: "guarded-by-uptime"; readonly command: AcquireCommand | ExtendCommand }
  /** GET, and the client compares: granted where the value is there. */
  | { readonly kind: "compare"; readonly resource: string; readonly value: string }
  /** DEL, which compares nothing. */
  | { readonly kind: "remove"; readonly resource: string }
  /** SET with an expiry, which asks nobody. */
  | { readonly kind: "overwrite"; readonly resource: string; readonly value: string; readonly ttlMs: number }
  /** Take the resource if nobody has it, or if this value has it already. */
  | {
      readonly kind: "acquire-again";
      readonly resource: string;
      readonly value: string;
      readonly ttlMs: number;
      /** Set the expiry anew where the value was there. */
      readonly refreshes: boolean;
    }
  /** Compare, then set the expiry, also where that shortens it. */
  | { readonly kind: "extend-to"; readonly resource: string; readonly value: string; readonly ttlMs: number }
  /** SET NX, then WAIT for so many replicas: answered when they have it. */
  | {
      readonly kind: "acquire-replicated";
      readonly resource: string;
      readonly value: string;
      readonly ttlMs: number;
      readonly replicaCount: number;
    }
  /** INCR of the resource's counter. */
  | { readonly kind: "increment"; readonly resource: string }
  /** Raise the resource's counter if it is lower. */
  | { readonly kind: "raise-counter"; readonly resource: string; readonly to: number };

export type LabCommand = KeyCommand | EndConnectionCommand;

export type LabReply = NodeReply | { readonly kind: "counted"; readonly count: number };
