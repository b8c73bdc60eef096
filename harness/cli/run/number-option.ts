/** Numbers from the command line: a range, whole or not, and one sentence for everything else. */
import { InvalidArgumentError, Option } from "commander";

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** An option that takes a whole number of a range. */
export function numberOption(flags: string, meaning: string, range: NumberRange): Option {
  return new Option(flags, meaning).argParser(wholeNumber(range));
}

/** For a parser of ours: what it cannot use is said as commander says it. */
export function parsed<Value>(text: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (cause) {
    throw new InvalidArgumentError(cause instanceof Error ? cause.message : String(cause));
  }
}

/** A parser for commander. Only plain decimal digits: `1e3`, `0x10`, ` 5` and `5ms` are mistakes. */
export function wholeNumber(range: NumberRange): (text: string) => number {
  return parserOf("a whole number", /^-?\d{1,15}$/, range);
}

export function decimalNumber(range: NumberRange): (text: string) => number {
  return parserOf("a number", /^-?\d{1,15}(\.\d{1,15})?$/, range);
}

function parserOf(what: string, form: RegExp, { min, max }: NumberRange): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!form.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Give ${what} from ${min} to ${max}.`);
    }
    return value;
  };
}
