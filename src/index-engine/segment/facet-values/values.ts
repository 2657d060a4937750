/**
 * Equality and order of facet values: field name, kind, key, value, id, facetable. `facetable` (a value's `facet`
 * flag) is part of its identity, so no document decides how another document's value is treated.
 */
import { FACET_KINDS, type FacetKind } from "../model/index.ts";
import { compareCodePoints, decodeUtf8, hasBit } from "../../base/index.ts";

export interface FacetValue {
  readonly value: string | number;
  /** Computed once, because values are compared often. */
  readonly key: string | number;
  readonly id: string | null;
  readonly facetable: boolean;
}

/** Term values that differ only in case form one facet entry. */
export function facetKey(kind: FacetKind, value: string): string {
  return kind === "term" ? value.toLowerCase() : value;
}

/** Compares the key of a text, given as UTF-8 [start, end), with another key by code points. */
export function compareWithKey(kind: FacetKind, bytes: Uint8Array, start: number, end: number, key: string): number {
  const length = end - start;
  const shorter = Math.min(length, key.length);
  const isTerm = kind === "term";
  for (let i = 0; i < shorter; i++) {
    let code = bytes[start + i];
    const unit = key.charCodeAt(i);
    // ASCII, the usual case, needs no string. Lower-casing other characters may change their length.
    if (code > 127 || unit > 127) {
      return compareCodePoints(facetKey(kind, decodeUtf8(bytes, start, end)), key);
    }
    if (isTerm && code >= 65 && code <= 90) code += 32;
    if (code !== unit) return code - unit;
  }
  return length - key.length;
}

/** First ordinal of the group of `ordinal`, by the bits of FacetData.sameKey. */
export function firstOfGroup(sameKey: Uint32Array | null, ordinal: number): number {
  let first = ordinal;
  if (sameKey !== null) while (hasBit(sameKey, first)) first--;
  return first;
}

export function facetValue(kind: FacetKind, value: string | number, id: string | null, facetable: boolean): FacetValue {
  const key = typeof value === "number" ? value : facetKey(kind, value);
  return { value, key, id, facetable };
}

export function compareFields(
  a: { readonly name: string; readonly kind: FacetKind },
  b: { readonly name: string; readonly kind: FacetKind },
): number {
  return compareCodePoints(a.name, b.name) || FACET_KINDS.indexOf(a.kind) - FACET_KINDS.indexOf(b.kind);
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
  return order || compareIds(a.id, b.id) || Number(b.facetable) - Number(a.facetable);
}

/** Does not subtract, because infinities are values too. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
