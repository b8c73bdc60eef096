/** For each mutant the smallest story in which it breaks what the shipped coordinator keeps. */
import type { CheckerName } from "../checkers/checker-name.ts";
import type { Fault, LinkDirection } from "../faults/fault.ts";
import { after, at } from "../scenario/story-parts.ts";
import { type Trial, w1, w2 } from "./trial.fixture.ts";

export interface MutantTrial {
  readonly mutant: string;
  /** What happens, in a sentence. */
  readonly story: string;
  readonly trial: Trial;
  /** What the mutant breaks; the shipped coordinator breaks nothing. */
  readonly breaks: CheckerName;
}

/** A lifetime that outlasts the last look at the keys. */
const LONG_MS = 5000;

type Lost = {
  readonly nodes: readonly string[];
  readonly worker?: string;
  readonly direction?: LinkDirection;
  readonly forMs?: number;
};

const lose = ({ worker = "W1", ...lost }: Lost): Fault => ({
  kind: "cut-link",
  workers: [worker],
  how: "lose",
  ...lost,
});

const slow = (
  nodes: readonly string[],
  direction: "request" | "reply",
  latencyMs: number,
  { worker = "W1", ...more }: { readonly worker?: string; readonly forMs?: number } = {},
): Fault => ({ kind: "slow-link", workers: [worker], ...{ nodes, direction, latencyMs }, ...more });

/** Goes on with something else when W1's story is over. */
const OTHER = w2(1000, { resource: "other" });

const ALL = ["A", "B", "C", "D", "E"];

export const TRIALS: readonly MutantTrial[] = [
  {
    mutant: "mutant:no-undo",
    story: "W1 gets two votes of five and gives up",
    trial: { workers: [w1({ ttlMs: LONG_MS })], faults: [[at(0), lose({ nodes: ["C", "D", "E"] })]] },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:undo-only-yes-votes",
    story: "W1 stands still until its timer has rung, and never looks at the votes (S55)",
    trial: {
      workers: [w1({ ttlMs: LONG_MS })],
      faults: [
        [
          { kind: "before-effect", worker: "W1", effect: "receive" },
          { kind: "pause-worker", worker: "W1", forMs: 60, resumeWith: "timers" },
        ],
      ],
    },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:plain-del",
    story: "W1 releases when its lock has expired and W2 has it (S25)",
    trial: { workers: [w1({ workMs: 1100, checkBeforeWrite: true }), w2(1010, { workMs: 500 })] },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:get-then-del",
    story: "W1 releases shortly before its lock expires (S26)",
    trial: { workers: [w1({ workMs: 890 }), w2(1010, { workMs: 500 })] },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:undo-without-kill",
    story:
      "W1's connections break while its commands are under way, and the server gets them all the same (S63)",
    trial: {
      workers: [w1({ ttlMs: LONG_MS }), OTHER],
      faults: [
        [at(0), slow(["C", "D", "E"], "request", 600, { forMs: 60 })],
        [at(40), { kind: "reset-link", workers: ["W1"], nodes: ["C", "D", "E"] }],
      ],
    },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:reused-token",
    story: "the undo of W1's first attempt is not answered, and is repeated when the second has won (S27)",
    trial: {
      workers: [w1({ waitMs: 2000, workMs: 500 }), w2(370, { workMs: 300 })],
      faults: [
        [at(0), lose({ nodes: ["D", "E"] })],
        [at(0), lose({ nodes: ["C"], forMs: 55 })],
        [at(51), { kind: "reset-link", workers: ["W1"], nodes: ["A", "B"] }],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:idempotent-without-refresh",
    story: "W1 gets the first of its votes long before the others (S28)",
    trial: {
      workers: [w1({ waitMs: 2000, workMs: 800 }), w2(1010, { workMs: 300 })],
      faults: [
        [at(0), lose({ nodes: ["D", "E"] })],
        [at(0), lose({ nodes: ["B", "C"], forMs: 850 })],
        [at(45), lose({ nodes: ["A"], forMs: 805 })],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:visible-quorum",
    story: "W1 has no connection to D and E, and C is silent (S48)",
    trial: {
      workers: [w1({ workMs: 500 }), w2(100)],
      faults: [
        [at(0), { kind: "cut-link", workers: ["W1"], nodes: ["D", "E"], how: "refuse" }],
        [at(0), lose({ nodes: ["C"] })],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:no-per-node-timeout",
    story: "a majority is silent",
    trial: { workers: [w1()], faults: [[at(0), lose({ nodes: ["C", "D", "E"] })]] },
    breaks: "settling",
  },
  {
    mutant: "mutant:vote-deadlock-on-even-n",
    story: "two workers get two nodes of four each (S22)",
    trial: {
      settings: { nodeCount: 4, quorum: 3 },
      workers: [w1(), w2(0, { waitMs: 0 })],
      faults: [
        [at(0), slow(["C", "D"], "request", 10)],
        [at(0), slow(["A", "B"], "request", 10, { worker: "W2" })],
      ],
    },
    breaks: "settling",
  },
  {
    mutant: "mutant:count-late-replies",
    story: "C's yes to W1's first attempt comes during its second, when W2 has C (S65)",
    trial: {
      workers: [w1({ waitMs: 60, workMs: 300 }), w2(52, { workMs: 300 })],
      faults: [
        [at(0), lose({ nodes: ["D", "E"] })],
        [at(0), lose({ worker: "W2", nodes: ["A", "B"] })],
        [at(0), slow(["C"], "reply", 75)],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:resend-on-reconnect",
    story: "W1's connections break while its commands are under way, and it gives up (S52)",
    trial: {
      workers: [w1({ ttlMs: LONG_MS }), OTHER],
      faults: [
        [at(0), slow(ALL, "reply", 20, { forMs: 200 })],
        [at(10), { kind: "cut-link", workers: ["W1"], nodes: ALL, how: "refuse", forMs: 200 }],
      ],
    },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:no-validity-check",
    story: "W1 stands still before it reads the votes, and W2 has the lock when it goes on (S02)",
    trial: {
      settings: { nodeTimeoutMs: 2000 },
      workers: [w1(), w2(1100, { workMs: 600 })],
      faults: [
        [
          { kind: "before-effect", worker: "W1", effect: "receive" },
          { kind: "pause-worker", worker: "W1", forMs: 1500, resumeWith: "replies" },
        ],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:start-after-quorum",
    story: "W1's votes take 400 ms to come back (S29)",
    trial: {
      settings: { nodeTimeoutMs: 500 },
      workers: [w1({ workMs: 1100, checkBeforeWrite: true }), w2(1010, { workMs: 300 })],
      faults: [[at(0), slow(ALL, "reply", 400)]],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:wall-clock",
    story: "W1's wall clock is set back while it waits for its votes (S12)",
    trial: {
      settings: { nodeTimeoutMs: 970 },
      workers: [w1({ workMs: 500 }), w2(1010, { workMs: 300 })],
      faults: [
        [at(0), slow(ALL, "reply", 940)],
        [at(500), { kind: "jump-worker-clock", worker: "W1", byMs: -900 }],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:drift-zero",
    story: "the nodes' clocks are 1 % fast (S10)",
    trial: {
      workers: [w1({ workMs: 1100, checkBeforeWrite: true })],
      faults: ALL.map((node) => [at(0), { kind: "skew-clock", node, rate: 1.01 }] as const),
    },
    breaks: "danger",
  },
  {
    mutant: "mutant:any-extend",
    story: "W1's extension reaches one of its three nodes in time (S30)",
    trial: {
      workers: [
        w1({ workMs: 955, extendMs: 1000, lingerMs: 500, checkBeforeWrite: true }),
        w2(1010, { workMs: 300 }),
      ],
      faults: [
        [at(0), lose({ nodes: ["D", "E"] })],
        [at(900), slow(["B", "C"], "request", 100)],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:extend-without-compare",
    story: "W1's extension arrives when W2 has the lock",
    trial: {
      workers: [w1({ workMs: 960, extendMs: 1000, checkBeforeWrite: true }), w2(1010, { workMs: 300 })],
      faults: [[at(900), slow(ALL, "request", 100)]],
    },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:shortening-extend",
    story: "an extension to 200 ms is carried out, and no answer comes (S60)",
    trial: {
      workers: [w1({ workMs: 100, extendMs: 200, checkBeforeWrite: true })],
      faults: [[after({ kind: "extend-invoked" }, 0.5), lose({ nodes: ALL })]],
    },
    breaks: "danger",
  },
  {
    mutant: "mutant:undo-lost-renewal",
    story: "no answer to an extension comes (S58)",
    trial: {
      workers: [w1({ workMs: 300, extendMs: 1000, lingerMs: 300 })],
      faults: [[at(295), lose({ nodes: ALL, direction: "reply", forMs: 80 })]],
    },
    breaks: "danger",
  },
  {
    mutant: "mutant:sweep-won-round",
    story: "an extension counts on nodes that had not answered the acquire (S59)",
    trial: {
      workers: [w1({ workMs: 490, extendMs: 1000, lingerMs: 500 })],
      faults: [
        [at(0), lose({ nodes: ["D", "E"], direction: "reply", forMs: 200 })],
        [at(400), lose({ nodes: ["B", "C"] })],
      ],
    },
    breaks: "danger",
  },
  {
    mutant: "mutant:uptime-quarantine",
    story: "a node that was up for long is emptied (S62)",
    trial: {
      settings: { restartGuard: true },
      workers: [w1({ startWhen: at(2000), workMs: 500 }), w2(2110)],
      faults: [
        [at(0), { kind: "cut-link", workers: ["W1"], nodes: ["D", "E"], how: "refuse" }],
        [at(0), { kind: "cut-link", workers: ["W2"], nodes: ["A", "B"], how: "refuse" }],
        [at(2100), { kind: "flush-node", node: "C" }],
      ],
    },
    breaks: "declared",
  },
  {
    mutant: "mutant:re-seed-by-plain-set",
    story: "W1's key comes again to nodes that W2 has taken meanwhile (S61)",
    trial: {
      workers: [w1({ workMs: 490, extendMs: 1000, lingerMs: 100 }), w2(600, { workMs: 500 })],
      faults: [
        [at(0), lose({ nodes: ["D", "E"], forMs: 200 })],
        [after({ kind: "extend-invoked" }, 2), slow(["D", "E"], "request", 400, { forMs: 300 })],
      ],
    },
    breaks: "hygiene",
  },
  {
    mutant: "mutant:swap-while-believing",
    story: "W1 hands its lock over, and the swap reaches only one of the nodes that hold it (S64)",
    trial: {
      workers: [w1({ acquireCount: 2, grantsMax: 2, handsOver: true, workMs: 100 }), w2(200)],
      faults: [
        [at(0), lose({ nodes: ["D", "E"] })],
        [at(50), lose({ nodes: ["B", "C"] })],
      ],
    },
    breaks: "declared",
  },
];
