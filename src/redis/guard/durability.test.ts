import { describe, expect, test } from "vitest";
import { whyNotFrom } from "./durability.ts";

const CONFIG = ["appendonly", "yes", "appendfsync", "always", "no-appendfsync-on-rewrite", "no"];
const INFO = "redis_mode:standalone\r\nrole:master\r\nconnected_slaves:0\r\n";
const withConfig = (name: string, value: string): readonly string[] =>
  CONFIG.with(CONFIG.indexOf(name) + 1, value);

describe("whyNotFrom", () => {
  test("a server that syncs before each reply, and that nobody can replace, is durable", () => {
    expect(whyNotFrom(CONFIG, INFO)).toBeUndefined();
  });

  test.each([
    [withConfig("appendonly", "no"), INFO, "appendonly is no, not yes"],
    [withConfig("appendfsync", "everysec"), INFO, "appendfsync is everysec, not always"],
    [withConfig("no-appendfsync-on-rewrite", "yes"), INFO, "no-appendfsync-on-rewrite is yes, not no"],
    [[], INFO, "appendonly is not told, not yes"],
    [CONFIG, INFO.replace("standalone", "cluster"), "it is no server of its own"],
    [CONFIG, INFO.replace("master", "slave"), "it is no master"],
    [CONFIG, INFO.replace("slaves:0", "slaves:1"), "it has replicas"],
    [CONFIG, "", "it is no server of its own"],
  ])("%# %s", (config, info, why) => {
    expect(whyNotFrom(config, info)).toContain(why);
  });
});
