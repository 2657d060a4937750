/**
 * What facet values are equal, and their order: field name, kind, key, value, id, listed. One definition for builder, merge and
 * reader. The `facet` flag of a value is part of its identity, so that no document decides how another's value is treated.
 */
import { FACET_KINDS, type FacetKind } from "../model.ts";
import { compareCodePoints } from "../strings.ts";

export interface FacetValue {
  readonly value: string | number;
  /** Made once: values are compared many times. */
  readonly key: string | number;
  readonly id: string | null;
  readonly listed: boolean;
}

/** Term values count as one facet entry without regard to case. */
export function facetKey(kind: FacetKind, value: string): string {
  return kind === "term" ? value.toLowerCase() : value;
}

export function facetValue(
  kind: FacetKind,
  value: string | number,
  id: string | null,
  listed: boolean,
): FacetValue {
  const key = typeof value === "number" ? value : facetKey(kind, value);
  return { value, key, id, listed };
}

export function compareFields(
  a: { readonly name: string; readonly kind: FacetKind },
  b: { readonly name: string; readonly kind: FacetKind },
): number {
  return (
    compareCodePoints(a.name, b.name) || FACET_KINDS.indexOf(a.kind) - FACET_KINDS.indexOf(b.kind)
  );
}

function compareIds(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null ? 1 : compareCodePoints(a, b);
}

export function compareValues(a: FacetValue, b: FacetValue): number {
  let order: number;
  if (typeof a.value === "number" || typeof b.value === "number") {
    order = compareNumbers(Number(a.value), Number(b.value));
  } else {
    order = compareCodePoints(String(a.key), String(b.key));
    if (order === 0) order = compareCodePoints(a.value, b.value);
  }
  return order || compareIds(a.id, b.id) || Number(b.listed) - Number(a.listed);
}

/** Not a difference: the infinities are values too. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
