/**
 * Facets that are only shown with certain filters (docs/behaviour.md 4.3).
 *
 *   dependencies = condition*                 one of them must hold
 *   condition    = name "=" values ["&" ...]  all must hold; names and values are URL-encoded
 *   values       = value ["," value]*         all must be active; `*` = any; `%2C` a comma
 *
 *   ["brand=nike&category=Men/Shoes", "sale=*"]
 *
 * Unlike in the reference, values are compared like filter values: terms ignore case, paths and ids are exact. A path
 * also satisfies a condition on one of its ancestors. Excluding filters satisfy nothing. A parameter that is not a
 * filter satisfies a condition with exactly its single value. Malformed conditions (`brand=`, `a=b=c`) are dropped.
 */
import { filteredBy, filteredFields, type FilterParameter } from "../../../interface/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";

type Condition = readonly { readonly name: string; readonly values: readonly string[] }[];

export function parseDependencies(texts: readonly string[]): readonly Condition[] {
  return texts.map(parseCondition).filter((condition) => condition !== null);
}

function parseCondition(text: string): Condition | null {
  const condition: { name: string; values: readonly string[] }[] = [];
  for (const part of text.split("&")) {
    const pieces = part.split("=");
    if (pieces.length !== 2) return null;
    const name = filteredBy(decode(pieces[0]));
    const values = pieces[1]
      .split(",")
      .map(decode)
      .filter((value) => value !== "");
    if (name === "" || values.length === 0) return null;
    condition.push({ name, values });
  }
  return condition;
}

/** URL decoding; invalid escapes stay unchanged. */
function decode(text: string): string {
  const spaced = text.trim().replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/**
 * Without conditions, they hold.
 * @param parameters all sent parameters that are not search parameters, including those in `filters`
 */
export function dependenciesHold(
  dependencies: readonly Condition[],
  filters: readonly ResolvedFilter[],
  parameters: readonly FilterParameter[],
): boolean {
  if (dependencies.length === 0) return true;
  const custom = parameters.filter(({ name }) => !filters.some((filter) => isNamed(filter, name)));
  return dependencies.some((condition) =>
    condition.every(
      ({ name, values }) =>
        filters.some((filter) => isNamed(filter, name) && filterHolds(filter, values)) ||
        custom.some((parameter) => parameter.name === name && customHolds(parameter, values)),
    ),
  );
}

function isNamed(filter: ResolvedFilter, name: string): boolean {
  return filteredFields(name).some(({ field, byId }) => field === filter.field && byId === filter.byId);
}

function filterHolds(filter: ResolvedFilter, wanted: readonly string[]): boolean {
  if (filter.negated) return false;
  return wanted.every((value) => value === "*" || filter.values.some((active) => meets(filter, active, value)));
}

function meets({ kind, byId }: ResolvedFilter, active: string, wanted: string): boolean {
  if (byId) return lastStep(kind, active) === lastStep(kind, wanted);
  switch (kind) {
    case "path":
      return active === wanted || active.startsWith(`${wanted}/`);
    case "number":
      return active === wanted || (active.trim() !== "" && Number(active) === Number(wanted));
    case "term":
      return active.trim().toLowerCase() === wanted.trim().toLowerCase();
  }
}

/** Ids of categories may be sent as a path of ids; the last one counts. */
function lastStep(kind: FacetKind, id: string): string {
  return kind === "path" ? id.slice(id.lastIndexOf("/") + 1) : id;
}

function customHolds({ negated, values }: FilterParameter, wanted: readonly string[]): boolean {
  if (negated) return false;
  const [sent] = values;
  return wanted.every((value) => value === "*" || (values.length === 1 && sent.toLowerCase() === value.toLowerCase()));
}
