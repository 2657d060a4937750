/** What the making of one facet needs to know, and what comes of it. */
import type { Facet, FacetConfig } from "../../../interface/index.ts";
import type { CountedValue, FacetCounts } from "../../query/index.ts";
import type { FacetKind } from "../../segment/model/index.ts";
import type { ResolvedFilter } from "../../query/filter/index.ts";
import type { QueryLinks } from "../links/index.ts";

export interface FacetInput {
  readonly name: string;
  readonly kind: FacetKind;
  readonly config: Omit<FacetConfig, "sourceField" | "label">;
  readonly counts: FacetCounts;
  /** Sum of all entry counts of the field, shown or not. */
  readonly coverage: number;
  /** The filters on this field, excluding ones too. */
  readonly filters: readonly ResolvedFilter[];
  readonly links: QueryLinks;
  /** Of the index, for the order of names. */
  readonly language: string;
  /** Of the tenant, for the numbers in labels; may be empty. */
  readonly locale: string;
  /** Where values are searched for: those to show, in their order (of a tree: in the order of the facet). */
  readonly only: readonly CountedValue[] | null;
}

/** Enough to decide whether the facet is shown. */
export interface FacetBody {
  readonly type: Facet["type"];
  readonly coverage: number;
  /** Entries, of a tree its roots; none: no facet. */
  readonly size: number;
  /** Of a tree: ends of branches. Otherwise `size`. */
  readonly leaves: number;
  /** Products of the only entry, or of the only branch of a tree down to its end; 0 where there are several. */
  readonly products: number;
  /** JSON of the entries. */
  write(): string;
}

/**
 * Whether only what is selected is shown: a filter is in force, and the facet neither collects values nor keeps the
 * others visible. A filter-sensitive facet always stays within its filter.
 */
export function isRestricted({ config, filters }: FacetInput): boolean {
  if (!filters.some(({ negated }) => !negated)) return false;
  return config.filterSensitive || !(config.multiSelect || config.showUnselectedOptions);
}

/** The entries that a filter value names. */
export function findEntries(
  { counts, name, kind }: FacetInput,
  value: string,
  byId: boolean,
): readonly CountedValue[] {
  if (byId) return counts.entriesWithId(name, kind, value);
  const entry = counts.entry(name, kind, value);
  return entry === null ? [] : [entry];
}

/** Whether selecting a value keeps those selected before. */
export function accumulates({ config }: FacetInput): boolean {
  return config.multiSelect && !config.filterSensitive;
}
