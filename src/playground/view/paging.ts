/** Links to the pages of a result, with real URLs that can be opened in another tab. */
import { pagesOf } from "../logic/pages.ts";
import { isPlainClick, make } from "./dom.ts";
import { icon } from "./icons.ts";

export interface PagingOptions {
  readonly matchCount: number;
  readonly limit: number;
  readonly offset: number;
  readonly addressOf: (offset: number) => string;
  readonly onOffset: (offset: number) => void;
}

export function paging({ matchCount, limit, offset, addressOf, onOffset }: PagingOptions): HTMLElement | null {
  const pages = pagesOf(matchCount, limit, offset);
  if (pages === null) return null;
  const { current, last, shown } = pages;
  const link = (page: number, label: string, ...content: (Node | string)[]): HTMLElement => {
    const to = (page - 1) * limit;
    const anchor = make("a", { href: addressOf(to), "aria-label": label }, ...content);
    if (page === current) anchor.setAttribute("aria-current", "page");
    anchor.addEventListener("click", (event) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      onOffset(to);
    });
    return anchor;
  };
  return make(
    "nav",
    { class: "paging", "aria-label": "Pages" },
    current > 1 ? link(current - 1, "Previous page", icon("back")) : null,
    ...shown.map((page) =>
      page === null ? make("span", { class: "gap" }, "…") : link(page, `Page ${page}`, page.toLocaleString()),
    ),
    current < last ? link(current + 1, "Next page", icon("forward")) : null,
  );
}
