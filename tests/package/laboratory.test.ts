/** What somebody gets who installs the laboratory's tarball. `npm test` has built `dist` before. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked, type PackedProject } from "./packed-project.fixture.ts";

const repository = join(import.meta.dirname, "..", "..");

describe("the packed laboratory", () => {
  let project: PackedProject;

  beforeAll(async () => {
    project = await installPacked(repository, ["--ignore-scripts"]);
  }, 180_000);

  afterAll(() => project.dispose());

  test("runs as a command", async () => {
    const help = await project.run("npx", "--no-install", "redlock-lab", "--help");

    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/\brun\b[^]*\blist\b[^]*|\blist\b[^]*\brun\b/);
  });

  test("lists its scenarios", async () => {
    const list = await project.run("npx", "--no-install", "redlock-lab", "list");

    expect(list.code).toBe(0);
    expect(list.stdout).toContain("S01");
  });

  test("answers bad input with one sentence and 64", async () => {
    const { code, stderr } = await project.run("npx", "--no-install", "redlock-lab", "run", "S99");

    expect(code).toBe(64);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("exports what stories are written with, and the coordinator", async () => {
    await project.write(
      "use.js",
      `import { defineScenario } from "redlock-lab";
       import { Redlock, createNodes } from "redlock-lab/coordinator";
       import { recordMetrics } from "redlock-lab/coordinator/opentelemetry";
       import { ResourceLockedError } from "redlock-lab/coordinator/redlock-5";
       console.log(typeof defineScenario, typeof Redlock, typeof createNodes);
       console.log(typeof recordMetrics, typeof ResourceLockedError);`,
    );

    expect(await project.run("node", "use.js")).toMatchObject({
      code: 0,
      stdout: "function function function\nfunction function\n",
    });
  });

  test("brings the sources that it needs at run time", async () => {
    expect(await project.files()).toEqual(
      expect.arrayContaining([
        "package/scripts/bring-go.sh",
        "package/scripts/set-up.sh",
        "package/harness/backends/real/clock/clock-shim.c",
      ]),
    );
  });

  test("holds nothing that only its developers need: no tests, benchmarks or maps of sources", async () => {
    const needed =
      /^package\/((bin|scripts|harness)\/|(package[.]json|[A-Z]+([.]md)?)$|dist\/(harness|scenarios|src)\/.+[.](js|d[.]ts)$)/;
    const files = await project.files();

    expect(files.filter((file) => !needed.test(file))).toEqual([]);
    expect(files.filter((file) => /[.](test|fixture)[.]/.test(file))).toEqual([]);
  });

  test("satisfies publint", async () => {
    const tarball = await readFile(project.tarball);
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });

    expect(messages).toEqual([]);
  });
});
