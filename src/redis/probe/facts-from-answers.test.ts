import { describe, expect, test } from "vitest";
import { factsFromAnswers } from "./facts-from-answers.ts";

const INFO = [
  "# Server",
  "redis_version:7.0.15",
  "redis_mode:standalone",
  "run_id:0f72",
  "# Memory",
  "maxmemory_policy:noeviction",
  "# Replication",
  "role:master",
  "",
].join("\r\n");
const NOTHING = { info: undefined, role: undefined, config: undefined };

describe("factsFromAnswers", () => {
  test("INFO tells nearly all, CONFIG how data is kept", () => {
    const config = [
      "appendonly",
      "yes",
      "appendfsync",
      "always",
      "no-appendfsync-on-rewrite",
      "no",
      "save",
      "",
    ];
    expect(factsFromAnswers({ ...NOTHING, info: INFO, config })).toEqual({
      runId: "0f72",
      mode: "standalone",
      role: "master",
      version: "redis 7.0.15",
      evictionPolicy: "noeviction",
      persistence: "appendonly yes, appendfsync always, no-appendfsync-on-rewrite no, save never",
    });
  });

  test("how a file is synced that is not kept makes no difference", () => {
    const config = [
      "appendonly",
      "no",
      "appendfilename",
      "x.aof",
      "appendfsync",
      "everysec",
      "save",
      "3600 1",
    ];
    expect(factsFromAnswers({ ...NOTHING, config }).persistence).toBe("appendonly no, save 3600 1");
  });

  test("a replica is known by ROLE where INFO is denied", () => {
    expect(factsFromAnswers({ ...NOTHING, role: ["slave", "10.0.0.1", 6379] }).role).toBe("replica");
    expect(factsFromAnswers({ ...NOTHING, role: ["sentinel", ["locks"]] }).role).toBeUndefined();
  });

  test("Valkey is told from Redis", () => {
    const info = "redis_version:7.2.4\r\nvalkey_version:8.1.0\r\n";
    expect(factsFromAnswers({ ...NOTHING, info }).version).toBe("valkey 8.1.0");
  });

  test("what is denied is not known", () => {
    expect(Object.values(factsFromAnswers(NOTHING)).every((fact) => fact === undefined)).toBe(true);
    expect(factsFromAnswers({ info: 7, role: "OK", config: [] }).persistence).toBeUndefined();
  });
});
