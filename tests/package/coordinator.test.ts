/** What somebody gets who installs the coordinator alone: it, ioredis, and nothing of the laboratory. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked, type PackedProject } from "./packed-project.fixture.ts";

const repository = join(import.meta.dirname, "..", "..");
const source = join(repository, "src");

interface Tree {
  /** Absent for an optional peer that is not there. */
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, Tree>>;
}

const installed = ({ dependencies = {} }: Tree = {}): readonly string[] =>
  Object.keys(dependencies).filter((name) => dependencies[name]?.version !== undefined);

describe("the packed coordinator", () => {
  let project: PackedProject;

  beforeAll(async () => {
    project = await installPacked(source, []);
  }, 180_000);

  afterAll(async () => {
    await project.dispose();
    await rm(join(source, "dist"), { recursive: true, force: true });
  });

  test("depends on ioredis alone", async () => {
    const { stdout } = await project.run("npm", "ls", "--json", "--depth", "1");
    const tree = JSON.parse(stdout) as Tree;

    expect(installed(tree)).toEqual(["@redlock-lab/coordinator"]);
    expect(installed(tree.dependencies?.["@redlock-lab/coordinator"])).toEqual(["ioredis"]);
  });

  test("brings nothing of the laboratory", async () => {
    const lock = (await project.readJson("package-lock.json")) as { packages: Record<string, unknown> };
    const manifest = JSON.parse(await readFile(join(repository, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
    };
    const laboratory = Object.keys(manifest.dependencies).filter((name) => name !== "ioredis");
    const present = Object.keys(lock.packages);

    expect(laboratory.filter((name) => present.includes(`node_modules/${name}`))).toEqual([]);
  });

  test("holds code, types and what is to be read, and nothing else", async () => {
    const needed =
      /^package\/(package[.]json|README[.]md|LICENSE|dist\/[^ ]+(?<![.](test|fixture))[.](js|d[.]ts))$/;

    expect((await project.files()).filter((file) => !needed.test(file))).toEqual([]);
  });

  test("can be imported", async () => {
    await project.write(
      "use.js",
      `import { Redlock, RedlockError } from "@redlock-lab/coordinator";
       console.log(typeof Redlock, typeof RedlockError);`,
    );

    expect(await project.run("node", "use.js")).toMatchObject({ code: 0, stdout: "function function\n" });
  });

  test("has types that a strict project accepts", async () => {
    await project.write(
      "use.ts",
      `import { Redlock, createNodes } from "@redlock-lab/coordinator";
       const redlock = new Redlock(createNodes(["redis://127.0.0.1:7001"]));
       const lock = await redlock.acquire("orders", 1000);
       const remaining: number = lock.remainingMs();
       console.log(remaining, lock.signal.aborted);`,
    );
    const compilerOptions = {
      module: "nodenext",
      target: "es2023",
      lib: ["es2023", "esnext.disposable"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
      typeRoots: [join(repository, "node_modules", "@types")],
    };
    await project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["use.ts"] }));

    const tsc = join(repository, "node_modules", ".bin", "tsc");

    expect(await project.run(tsc, "-p", "tsconfig.json")).toMatchObject({ code: 0, stdout: "" });
  });

  test("satisfies publint", async () => {
    const tarball = await readFile(project.tarball);
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });

    expect(messages).toEqual([]);
  });
});
