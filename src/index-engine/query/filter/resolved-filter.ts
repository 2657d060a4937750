import type { FacetKind } from "../../segment/model/index.ts";

/**
 * A filter parameter on a known field. Unknown fields and unreadable numbers were ignored before.
 * `values`: as sent, in order (terms not lower-cased). `texts`: the values of each occurrence of
 * the parameter, an open range with its empty end; a single text unless the field has numbers.
 * `ranges`: of number filters without `byId`, ORed; null = open end. `post`: the filter of a
 * multi-select facet or a tree, whose own facet is counted without it (docs/behaviour.md 3.6).
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
