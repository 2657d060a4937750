/** Input and result of building one facet. */
import type { GrowableBytes } from "../../base/index.ts";
import type { Facet, FacetConfig } from "../../../interface/index.ts";
import type { CountedValue, FieldCounts } from "../../query/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import type { QueryLinks } from "../links/index.ts";

export interface FacetInput {
  readonly field: FieldCounts;
  readonly config: Omit<FacetConfig, "sourceField" | "label">;
  /** The filters on this field, including excluding ones. */
  readonly filters: readonly ResolvedFilter[];
  readonly links: QueryLinks;
  /** Language of the index, for the order of names. */
  readonly language: string;
  /** Locale of the tenant, for numbers in labels; may be empty. */
  readonly locale: string;
  /** For a search in facet values: the values to show, in order (for a tree: in the facet's order). */
  readonly only: readonly CountedValue[] | null;
}

/** A built facet; enough to decide whether it is shown. */
export interface FacetBody {
  readonly type: Facet["type"];
  readonly coverage: number;
  /** Number of entries, or of roots if it is a tree. 0 means no facet. */
  readonly size: number;
  /** Number of leaves if it is a tree, otherwise `size`. */
  readonly leaves: number;
  /** Products of the only entry, or of the leaf of a tree's only branch. 0 if there are several. */
  readonly products: number;
  /** Appends the JSON of the entries. */
  readonly write: (to: GrowableBytes) => void;
}

/**
 * Whether only selected entries are shown. They are if a filter is active and the facet neither accumulates values nor
 * keeps the others visible. A filter-sensitive facet always stays within its filter.
 */
export function isRestricted({ config, filters }: FacetInput): boolean {
  if (!filters.some(({ negated }) => !negated)) return false;
  return config.filterSensitive || !(config.multiSelect || config.showUnselectedOptions);
}

/** The entries named by a filter value. */
export function findEntries({ field }: FacetInput, value: string, byId: boolean): readonly CountedValue[] {
  if (byId) return field.entriesWithId(value);
  const entry = field.entry(value);
  return entry === null ? [] : [entry];
}

/** Whether selecting a value keeps earlier selections. */
export function accumulates({ config }: FacetInput): boolean {
  return config.multiSelect && !config.filterSensitive;
}
