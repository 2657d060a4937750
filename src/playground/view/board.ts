/**
 * The filters, the hits, and the controls above them.
 *
 *   begin   immediately shows the request: sort, page size, chips, the comparison form
 *   show    shows the answer
 *   fail    removes older answers, keeps the controls
 *
 * User actions change the current request, not the last answered one.
 */
import type { Facet, SearchResult } from "../../interface/index.ts";
import { CallError, type Answer, type Client } from "../http/client.ts";
import { explainOnce, variantCounts, type Explained } from "../http/explained.ts";
import { findFacetValues } from "../http/facet-values.ts";
import { firstPage, withRange } from "../logic/filters.ts";
import { mainSlice } from "../logic/main-slice.ts";
import { followLink, withParameter, writeState, type PageState } from "../logic/page-state.ts";
import { priceFormat, type PriceFormat } from "../logic/prices.ts";
import { countOf } from "../logic/parameters.ts";
import { formatMs } from "../logic/timings.ts";
import type { Failure } from "../logic/problems.ts";
import { waysOut } from "../logic/ways-out.ts";
import type { Search } from "../logic/requests.ts";
import { renderChips } from "./chips.ts";
import { compareView, type Side } from "./compare.ts";
import { button, byId, make } from "./dom.ts";
import { exampleQueries } from "./examples.ts";
import { Facets } from "./facets.ts";
import { FilterSheet } from "./filter-sheet.ts";
import { showVariants } from "./hit-card.ts";
import { openInspector } from "./inspector.ts";
import { paging, type PagingOptions } from "./paging.ts";
import { resultsView } from "./results.ts";
import { timingStrip } from "./timing-strip.ts";
import { Toolbar } from "./toolbar.ts";
import { understood } from "./understood.ts";
import { VersusForm } from "./versus-form.ts";
import { openWhy } from "./why-panel.ts";

const DEFAULT_LIMIT = 12;
const MAX_EXPLAINED_UNASKED = 24;

export interface Answered {
  readonly search: Search;
  readonly answer: Answer;
}

export interface BoardOptions {
  readonly client: Client;
  /** Applied to the current state. */
  readonly onChange: (change: (state: PageState) => PageState) => void;
  readonly onCompare: () => void;
}

export class Board {
  readonly #client: Client;
  readonly #onChange: BoardOptions["onChange"];
  readonly #board = byId("board", HTMLElement);
  readonly #results = byId("results", HTMLElement);
  readonly #hits = byId("hits", HTMLElement);
  readonly #facets = new Facets(byId("facets", HTMLElement));
  readonly #filters = new FilterSheet();
  readonly #toolbar: Toolbar;
  readonly #versus: VersusForm;
  /** Facets of the last answer, for the labels of values. */
  #known: readonly Facet[] = [];

  constructor({ client, onChange, onCompare }: BoardOptions) {
    this.#client = client;
    this.#onChange = onChange;
    this.#toolbar = new Toolbar({
      credentials: client.credentials,
      onValue: (name, value) => onChange((state) => withParameter(state, name, value)),
      onCompare,
      onSets: (sets) => onChange((state) => ({ ...state, sets, parameters: firstPage(state.parameters) })),
    });
    this.#versus = new VersusForm((versus) => onChange((state) => ({ ...state, versus })));
  }

  begin(state: PageState, tenants: readonly string[]): void {
    this.#results.setAttribute("aria-busy", "true");
    this.#toolbar.begin(state);
    this.#versus.show(state.versus, tenants);
    this.#showChips(state);
    this.#facets.hold();
  }

  show(state: PageState, left: Answered, right: Answered | Failure | null, signal: AbortSignal): void {
    const result = left.answer.json as SearchResult;
    const pages = this.#paging(state, result);
    this.#showFrame(state, left, result);
    if (right === null) this.#showHits(left.search, result, pages, signal);
    else this.#compare(left, right, pages, signal);
    this.#board.hidden = false;
    this.#results.removeAttribute("aria-busy");
  }

  fail(): void {
    this.#clear();
    this.#board.hidden = false;
  }

  hide(): void {
    this.#clear();
    this.#board.hidden = true;
  }

  /** Aborts pending requests. */
  forget(): void {
    this.#facets.forget();
  }

  #clear(): void {
    this.#results.removeAttribute("aria-busy");
    this.#toolbar.clear();
    this.#facets.clear();
    for (const id of ["timing-bars", "understood", "examples"]) byId(id, HTMLElement).replaceChildren();
    byId("timing", HTMLElement).hidden = true;
    byId("filters-summary", HTMLElement).textContent = "Filters";
    this.#hits.replaceChildren();
  }

  /** Shared by both views: everything around the hits. */
  #showFrame(state: PageState, { search, answer }: Answered, result: SearchResult): void {
    const facets = mainSlice(result)?.facets ?? [];
    this.#known = facets;
    this.#toolbar.show(answer, result, search.parameters);
    byId("timing-summary", HTMLElement).textContent = `Answered in ${formatMs(answer.roundTripMs)}`;
    byId("timing-bars", HTMLElement).replaceChildren(timingStrip(answer));
    byId("timing", HTMLElement).hidden = false;
    byId("understood", HTMLElement).replaceChildren(understood(result) ?? "");
    byId("examples", HTMLElement).replaceChildren(this.#examples(search) ?? "");
    this.#showChips(state);
    this.#facets.render(facets, {
      onLink: (link) => this.#onChange((now) => followLink(now, link)),
      onRange: (field, range) =>
        this.#onChange((now) => ({ ...now, parameters: withRange(now.parameters, field, range) })),
      findValues: (field, text, signal) => findFacetValues(this.#client, search, field, text, signal),
    });
    const filtered = facets.filter(({ isFiltered }) => isFiltered).length;
    byId("filters-summary", HTMLElement).textContent = filtered === 0 ? "Filters" : `Filters (${filtered})`;
    this.#filters.say(mainSlice(result)?.matchCount ?? 0);
  }

  #showChips({ parameters }: PageState): void {
    // Belongs to this state and is rendered again with the next.
    renderChips(byId("chips", HTMLElement), parameters, this.#known, (left) =>
      this.#onChange((now) => ({ ...now, parameters: left })),
    );
  }

  /** Example queries for the sample catalogue. */
  #examples({ tenant, parameters }: Search): Node | null {
    const isStart = parameters.every(([name]) => name === "limit");
    if (tenant !== "sample" || !isStart) return null;
    return exampleQueries((q) => this.#onChange((state) => withParameter(state, "q", q)));
  }

  #advice({ parameters }: Search, matchCount: number): Node {
    return make(
      "p",
      { class: "examples" },
      ...waysOut(parameters, matchCount).map(({ label, parameters: wider }) =>
        button({ class: "chip" }, () => this.#onChange((state) => ({ ...state, parameters: wider })), label),
      ),
    );
  }

  #showHits(search: Search, result: SearchResult, pages: PagingOptions, signal: AbortSignal): void {
    const explained = explainOnce(this.#client, search, signal);
    const { tenant } = search;
    const money = moneyOf(result);
    this.#hits.replaceChildren(
      resultsView(result, {
        paging: pages,
        onWhy: (hit) => void openWhy({ tenant, hit, client: this.#client, explained, money }),
        advice: this.#advice(search, pages.matchCount),
        money,
      }),
    );
    // Explanations of a long page would be larger than the page.
    const { length } = result.slices.flatMap(({ hits }) => hits);
    if (length > 0 && length <= MAX_EXPLAINED_UNASKED) void this.#showVariants(explained);
  }

  #compare(left: Answered, right: Answered | Failure, pages: PagingOptions, signal: AbortSignal): void {
    const explanationOf = ({ search }: Answered): Explained => explainOnce(this.#client, search, signal);
    const why = {
      left: { ...left, explained: explanationOf(left) },
      right: "answer" in right ? { ...right, explained: explanationOf(right) } : null,
    };
    this.#hits.replaceChildren(
      compareView(sideOf(left), "answer" in right ? sideOf(right) : right, {
        onWhy: (side, hit) => {
          const asked = why[side];
          if (asked === null) return;
          const { search, answer, explained } = asked;
          const { tenant } = search;
          const money = moneyOf(answer.json as SearchResult);
          void openWhy({ tenant, hit, client: this.#client, explained, money });
        },
        onInspect: (one) => openInspector(one, this.#client.credentials.isSignedIn),
      }),
      paging(pages) ?? "",
    );
  }

  async #showVariants(explained: Explained): Promise<void> {
    try {
      showVariants(this.#hits, await variantCounts(explained));
    } catch (error) {
      // The failure is shown when the user asks for an explanation.
      if (!(error instanceof CallError || error instanceof DOMException)) throw error;
    }
  }

  #paging(shown: PageState, result: SearchResult): PagingOptions {
    const { parameters } = shown;
    const at = (state: PageState, offset: number): PageState =>
      withParameter(state, "offset", offset === 0 ? null : String(offset));
    return {
      matchCount: mainSlice(result)?.matchCount ?? 0,
      limit: countOf(parameters, "limit", DEFAULT_LIMIT),
      offset: countOf(parameters, "offset", 0),
      addressOf: (offset) => writeState(at(shown, offset)),
      onOffset: (offset) => {
        this.#onChange((state) => at(state, offset));
        this.#results.focus({ preventScroll: true });
        scrollTo({ top: 0 });
      },
    };
  }
}

function moneyOf(result: SearchResult): PriceFormat {
  return priceFormat(mainSlice(result)?.facets ?? []);
}

function sideOf({ search, answer }: Answered): Side {
  const offset = countOf(search.parameters, "offset", 0);
  return { answer, result: answer.json as SearchResult, offset };
}
