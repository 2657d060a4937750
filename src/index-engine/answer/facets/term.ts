/**
 * Term facets: one entry per value, ignoring case (docs/behaviour.md 4.6). The id of an entry is
 * the one that most of its products have.
 *
 * Numbers can be configured as a term facet: one entry per number. Selecting one filters by the
 * range of only that number. A filter with a wider range selects no entry.
 */
import { LIMITS } from "../../../interface/index.ts";
import { readRangeOf } from "../../query/filter/index.ts";
import { plainNumber } from "../links/index.ts";
import type { CountedValue } from "../../query/index.ts";
import { accumulates, findEntries, isRestricted, type FacetBody, type FacetInput } from "./facet-input.ts";
import { Selection, type SelectionRules } from "./selection.ts";
import { orderEntries } from "./value-order.ts";

export function buildTermFacet(input: FacetInput): FacetBody {
  const { field, filters, links, config, language, only } = input;
  const isNumber = field.kind === "number";
  // A field may also have numbers. If several ranges were sent, they must stay separate parameters.
  const isApart = isNumber || filters.some(({ texts }) => texts.length > 1);
  const rules: SelectionRules = {
    textsOf: ({ texts, values }) => {
      if (isNumber) return texts;
      const keyOf = (value: string): string => value.trim().toLowerCase();
      return isApart ? texts.map((text) => text.map(keyOf)) : values.map((value) => [keyOf(value)]);
    },
    idOf: (value) => value,
    choice: (entry) => ({
      text: [typeof entry.key === "number" ? plainNumber(entry.key) : entry.key],
      id: () => (field.ownsId(entry) ? entry.id : null),
      key: String(entry.key),
    }),
    find: (text, byId) => {
      if (!isNumber || byId) return text.length > 1 ? [] : findEntries(input, text[0] ?? "", byId);
      const range = readRangeOf(text);
      if (range === null || range.lower === null || range.lower !== range.upper) return [];
      const entry = field.entry(range.lower);
      return entry === null ? [] : [entry];
    },
    accumulates: accumulates(input),
  };
  const selection = new Selection(field.name, filters, rules, links, isApart);

  const restricted = isRestricted(input);
  const isWithin = (key: number): boolean =>
    filters.some(({ negated, ranges }) =>
      ranges.some(({ lower, upper }) => !negated && key >= (lower ?? -Infinity) && key <= (upper ?? Infinity)),
    );
  const mayShow = ({ key }: CountedValue): boolean => (typeof key === "number" ? isWithin(key) : selection.has(key));
  // If only selected terms are shown, the others are not needed.
  const most = (): readonly CountedValue[] =>
    restricted && !isNumber ? [] : field.top(LIMITS.facetValuesPerField.value);
  const largest = only ?? most();
  const shown = restricted ? largest.filter(mayShow) : [...largest];
  // Selected entries are always shown, even beyond the limit, except in a search in facet values.
  if (only === null && selection.entries.size > 0) {
    const keys = new Set(shown.map(({ key }) => key));
    for (const entry of selection.entries.values()) if (!keys.has(entry.key)) shown.push(entry);
  }
  return {
    type: "term",
    coverage: restricted || only !== null ? shown.reduce((sum, { count }) => sum + count, 0) : field.coverage,
    size: shown.length,
    leaves: shown.length,
    products: shown.length === 1 ? shown[0].count : 0,
    write: (to) => {
      const ordered = only === null ? orderEntries(shown, config.valueOrder, language) : shown;
      const isAnySelected = selection.entries.size > 0;
      to.pushText("[");
      ordered.forEach((entry, i) => {
        if (i > 0) to.pushText(",");
        selection.write(to, entry, isAnySelected && selection.has(String(entry.key)));
      });
      to.pushText("]");
    },
  };
}
