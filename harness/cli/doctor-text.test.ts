import { describe, expect, test } from "vitest";
import type { Program, ProgramName } from "../backends/local/programs.ts";
import {
  doctorJson,
  doctorText,
  impossibleFaults,
  missingPrograms,
  type Examination,
} from "./doctor-text.ts";

const found = (name: ProgramName, version: string): Program => ({
  kind: "found",
  name,
  path: `/usr/bin/${name}`,
  version,
});

const missing = (name: ProgramName): Program => ({
  kind: "missing",
  name,
  reason: `${name} is not there`,
  command: "bash scripts/set-up.sh",
});

const HEALTHY: Examination = {
  platform: "linux",
  nodeVersion: "20.19.0",
  redisServer: found("redis-server", "7.0.15"),
  toxiproxyServer: found("toxiproxy-server", "2.12.0"),
  compiler: found("C compiler", "cc 12.2.0"),
};

describe("doctorText", () => {
  test("names every program with its version where all is there", () => {
    const text = doctorText(HEALTHY);

    expect(text).toMatch(/^there +Node\.js +20\.19\.0$/m);
    expect(text).toMatch(/^there +redis-server +7\.0\.15 +\/usr\/bin\/redis-server$/m);
    expect(text).toContain("Every fault that real servers can show can be injected.");
    expect(text).not.toContain("To get");
  });

  test("says each command once, however much it brings", () => {
    const text = doctorText({
      ...HEALTHY,
      toxiproxyServer: missing("toxiproxy-server"),
      compiler: missing("C compiler"),
    });

    expect(text).toMatch(/^missing +toxiproxy-server +toxiproxy-server is not there$/m);
    expect(text).toMatch(/^ {2}cut-link +needs toxiproxy-server$/m);
    expect(text.match(/bash scripts\/set-up\.sh/g)).toHaveLength(1);
  });
});

test("doctorJson says the same to programs", () => {
  const json: unknown = JSON.parse(doctorJson({ ...HEALTHY, compiler: missing("C compiler") }));

  expect(json).toMatchObject({
    schema: "redlock-lab/doctor/1",
    programs: [{ kind: "found", name: "redis-server" }, {}, { kind: "missing", name: "C compiler" }],
    impossibleFaults: { "jump-clock": "needs a C compiler" },
    commands: ["bash scripts/set-up.sh"],
  });
});

describe("impossibleFaults", () => {
  test("nothing can be played without redis-server", () => {
    expect(impossibleFaults({ ...HEALTHY, redisServer: missing("redis-server") }).size).toBe(16);
  });

  test("links need toxiproxy-server", () => {
    const reasons = impossibleFaults({ ...HEALTHY, toxiproxyServer: missing("toxiproxy-server") });

    expect([...reasons.keys()]).toEqual(["cut-link", "slow-link", "reset-link"]);
  });

  test("clocks and power need the C compiler", () => {
    const reasons = impossibleFaults({ ...HEALTHY, compiler: missing("C compiler") });

    expect([...reasons.keys()]).toEqual(["lose-power", "hold-sync", "jump-clock", "skew-clock"]);
  });

  test("clocks and power are Linux only, compiler or not", () => {
    const reasons = impossibleFaults({ ...HEALTHY, platform: "darwin" });

    expect([...reasons]).toEqual([
      ["lose-power", "Linux only"],
      ["hold-sync", "Linux only"],
      ["jump-clock", "Linux only"],
      ["skew-clock", "Linux only"],
    ]);
  });
});

describe("missingPrograms", () => {
  test("a compiler is not missed where nothing would be compiled", () => {
    expect(missingPrograms({ ...HEALTHY, platform: "darwin", compiler: missing("C compiler") })).toEqual([]);
  });
});
