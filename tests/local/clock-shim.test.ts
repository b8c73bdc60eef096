import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildClockShim, clockShimObstacle } from "../../harness/backends/local/clock-shim.ts";
import { findCompiler, requireProgram } from "../../harness/backends/local/programs.ts";
import { useRig } from "./lab-rig.fixture.ts";

const rig = useRig();

async function compilerPath(): Promise<string> {
  return requireProgram(await findCompiler()).path;
}

describe("buildClockShim", () => {
  test("built twice at once leaves one file, which is taken from then on", async () => {
    const cacheDir = join(await rig.folder(), "cache");
    const options = { compiler: await compilerPath(), cacheDir };
    const [first, second] = await Promise.all([buildClockShim(options), buildClockShim(options)]);
    expect(second).toBe(first);
    expect(await buildClockShim(options)).toBe(first);
    expect(await readdir(cacheDir)).toHaveLength(1);
  });

  test.each([
    ["a compiler that fails", "/bin/false", "cache"],
    ["a compiler that is not there", "/no/such/cc", "cache"],
  ])("%s is one sentence, and nothing is left", async (_name, compiler, folder) => {
    const cacheDir = join(await rig.folder(), folder);
    const message = await buildClockShim({ compiler, cacheDir }).catch((error: unknown) => String(error));
    expect(message).toMatch(/^InfrastructureError: The clock shim cannot be built with [^\n]+\.$/);
    expect(await readdir(cacheDir)).toEqual([]);
  });

  test("a cache that cannot be written is one sentence", async () => {
    const options = { compiler: await compilerPath(), cacheDir: "/proc/redlock-lab" };
    await expect(buildClockShim(options)).rejects.toThrow(/^The clock shim cannot be built with [^\n]+\.$/);
  });
});

describe("clockShimObstacle", () => {
  test("is what the machine lacks", () => {
    expect(clockShimObstacle({ platform: "darwin", compiler: "cc" })?.kind).toBe("not-linux");
    expect(clockShimObstacle({ platform: "linux", compiler: undefined })?.kind).toBe("no-compiler");
    expect(clockShimObstacle({ platform: "linux", compiler: "cc" })).toBeUndefined();
  });
});
