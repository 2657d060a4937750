/** A hierarchical facet: categories with subcategories. */
import type { Facet, HierarchialFacetEntry } from "../../interface/index.ts";
import { make } from "./dom.ts";
import { valueRow } from "./facet-values.ts";
import { longList } from "./long-list.ts";

/** Deeper levels appear when their parent is selected. */
const LEVELS_AT_FIRST = 1;
const CHILDREN_AT_FIRST = 12;

/** @param whole keys of levels that are shown completely */
export function treeFacet(facet: Facet, whole: Set<string>, onLink: (link: string) => void): HTMLElement {
  const { fieldName } = facet;
  const level = (above: string, entries: readonly HierarchialFacetEntry[], depth: number): readonly HTMLElement[] => {
    const { list, more, show } = longList<HierarchialFacetEntry>({
      class: "values tree",
      first: depth === 0 ? entries.length : CHILDREN_AT_FIRST,
      key: above,
      whole,
      row: (entry) => {
        // The whole path, because two branches may have children of the same name.
        const name = `${fieldName} ${entry.path}`;
        const row = valueRow(name, entry, onLink);
        const isOpen = entry.selected || holdsSelected(entry) || depth + 1 < LEVELS_AT_FIRST;
        if (isOpen && entry.children.length > 0) row.append(...level(name, entry.children, depth + 1));
        return row;
      },
    });
    show(entries);
    return [list, more];
  };
  const entries = facet.entries.filter((entry) => entry.type === "hierarchical");
  return make("div", { class: "facet-body" }, ...level(fieldName, entries, 0));
}

function holdsSelected({ children }: HierarchialFacetEntry): boolean {
  return children.some((child) => child.selected || holdsSelected(child));
}
