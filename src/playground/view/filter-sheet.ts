/**
 * Places the filters beside the hits in wide windows, and in a sheet over them in narrow ones. The
 * sheet moves the same elements and returns them when it closes.
 */
import { counted } from "../logic/counted.ts";
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

  /** Number of products, shown on the close button. */
  say(matchCount: number): void {
    this.#done.textContent = `Show ${counted(matchCount, "product")}`;
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
