/**
 * The search field with suggestions, as a combobox of the ARIA practices. The focus stays in the
 * field. Arrow keys move through the list, Enter selects the active suggestion or searches for the
 * typed text, Escape closes the list.
 *
 * A new character aborts the previous request, so answers never arrive in the wrong order.
 */
import type { Suggestion } from "../../interface/index.ts";
import { byId, make } from "./dom.ts";

export interface SearchBoxOptions {
  readonly ask: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  readonly onSearch: (text: string) => void;
  /** Called with the typed text at a pause. */
  readonly onTyping: (text: string) => void;
}

/** Delay of searches while typing. */
const TYPING_PAUSE_MS = 150;

export class SearchBox {
  readonly #options: SearchBoxOptions;
  readonly #input = byId("q", HTMLInputElement);
  readonly #list = byId("suggestions", HTMLUListElement);
  #suggestions: readonly Suggestion[] = [];
  /** -1: none is active. */
  #marked = -1;
  /** The typed text, before arrow keys replaced it with suggestions. */
  #typed = "";
  /** Null: nothing was shown yet; the user may type before this script runs. */
  #searched: string | null = null;
  #asking = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SearchBoxOptions) {
    this.#options = options;
    this.#input.addEventListener("input", () => {
      void this.#ask();
      this.#searchAtPause();
    });
    this.#input.addEventListener("keydown", (event) => this.#onKey(event));
    // After the click on a suggestion.
    this.#input.addEventListener("blur", () => this.close());
    byId("search", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#search(this.#input.value);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      this.#input.focus();
      this.#input.select();
    });
  }

  /** Shows the current query. Text being typed is kept until the query changes. */
  show(text: string): void {
    const before = this.#searched;
    this.#searched = text;
    if (before === text || (before === null && this.#input.value !== "")) return;
    this.#input.value = text;
    this.#typed = text;
  }

  /** Cancels a pending search after another user action. */
  rest(): void {
    clearTimeout(this.#typing);
  }

  close(): void {
    this.#asking.abort();
    this.#render([]);
  }

  async #ask(): Promise<void> {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const text = this.#input.value;
    this.#typed = text;
    if (text.trim() === "") {
      this.#render([]);
      return;
    }
    const found = await this.#options.ask(text, asking.signal);
    if (!asking.signal.aborted) this.#render(found);
  }

  #searchAtPause(): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => {
      const text = this.#input.value.trim();
      if (text === (this.#searched ?? "")) return;
      this.#searched = text;
      this.#options.onTyping(text);
    }, TYPING_PAUSE_MS);
  }

  #render(suggestions: readonly Suggestion[]): void {
    this.#suggestions = suggestions;
    this.#marked = -1;
    this.#list.replaceChildren(...suggestions.map((suggestion, at) => this.#option(suggestion, at)));
    this.#list.hidden = suggestions.length === 0;
    this.#input.setAttribute("aria-expanded", String(suggestions.length > 0));
    this.#input.removeAttribute("aria-activedescendant");
  }

  #option({ phrase, type, payload }: Suggestion, at: number): HTMLElement {
    const count = payload?.["count"] ?? "";
    const option = make(
      "li",
      { role: "option", id: `suggestion-${at}`, "aria-selected": "false" },
      make("span", { class: "phrase" }, ...emphasised(phrase, this.#typed)),
      make("span", { class: "kind" }, kindOf(type, payload?.["catPath"])),
      make("span", { class: "count" }, count === "1" ? "" : count),
    );
    // Runs before the field loses the focus, which would close the list.
    option.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.#search(phrase);
    });
    return option;
  }

  #onKey(event: KeyboardEvent): void {
    // During input composition, arrow keys and Escape belong to the input method.
    if (event.isComposing) return;
    const last = this.#suggestions.length - 1;
    if (event.key === "Escape" && last >= 0) {
      // Otherwise a field of type search would be cleared.
      event.preventDefault();
      this.#input.value = this.#typed;
      this.close();
    } else if (event.key === "ArrowDown" && last < 0) {
      void this.#ask();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (last < 0) return;
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      // The position after the last suggestion is the typed text.
      this.#mark(((this.#marked + 1 + step + last + 2) % (last + 2)) - 1);
    }
  }

  #mark(at: number): void {
    this.#marked = at;
    for (const [place, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", String(place === at));
      if (place === at) option.scrollIntoView({ block: "nearest" });
    }
    this.#input.value = this.#suggestions[at]?.phrase ?? this.#typed;
    if (at === -1) this.#input.removeAttribute("aria-activedescendant");
    else this.#input.setAttribute("aria-activedescendant", `suggestion-${at}`);
  }

  #search(text: string): void {
    clearTimeout(this.#typing);
    this.#input.value = text;
    this.#searched = text;
    this.close();
    this.#options.onSearch(text);
  }
}

/** The label of a suggestion; a category has its parent path. */
function kindOf(type: string | undefined, path: string | undefined): string {
  const kind = type === undefined || type === "" ? "search" : type === "title" ? "product" : type;
  const label = kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll(/[_-]+/g, " ");
  return path === undefined || path === "" ? label : `${label} in ${path.replaceAll("/", " › ")}`;
}

/** The typed part is light, the completion bold. */
function emphasised(phrase: string, typed: string): (string | HTMLElement)[] {
  const start = phrase.toLowerCase().indexOf(typed.trim().toLowerCase());
  const end = start + typed.trim().length;
  if (start === -1 || phrase.slice(start, end).toLowerCase() !== typed.trim().toLowerCase()) {
    return [make("b", {}, phrase)];
  }
  return [make("b", {}, phrase.slice(0, start)), phrase.slice(start, end), make("b", {}, phrase.slice(end))].filter(
    (part) => typeof part === "string" || part.textContent !== "",
  );
}
