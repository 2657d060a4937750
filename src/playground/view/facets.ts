/** The filters beside the hits: a collapsible section per facet, in the order of the answer. */
import type { Facet } from "../../interface/index.ts";
import { labelOf } from "../logic/filters.ts";
import { make, replaceKeepingFocus } from "./dom.ts";
import { rangeFacet } from "./facet-range.ts";
import type { FacetSurroundings } from "./facet-surroundings.ts";
import { treeFacet } from "./facet-tree.ts";
import { valueFacet } from "./facet-values.ts";

/** Number of initially open facets. */
const OPEN_AT_FIRST = 5;

export class Facets {
  readonly #container: HTMLElement;
  /** Sections that the user opened or closed, by field. */
  readonly #open = new Map<string, boolean>();
  /** Lists that are shown completely. */
  readonly #whole = new Set<string>();
  /** Keys of boxes ticked while a request was pending, and whether one is pending. */
  readonly #waiting = new Set<string>();
  #isHeld = false;

  constructor(container: HTMLElement) {
    this.#container = container;
    container.addEventListener("change", (event) => this.#keepWaiting(event), { capture: true });
  }

  /**
   * A request is pending, and the links of these entries belong to the previous one. So ticked
   * boxes wait for the answer.
   */
  hold(): void {
    this.#isHeld = true;
  }

  /** Forgets waiting boxes after other navigation. */
  forget(): void {
    this.#waiting.clear();
  }

  clear(): void {
    this.forget();
    this.#isHeld = false;
    this.#container.replaceChildren();
  }

  render(facets: readonly Facet[], surroundings: FacetSurroundings): void {
    this.#isHeld = false;
    if (facets.length === 0) {
      replaceKeepingFocus(this.#container, make("p", { class: "hint" }, "No facets here."));
      return;
    }
    replaceKeepingFocus(this.#container, ...facets.map((facet, at) => this.#fold(facet, at, surroundings)));
    this.#tickWaiting();
  }

  #keepWaiting(event: Event): void {
    const { target } = event;
    if (!this.#isHeld || !(target instanceof HTMLInputElement) || target.type !== "checkbox") return;
    event.stopPropagation();
    const key = target.dataset["key"] ?? "";
    // A second click unticks it.
    if (!this.#waiting.delete(key)) this.#waiting.add(key);
  }

  /** Applies the first waiting box that still exists; the others follow with the next answers. */
  #tickWaiting(): void {
    const boxes = [...this.#waiting].flatMap((key) => [
      ...this.#container.querySelectorAll<HTMLInputElement>(`input[data-key="${CSS.escape(key)}"]`),
    ]);
    const [first, ...others] = boxes.filter(({ disabled }) => !disabled);
    this.#waiting.clear();
    for (const box of others) {
      this.#waiting.add(box.dataset["key"] ?? "");
      box.checked = !box.checked;
    }
    // After this answer is completely shown.
    if (first !== undefined) queueMicrotask(() => first.click());
  }

  #fold(facet: Facet, at: number, surroundings: FacetSurroundings): HTMLElement {
    const { fieldName } = facet;
    const open = this.#open.get(fieldName) ?? (at < OPEN_AT_FIRST || facet.isFiltered);
    const summary = make(
      "summary",
      { "data-key": `facet ${fieldName}` },
      make("span", { class: "facet-name" }, readable(labelOf(facet) ?? fieldName)),
      facet.isFiltered ? make("span", { class: "dot", title: "is filtered" }) : null,
    );
    const fold = make(
      "details",
      { class: "facet", open, "data-field": fieldName },
      summary,
      this.#content(facet, surroundings),
    );
    // Runs before it opens or closes. The `toggle` event also fires when the page itself opens it.
    summary.addEventListener("click", () => this.#open.set(fieldName, !fold.open));
    return fold;
  }

  #content(facet: Facet, surroundings: FacetSurroundings): HTMLElement {
    switch (facet.type) {
      case "term":
        return valueFacet(facet, this.#whole, surroundings);
      case "hierarchical":
        return treeFacet(facet, this.#whole, surroundings.onLink);
      case "interval":
      case "range":
        return rangeFacet(facet, surroundings.onLink, (range) => {
          surroundings.onRange(facet.fieldName, range);
        });
    }
  }
}

/** `reviewCount` -> `Review count`: labels are often names of fields. */
export function readable(name: string): string {
  const words = name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .trim();
  const isField = words !== name || /^[\p{Ll}\d]+$/u.test(name);
  if (!isField) return name;
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
