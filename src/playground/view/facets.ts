/** The filters beside the hits: a fold per facet, in the order of the answer, each by its kind. */
import type { Facet } from "../../interface/index.ts";
import { labelOf, withRange } from "../logic/filters.ts";
import type { Parameters } from "../logic/parameters.ts";
import { make, replaceKeepingFocus } from "./dom.ts";
import { rangeFacet } from "./facet-range.ts";
import { treeFacet } from "./facet-tree.ts";
import { valueFacet } from "./facet-values.ts";

export interface FacetSurroundings {
  /** Of the search that is shown. */
  readonly parameters: Parameters;
  /** Follows a link of an entry. */
  readonly onLink: (link: string) => void;
  readonly onParameters: (parameters: Parameters) => void;
  /** Values of one facet that match a text. */
  readonly findValues: (field: string, text: string, signal: AbortSignal) => Promise<Facet | null>;
}

/** How many facets are open at first. */
const OPEN_AT_FIRST = 5;

export class Facets {
  readonly #container: HTMLElement;
  /** What somebody opened or closed himself, by field. */
  readonly #open = new Map<string, boolean>();
  /** Fields of which all values are shown. */
  readonly #whole = new Set<string>();

  constructor(container: HTMLElement) {
    this.#container = container;
  }

  render(facets: readonly Facet[], surroundings: FacetSurroundings): void {
    if (facets.length === 0) {
      replaceKeepingFocus(this.#container, make("p", { class: "hint" }, "No facets here."));
      return;
    }
    replaceKeepingFocus(
      this.#container,
      ...facets.map((facet, at) => this.#fold(facet, at, surroundings)),
    );
  }

  #fold(facet: Facet, at: number, surroundings: FacetSurroundings): HTMLElement {
    const { fieldName } = facet;
    const open = this.#open.get(fieldName) ?? (at < OPEN_AT_FIRST || facet.isFiltered);
    const fold = make(
      "details",
      { class: "facet", open, "data-field": fieldName },
      make(
        "summary",
        { "data-key": `facet ${fieldName}` },
        make("span", { class: "facet-name" }, readable(labelOf(facet) ?? fieldName)),
        facet.isFiltered ? make("span", { class: "dot", title: "is filtered" }) : null,
      ),
      this.#content(facet, surroundings),
    );
    fold.addEventListener("toggle", () => this.#open.set(fieldName, fold.open));
    return fold;
  }

  #content(facet: Facet, surroundings: FacetSurroundings): HTMLElement {
    switch (facet.type) {
      case "term":
        return valueFacet(facet, this.#whole, surroundings);
      case "hierarchical":
        return treeFacet(facet, surroundings.onLink);
      case "interval":
      case "range":
        return rangeFacet(facet, surroundings.onLink, (range) => {
          surroundings.onParameters(withRange(surroundings.parameters, facet.fieldName, range));
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
