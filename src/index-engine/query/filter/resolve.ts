/**
 * Filter parameters -> filters on known fields (docs/behaviour.md 3).
 *
 * The name, without a trailing `.id`, must be a field that the data or the configuration knows as a facet or filter;
 * anything else is ignored. (If only `x.id` itself is a field, it means that field; in links, `f.x.id` does.) The
 * kinds of a field are those in the data of the *whole* index plus the configured type, so that all segments and shards
 * resolve a filter in the same way (invariant I4).
 *
 * **A name with several kinds.** An attribute `Size` may hold numbers (38) and words (XL): the index keeps a number
 * part and a term part. A filter on it is the OR over its parts, and each part takes what it can read:
 *
 *   Size=38      number part 38..38, or term part "38"          Size=XL      term part only
 *   Size=38-40   number part 38..40, or term part "38-40"
 *   Size=38,XL                number part 38..38, or term part "38" / "XL"
 *   Size=38&Size=40-42        number part 38..38 or 40..42, or term part "38" / "40-42"
 *
 * So a value of either part can be filtered by the text of its facet entry, and a range never loses the numbers. Codes
 * such as `007` and `1e5` are texts if a field has both parts.
 */
import { filteredFields, LIMITS, ServiceError, type FilterParameter } from "../../../interface/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import { filterKey } from "../../documents/index.ts";
import { readRangeOf, type NumberRange } from "./number-filter.ts";

/**
 * A filter parameter on a known field, without unreadable numbers.
 *
 * - `values`: as sent, in order (terms not lower-cased).
 * - `texts`: the values of each occurrence of the parameter, an open range with its empty end. A single text unless
 *   the field has numbers.
 * - `ranges`: for number filters without `byId`, ORed; null is an open end.
 * - `post`: whether its own facet is counted without it, as for multi-select facets and trees (docs/behaviour.md 3.6).
 */
export interface ResolvedFilter {
  readonly field: string;
  readonly kind: FacetKind;
  readonly byId: boolean;
  readonly negated: boolean;
  readonly values: readonly string[];
  readonly texts: readonly (readonly string[])[];
  readonly ranges: readonly { readonly lower: number | null; readonly upper: number | null }[];
  readonly post: boolean;
}

/** A filter parameter after resolution. Plain data. */
export interface PlannedFilter {
  /** Its form in the answer. */
  readonly shown: ResolvedFilter;
  /** Its value tests, ORed before negation. At least one. */
  readonly parts: readonly FilterPart[];
  /** Key of cached bitsets; equal for equal filters. */
  readonly cacheKey: string;
}

/** Tests values of one (field, kind) by id, key or ranges, ORed. Terms are in lower case. */
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
      readonly ranges: readonly NumberRange[];
    }
  /** Products by document id, which is not a facet value; for rules only. */
  | {
      readonly field: string;
      readonly kind: "term";
      readonly by: "document";
      readonly values: readonly string[];
    };

/** `FILTER: * -id:100331685`, `UP: * id:100331685`: the document id, unless a facet or filter has this name. */
export const DOCUMENT_ID = "id";

/** `007`, `1e5`: texts rather than numbers if a field has both (documents/catch-all.ts). */
const CODE = /^\s*-?0\d|\de/i;

/** The field names a parameter may mean, in order of preference. */
export function fieldNamesOf(parameter: FilterParameter): readonly string[] {
  return filteredFields(parameter.name).map(({ field }) => field);
}

/**
 * @param kindsOf kinds of a field in the whole index, in the order of FACET_KINDS; empty: unknown
 * @param isPost whether the facet of this field is counted without its own (not negated) filter
 * @param ofRules whether `id` names documents
 *
 * Throws 400 invalid_parameter above LIMITS.filters and LIMITS.filterValues. Unknown fields do not count.
 */
export function resolveFilters(
  parameters: readonly FilterParameter[],
  kindsOf: (field: string) => readonly FacetKind[],
  isPost: (field: string) => boolean,
  ofRules = false,
): PlannedFilter[] {
  const filters: PlannedFilter[] = [];
  for (const parameter of parameters) {
    const filter = resolveFilter(parameter, kindsOf, isPost) ?? (ofRules ? documentFilter(parameter) : null);
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
  const named = filteredFields(parameter.name).find(({ field }) => kindsOf(field).length > 0);
  if (named === undefined || parameter.values.length === 0) return null;
  const { field, byId } = named;
  const kinds = kindsOf(field);
  const { values } = parameter;
  const texts = parameter.texts ?? [values];
  const rangeOf = (pieces: readonly string[]): NumberRange | null =>
    readRangeOf(kinds.includes("term") ? pieces.filter((piece) => !CODE.test(piece)) : pieces);
  const read = byId ? [] : texts.map(rangeOf);
  const ranges = read.filter((range) => range !== null);

  const parts: FilterPart[] = [];
  for (const kind of kinds) {
    if (byId) parts.push({ field, kind, by: "id", values: idsOf(kind, values) });
    else if (kind !== "number") parts.push({ field, kind, by: "key", values: keysOf(kind, values) });
    else if (ranges.length > 0) parts.push({ field, kind, by: "range", ranges });
  }
  if (parts.length === 0) return null;

  // The shown filter has one kind: number only if every value is a number.
  const allNumbers = values.every((value) => rangeOf([value]) !== null);
  const other = kinds.find((kind) => kind !== "number");
  const kind: FacetKind =
    kinds.includes("number") && (other === undefined || (!byId && allNumbers)) ? "number" : (other ?? "number");
  const shown: ResolvedFilter = {
    field,
    kind,
    byId,
    negated: parameter.negated,
    values,
    texts: ranges.length > 0 && kinds.includes("number") ? texts : [values],
    ranges: kind === "number" ? ranges : [],
    post: !parameter.negated && isPost(field),
  };
  return { shown, parts, cacheKey: JSON.stringify([parameter.negated, parts]) };
}

function documentFilter({ name, negated, values }: FilterParameter): PlannedFilter | null {
  if (name !== DOCUMENT_ID || values.length === 0) return null;
  const parts: FilterPart[] = [{ field: name, kind: "term", by: "document", values }];
  const shown: ResolvedFilter = {
    field: name,
    kind: "term",
    byId: false,
    negated,
    values,
    texts: [values],
    ranges: [],
    post: false,
  };
  return { shown, parts, cacheKey: JSON.stringify([negated, parts]) };
}

/** Terms are stored trimmed; long values that are filter-only are stored as hashes. */
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

/** A path of ids (`/1/11`) matches by its last element. */
function idsOf(kind: FacetKind, values: readonly string[]): readonly string[] {
  return kind === "path" ? values.map((value) => value.slice(value.lastIndexOf("/") + 1)) : values;
}
