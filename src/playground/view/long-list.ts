/** A list with its first rows, the selected rows, and a button that shows the rest. */
import { button, make } from "./dom.ts";

export interface LongList<Entry> {
  readonly list: HTMLElement;
  readonly more: HTMLElement;
  readonly show: (entries: readonly Entry[]) => void;
}

export interface LongListOptions<Entry> {
  readonly class: string;
  readonly first: number;
  /** The list's key in `whole`, and the focus key of its button. */
  readonly key: string;
  /** Lists that the user expanded; outlives the list. */
  readonly whole: Set<string>;
  readonly row: (entry: Entry) => HTMLElement;
}

/** Fewer hidden rows are shown without a button. */
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
