import type { WireCommand } from "./wire.ts";

/** What ioredis needs of a command that it is to send. */
export interface SendableCommand {
  readonly name: string;
  readonly args: readonly unknown[];
  /** Called with the raw answer. Instrumentation that wraps clients puts its own around it. */
  resolve: (answer: unknown) => void;
  /** Called with the server's error, or when the connection breaks or cannot be written to. */
  reject: (failure: Error) => void;
  readonly promise: Promise<unknown> | undefined;
  /** Whether its tracing channel has seen it. */
  readonly isTraced: boolean;
  /** How answers are to be mapped. */
  setReplyContext(context: object): void;
  /** What goes over the wire. */
  toWritable(stream: object): string | Buffer;
}

/**
 * A command with as little around it as ioredis can do with. Its own class makes a promise, a chain of it and four
 * closures for each command, which costs more than all the rest of a lock together; ioredis takes whatever has the
 * few members below. Its answers are those of RESP 2, and its tracing channel does not see it: the coordinator has
 * observers of its own.
 */
export class QuickCommand implements SendableCommand {
  readonly name: string;
  readonly args: readonly string[];
  resolve: (answer: unknown) => void;
  reject: (failure: Error) => void;
  readonly isTraced = true;
  readonly promise = undefined;

  constructor(
    { name, args }: WireCommand,
    onAnswer: (answer: unknown) => void,
    onFailure: (failure: Error) => void,
  ) {
    this.name = name;
    this.args = args;
    this.resolve = (answer) => {
      onAnswer(textFromAnswer(answer));
    };
    this.reject = onFailure;
  }

  /** An array of bulk strings. */
  toWritable(): string {
    let text = `*${String(this.args.length + 1)}\r\n${bulkString(this.name)}`;
    for (const arg of this.args) text += bulkString(arg);
    return text;
  }

  setReplyContext(): void {
    // Answers are taken as they come.
  }
}

/** The command with a prefix before each of its keys, as a client with a key prefix sends it. */
export function withKeyPrefix(command: WireCommand, prefix: string): WireCommand {
  if (prefix === "") return command;
  const { name, args } = command;
  const [firstKey, keyCount] = name === "EVAL" ? [2, Number(args[1])] : [0, 1];
  const isKey = (index: number): boolean => index >= firstKey && index < firstKey + keyCount;
  return { name, args: args.map((arg, index) => (isKey(index) ? `${prefix}${arg}` : arg)) };
}

function bulkString(text: string): string {
  return `$${String(Buffer.byteLength(text))}\r\n${text}\r\n`;
}

/** Strings come as bytes, also those within lists. */
function textFromAnswer(answer: unknown): unknown {
  if (Buffer.isBuffer(answer)) return answer.toString();
  return Array.isArray(answer) ? answer.map(textFromAnswer) : answer;
}
