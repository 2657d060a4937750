/**
 * Number facets: checkboxes for intervals, a slider with two thumbs for ranges, and input fields in
 * both.
 */
import type { Facet, RangeFacetEntry } from "../../interface/index.ts";
import type { FilterRange } from "../logic/filters.ts";
import { roundedBetween } from "../logic/ranges.ts";
import { make } from "./dom.ts";
import { valueRow } from "./facet-values.ts";

/** Delays the search while keys move a thumb. */
const KEY_PAUSE_MS = 300;

type OnRange = (range: FilterRange | null) => void;

export function rangeFacet(facet: Facet, onLink: (link: string) => void, onRange: OnRange): HTMLElement {
  const range = facet.entries.find((entry) => entry.type === "range");
  const intervals = facet.entries.filter((entry) => entry.type === "interval");
  const [low, high] = numberFields(facet.fieldName, range, onRange);
  return make(
    "div",
    { class: "facet-body" },
    range === undefined ? null : slider(facet.fieldName, range, low, high, onRange),
    intervals.length === 0
      ? null
      : make("ul", { class: "values" }, ...intervals.map((entry) => valueRow(facet.fieldName, entry, onLink))),
    make("div", { class: "range-fields" }, low, make("span", { "aria-hidden": "true" }, "–"), high),
  );
}

function numberFields(
  fieldName: string,
  range: RangeFacetEntry | undefined,
  onRange: OnRange,
): readonly [HTMLInputElement, HTMLInputElement] {
  const field = (end: "from" | "to", value: number | null, placeholder: string): HTMLInputElement =>
    make("input", {
      type: "number",
      step: "any",
      placeholder,
      value,
      "aria-label": `${fieldName} ${end}`,
      "data-key": `${fieldName} ${end}`,
    });
  const low = field("from", range?.selectedMin ?? null, String(range?.lowerBound ?? "from"));
  const high = field("to", range?.selectedMax ?? null, String(range?.upperBound ?? "to"));
  const apply = (): void => {
    onRange(low.value === "" && high.value === "" ? null : [low.value, high.value]);
  };
  low.addEventListener("change", apply);
  high.addEventListener("change", apply);
  return [low, high];
}

function slider(
  fieldName: string,
  { lowerBound, upperBound, selectedMin, selectedMax }: RangeFacetEntry,
  lowField: HTMLInputElement,
  highField: HTMLInputElement,
  onRange: OnRange,
): HTMLElement {
  const thumb = (end: "from" | "to", value: number): HTMLInputElement =>
    make("input", {
      type: "range",
      min: lowerBound,
      max: upperBound,
      step: "any",
      value,
      "aria-label": `${fieldName} ${end}, slider`,
      "data-key": `${fieldName} ${end} slider`,
    });
  const low = thumb("from", selectedMin ?? lowerBound);
  const high = thumb("to", selectedMax ?? upperBound);
  const track = make("div", { class: "slider" }, low, high);
  const width = upperBound - lowerBound || 1;
  const show = (): void => {
    const ends = [Number(low.value), Number(high.value)].toSorted((a, b) => a - b);
    const [from = lowerBound, to = upperBound] = ends;
    track.style.setProperty("--from", String((from - lowerBound) / width));
    track.style.setProperty("--to", String((to - lowerBound) / width));
    lowField.value = roundedBetween(from, lowerBound, upperBound);
    highField.value = roundedBetween(to, lowerBound, upperBound);
  };
  const [lowBefore, highBefore] = [lowField.value, highField.value];
  show();
  // Nothing is selected yet, so the fields show the bounds as placeholders.
  [lowField.value, highField.value] = [lowBefore, highBefore];
  let waiting: ReturnType<typeof setTimeout> | undefined;
  for (const one of [low, high]) {
    one.addEventListener("input", show);
    one.addEventListener("change", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => onRange([lowField.value, highField.value]), KEY_PAUSE_MS);
    });
  }
  return track;
}
