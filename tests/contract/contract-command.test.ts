import { describe, expect, test, vi } from "vitest";
import type { Persistence } from "../../harness/scenario/lab-settings.ts";
import { contractCommand } from "./contract-command.ts";
import type { ContractSide } from "./contract-step.ts";
import { simulatedSide } from "./simulated-side.ts";

interface Ended {
  readonly code: number;
  readonly printed: string;
  readonly complaint: string;
}

async function contract(
  line: string,
  side: (persistence: Persistence) => ContractSide = simulatedSide,
): Promise<Ended> {
  let printed = "";
  let complaint = "";
  const code = await contractCommand(line.split(" ").filter(Boolean), {
    print: (text) => void (printed += text),
    complain: (text) => void (complaint += text),
    drawSeed: () => 1,
    simulatedSide: side,
  });
  return { code, printed, complaint };
}

/** A node on which every key lives a millisecond longer than it should after time has passed. */
function slowSide(persistence: Persistence): ContractSide {
  const exact = simulatedSide(persistence);
  return {
    play: (steps) =>
      exact.play(
        steps.map((step) => (step.kind === "pass" ? { ...step, durationMs: step.durationMs - 1 } : step)),
      ),
  };
}

describe("npm run contract", () => {
  test("tells how much was compared", async () => {
    const { code, printed } = await contract("--sequences 20 --restarts 2 --seed 7");
    expect(printed).toMatch(
      /^the simulated node against redis-server [\d.]+, seed 7\nsequences: 20 played, \d+ answers compared, \d+ a second, no difference\nrestarts: 2 played, \d+ answers compared, \d+ a second, no difference\n$/,
    );
    expect(code).toBe(0);
  });

  test.each(["sequences", "restarts"])("finds a clock that is a millisecond off by %s", async (kind) => {
    const other = kind === "sequences" ? "--restarts 0" : "--sequences 0";
    const { code, printed } = await contract(`${other} --${kind} 100`, slowSide);
    expect(printed).toContain('{"kind":"pass","durationMs":');
    expect(printed).toMatch(/\n {4}simulated: .+\n {4}real: {6}.+\nto repeat it:\n/);
    expect(code).toBe(1);

    const [, repeat = ""] = /npm run contract -- (.+)\n/.exec(printed) ?? [];
    const again = await contract(repeat, slowSide);
    expect(again.code).toBe(1);
    expect(again.printed).toContain(/ {4}simulated:.+\n {4}real:.+\n/.exec(printed)?.[0]);
  });

  test.each([
    ["--sequences many", "a whole number from 0"],
    ["--sequences -1", "a whole number from 0"],
    ["--sequences 99999999", "a whole number from 0"],
    ["--seed 99999999999", "a whole number from 0"],
    ["--bogus", "unknown option '--bogus'"],
    ["more", "too many arguments"],
    ["--path x --seed 1", "numbers with colons"],
    ["--path 1:2", "--path needs the --seed"],
    ["--path 1:2 --seed 1", "set --sequences or --restarts to 0"],
  ])("%s is a mistake in one sentence", async (line, part) => {
    const { code, printed, complaint } = await contract(line);
    expect(complaint).toMatch(/^contract: [^\n]+\.\n$/);
    expect(complaint).toContain(part);
    expect(printed).toBe("");
    expect(code).toBe(64);
  });

  test("without a redis-server it says how to get one", async () => {
    vi.stubEnv("REDIS_SERVER", "/no/such/redis-server");
    const { code, complaint } = await contract("--sequences 1");
    vi.unstubAllEnvs();
    expect(complaint).toMatch(/^contract: REDIS_SERVER names [^\n]+\n$/);
    expect(code).toBe(70);
  });

  test("tells its options", async () => {
    const { code, printed } = await contract("--help");
    expect(printed).toContain("--sequences <count>");
    expect(code).toBe(0);
  });
});
