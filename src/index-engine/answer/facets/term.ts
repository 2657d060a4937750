/**
 * Term facets: one entry per value without regard to case (docs/behaviour.md 4.6). Of numbers, where they
 * are configured as a term facet: one entry per number, which is chosen as a range of only itself; a wider range in
 * force chooses none of them. An entry's id is that on most of its products.
 */
import { LIMITS, type TermFacetEntry } from "../../../interface/index.ts";
import { readRangeOf } from "../../query/filter/index.ts";
import { plainNumber } from "../links/index.ts";
import type { CountedValue } from "../../query/index.ts";
import {
  accumulates,
  findEntries,
  isRestricted,
  type FacetBody,
  type FacetInput,
} from "./facet-input.ts";
import { Selection, type Choice, type SelectionRules } from "./selection.ts";
import { orderEntries } from "./value-order.ts";

export function buildTermFacet(input: FacetInput): FacetBody {
  const { name, kind, counts, filters, links, config, language } = input;
  const isNumber = kind === "number";
  // Words of a field that has numbers, too, of which several ranges were asked: those stay apart.
  const isApart = isNumber || filters.some(({ texts }) => texts.length > 1);
  const limit = LIMITS.facetValuesPerField.value;
  const choiceOf = (entry: CountedValue): Choice => ({
    text: [typeof entry.key === "number" ? plainNumber(entry.key) : entry.key],
    id: () => (counts.ownsId(name, kind, entry) ? entry.id : null),
    key: String(entry.key),
  });
  const rules: SelectionRules = {
    textsOf: ({ texts, values }) => {
      if (isNumber) return texts;
      const keyOf = (value: string): string => value.trim().toLowerCase();
      return isApart ? texts.map((text) => text.map(keyOf)) : values.map((value) => [keyOf(value)]);
    },
    idOf: (value) => value,
    choice: choiceOf,
    find: (text, byId) => {
      if (!isNumber || byId) return text.length > 1 ? [] : findEntries(input, text[0] ?? "", byId);
      const range = readRangeOf(text);
      if (range === null || range.lower === null || range.lower !== range.upper) return [];
      return counts.values(name, kind).filter(({ key }) => key === range.lower);
    },
  };
  const selection = new Selection(name, filters, rules, links, isApart);
  const isSelected = ({ key }: CountedValue): boolean => selection.has(String(key));

  const restricted = isRestricted(input);
  const isWithin = (key: number): boolean =>
    filters.some(({ negated, ranges }) =>
      ranges.some(
        ({ lower, upper }) => !negated && key >= (lower ?? -Infinity) && key <= (upper ?? Infinity),
      ),
    );
  const shown =
    restricted && !isNumber
      ? []
      : counts
          .top(name, kind, limit)
          .filter(({ key }) => !restricted || (typeof key === "number" && isWithin(key)));
  const keys = new Set(shown.map(({ key }) => key));
  // A selected entry is always shown, also beyond the limit.
  for (const entry of selection.entries().values()) if (!keys.has(entry.key)) shown.push(entry);

  const entries = shown.map((entry): TermFacetEntry => {
    const choice = choiceOf(entry);
    const selected = isSelected(entry);
    const link = selected
      ? selection.without(String(entry.key))
      : accumulates(input)
        ? selection.plus(choice)
        : selection.only(choice);
    const { value: key, id, count: docCount } = entry;
    return { type: "term", key, id, docCount, link, selected };
  });
  return {
    type: "term",
    coverage: restricted
      ? entries.reduce((sum, { docCount }) => sum + docCount, 0)
      : input.coverage,
    entries: orderEntries(entries, config.valueOrder, language),
  };
}
