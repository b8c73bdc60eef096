import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeFolder } from "./make-folder.ts";

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "make-folder-"));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

describe("makeFolder", () => {
  test("makes what is missing and says where it began", () => {
    expect(makeFolder(join(root, "a", "b", "c"))).toBe(join(root, "a"));
    expect(statSync(join(root, "a", "b", "c")).isDirectory()).toBe(true);
    expect(makeFolder(join(root, "a", "b"))).toBeUndefined();
  });

  test("fails where a file stands in the way", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
    expect(() => makeFolder(join(root, "file", "below"))).toThrow("ENOTDIR");
  });

  test("fails instead of going round for ever where the system lets nothing be made", () => {
    expect(() => makeFolder("/proc/redlock-lab/out")).toThrow(/ENOENT|EROFS|EACCES|EPERM/);
  });
});
