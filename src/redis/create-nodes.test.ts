import { describe, expect, test } from "vitest";
import { createNodes } from "./create-nodes.ts";

describe("createNodes", () => {
  test.each([
    [[], "createNodes takes a list of 1 to 26 Redis addresses"],
    ["redis://127.0.0.1:6379", "createNodes takes a list"],
    [["127.0.0.1:6379"], '"127.0.0.1:6379" is no Redis address'],
    [["http://127.0.0.1:6379"], "is no Redis address"],
    [[6379], '"6379" is no Redis address'],
    [["redis://a", "redis://A:6379"], "the node a:6379 is listed twice"],
    [["redis://a:1/0", "redis://a:1/1"], "the node a:1 is listed twice"],
  ])("%o is misuse in one sentence", (urls, message) => {
    expect(() => createNodes(urls as string[])).toThrow(
      expect.objectContaining({ code: "misuse", message: expect.stringContaining(message) as string }),
    );
  });
});
