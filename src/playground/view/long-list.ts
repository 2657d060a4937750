/** A list that shows its first rows, those that are selected, and a button for all the others. */
import { button, make } from "./dom.ts";

export interface LongList<Entry> {
  readonly list: HTMLElement;
  readonly more: HTMLElement;
  readonly show: (entries: readonly Entry[]) => void;
}

export interface LongListOptions<Entry> {
  readonly class: string;
  readonly first: number;
  /** What the list is called in `whole`, and its button for the focus. */
  readonly key: string;
  /** Lists that somebody opened; outlives the list. */
  readonly whole: Set<string>;
  readonly row: (entry: Entry) => HTMLElement;
}

/** Fewer than these are no reason for a button. */
const WORTH_HIDING = 3;

export function longList<Entry extends { readonly selected: boolean }>(
  options: LongListOptions<Entry>,
): LongList<Entry> {
  const { first, key, whole, row } = options;
  let entries: readonly Entry[] = [];
  const list = make("ul", { class: options.class });
  const more = button({ class: "more", "data-key": `more ${key}` }, () => {
    if (!whole.delete(key)) whole.add(key);
    render();
  });
  const render = (): void => {
    const isLong = entries.length >= first + WORTH_HIDING;
    const isCut = isLong && !whole.has(key);
    const shown = isCut ? entries.filter(({ selected }, at) => at < first || selected) : entries;
    list.replaceChildren(...shown.map(row));
    more.hidden = !isLong;
    more.textContent = isCut ? `All ${entries.length}` : "Fewer";
    more.setAttribute("aria-expanded", String(!isCut));
  };
  return {
    list,
    more,
    show: (given) => {
      entries = given;
      render();
    },
  };
}
