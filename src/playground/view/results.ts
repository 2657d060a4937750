/**
 * The hits of a search by slice: separate product sets first, then the main result with its pages.
 */
import type { ResultHit, SearchResult } from "../../interface/index.ts";
import type { PriceFormat } from "../logic/prices.ts";
import { make } from "./dom.ts";
import { hitCard } from "./hit-card.ts";
import { paging, type PagingOptions } from "./paging.ts";

export interface ResultsOptions {
  readonly paging: PagingOptions;
  readonly onWhy: (hit: ResultHit) => void;
  /** Suggestions if nothing was found. */
  readonly advice: Node;
  readonly money: PriceFormat;
}

export function resultsView(result: SearchResult, options: ResultsOptions): HTMLElement {
  const bestScore = bestOf(result.slices.flatMap(({ hits }) => hits));
  const parts: (Node | null)[] = [];
  for (const slice of result.slices) {
    if (slice.label !== null) {
      parts.push(
        make(
          "h2",
          { class: "slice-label" },
          slice.label,
          make("span", { class: "count" }, slice.matchCount.toLocaleString()),
        ),
      );
    } else {
      // Always present for screen readers, as the heading above the titles of hits.
      const isAlone = result.slices.length === 1;
      const look = isAlone ? "visually-hidden" : "slice-label";
      parts.push(make("h2", { class: look }, isAlone ? "Hits" : "All results"));
    }
    parts.push(
      slice.hits.length === 0
        ? nothingFound(slice.matchCount, options.advice)
        : make(
            "ul",
            { class: "grid" },
            ...slice.hits.map((hit) => hitCard(hit, { bestScore, onWhy: options.onWhy, money: options.money })),
          ),
    );
  }
  parts.push(paging(options.paging));
  return make("div", { class: "slices" }, ...parts);
}

function bestOf(hits: readonly ResultHit[]): number | null {
  const scores = hits.map(({ metaData }) => metaData?.["score"]).filter((score) => typeof score === "number");
  return scores.length === 0 ? null : Math.max(...scores);
}

function nothingFound(matchCount: number, advice: Node): HTMLElement {
  const reason = matchCount === 0 ? "Nothing matches." : "There are no hits on this page.";
  return make("div", { class: "nothing" }, make("p", {}, reason), advice);
}
