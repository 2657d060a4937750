/** A facet of single values: boxes to tick, the first of them at once, and a field to search in many. */
import type { Facet, FacetEntry } from "../../interface/index.ts";
import { button, make } from "./dom.ts";
import type { FacetSurroundings } from "./facets.ts";
import { swatch } from "./picture.ts";

const SHOWN_AT_FIRST = 7;
const WORTH_SEARCHING = 15;
const COLORS = /^(color|colour|farbe)/i;

export function valueFacet(
  facet: Facet,
  whole: Set<string>,
  surroundings: FacetSurroundings,
): HTMLElement {
  const { fieldName, entries } = facet;
  const list = make("ul", { class: "values" });
  const more = button({ class: "more", "data-key": `more ${fieldName}` }, () => {
    if (!whole.delete(fieldName)) whole.add(fieldName);
    show(entries);
  });
  const show = (shown: readonly FacetEntry[]): void => {
    const isLong = shown.length > SHOWN_AT_FIRST + 2;
    const isCut = isLong && !whole.has(fieldName);
    list.replaceChildren(
      ...(isCut ? shown.slice(0, SHOWN_AT_FIRST) : shown).map((entry) =>
        valueRow(fieldName, entry, surroundings.onLink),
      ),
    );
    more.hidden = !isLong;
    more.textContent = isCut ? `All ${shown.length}` : "Fewer";
    more.setAttribute("aria-expanded", String(!isCut));
  };
  show(entries);
  return make(
    "div",
    { class: "facet-body" },
    entries.length >= WORTH_SEARCHING ? searchField(facet, show, surroundings) : null,
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

/** Asks the service, not only the values that are here: they may be the first hundred of thousands. */
function searchField(
  facet: Facet,
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
      show(facet.entries);
      return;
    }
    const found = await findValues(facet.fieldName, text, signal);
    if (!signal.aborted) show(found?.entries ?? []);
  };
  field.addEventListener("input", () => void find());
  return field;
}
