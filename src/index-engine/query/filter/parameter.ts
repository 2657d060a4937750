/**
 * Parses the text of a filter parameter as a FilterParameter (docs/behaviour.md 3.1).
 *
 *   text   = ["!"] value *("," value)        empty values are dropped
 *   value  = characters; `%2C` is a comma inside a value, nothing else is decoded here
 *   open   = number ","  |  "," number       the whole text: an open range, only used by number
 *                                            fields (`texts`)
 *
 * A leading `!` negates the whole list; what follows it is the first value, even if it begins with another one
 * (`!!Bang` = not !Bang). The `!` of a later value is ignored after a negation (`!red,!black` = not red, not black)
 * and otherwise drops its value (`red,!black` = red), as in the reference: one parameter cannot both include and
 * exclude. Repeated parameters are ORed; the first one decides about negation. For numbers each text is a separate
 * range (number-filter.ts), so texts are kept separate.
 */
import type { FilterParameter } from "../../../interface/index.ts";
import { isOpenRange } from "./number-filter.ts";

/** Null if no value remains; such a filter is ignored. */
export function readFilterParameter(name: string, texts: string | readonly string[]): FilterParameter | null {
  const read: string[][] = [];
  let negated: boolean | null = null;
  for (const text of typeof texts === "string" ? [texts] : texts) {
    const isNegated: boolean = text.startsWith("!");
    const body = isNegated ? text.slice(1) : text;
    const pieces = piecesOf(body, negated ?? isNegated);
    if (pieces.length === 0) continue;
    negated ??= isNegated;
    if (negated || !isNegated) read.push(pieces);
  }
  const values = read.flat().filter((value) => value !== "");
  if (values.length === 0) return null;
  const isPlain = read.length === 1 && !isOpenRange(read[0]);
  return { name, negated: negated ?? false, values, ...(!isPlain && { texts: read }) };
}

/** The values of a text; for an open range, including the empty end. */
function piecesOf(body: string, negated: boolean): string[] {
  const pieces = body.split(",");
  if (isOpenRange(pieces)) return pieces;
  const values: string[] = [];
  for (const [at, piece] of pieces.entries()) {
    const isNegated = at > 0 && piece.startsWith("!");
    if (isNegated && !negated) continue;
    const value = (isNegated ? piece.slice(1) : piece).replaceAll(/%2c/gi, ",");
    if (value !== "") values.push(value);
  }
  return values;
}
