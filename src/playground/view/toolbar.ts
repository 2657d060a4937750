/** What stands above the hits: how many there are, their order, how many on a page, and the request itself. */
import type { SearchResult } from "../../interface/index.ts";
import type { Answer } from "../http/client.ts";
import type { Credentials } from "../http/credentials.ts";
import { countOf, valueOf, withValue, type Parameters } from "../logic/parameters.ts";
import type { Search } from "../logic/requests.ts";
import { openArrange } from "./arrange-dialog.ts";
import { copyButton } from "./code.ts";
import { button, byId, make } from "./dom.ts";
import { readable } from "./facets.ts";
import { icon } from "./icons.ts";
import { curlOf, openInspector } from "./inspector.ts";
import { mainSlice } from "./results.ts";

const LIMITS = [12, 24, 48, 96] as const;

export interface ToolbarOptions {
  readonly credentials: Credentials;
  readonly onLink: (link: string) => void;
  readonly onParameters: (parameters: Parameters) => void;
  readonly onCompare: () => void;
  readonly onSets: (sets: string) => void;
}

export class Toolbar {
  readonly #sort = byId("sort", HTMLSelectElement);
  readonly #limit = byId("limit", HTMLSelectElement);
  readonly #compare = byId("compare", HTMLButtonElement);
  readonly #arrange = byId("arrange", HTMLButtonElement);
  #parameters: Parameters = [];
  #sets = "";
  /** For an example of product sets. */
  #firstIds: readonly string[] = [];
  #answer: Answer | null = null;

  constructor(options: ToolbarOptions) {
    this.#sort.addEventListener("change", () => {
      const { value } = this.#sort;
      if (value === "") options.onParameters(withValue(this.#parameters, "sort", null));
      else options.onLink(value);
    });
    this.#limit.addEventListener("change", () => {
      options.onParameters(withValue(this.#parameters, "limit", this.#limit.value));
    });
    this.#compare.addEventListener("click", options.onCompare);
    this.#arrange.addEventListener("click", () =>
      openArrange(this.#sets, this.#firstIds, options.onSets),
    );
    const isSignedIn = (): boolean => options.credentials.isSignedIn;
    byId("inspect", HTMLElement).append(
      copyButton("Copy as curl", () =>
        this.#answer === null ? "" : curlOf(this.#answer, isSignedIn()),
      ),
      button(
        { class: "quiet", id: "json" },
        () => {
          if (this.#answer !== null) openInspector(this.#answer, isSignedIn());
        },
        icon("code"),
        "JSON",
      ),
    );
  }

  showCompare(isOn: boolean): void {
    this.#compare.setAttribute("aria-pressed", String(isOn));
  }

  show(answer: Answer, result: SearchResult, { parameters, sets }: Search): void {
    this.#answer = answer;
    this.#parameters = parameters;
    this.#sets = sets;
    this.#arrange.setAttribute("aria-pressed", String(sets !== ""));
    this.#firstIds = (mainSlice(result)?.hits ?? []).slice(-2).map(({ document }) => document.id);
    const count = mainSlice(result)?.matchCount ?? 0;
    const q = valueOf(parameters, "q");
    byId("count", HTMLElement).replaceChildren(
      make("strong", {}, count.toLocaleString()),
      count === 1 ? " product" : " products",
      ...(q === null ? [] : [" for ", make("q", {}, q)]),
    );
    this.#showSort(result, valueOf(parameters, "sort"));
    this.#showLimits(countOf(parameters, "limit", LIMITS[0]));
  }

  #showSort({ sortOptions }: SearchResult, sort: string | null): void {
    const isOther = sort !== null && !sortOptions.some(({ isActive }) => isActive);
    this.#sort.replaceChildren(
      make("option", { value: "", selected: sort === null }, "Best match first"),
      ...(isOther ? [make("option", { value: "", selected: true }, `Sort: ${sort}`)] : []),
      ...sortOptions.map(({ label, field, sortOrder, isActive, link }) =>
        make("option", { value: link, selected: isActive }, sortLabel(label, field, sortOrder)),
      ),
    );
  }

  #showLimits(limit: number): void {
    const offered = [...new Set([...LIMITS, limit])].toSorted((a, b) => a - b);
    this.#limit.replaceChildren(
      ...offered.map((one) =>
        make("option", { value: one, selected: one === limit }, `${one} per page`),
      ),
    );
  }
}

/** A label of the configuration stays; one that was made of the field's name is put into words. */
function sortLabel(label: string, field: string, order: "ASC" | "DESC"): string {
  const isOwn = label.toLowerCase() !== `${field}.${order}`.toLowerCase();
  return isOwn ? label : `${readable(field)} ${order === "ASC" ? "↑" : "↓"}`;
}
