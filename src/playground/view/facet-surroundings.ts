/** What the facets need of the page around them. */
import type { Facet } from "../../interface/index.ts";
import type { FilterRange } from "../logic/filters.ts";

export interface FacetSurroundings {
  /** Follows a link of an entry. */
  readonly onLink: (link: string) => void;
  readonly onRange: (field: string, range: FilterRange | null) => void;
  /** Values of one facet that match a text. */
  readonly findValues: (field: string, text: string, signal: AbortSignal) => Promise<Facet | null>;
}
