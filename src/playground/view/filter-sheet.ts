/**
 * Where the filters stand: beside the hits where the window is wide, in a sheet over them where it is narrow. The sheet
 * takes the facets as they are and gives them back when it closes, so they are one thing in both places.
 */
import { button, byId, make } from "./dom.ts";
import { openSheet, type Sheet } from "./sheet.ts";

const WIDE = "(min-width: 60rem)";

export class FilterSheet {
  readonly #fold = byId("filters", HTMLDetailsElement);
  readonly #facets = byId("facets", HTMLElement);
  readonly #done: HTMLButtonElement;
  #sheet: Sheet | null = null;

  constructor() {
    this.#done = button({ class: "primary large" }, () => this.#sheet?.close());
    const wide = matchMedia(WIDE);
    const follow = (): void => {
      this.#sheet?.close();
      this.#fold.open = wide.matches;
    };
    wide.addEventListener("change", follow);
    follow();
    byId("filters-summary", HTMLElement).addEventListener("click", (event) => {
      event.preventDefault();
      this.#open();
    });
  }

  /** How many products the button that closes the sheet leads to. */
  say(matchCount: number): void {
    const products = matchCount === 1 ? "product" : "products";
    this.#done.textContent = `Show ${matchCount.toLocaleString()} ${products}`;
  }

  #open(): void {
    if (this.#sheet !== null) return;
    this.#sheet = openSheet("side", "Filters", () => {
      this.#sheet = null;
      this.#fold.append(this.#facets);
    });
    this.#sheet.body.append(this.#facets);
    this.#sheet.dialog.append(make("footer", { class: "sheet-foot" }, this.#done));
  }
}
