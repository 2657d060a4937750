import type { FacetKind } from "../../segment/model/index.ts";

/**
 * A filter parameter after its field is known. Unknown fields and unreadable numbers never get here (they are
 * ignored). `values`: as sent, in order (terms not yet lower-cased). `texts`: the same as each time the parameter was
 * sent; an open range with its empty end. One text, but where a field has numbers. `ranges`: of number filters without
 * `byId`, ORed; null = open end. `post`: a filter of a multi-select facet or a tree: its own facet is counted without
 * it (docs/behaviour.md 3.6).
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
