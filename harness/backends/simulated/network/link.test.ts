import { describe, expect, test } from "vitest";
import type { LinkFault } from "../../../faults/fault-families.ts";
import { acquireOf, type RigOptions, virtualRig } from "../virtual-rig.fixture.ts";

const ENDS = { workers: ["W1"], nodes: ["A"] } as const;
const RESET: LinkFault = { kind: "reset-link", ...ENDS };
const REFUSE: LinkFault = { kind: "cut-link", ...ENDS, how: "refuse" };
const DELETE_V1 = { kind: "delete", resource: "orders", value: "v1" } as const;

function linked(options?: RigOptions) {
  const rig = virtualRig(options);
  const { link, process } = rig.worker("W1");
  const send = (command: Parameters<typeof rig.send>[1], name?: string): void =>
    rig.send(link, command, name);
  const sends = (count: number): void => {
    for (let number = 1; number <= count; number += 1) send(acquireOf(`v${number}`), String(number));
  };
  const kinds = (): readonly string[] => rig.answers.map(({ reply }) => reply.kind);
  return { ...rig, link, process, send, sends, kinds };
}

describe("Link", () => {
  test("a command takes about 2 ms there and its answer as much back", () => {
    const { send, answers, events, playTo } = linked();
    send(acquireOf("v1"));
    playTo(100);

    const [setAtMs] = (events[0] ?? "").split(" ");
    expect(Number(setAtMs)).toBeGreaterThanOrEqual(1.5);
    expect(Number(setAtMs)).toBeLessThanOrEqual(2.5);
    expect(answers).toMatchObject([{ reply: { kind: "granted" } }]);
    expect(answers[0]?.atMs).toBeGreaterThanOrEqual(3);
    expect(answers[0]?.atMs).toBeLessThanOrEqual(5);
  });

  test("one connection keeps the order of what is sent, however much the delays differ", () => {
    const { link, sends, answers, playTo } = linked();
    link.apply("slow", { kind: "slow-link", ...ENDS, direction: "request", latencyMs: 50, jitterMs: 50 });
    link.apply("slow-2", { kind: "slow-link", ...ENDS, direction: "reply", latencyMs: 50, jitterMs: 50 });
    sends(30);
    playTo(1000);

    expect(answers.map(({ name }) => name)).toEqual(Array.from({ length: 30 }, (_, index) => `${index + 1}`));
  });

  test("a link that refuses closes what stands, refuses new connections, and stands again once it is healed", () => {
    const { link, send, kinds, playTo, at } = linked();
    link.apply("cut", REFUSE);
    at(200, () => send(acquireOf("v1")));
    playTo(300);
    expect(link.isConnected).toBe(false);
    expect(kinds()).toEqual(["unknown"]);

    link.heal("cut", REFUSE);
    playTo(500);
    expect(link.isConnected).toBe(true);
  });

  test("a link that is refused for two reasons stays so until both are gone", () => {
    const { link, playTo } = linked();
    link.apply("one", REFUSE);
    link.apply("two", REFUSE);
    link.heal("one", REFUSE);
    playTo(500);
    expect(link.isConnected).toBe(false);

    link.heal("two", REFUSE);
    playTo(1000);
    expect(link.isConnected).toBe(true);
  });

  test.each([
    ["request", 0],
    ["reply", 1],
    ["both", 0],
  ] as const)("what is lost with the %s is never answered", (direction, keyCount) => {
    const { link, send, answers, events, playTo } = linked();
    link.apply("cut", { kind: "cut-link", ...ENDS, how: "lose", direction });
    send(acquireOf("v1"));
    playTo(1000);

    expect(answers).toEqual([]);
    expect(events).toHaveLength(keyCount);
  });

  test("the end of a loss ends the connection: half a command could have been lost", () => {
    const { link, send, kinds, playTo } = linked();
    const cut: LinkFault = { kind: "cut-link", ...ENDS, how: "lose" };
    link.apply("cut", cut);
    send(acquireOf("v1"));
    playTo(100);
    link.heal("cut", cut);
    playTo(200);

    expect(kinds()).toEqual(["unknown"]);
    expect(link.isConnected).toBe(true);
  });

  test("a slow link delays one direction by its latency until it is healed", () => {
    const { link, send, answers, playTo } = linked();
    const slow: LinkFault = { kind: "slow-link", ...ENDS, direction: "reply", latencyMs: 30 };
    link.apply("slow", slow);
    send(acquireOf("v1"), "slowly");
    playTo(100);
    link.heal("slow", slow);
    send(acquireOf("v2"), "quickly");
    playTo(200);

    const [slowly, quickly] = answers.map(({ atMs }) => atMs);
    expect(slowly).toBeGreaterThanOrEqual(33);
    expect(slowly).toBeLessThanOrEqual(35);
    expect(quickly).toBeLessThanOrEqual(105);
  });

  test.each(["request", "reply"] as const)(
    "a link may lose a share of what goes with the %s",
    (direction) => {
      const { link, send, answers, node, playTo } = linked();
      const lossy: LinkFault = { kind: "lossy-link", ...ENDS, direction, share: 0.3 };
      link.apply("lossy", lossy);
      for (let index = 0; index < 1000; index += 1) send({ kind: "increment", resource: "orders" });
      playTo(100);

      expect(answers.length).toBeGreaterThan(600);
      expect(answers.length).toBeLessThan(800);
      const run = node.server.execute({ kind: "increment", resource: "orders" });
      expect(run).toEqual({ kind: "counted", count: (direction === "request" ? answers.length : 1000) + 1 });

      link.heal("lossy", lossy);
      send({ kind: "increment", resource: "orders" });
      playTo(200);
      expect(answers.at(-1)?.atMs).toBeGreaterThan(100);
    },
  );

  test("a share of 1 is everything", () => {
    const { link, sends, answers, playTo } = linked();
    link.apply("lossy", { kind: "lossy-link", ...ENDS, direction: "request", share: 1 });
    sends(100);
    playTo(1000);

    expect(answers).toEqual([]);
  });
});

describe("Link: a reset", () => {
  test("is known at once to whoever waits, while what was sent still reaches the node and runs", () => {
    const { link, send, answers, events, playTo } = linked();
    send(acquireOf("v1"));
    link.apply("reset", RESET);
    playTo(10);

    expect(answers).toMatchObject([{ atMs: 0, reply: { kind: "unknown", mayHaveRun: true } }]);
    expect(events).toMatchObject([expect.stringMatching(/key-set A orders v1/)]);
  });

  test("is followed by a new connection, without any healing", () => {
    const { link, send, kinds, playTo } = linked();
    link.apply("reset", RESET);
    expect(link.isConnected).toBe(false);
    playTo(50);
    send(acquireOf("v1"));
    playTo(100);

    expect(kinds()).toEqual(["granted"]);
  });

  test("nothing keeps the order between the old connection and the new one", () => {
    const { link, send, at, events, playTo } = linked();
    const slow: LinkFault = { kind: "slow-link", ...ENDS, direction: "request", latencyMs: 100 };
    link.apply("slow", slow);
    send(acquireOf("v1"));
    link.apply("reset", RESET);
    link.heal("slow", slow);
    at(60, () => send(DELETE_V1));
    playTo(200);

    expect(events.map((event) => event.replace(/^\S+ /, ""))).toEqual(["key-set A orders v1 command"]);
  });

  test("a worker that stands still learns of it when it goes on", () => {
    const { link, process, send, answers, at, playTo } = linked();
    send(acquireOf("v1"));
    process.pause();
    link.apply("reset", RESET);
    at(300, () => process.resume());
    playTo(400);

    expect(answers).toMatchObject([{ atMs: 300, reply: { kind: "unknown", mayHaveRun: true } }]);
  });
});

describe("Link: a node that dies", () => {
  test("leaves what it was asked unknown, and is reached again when it is up", () => {
    const { node, link, send, kinds, at, playTo } = linked();
    send(acquireOf("v1"));
    at(1, () => node.goDown("killed"));
    at(200, () => node.server.comeUp());
    playTo(150);
    expect(kinds()).toEqual(["unknown"]);
    expect(link.isConnected).toBe(false);

    playTo(400);
    expect(link.isConnected).toBe(true);
  });

  test("takes nothing that was sent to its former life", () => {
    const { node, link, send, events, at, playTo } = linked();
    link.apply("slow", { kind: "slow-link", ...ENDS, direction: "request", latencyMs: 100 });
    send(acquireOf("v1"));
    at(1, () => node.goDown("killed"));
    at(2, () => node.server.comeUp());
    playTo(300);

    expect(events.some((event) => event.includes("key-set"))).toBe(false);
  });

  test("a delete waits for a node that is away, and an acquire does not", () => {
    const { link, node, send, answers, playTo } = linked();
    node.server.execute(acquireOf("v1"));
    link.apply("cut", REFUSE);
    playTo(50);
    send(DELETE_V1);
    send(acquireOf("v2"));
    playTo(300);
    expect(answers).toMatchObject([{ name: "acquire", reply: { kind: "unknown", mayHaveRun: false } }]);

    link.heal("cut", REFUSE);
    playTo(600);
    expect(answers.slice(1)).toMatchObject([{ name: "delete", reply: { kind: "granted" } }]);
  });

  test.each([
    [true, "granted", 0],
    [false, "unknown", 1],
  ] as const)(
    "where old connections may be ended (%s) the answer is %s, and %i commands of them come through",
    (endsConnections, answer, keyCount) => {
      const { link, node, send, answers, playTo } = linked({ endsConnections });
      const slow: LinkFault = { kind: "slow-link", ...ENDS, direction: "request", latencyMs: 500 };
      link.apply("slow", slow);
      send(acquireOf("v1"));
      playTo(50);
      link.apply("reset", RESET);
      link.heal("slow", slow);
      playTo(150);
      send({ kind: "end-connection", resource: "orders", value: "v1" });
      playTo(1000);

      expect(answers.at(-1)).toMatchObject({ name: "end-connection", reply: { kind: answer } });
      expect(node.server.findKeys().length).toBe(keyCount);
    },
  );

  test.each([
    ["of a server that has been started again", true, "v1"],
    ["that nobody has heard of", false, "v2"],
  ])("a connection %s is not ended", (_which, restarts, value) => {
    const { link, node, send, answers, playTo } = linked();
    link.apply("cut", { kind: "cut-link", ...ENDS, how: "lose" });
    send(acquireOf("v1"));
    playTo(50);
    if (restarts) {
      node.goDown("killed");
      node.comeUp();
    } else {
      link.apply("reset", RESET);
    }
    playTo(300);
    send({ kind: "end-connection", resource: "orders", value });
    playTo(600);

    expect(answers.at(-1)).toMatchObject({ name: "end-connection", reply: { kind: "unknown" } });
  });
});
