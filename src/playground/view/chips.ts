/** The active filters, each with a button that removes it. */
import type { Facet } from "../../interface/index.ts";
import { activeFilters, withoutFilters } from "../logic/filters.ts";
import type { Parameters } from "../logic/parameters.ts";
import { button, byId, make, replaceKeepingFocus } from "./dom.ts";
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
        { class: "chip", "data-key": `chip ${label} ${value}` },
        () => onParameters(without),
        make("span", { class: "visually-hidden" }, "Remove "),
        make("span", { class: "chip-label" }, `${readable(label)}${negated ? " not" : ""}`),
        " ",
        value,
        icon("close"),
      ),
    ),
  );
  if (active.length > 1) {
    const all = button(
      { class: "chip all", "data-key": "chips" },
      () => onParameters(withoutFilters(parameters)),
      "Clear all",
    );
    chips.push(make("li", {}, all));
  }
  const place = [...container.children].findIndex((chip) => chip.contains(document.activeElement));
  replaceKeepingFocus(container, ...chips);
  container.hidden = active.length === 0;
  if (place !== -1 && !container.contains(document.activeElement)) focusNear(container, place);
}

/** After a removal the focus moves to the next chip, after the last one to the results. */
function focusNear(container: HTMLElement, place: number): void {
  const chips = container.querySelectorAll("button");
  const next = chips[Math.min(place, chips.length - 1)] ?? byId("results", HTMLElement);
  next.focus({ preventScroll: true });
}
