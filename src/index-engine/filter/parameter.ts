/**
 * The text of a filter parameter -> FilterParameter (decisions.md "filter values"; reference-behaviour.md 3.1).
 *
 *   text   = ["!"] value *("," value)        empty values are dropped
 *   value  = characters; `%2C` is a comma inside a value, nothing else is decoded here
 *   open   = number ","  |  "," number       the whole text: kept as one value, comma included, an open range
 *
 * `!` first negates the whole list. On a later value it is noise after a negation (`!red,!black` = not red, not black) and drops
 * that value otherwise (`red,!black` = red), as the reference does: including and excluding cannot be mixed in one parameter.
 * A parameter sent several times is the OR of its values; its first text decides about negation.
 */
import type { FilterParameter } from "../../interface/index.ts";
import { readNumber } from "./number-filter.ts";

/** Null when no value is left: such a filter is ignored. */
export function readFilterParameter(
  name: string,
  texts: string | readonly string[],
): FilterParameter | null {
  const values: string[] = [];
  let negated: boolean | null = null;
  for (const text of typeof texts === "string" ? [texts] : texts) {
    const isNegated: boolean = text.startsWith("!");
    const body = isNegated ? text.slice(1) : text;
    const read = valuesOf(body, negated ?? isNegated);
    if (read.length === 0) continue;
    negated ??= isNegated;
    if (negated || !isNegated) values.push(...read);
  }
  return values.length === 0 ? null : { name, negated: negated ?? false, values };
}

function valuesOf(body: string, negated: boolean): string[] {
  const pieces = body.split(",");
  if (pieces.length === 2) {
    const [first, second] = pieces;
    if (first === "" && readNumber(second ?? "") !== null) return [body];
    if (second === "" && readNumber(first ?? "") !== null) return [body];
  }
  const values: string[] = [];
  for (const piece of pieces) {
    const isNegated = piece.startsWith("!");
    if (isNegated && !negated) continue;
    const value = (isNegated ? piece.slice(1) : piece).replaceAll(/%2c/gi, ",");
    if (value !== "") values.push(value);
  }
  return values;
}
