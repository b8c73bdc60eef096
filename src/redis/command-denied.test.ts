import { describe, expect, test } from "vitest";
import { isCommandDenied } from "./command-denied.ts";

describe("isCommandDenied", () => {
  test.each([
    "NOPERM this user has no permissions to run the 'eval' command",
    "NOPERM User locks has no permissions to run the 'eval' command",
    "ERR ACL failure in script: User locks has no permissions to run the 'exists' command script: 01, on @user_script:1.",
    "ERR The user executing the script can't run this command or subcommand script: 01, on @user_script:2.",
    "ERR unknown command 'DELEX', with args beginning with: 'orders'",
  ])("%s", (message) => {
    expect(isCommandDenied(message)).toBe(true);
  });

  test.each([
    "NOPERM this user has no permissions to access one of the keys used as arguments",
    "NOPERM No permissions to access a key",
    "ERR ACL failure in script: No permissions to access a key script: 01, on @user_script:1.",
    "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments",
    "READONLY You can't write against a read only replica.",
  ])("not: %s", (message) => {
    expect(isCommandDenied(message)).toBe(false);
  });
});
