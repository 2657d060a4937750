/** A term facet: checkboxes for the first values, and a search field if there are many. */
import type { Facet, FacetEntry } from "../../interface/index.ts";
import { bySize } from "../logic/sizes.ts";
import { make } from "./dom.ts";
import type { FacetSurroundings } from "./facet-surroundings.ts";
import { longList } from "./long-list.ts";
import { swatch } from "./picture.ts";

const SHOWN_AT_FIRST = 7;
const WORTH_SEARCHING = 15;
const COLORS = /^(color|colour|farbe)/i;
const SIZES = /size|größe|groesse|taille/i;

export function valueFacet(facet: Facet, whole: Set<string>, surroundings: FacetSurroundings): HTMLElement {
  const { fieldName } = facet;
  const entries = SIZES.test(fieldName) ? bySize(facet.entries) : facet.entries;
  const { list, more, show } = longList<FacetEntry>({
    class: "values",
    first: SHOWN_AT_FIRST,
    key: fieldName,
    whole,
    row: (entry) => valueRow(fieldName, entry, surroundings.onLink),
  });
  show(entries);
  return make(
    "div",
    { class: "facet-body" },
    entries.length >= WORTH_SEARCHING ? searchField(facet, entries, show, surroundings) : null,
    list,
    more,
  );
}

export function valueRow(
  fieldName: string,
  { key, docCount, selected, link }: FacetEntry,
  onLink: (link: string) => void,
): HTMLElement {
  const box = make("input", {
    type: "checkbox",
    checked: selected,
    disabled: link === null,
    "data-key": `${fieldName} ${key}`,
  });
  box.addEventListener("change", () => {
    if (link !== null) onLink(link);
  });
  return make(
    "li",
    {},
    make(
      "label",
      { class: "value" },
      box,
      COLORS.test(fieldName) ? (swatch(key) ?? make("span", { class: "swatch unknown" })) : null,
      make("span", { class: "value-name" }, key),
      make("span", { class: "count" }, docCount.toLocaleString()),
    ),
  );
}

/** Searches on the service, because the page only has the first values. */
function searchField(
  facet: Facet,
  entries: readonly FacetEntry[],
  show: (entries: readonly FacetEntry[]) => void,
  { findValues }: FacetSurroundings,
): HTMLElement {
  let asking = new AbortController();
  const field = make("input", {
    type: "search",
    class: "facet-search",
    placeholder: `Find in ${facet.fieldName}`,
    "aria-label": `Find values of ${facet.fieldName}`,
    "data-key": `find ${facet.fieldName}`,
    autocomplete: "off",
  });
  const find = async (): Promise<void> => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const text = field.value.trim();
    if (text === "") {
      show(entries);
      return;
    }
    const found = await findValues(facet.fieldName, text, signal);
    if (!signal.aborted) show(found?.entries ?? []);
  };
  field.addEventListener("input", () => void find());
  return field;
}
