/** Plain data as EDN, the notation that Jepsen's histories are written in. */

/** A keyword, `:acquire`. */
export interface Keyword {
  readonly keyword: string;
}

export type EdnValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Keyword
  | readonly EdnValue[]
  | { readonly fields: Readonly<Record<string, EdnValue | undefined>> };

export const keyword = (name: string): Keyword => ({ keyword: name });

/** Fields that are `undefined` are left out. */
export const ednMap = (fields: Readonly<Record<string, EdnValue | undefined>>): EdnValue => ({ fields });

export function ednText(value: EdnValue): string {
  if (value === null) return "nil";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}N`;
  if (typeof value !== "object") return String(value);
  if (isList(value)) return `[${value.map(ednText).join(" ")}]`;
  if ("keyword" in value) return `:${value.keyword}`;
  const fields = Object.entries(value.fields).flatMap(([name, field]) =>
    field === undefined ? [] : [`:${name} ${ednText(field)}`],
  );
  return `{${fields.join(", ")}}`;
}

/** `Array.isArray` does not know read-only lists. */
function isList(value: object): value is readonly EdnValue[] {
  return Array.isArray(value);
}
