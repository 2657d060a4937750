/**
 * The playground: what the address says is asked of the service and shown.
 *
 *   address -> PageState -> request(s) -> answer(s) -> page
 *      ^                                                |
 *      '------------ what somebody chooses -------------'
 *
 * Nothing else has a state that matters: a choice makes a new address, and the address everything else.
 */
import type { Facet, SearchResult, Suggestion } from "../interface/index.ts";
import { CallError, Client, type Answer } from "./http/client.ts";
import { Credentials } from "./http/credentials.ts";
import { explainOnce, variantCounts, type Explained } from "./http/explained.ts";
import { firstPage } from "./logic/filters.ts";
import { followLink, readState, writeState, type PageState } from "./logic/page-state.ts";
import {
  countOf,
  overridden,
  parseQuery,
  valueOf,
  withValue,
  type Parameters,
} from "./logic/parameters.ts";
import {
  facetValuesRequest,
  get,
  indexNameOf,
  searchRequest,
  suggestRequest,
  type Search,
} from "./logic/requests.ts";
import { renderChips } from "./view/chips.ts";
import { compareView } from "./view/compare.ts";
import { button, byId, make } from "./view/dom.ts";
import { Facets } from "./view/facets.ts";
import { failureBox, failureOf } from "./view/failure.ts";
import { showVariants } from "./view/hit-card.ts";
import { openImport, type ImportSurroundings } from "./view/import-dialog.ts";
import { openInspector } from "./view/inspector.ts";
import { paging, type PagingOptions } from "./view/paging.ts";
import { mainSlice, resultsView } from "./view/results.ts";
import { SearchBox } from "./view/search-box.ts";
import { openSignIn } from "./view/sign-in.ts";
import { startView } from "./view/start.ts";
import { timingStrip } from "./view/timing-strip.ts";
import { Toolbar } from "./view/toolbar.ts";
import { understood } from "./view/understood.ts";
import { exampleQueries } from "./view/examples.ts";
import { VersusForm } from "./view/versus-form.ts";
import { openWhy } from "./view/why-panel.ts";
import { foldFiltersWhereNarrow, takeDroppedFiles } from "./view/window.ts";

const DEFAULT_LIMIT = 12;
const MAX_EXPLAINED_UNASKED = 24;

class Page {
  readonly #credentials = new Credentials();
  readonly #client = new Client(this.#credentials);
  readonly #notice = byId("notice", HTMLElement);
  readonly #board = byId("board", HTMLElement);
  readonly #hits = byId("hits", HTMLElement);
  readonly #results = byId("results", HTMLElement);
  readonly #tenantChoice = byId("tenant", HTMLSelectElement);
  readonly #account = byId("account", HTMLButtonElement);
  readonly #facets = new Facets(byId("facets", HTMLElement));
  readonly #searchBox: SearchBox;
  readonly #toolbar: Toolbar;
  readonly #versus: VersusForm;
  #state: PageState = readState(location.search);
  #tenants: readonly string[] = [];
  /** Where suggestions of a tenant come from: the index its hits were found in. */
  readonly #indexOfTenant = new Map<string, string>();
  #running = new AbortController();

  constructor() {
    this.#searchBox = new SearchBox({
      ask: (text, signal) => this.#suggest(text, signal),
      onSearch: (text) =>
        this.#choose(withValue(this.#state.parameters, "q", text === "" ? null : text)),
    });
    this.#toolbar = new Toolbar({
      credentials: this.#credentials,
      onLink: (link) => this.#go(followLink(this.#state, link)),
      onParameters: (parameters) => this.#choose(parameters),
      onCompare: () => this.#toggleCompare(),
      onSets: (sets) =>
        this.#go({ ...this.#state, sets, parameters: firstPage(this.#state.parameters) }),
    });
    this.#versus = new VersusForm((versus) => this.#go({ ...this.#state, versus }));
    this.#tenantChoice.addEventListener("change", () => this.#chooseTenant());
    this.#account.addEventListener("click", () => void this.#toggleAccount());
    byId("import", HTMLButtonElement).addEventListener("click", () =>
      openImport(this.#surroundings(), null),
    );
    addEventListener("popstate", () => {
      this.#state = readState(location.search);
      void this.#update();
    });
    takeDroppedFiles((file) => openImport(this.#surroundings(), file));
    foldFiltersWhereNarrow();
  }

  /** Asks which tenants there are, and shows what the address says. */
  async open(): Promise<void> {
    this.#account.textContent = this.#credentials.isSignedIn ? "Sign out" : "Sign in";
    try {
      const request = get("/search-api/v1/tenants");
      const { json } = await this.#client.expect(request, AbortSignal.timeout(30_000));
      this.#tenants = Array.isArray(json) ? json.map(String) : [];
    } catch (error) {
      this.#tenants = [];
      this.#board.hidden = true;
      await this.#fail(error);
      return;
    }
    const [first] = this.#tenants;
    if (this.#state.tenant === null && first !== undefined) {
      this.#state = { ...this.#state, tenant: first };
      // The visitor has chosen nothing: no step to go back to.
      history.replaceState(null, "", writeState(this.#state));
    }
    await this.#update();
  }

  #go(state: PageState): void {
    const address = writeState(state);
    if (address !== location.search) history.pushState(null, "", address === "" ? "/" : address);
    this.#state = state;
    void this.#update();
  }

  /** Another search: from its first hit on. */
  #choose(parameters: Parameters): void {
    this.#go({ ...this.#state, parameters: firstPage(parameters) });
  }

  async #update(): Promise<void> {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    const { tenant, parameters, versus } = this.#state;
    this.#showTenants();
    this.#searchBox.show(valueOf(parameters, "q") ?? "");
    this.#versus.show(versus, this.#tenants);
    this.#toolbar.showCompare(versus !== null);
    if (tenant === null) {
      this.#board.hidden = true;
      this.#notice.replaceChildren(startView(this.#surroundings()));
      return;
    }
    const q = valueOf(parameters, "q");
    document.title = `${q === null ? "" : `${q} · `}${tenant} · Aisle`;
    this.#results.setAttribute("aria-busy", "true");
    try {
      const [search, other] = [this.#search(tenant), this.#otherSearch()];
      const [answer, otherAnswer] = await Promise.all([
        this.#client.expect(searchRequest(search), signal),
        other === null ? null : this.#client.expect(searchRequest(other), signal),
      ]);
      if (signal.aborted) return;
      this.#notice.replaceChildren();
      this.#board.hidden = false;
      if (other === null || otherAnswer === null) this.#show(search, answer, signal);
      else this.#compare([search, answer], [other, otherAnswer], signal);
    } catch (error) {
      if (!signal.aborted) await this.#fail(error);
    } finally {
      if (!signal.aborted) this.#results.removeAttribute("aria-busy");
    }
  }

  #search(tenant: string): Search {
    const { parameters, sets } = this.#state;
    return { tenant, parameters, sets };
  }

  #otherSearch(): Search | null {
    const { parameters, sets, versus } = this.#state;
    if (versus === null) return null;
    return {
      tenant: versus.tenant,
      parameters: overridden(parameters, parseQuery(versus.changes)),
      sets,
    };
  }

  /** What both views have: everything around the hits. */
  #frame(search: Search, answer: Answer): SearchResult {
    const result = answer.json as SearchResult;
    const slice = mainSlice(result);
    const facets = slice?.facets ?? [];
    this.#toolbar.show(answer, result, search);
    byId("timing", HTMLElement).replaceChildren(timingStrip(answer));
    byId("understood", HTMLElement).replaceChildren(understood(result) ?? "");
    byId("examples", HTMLElement).replaceChildren(this.#examples(search) ?? "");
    renderChips(byId("chips", HTMLElement), search.parameters, facets, (parameters) => {
      this.#go({ ...this.#state, parameters });
    });
    this.#facets.render(facets, {
      parameters: search.parameters,
      onLink: (link) => this.#go(followLink(this.#state, link)),
      onParameters: (parameters) => this.#go({ ...this.#state, parameters }),
      findValues: (field, text, signal) => this.#findValues(search, field, text, signal),
    });
    const filtered = facets.filter(({ isFiltered }) => isFiltered).length;
    byId("filters-summary", HTMLElement).textContent =
      filtered === 0 ? "Filters" : `Filters (${filtered})`;
    const hit = slice?.hits[0];
    const indexName = hit === undefined ? null : indexNameOf(hit.index);
    if (indexName !== null) this.#indexOfTenant.set(search.tenant, indexName);
    return result;
  }

  /** Who has just loaded the sample does not know yet what to ask it. */
  #examples({ tenant, parameters }: Search): Node | null {
    const isStart = parameters.every(([name]) => name === "limit");
    if (tenant !== "sample" || !isStart) return null;
    return exampleQueries((q) => this.#choose([...parameters, ["q", q]]));
  }

  #show(search: Search, answer: Answer, signal: AbortSignal): void {
    const result = this.#frame(search, answer);
    const explained = explainOnce(this.#client, search, signal);
    this.#hits.replaceChildren(
      resultsView(result, {
        paging: this.#paging(search, result),
        onWhy: (hit) =>
          void openWhy({ tenant: search.tenant, hit, client: this.#client, explained }),
        advice: search.tenant === "sample" ? exampleQueries((q) => this.#choose([["q", q]])) : null,
      }),
    );
    // Explanations of a long page would be larger than the page.
    const { length } = result.slices.flatMap(({ hits }) => hits);
    if (length > 0 && length <= MAX_EXPLAINED_UNASKED) void this.#showVariants(explained);
  }

  #compare(
    [search, answer]: readonly [Search, Answer],
    [other, otherAnswer]: readonly [Search, Answer],
    signal: AbortSignal,
  ): void {
    const result = this.#frame(search, answer);
    const otherResult = otherAnswer.json as SearchResult;
    const left = { search, explained: explainOnce(this.#client, search, signal) };
    const right = { search: other, explained: explainOnce(this.#client, other, signal) };
    const offset = (side: Search): number => countOf(side.parameters, "offset", 0);
    this.#hits.replaceChildren(
      compareView(
        { answer, result, offset: offset(search) },
        { answer: otherAnswer, result: otherResult, offset: offset(other) },
        {
          onWhy: (side, hit) => {
            const { search: asked, explained } = side === "left" ? left : right;
            void openWhy({ tenant: asked.tenant, hit, client: this.#client, explained });
          },
          onInspect: (one) => openInspector(one, this.#credentials.isSignedIn),
        },
      ),
      paging(this.#paging(search, result)) ?? "",
    );
  }

  async #showVariants(explained: Explained): Promise<void> {
    try {
      showVariants(this.#hits, await variantCounts(explained));
    } catch (error) {
      // Who asks why sees it; the page is whole without it.
      if (!(error instanceof CallError || error instanceof DOMException)) throw error;
    }
  }

  #paging({ parameters }: Search, result: SearchResult): PagingOptions {
    const at = (offset: number): PageState => ({
      ...this.#state,
      parameters: withValue(parameters, "offset", offset === 0 ? null : String(offset)),
    });
    return {
      matchCount: mainSlice(result)?.matchCount ?? 0,
      limit: countOf(parameters, "limit", DEFAULT_LIMIT),
      offset: countOf(parameters, "offset", 0),
      addressOf: (offset) => writeState(at(offset)),
      onOffset: (offset) => {
        this.#go(at(offset));
        this.#results.focus({ preventScroll: true });
        scrollTo({ top: 0 });
      },
    };
  }

  async #suggest(text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
    const { tenant } = this.#state;
    if (tenant === null) return [];
    try {
      const indexName = this.#indexOfTenant.get(tenant) ?? tenant;
      const { json } = await this.#client.expect(suggestRequest(indexName, text), signal);
      return json as readonly Suggestion[];
    } catch (error) {
      // A search box works without suggestions.
      if (error instanceof CallError || error instanceof DOMException) return [];
      throw error;
    }
  }

  async #findValues(
    search: Search,
    field: string,
    text: string,
    signal: AbortSignal,
  ): Promise<Facet | null> {
    try {
      const { json } = await this.#client.expect(facetValuesRequest(search, field, text), signal);
      const facets = mainSlice(json as SearchResult)?.facets ?? [];
      return facets.find(({ fieldName }) => fieldName === field) ?? null;
    } catch (error) {
      if (error instanceof CallError || error instanceof DOMException) return null;
      throw error;
    }
  }

  #showTenants(): void {
    const { tenant } = this.#state;
    const names = new Set(this.#tenants);
    if (tenant !== null) names.add(tenant);
    this.#tenantChoice.replaceChildren(
      ...[...names].map((name) => make("option", { value: name, selected: name === tenant }, name)),
    );
    this.#tenantChoice.hidden = names.size === 0;
  }

  /** Filters are those of one catalogue; the query goes along. */
  #chooseTenant(): void {
    const parameters = this.#state.parameters.filter(([name]) => name === "q" || name === "limit");
    this.#go({ ...this.#state, tenant: this.#tenantChoice.value, parameters, sets: "" });
  }

  #toggleCompare(): void {
    const { tenant, versus } = this.#state;
    if (versus !== null) {
      this.#go({ ...this.#state, versus: null });
      return;
    }
    const other = this.#tenants.find((name) => name !== tenant) ?? tenant;
    if (other !== null) this.#go({ ...this.#state, versus: { tenant: other, changes: "" } });
  }

  async #toggleAccount(): Promise<void> {
    if (this.#credentials.isSignedIn) this.#credentials.signOut();
    else if (
      !(await openSignIn(this.#credentials, "For what this deployment does not let everybody do."))
    )
      return;
    await this.open();
  }

  #surroundings(): ImportSurroundings {
    return {
      client: this.#client,
      tenants: this.#tenants,
      onImported: (indexName) => {
        this.#state = { ...readState(""), tenant: indexName };
        history.pushState(null, "", writeState(this.#state));
        void this.open();
      },
      signIn: () => openSignIn(this.#credentials, "An import needs a user with the role index."),
    };
  }

  async #fail(error: unknown): Promise<void> {
    const failure = failureOf(error);
    if (failure === null) return;
    const actions: Node[] = [];
    const askForCredentials = async (): Promise<void> => {
      if (await openSignIn(this.#credentials, failure.message)) await this.open();
    };
    if (failure.status === 401) {
      actions.push(button({ class: "primary" }, () => void askForCredentials(), "Sign in"));
    } else {
      actions.push(button({ class: "secondary" }, () => void this.open(), "Try again"));
    }
    this.#hits.replaceChildren();
    this.#notice.replaceChildren(failureBox(failure, ...actions));
  }
}

await new Page().open();
