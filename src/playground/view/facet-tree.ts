/** A facet of paths: categories with those below them. */
import type { Facet, HierarchialFacetEntry } from "../../interface/index.ts";
import { make } from "./dom.ts";
import { valueRow } from "./facet-values.ts";

/** Deeper levels come when the one above is chosen. */
const LEVELS_AT_FIRST = 1;
const CHILDREN_AT_FIRST = 12;

export function treeFacet(facet: Facet, onLink: (link: string) => void): HTMLElement {
  const entries = facet.entries.filter((entry) => entry.type === "hierarchical");
  return make("div", { class: "facet-body" }, level(facet.fieldName, entries, 0, onLink));
}

function level(
  fieldName: string,
  entries: readonly HierarchialFacetEntry[],
  depth: number,
  onLink: (link: string) => void,
): HTMLElement {
  return make(
    "ul",
    { class: "values tree" },
    ...entries.slice(0, depth === 0 ? undefined : CHILDREN_AT_FIRST).map((entry) => {
      // The whole path: two branches may have children of one name.
      const row = valueRow(`${fieldName} ${entry.path}`, entry, onLink);
      const isOpen = entry.selected || holdsSelected(entry) || depth + 1 < LEVELS_AT_FIRST;
      if (isOpen && entry.children.length > 0) {
        row.append(level(fieldName, entry.children, depth + 1, onLink));
      }
      return row;
    }),
  );
}

function holdsSelected({ children }: HierarchialFacetEntry): boolean {
  return children.some((child) => child.selected || holdsSelected(child));
}
