/** The toolbar above the hits: their number, sort order, page size, and the request. */
import type { SearchResult, Sorting } from "../../interface/index.ts";
import type { Answer } from "../http/client.ts";
import type { Credentials } from "../http/credentials.ts";
import { mainSlice } from "../logic/main-slice.ts";
import type { PageState } from "../logic/page-state.ts";
import { countOf, parseQuery, valueOf, type Parameters } from "../logic/parameters.ts";
import { openArrange } from "./arrange-dialog.ts";
import { copyButton } from "./code.ts";
import { button, byId, make } from "./dom.ts";
import { readable } from "./facets.ts";
import { icon } from "./icons.ts";
import { curlOf, openInspector } from "./inspector.ts";

const LIMITS = [12, 24, 48, 96] as const;

export interface ToolbarOptions {
  readonly credentials: Credentials;
  /** Changes one parameter; null removes it. */
  readonly onValue: (name: "sort" | "limit", value: string | null) => void;
  readonly onCompare: () => void;
  readonly onSets: (sets: string) => void;
}

export class Toolbar {
  readonly #sort = byId("sort", HTMLSelectElement);
  readonly #limit = byId("limit", HTMLSelectElement);
  readonly #compare = byId("compare", HTMLButtonElement);
  readonly #arrange = byId("arrange", HTMLButtonElement);
  readonly #inspect = byId("inspect", HTMLElement);
  readonly #count = byId("count", HTMLElement);
  #sets = "";
  #sortOptions: readonly Sorting[] = [];
  /** For an example of product sets. */
  #firstIds: readonly string[] = [];
  #answer: Answer | null = null;

  constructor(options: ToolbarOptions) {
    this.#sort.addEventListener("change", () => {
      options.onValue("sort", this.#sort.value === "" ? null : this.#sort.value);
    });
    this.#limit.addEventListener("change", () => options.onValue("limit", this.#limit.value));
    this.#compare.addEventListener("click", options.onCompare);
    this.#arrange.addEventListener("click", () => openArrange(this.#sets, this.#firstIds, options.onSets));
    const isSignedIn = (): boolean => options.credentials.isSignedIn;
    this.#inspect.append(
      copyButton("Copy as curl", () => (this.#answer === null ? "" : curlOf(this.#answer, isSignedIn()))),
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

  /** Shows the request, before the answer. */
  begin({ parameters, sets, versus }: PageState): void {
    this.#compare.setAttribute("aria-pressed", String(versus !== null));
    this.#arrange.setAttribute("aria-pressed", String(sets !== ""));
    this.#sets = sets;
    this.#showSort(valueOf(parameters, "sort"));
    this.#showLimits(parameters);
  }

  show(answer: Answer, result: SearchResult, parameters: Parameters): void {
    this.#answer = answer;
    this.#inspect.hidden = false;
    this.#sortOptions = result.sortOptions;
    this.#firstIds = (mainSlice(result)?.hits ?? []).slice(-2).map(({ document }) => document.id);
    const count = mainSlice(result)?.matchCount ?? 0;
    const q = valueOf(parameters, "q");
    this.#count.replaceChildren(
      make("strong", {}, count.toLocaleString()),
      count === 1 ? " product" : " products",
      ...(q === null ? [] : [" for ", make("q", {}, q)]),
    );
    this.#showSort(valueOf(parameters, "sort"));
  }

  /** Clears the parts that need an answer. */
  clear(): void {
    this.#answer = null;
    this.#inspect.hidden = true;
    this.#firstIds = [];
    this.#count.replaceChildren(make("span", { class: "visually-hidden" }, "Products"));
  }

  #showSort(sort: string | null): void {
    const options = this.#sortOptions.map((option) => ({ ...option, value: sortOf(option) }));
    const chosen =
      sort === null
        ? undefined
        : // Several may be active: the first of `sort=price,-title`.
          (options.find(({ value }) => value === sort) ?? options.find(({ isActive }) => isActive));
    const isOther = sort !== null && chosen === undefined;
    this.#sort.replaceChildren(
      make("option", { value: "", selected: sort === null }, "Best match first"),
      ...(isOther ? [make("option", { value: sort, selected: true }, `Sort: ${sort}`)] : []),
      ...options.map((option) =>
        make(
          "option",
          { value: option.value, selected: option === chosen },
          sortLabel(option.label, option.field, option.sortOrder),
        ),
      ),
    );
  }

  #showLimits(parameters: Parameters): void {
    const limit = countOf(parameters, "limit", LIMITS[0]);
    const text = valueOf(parameters, "limit") ?? String(limit);
    // An invalid value is also listed, so the user can replace it.
    const isNumber = text === String(limit);
    const offered = new Set<number>(isNumber ? [...LIMITS, limit] : LIMITS);
    this.#limit.replaceChildren(
      ...(isNumber ? [] : [make("option", { value: text, selected: true }, `${text} per page`)]),
      ...[...offered]
        .toSorted((a, b) => a - b)
        .map((one) => make("option", { value: one, selected: isNumber && one === limit }, `${one} per page`)),
    );
  }
}

/**
 * The link's value of the parameter. The link itself belongs to the answered search, which may
 * differ from the current one.
 */
function sortOf({ link }: Sorting): string {
  return valueOf(parseQuery(link), "sort") ?? "";
}

/** Keeps configured labels; makes default labels readable. */
function sortLabel(label: string, field: string, order: "ASC" | "DESC"): string {
  const isOwn = label.toLowerCase() !== `${field}.${order}`.toLowerCase();
  return isOwn ? label : `${readable(field)} ${order === "ASC" ? "↑" : "↓"}`;
}
