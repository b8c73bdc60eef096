/** Rules about what is in the repository at all. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const repository = join(import.meta.dirname, "..", "..");

const files = execFileSync("git", ["ls-files", "-z"], { cwd: repository, encoding: "utf8" })
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(repository, path)));

const read = (path: string) => readFileSync(join(repository, path), "utf8");

/** Written in two halves, so that this file does not name them itself. */
const MACHINE_SPECIFIC = [
  ["/wo", "rk/"],
  ["registry.npm", "js.org"],
  ["pypi", ".org"],
  ["proxy.go", "lang.org"],
  ["deb.deb", "ian.org"],
].map((halves) => halves.join(""));

const RUNNABLE = ["bin/redlock-lab.js", "scripts/set-up.sh", ".ci/run"];

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const manifest = (path: string) => JSON.parse(read(path)) as Manifest;

describe("committed files", () => {
  test("name no machine and no registry", () => {
    const offenders = files.filter((path) => {
      if (path.endsWith(".png")) return false;
      const text = read(path);
      return MACHINE_SPECIFIC.some((word) => text.includes(word));
    });

    expect(offenders).toEqual([]);
  });

  test.each(RUNNABLE)("%s can be run", (path) => {
    expect(files).toContain(path);
    expect(statSync(join(repository, path)).mode & 0o111).toBe(0o111);
  });

  test("nobody skips or singles out a test", () => {
    const marks = /\b(test|describe|it)\.(skip|only|todo|skipIf|runIf)\b/;
    const offenders = files.filter((path) => path.endsWith(".test.ts") && marks.test(read(path)));

    expect(offenders).toEqual([]);
  });
});

describe("manifests", () => {
  const laboratory = manifest("package.json");
  const coordinator = manifest("src/package.json");

  test("versions are exact", () => {
    const versions = [laboratory, coordinator].flatMap(({ dependencies, devDependencies = {} }) => [
      ...Object.values(dependencies),
      ...Object.values(devDependencies),
    ]);

    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  test("the coordinator depends on ioredis alone, in the laboratory's version", () => {
    expect(coordinator.dependencies).toEqual({ ioredis: laboratory.dependencies["ioredis"] });
  });

  test("both say the same of version, licence and Node.js", () => {
    const { version, license, engines } = laboratory;

    expect(coordinator).toMatchObject({ version, license, engines });
  });

  test("each dependency has its reason in the decision record", () => {
    const record = read("docs/decisions/0001-dependencies.md");
    const names = Object.keys({ ...laboratory.dependencies, ...laboratory.devDependencies });

    expect(names.filter((name) => !record.includes(`\`${name}\``))).toEqual([]);
  });
});
