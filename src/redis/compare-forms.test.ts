import { describe, expect, test } from "vitest";
import type { LockCommand } from "../ports/command.ts";
import { CompareForms } from "./compare-forms.ts";
import { replyFromWire } from "./wire.ts";

const CONTEXT = { runId: "r", durability: "" } as unknown as Parameters<CompareForms["spell"]>[1];
const lock = { resource: "orders", value: "v1" };
const DELETE: LockCommand = { kind: "delete", ...lock };
const EXTEND: LockCommand = { kind: "extend", ...lock, ttlMs: 1000, hasOneTtl: true };

const nameOf = (forms: CompareForms, command: LockCommand): string | undefined =>
  forms.spell(command, CONTEXT).name;

/** Sends a command until nothing else can be tried, to a server that answers with these errors. */
function tried(forms: CompareForms, command: LockCommand, errorOf: (name: string) => string | undefined) {
  const names: string[] = [];
  for (;;) {
    const spelled = forms.spell(command, CONTEXT);
    if (spelled.name === undefined) return [...names, spelled.obstacle];
    names.push(spelled.name);
    const error = errorOf(spelled.name);
    if (error === undefined || !forms.noteError(spelled, error)) return names;
  }
}

const unknown = (name: string): string => `ERR unknown command '${name}', with args beginning with: 'orders'`;
const denied = (name: string): string =>
  `NOPERM User default has no permissions to run the '${name}' command`;

describe("CompareForms", () => {
  test("scripts are sent where they are run", () => {
    const forms = new CompareForms({ wantsScripts: true });
    expect(nameOf(forms, DELETE)).toBe("EVAL");
    expect(nameOf(forms, EXTEND)).toBe("EVAL");
  });

  test.each([
    ["Redis 8.4", (name: string) => (name === "EVAL" ? denied(name) : undefined), ["EVAL", "DELEX"]],
    [
      "Valkey 9.0",
      (name: string) => (name === "EVAL" ? denied(name) : name === "DELEX" ? unknown(name) : undefined),
      ["EVAL", "DELEX", "DELIFEQ"],
    ],
    [
      "an older one",
      (name: string) => (name === "EVAL" ? denied(name) : unknown(name)),
      ["EVAL", "DELEX", "DELIFEQ", expect.stringContaining("does not let us use DELEX or DELIFEQ")],
    ],
    [
      "one that denies in scripts",
      (name: string) =>
        name === "EVAL"
          ? "ERR The user executing the script can't run this command or subcommand"
          : undefined,
      ["EVAL", "DELEX"],
    ],
  ] as const)(
    "on %s a delete is spelled as the server takes it, and from then on at once",
    (_server, errorOf, names) => {
      const forms = new CompareForms({ wantsScripts: true });
      expect(tried(forms, DELETE, errorOf)).toEqual(names);
      expect(tried(forms, DELETE, errorOf)).toEqual(names.slice(-1));
    },
  );

  test("a key that this user may not touch says nothing of scripts", () => {
    const forms = new CompareForms({ wantsScripts: true });
    const keyDenied = "NOPERM this user has no permissions to access one of the keys used as arguments";
    expect(forms.noteError({ name: "EVAL", args: [] }, keyDenied)).toBe(false);
    expect(nameOf(forms, DELETE)).toBe("EVAL");
  });

  test("who wants no scripts sends none", () => {
    const forms = new CompareForms({ wantsScripts: false });
    expect(forms.spell(DELETE, CONTEXT)).toEqual({ name: "DELEX", args: ["orders", "IFEQ", "v1"] });
    expect(forms.spell(EXTEND, CONTEXT)).toEqual({
      name: "SET",
      args: ["orders", "v1", "PX", "1000", "IFEQ", "v1"],
    });
  });

  test("another connection may lead to another server, and is tried anew", () => {
    const forms = new CompareForms({ wantsScripts: true });
    tried(forms, DELETE, (name) => (name === "EVAL" ? denied(name) : unknown(name)));
    forms.meet();
    expect(nameOf(forms, DELETE)).toBe("EVAL");
  });

  test("SET … IFEQ would shorten a lifetime: with several of them nothing is sent (rule 7)", () => {
    const forms = new CompareForms({ wantsScripts: false });
    const { hasOneTtl: _one, ...other } = { ...EXTEND, hasOneTtl: true };
    expect(forms.spell({ ...other, hasOneTtl: false }, CONTEXT)).toMatchObject({
      obstacle: expect.stringContaining("whose lifetimes were all the same") as string,
    });
    expect(forms.spell(other, CONTEXT).name).toBeUndefined();
  });

  test("several resources at once are taken by a script or not at all", () => {
    const forms = new CompareForms({ wantsScripts: false });
    for (const kind of ["acquire", "delete"] as const) {
      const command = { kind, ...lock, others: ["payments"], ttlMs: 1000 };
      expect(forms.spell(command, CONTEXT)).toMatchObject({
        obstacle: expect.stringContaining("several resources at once need one") as string,
      });
    }
  });

  test("a hand-over is an acquire like any other", () => {
    const forms = new CompareForms({ wantsScripts: false });
    const command = { kind: "acquire", ...lock, ttlMs: 1000, replaces: "v0" } as const;
    expect(forms.spell(command, CONTEXT)).toEqual({
      name: "SET",
      args: ["orders", "v1", "PX", "1000", "NX"],
    });
  });

  test("a server without SET … IFEQ is not asked again", () => {
    const forms = new CompareForms({ wantsScripts: false });
    expect(tried(forms, EXTEND, () => "ERR syntax error")).toEqual(["SET"]);
    expect(tried(forms, EXTEND, () => undefined)).toEqual([expect.stringContaining("no SET … IFEQ")]);
  });

  test("an error that says nothing of permissions is the command's own", () => {
    const forms = new CompareForms({ wantsScripts: true });
    expect(tried(forms, DELETE, () => "LOADING Redis is loading the dataset in memory")).toEqual(["EVAL"]);
    expect(nameOf(forms, DELETE)).toBe("EVAL");
  });
});

test.each([
  ["delete", 1, "granted"],
  ["delete", 0, "refused"],
  ["extend", "OK", "granted"],
  ["extend", null, "refused"],
] as const)("%s answered with %s by a compare command is %s", (kind, answer, reply) => {
  expect(replyFromWire(kind, answer).kind).toBe(reply);
});
