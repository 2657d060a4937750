/** Callbacks of the page that facets need. */
import type { Facet } from "../../interface/index.ts";
import type { FilterRange } from "../logic/filters.ts";

export interface FacetSurroundings {
  /** Follows a link of an entry. */
  readonly onLink: (link: string) => void;
  readonly onRange: (field: string, range: FilterRange | null) => void;
  /** Searches the values of one facet. */
  readonly findValues: (field: string, text: string, signal: AbortSignal) => Promise<Facet | null>;
}
