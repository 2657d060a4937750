/** The filters that hold, each with a button that removes it. */
import type { Facet } from "../../interface/index.ts";
import { activeFilters, withoutFilters } from "../logic/filters.ts";
import type { Parameters } from "../logic/parameters.ts";
import { button, make, replaceKeepingFocus } from "./dom.ts";
import { readable } from "./facets.ts";
import { icon } from "./icons.ts";

export function renderChips(
  container: HTMLElement,
  parameters: Parameters,
  facets: readonly Facet[],
  onParameters: (parameters: Parameters) => void,
): void {
  const active = activeFilters(parameters, facets);
  const chips = active.map(({ label, value, negated, without }) =>
    make(
      "li",
      {},
      button(
        {
          class: "chip",
          "data-key": `chip ${label} ${value}`,
          "aria-label": `Remove ${label} ${value}`,
        },
        () => onParameters(without),
        make("span", { class: "chip-label" }, `${readable(label)}${negated ? " not" : ""}`),
        value,
        icon("close"),
      ),
    ),
  );
  if (active.length > 1) {
    const all = button(
      { class: "chip all" },
      () => onParameters(withoutFilters(parameters)),
      "Clear all",
    );
    chips.push(make("li", {}, all));
  }
  replaceKeepingFocus(container, ...chips);
  container.hidden = active.length === 0;
}
