/**
 * Filter parameters -> filters on known fields (reference-behaviour.md 3).
 *
 * The name, without a trailing `.id`, must be a field that the data or the configuration knows as a facet or filter; anything
 * else is ignored. (Where only `x.id` itself is a field, it is that field.) The kinds of a field are those found in the data of
 * the *whole* index plus the configured type, so that every segment and shard resolves alike (invariant I4).
 *
 * **A name with several kinds.** An attribute `Size` may hold numbers (38) and words (XL): the index keeps a number part and a
 * term part. A filter on it is the OR over its parts, and each part takes what it can read:
 *
 *   Size=38      number part 38..38, or term part "38"          Size=XL      term part only
 *   Size=38-40   number part 38..40, or term part "38-40"       Size=38,XL   number part 38..38, or term part "38" / "XL"
 *
 * So a value of either part can be filtered by the text its facet entry shows, and a range never loses the numbers.
 */
import { LIMITS, ServiceError, type FilterParameter } from "../../interface/index.ts";
import type { FacetKind, ResolvedFilter } from "../model.ts";
import { filterKey } from "../fields/index.ts";
import { readRangeOf } from "./number-filter.ts";

/** A parameter with everything known about it. Plain data. */
export interface PlannedFilter {
  /** What the answer says of it. */
  readonly shown: ResolvedFilter;
  /** Its value tests, ORed; the negation comes after that. At least one. */
  readonly parts: readonly FilterPart[];
  /** Equal for equal filters: the key of cached bitsets. */
  readonly cacheKey: string;
}

/** Values of one (field, kind): by id, by key, or by range. Terms are in lower case already. */
export type FilterPart =
  | {
      readonly field: string;
      readonly kind: FacetKind;
      readonly by: "id";
      readonly values: readonly string[];
    }
  | {
      readonly field: string;
      readonly kind: "term" | "path";
      readonly by: "key";
      readonly values: readonly string[];
    }
  | {
      readonly field: string;
      readonly kind: "number";
      readonly by: "range";
      /** Null where open. */
      readonly lower: number | null;
      readonly upper: number | null;
    };

const ID_SUFFIX = ".id";

/** The field names a parameter may mean, in order of preference. */
export function fieldNamesOf(parameter: FilterParameter): readonly string[] {
  return parameter.name.endsWith(ID_SUFFIX)
    ? [parameter.name.slice(0, -ID_SUFFIX.length), parameter.name]
    : [parameter.name];
}

/**
 * @param kindsOf kinds of a field of the whole index, in the order of FACET_KINDS; empty when unknown
 * @param isPost whether a (not negated) filter on this field is a multi-select one
 * Fails with 400 invalid_parameter beyond LIMITS.filters and LIMITS.filterValues; parameters that are no fields do not count.
 */
export function resolveFilters(
  parameters: readonly FilterParameter[],
  kindsOf: (field: string) => readonly FacetKind[],
  isPost: (field: string) => boolean,
): PlannedFilter[] {
  const filters: PlannedFilter[] = [];
  for (const parameter of parameters) {
    const filter = resolveFilter(parameter, kindsOf, isPost);
    if (filter === null) continue;
    filters.push(filter);
    const { name, values } = parameter;
    if (values.length > LIMITS.filterValues.value) {
      throw beyond(name, `has ${values.length} values, more than ${LIMITS.filterValues.value}`);
    }
    if (filters.length > LIMITS.filters.value) {
      throw beyond(name, `is one filter too many: there may be ${LIMITS.filters.value}`);
    }
  }
  return filters;
}

function beyond(path: string, message: string): ServiceError {
  return new ServiceError("invalid_parameter", `${path}: ${message}`, {
    details: { problems: [{ path, message }] },
  });
}

function resolveFilter(
  parameter: FilterParameter,
  kindsOf: (field: string) => readonly FacetKind[],
  isPost: (field: string) => boolean,
): PlannedFilter | null {
  const field = fieldNamesOf(parameter).find((name) => kindsOf(name).length > 0);
  if (field === undefined || parameter.values.length === 0) return null;
  const kinds = kindsOf(field);
  const byId = field !== parameter.name;
  const range = byId ? null : readRangeOf(parameter.values);
  const texts = parameter.values.map(withoutOpenEnd).filter((value) => value !== "");

  const parts: FilterPart[] = [];
  for (const kind of kinds) {
    if (byId) parts.push({ field, kind, by: "id", values: idsOf(kind, texts) });
    else if (kind !== "number") parts.push({ field, kind, by: "key", values: keysOf(kind, texts) });
    else if (range !== null) parts.push({ field, kind, by: "range", ...range });
  }
  if (parts.length === 0) return null;

  // What is shown names one kind: the number part only where every value reads as a number.
  const allNumbers =
    range !== null && parameter.values.every((value) => readRangeOf([value]) !== null);
  const other = kinds.find((kind) => kind !== "number");
  const kind: FacetKind =
    kinds.includes("number") && (other === undefined || (!byId && allNumbers))
      ? "number"
      : (other ?? "number");
  const shown: ResolvedFilter = {
    field,
    kind,
    byId,
    negated: parameter.negated,
    values: kind === "number" && !byId ? parameter.values : texts,
    range: kind === "number" && !byId ? range : null,
    post: !parameter.negated && isPost(field),
  };
  return { shown, parts, cacheKey: JSON.stringify([parameter.negated, parts]) };
}

/** An open end is a thing of numbers; for every other kind the comma is not part of the value. */
function withoutOpenEnd(value: string): string {
  if (value.startsWith(",")) return value.slice(1);
  return value.endsWith(",") ? value.slice(0, -1) : value;
}

/** Terms are stored trimmed; values that are never listed are stored as a hash when they are long. */
function keysOf(kind: "term" | "path", values: readonly string[]): readonly string[] {
  if (kind === "path") return values;
  const keys = new Set<string>();
  for (const value of values) {
    const text = value.trim();
    keys.add(text.toLowerCase());
    keys.add(filterKey(text).toLowerCase());
  }
  return [...keys];
}

/** A path of ids (`/1/11`) is compared by its last element. */
function idsOf(kind: FacetKind, values: readonly string[]): readonly string[] {
  return kind === "path" ? values.map((value) => value.slice(value.lastIndexOf("/") + 1)) : values;
}
