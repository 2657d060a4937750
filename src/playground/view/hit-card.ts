/** One hit of the grid. */
import type { ResultHit } from "../../interface/index.ts";
import { counted } from "../logic/counted.ts";
import { highlighted, readHighlights, type Piece } from "../logic/highlights.ts";
import { hitView, type HitView } from "../logic/hit-view.ts";
import type { PriceFormat } from "../logic/prices.ts";
import { button, make } from "./dom.ts";
import { icon } from "./icons.ts";
import { picture } from "./picture.ts";

export interface CardOptions {
  /** Score of the page's best hit, for the bars. */
  readonly bestScore: number | null;
  readonly onWhy: (hit: ResultHit) => void;
  readonly money: PriceFormat;
}

export function hitCard(hit: ResultHit, { bestScore, onWhy, money }: CardOptions): HTMLElement {
  const view = hitView(hit);
  const frame = picture(view);
  if (view.inStock === false) frame.append(make("span", { class: "badge" }, "sold out"));
  // Filled when the page's explanations arrive.
  frame.append(make("span", { class: "badge variants", hidden: true }));
  return make(
    "li",
    { class: "card", "data-id": view.id },
    frame,
    make(
      "div",
      { class: "card-text" },
      make("p", { class: "brand" }, view.brand ?? view.categories[0] ?? " "),
      make("h3", { class: "title" }, titleOf(hit, view)),
      priceOf(view, money),
    ),
    make(
      "div",
      { class: "card-foot" },
      scoreOf(view.score, bestScore),
      button(
        { class: "quiet why", "aria-label": `Why is ${view.title} a result?` },
        () => onWhy(hit),
        icon("why"),
        "Why",
      ),
    ),
  );
}

/** Shows the number of variants of each product on the page. */
export function showVariants(container: Element, counts: ReadonlyMap<string, number>): void {
  for (const card of container.querySelectorAll<HTMLElement>(".card")) {
    const count = counts.get(card.dataset["id"] ?? "");
    const badge = card.querySelector<HTMLElement>(".badge.variants");
    if (badge === null || count === undefined) continue;
    badge.textContent = counted(count, "variant");
    badge.hidden = false;
  }
}

function markedText(pieces: readonly Piece[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const { text, marked } of pieces) fragment.append(marked ? make("mark", {}, text) : text);
  return fragment;
}

export function markedTitle(hit: ResultHit, { title, titleField }: HitView): DocumentFragment {
  return markedText(highlighted(title, readHighlights(hit.metaData), titleField));
}

function titleOf(hit: ResultHit, view: HitView): Node {
  const text = markedTitle(hit, view);
  if (view.link === null) return text;
  return make("a", { href: view.link, target: "_blank", rel: "noreferrer" }, text);
}

export function priceOf({ price, listPrice, currency }: HitView, money: PriceFormat): HTMLElement {
  return make(
    "p",
    { class: "price" },
    price === null ? " " : money(price, currency),
    listPrice === null ? null : make("s", {}, money(listPrice, currency)),
  );
}

function scoreOf(score: number | null, best: number | null): HTMLElement {
  // Without a query, or with a sort, scores are meaningless.
  if (score === null || best === null || best <= 0) return make("span", { class: "score" });
  const bar = make("span", { class: "score-bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(Math.max(0, score / best)));
  return make(
    "span",
    { class: "score", title: "Score of the search engine" },
    bar,
    make("span", { class: "visually-hidden" }, "score "),
    score.toLocaleString(),
  );
}
