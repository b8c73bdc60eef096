/** Numbers from the command line: a range, whole or not, and one sentence for everything else. */
import { InvalidArgumentError } from "commander";

export interface NumberRange {
  readonly min: number;
  readonly max: number;
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
