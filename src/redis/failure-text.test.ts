import { describe, expect, test } from "vitest";
import { failureText } from "./failure-text.ts";

describe("failureText", () => {
  test.each([
    [
      "READONLY You can't write against a read only replica.",
      "READONLY: it is a replica; a node must be a master",
    ],
    [
      "OOM command not allowed when used memory > 'maxmemory'.",
      "OOM: its memory limit (maxmemory) is reached",
    ],
    [
      "MOVED 5798 127.0.0.1:7001",
      "MOVED: it belongs to a Redis Cluster, where another server has this key; name the cluster as {cluster: […]}",
    ],
    [
      "NOPERM this user has no permissions to run the 'set' command",
      "NOPERM: this user has no permissions to run the 'set' command",
    ],
    [
      "NOPERM No permissions to access a key script: 0123456789012345678901234567890123456789, on @user_script:1.",
      "NOPERM: No permissions to access a key",
    ],
    [
      "ERR The user executing the script can't run this command or subcommand script: 0123456789012345678901234567890123456789, on @user_script:1.",
      "NOPERM: this user's scripts can't run this command or subcommand",
    ],
    [
      "ERR unknown command 'SET', with args beginning with: 'orders'",
      "it has no command SET: too old, renamed, or no Redis master (a Sentinel?)",
    ],
  ])("%s", (message, text) => {
    expect(failureText(message)).toBe(text);
  });

  test.each([
    "connect ECONNREFUSED 127.0.0.1:1",
    "ERR max number of clients reached",
    "",
    "CONSTRUCTOR of nothing",
  ])("what is not known keeps its own words: %s", (message) => {
    expect(failureText(message)).toBe(message);
  });
});
