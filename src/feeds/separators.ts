/** Values of a column -> the separators they are written with. */
import type { ColumnRule } from "./model.ts";

/** Between the elements of a list, or between addresses. Null: each value is one. */
export function listSeparatorOf(values: readonly string[], areAddresses: boolean): string | null {
  if (areAddresses) {
    // A comma may be part of an address; one before another address is not.
    for (const separator of ["|", ";", ",", "\n", " "]) {
      const starts = (one: string): boolean => /^\s*(https?:)?\/\//.test(one);
      if (
        values.some(
          (value) =>
            value.split(separator).length > 1 &&
            value
              .split(separator)
              .filter((one) => one.trim() !== "")
              .every(starts),
        )
      ) {
        return separator;
      }
    }
    return null;
  }
  return [";", "|", ","].find((separator) => values.some((value) => value.includes(separator))) ?? null;
}

const PATH_SEPARATORS = [">", "›", "»", "|", "/", "\\"] as const;

/** Between the levels of a category path, and between several of them. */
export function pathSeparatorsOf(rule: ColumnRule, values: readonly string[]): { path?: string; list?: string } {
  const path = rule.path ?? PATH_SEPARATORS.find((one) => values.some((value) => value.includes(one)));
  if (path === undefined) return {};
  if (rule.list !== undefined) return { path, list: rule.list };
  const list = ["|", ";", "\n", ","].find(
    (one) =>
      one !== path &&
      values.some((value) => value.includes(one)) &&
      // `Pots, pans` is one name.
      (one !== "," ||
        values.every((value) => !value.includes(one) || value.split(one).every((part) => part.includes(path)))),
  );
  return list === undefined ? { path } : { path, list };
}

const PAIR = /^[^:=<>|;/]{1,40}[:=][^:=|;]*[^:=|;\s][^:=|;]*$/;

/** `Material: cotton|Origin: Peru`: pairs of name and value, in every value. Null: they are none. */
export function pairSeparatorsOf(
  values: readonly string[],
): { readonly list: string; readonly pair: string; readonly isList: boolean } | null {
  for (const list of ["|", ";", "\n", ","]) {
    const parts = values.map((value) => value.split(list).filter((one) => one.trim() !== ""));
    const isList = parts.some(({ length }) => length > 1);
    if (parts.length === 0 || !parts.flat().every((one) => PAIR.test(one))) continue;
    const pair = [":", "="].find((sign) => parts.flat().every((one) => one.includes(sign)));
    if (pair !== undefined) return { list, pair, isList };
  }
  return null;
}
