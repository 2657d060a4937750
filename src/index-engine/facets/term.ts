/** Term facets: one entry per value without regard to case (reference-behaviour.md 4.6 "Term"). */
import { LIMITS, type TermFacetEntry } from "../../interface/index.ts";
import type { CountedValue } from "../model.ts";
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
  const limit = LIMITS.facetValuesPerField.value;
  const choiceOf = (entry: CountedValue): Choice => ({
    value: String(entry.key),
    id: () => (counts.ownsId(name, kind, entry) ? entry.id : null),
    key: String(entry.key),
  });
  const rules: SelectionRules = {
    keyOf: (value) => value.trim().toLowerCase(),
    idOf: (value) => value,
    choice: choiceOf,
    find: (value, byId) => findEntries(input, value, byId),
  };
  const selection = new Selection(name, filters, rules, links);
  const isSelected = ({ key }: CountedValue): boolean => selection.has(String(key));

  const restricted = isRestricted(input);
  const shown = restricted ? [] : [...counts.top(name, kind, limit)];
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
    return { type: "term", key: entry.value, id: entry.id, docCount: entry.count, link, selected };
  });
  return {
    type: "term",
    coverage: restricted
      ? entries.reduce((sum, { docCount }) => sum + docCount, 0)
      : input.coverage,
    entries: orderEntries(entries, config.valueOrder, language),
  };
}
