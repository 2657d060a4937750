/**
 * The playground: the URL determines the request and the page.
 *
 *   address -> PageState -> request(s) -> answer(s) -> page
 *      ^                                                |
 *      '----------------- user actions ----------------'
 *
 * The URL is the only state: a user action changes the URL, and the page follows it.
 */
import type { SearchResult } from "../interface/index.ts";
import { Client } from "./http/client.ts";
import { Credentials } from "./http/credentials.ts";
import { refusedSignIn } from "./http/sign-in.ts";
import { Suggester } from "./http/suggester.ts";
import { EMPTY_STATE, readState, searchesOf, withParameter, writeState, type PageState } from "./logic/page-state.ts";
import { valueOf, writeQuery } from "./logic/parameters.ts";
import type { Failure } from "./logic/problems.ts";
import { get, searchRequest, type Search } from "./logic/requests.ts";
import { Board, type Answered } from "./view/board.ts";
import { button, byId, make } from "./view/dom.ts";
import { failureBox, failureOf } from "./view/failure.ts";
import { openImport, type ImportSurroundings } from "./view/import-dialog.ts";
import { SearchBox } from "./view/search-box.ts";
import { openSignIn } from "./view/sign-in.ts";
import { startView } from "./view/start.ts";
import { takeDroppedFiles } from "./view/window.ts";

const TENANTS_TIMEOUT_MS = 30_000;

class Page {
  readonly #credentials = new Credentials();
  readonly #client = new Client(this.#credentials);
  readonly #suggester = new Suggester(this.#client);
  readonly #notice = byId("notice", HTMLElement);
  readonly #tenantChoice = byId("tenant", HTMLSelectElement);
  readonly #account = byId("account", HTMLButtonElement);
  readonly #searchBox: SearchBox;
  readonly #board: Board;
  #state: PageState = readState(location.search);
  /** Null: not loaded yet, or not available. */
  #tenants: readonly string[] | null = null;
  /** Abort controllers of the requests for tenants and for hits. */
  #opening = new AbortController();
  #running = new AbortController();

  constructor() {
    this.#searchBox = new SearchBox({
      ask: (text, signal) => this.#suggester.ask(this.#state.tenant, text, signal),
      onSearch: (text) => this.#go(asked(this.#state, text, false)),
      onTyping: (text) => this.#type(text),
    });
    this.#searchBox.show(valueOf(this.#state.parameters, "q") ?? "");
    this.#board = new Board({
      client: this.#client,
      onChange: (change) => this.#go(change(this.#state)),
      onCompare: () => this.#toggleCompare(),
    });
    this.#tenantChoice.addEventListener("change", () => this.#chooseTenant());
    this.#account.addEventListener("click", () => void this.#toggleAccount());
    byId("import", HTMLButtonElement).addEventListener("click", () => openImport(this.#surroundings(), null));
    addEventListener("popstate", () => {
      const state = readState(location.search);
      // Navigation within the page: the link that skips to the results.
      if (writeState(state) === writeState(this.#state)) return;
      this.#state = state;
      this.#board.forget();
      void this.#update();
    });
    takeDroppedFiles((file) => openImport(this.#surroundings(), file));
  }

  /** Loads the tenants and shows the page of the URL. */
  async open(): Promise<void> {
    // Drop answers to requests of the previous user.
    this.#running.abort();
    this.#opening.abort();
    const opening = new AbortController();
    this.#opening = opening;
    this.#board.forget();
    this.#showAccount();
    try {
      const signal = AbortSignal.any([opening.signal, AbortSignal.timeout(TENANTS_TIMEOUT_MS)]);
      const { json } = await this.#client.expect(get("/search-api/v1/tenants"), signal);
      if (opening.signal.aborted) return;
      this.#tenants = Array.isArray(json) ? json.map(String) : [];
    } catch (error) {
      if (opening.signal.aborted) return;
      this.#running.abort();
      this.#tenants = null;
      this.#board.hide();
      this.#fail(error);
      return;
    }
    const [first] = this.#tenants;
    if (this.#state.tenant === null && first !== undefined) {
      this.#state = { ...this.#state, tenant: first };
      // Not a user action, so no history entry.
      history.replaceState(null, "", writeState(this.#state));
    }
    await this.#update();
  }

  /** Continuous typing makes one history entry. */
  #type(text: string): void {
    const state = asked(this.#state, text, text !== "");
    const isGoingOn = valueOf(this.#state.parameters, "typing") !== null;
    if (!isGoingOn) {
      this.#go(state);
      return;
    }
    history.replaceState(null, "", writeState(state));
    this.#state = state;
    void this.#update();
  }

  #go(state: PageState): void {
    this.#searchBox.rest();
    const address = writeState(state);
    if (address !== location.search) history.pushState(null, "", address === "" ? "/" : address);
    this.#state = state;
    void this.#update();
  }

  async #update(): Promise<void> {
    this.#running.abort();
    const running = new AbortController();
    this.#running = running;
    const { signal } = running;
    const state = this.#state;
    const q = valueOf(state.parameters, "q");
    this.#showTenants();
    this.#searchBox.show(q ?? "");
    if (state.tenant === null) {
      this.#board.hide();
      // Only after the tenants are loaded.
      if (this.#tenants !== null) this.#notice.replaceChildren(startView(this.#surroundings()));
      return;
    }
    document.title = `${q === null ? "" : `${q} · `}${state.tenant} · Aisle`;
    this.#board.begin(state, this.#tenants ?? []);
    const [search, other] = searchesOf(state, state.tenant);
    try {
      const [left, right] = await Promise.all([
        this.#ask(search, signal),
        other === null ? null : this.#askBeside(other, signal),
      ]);
      if (signal.aborted) return;
      this.#notice.replaceChildren();
      this.#suggester.learn(search.tenant, left.answer.json as SearchResult);
      this.#board.show(state, left, right, signal);
    } catch (error) {
      if (signal.aborted) return;
      const failure = this.#fail(error);
      // The user can correct a refused request there.
      if (failure?.status === 401) this.#board.hide();
      else this.#board.fail();
    }
  }

  async #ask(search: Search, signal: AbortSignal): Promise<Answered> {
    return { search, answer: await this.#client.expect(searchRequest(search), signal) };
  }

  /** The right side of a comparison. If it fails, the left side stays. */
  async #askBeside(search: Search, signal: AbortSignal): Promise<Answered | Failure> {
    try {
      return await this.#ask(search, signal);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      return failure;
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
    const shop = tenant === null ? "/shop" : `/shop?${writeQuery([["index", tenant]])}`;
    byId("shop", HTMLAnchorElement).href = shop;
  }

  /** Another tenant keeps the query but not the filters, which belong to one catalogue. */
  #chooseTenant(): void {
    const parameters = this.#state.parameters.filter(([name]) => name === "q" || name === "limit");
    this.#board.forget();
    this.#go({ ...this.#state, tenant: this.#tenantChoice.value, parameters, sets: "" });
  }

  #toggleCompare(): void {
    const { tenant, versus } = this.#state;
    if (versus !== null) {
      this.#go({ ...this.#state, versus: null });
      return;
    }
    const other = this.#tenants?.find((name) => name !== tenant) ?? tenant;
    if (other !== null) this.#go({ ...this.#state, versus: { tenant: other, changes: "" } });
  }

  #showAccount(): void {
    this.#account.textContent = this.#credentials.isSignedIn ? "Sign out" : "Sign in";
  }

  async #signIn(reason: string): Promise<boolean> {
    const hasSignedIn = await openSignIn(this.#credentials, reason, () => refusedSignIn(this.#client));
    this.#showAccount();
    return hasSignedIn;
  }

  async #toggleAccount(): Promise<void> {
    if (this.#credentials.isSignedIn) this.#credentials.signOut();
    else if (!(await this.#signIn("Some actions need an account."))) return;
    await this.open();
  }

  #surroundings(): ImportSurroundings {
    return {
      client: this.#client,
      tenants: this.#tenants ?? [],
      onImported: (indexName) => {
        this.#state = { ...EMPTY_STATE, tenant: indexName };
        history.pushState(null, "", writeState(this.#state));
        void this.open();
      },
      signIn: () => this.#signIn("An import needs a user with the role write."),
    };
  }

  /** @returns null if the request was aborted */
  #fail(error: unknown): Failure | null {
    const failure = failureOf(error);
    if (failure === null) return null;
    const { status, message } = failure;
    const actions: Node[] = [];
    const askForCredentials = async (): Promise<void> => {
      if (await this.#signIn(message)) await this.open();
    };
    // 403: another user may have access.
    if (status === 401 || status === 403) {
      actions.push(button({ class: "primary" }, () => void askForCredentials(), "Sign in"));
    }
    if (status !== 401) {
      actions.push(button({ class: "secondary" }, () => void this.open(), "Try again"));
      // The tenant is unknown, so continue with the first known one.
      const tenant = status === 404 ? (this.#tenants?.[0] ?? null) : this.#state.tenant;
      const start = { ...EMPTY_STATE, tenant };
      if (writeState(start) !== writeState(this.#state)) {
        actions.push(button({ class: "secondary" }, () => this.#go(start), "Start over"));
      }
    }
    this.#notice.replaceChildren(failureBox(failure, ...actions));
    return failure;
  }
}

/** @param isTyping the last word may be unfinished */
function asked(state: PageState, text: string, isTyping: boolean): PageState {
  const searching = withParameter(state, "q", text === "" ? null : text);
  return withParameter(searching, "typing", isTyping ? "true" : null);
}

await new Page().open();
