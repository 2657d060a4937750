import type { FacetKind } from "../../segment/model/index.ts";

/**
 * A filter parameter on a known field, without unreadable numbers.
 *
 * - `values`: as sent, in order (terms not lower-cased).
 * - `texts`: the values of each occurrence of the parameter, an open range with its empty end. A
 *   single text unless the field has numbers.
 * - `ranges`: for number filters without `byId`, ORed; null is an open end.
 * - `post`: whether its own facet is counted without it, as for multi-select facets and trees
 *   (docs/behaviour.md 3.6).
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
