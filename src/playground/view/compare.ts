/**
 * Two searches side by side: of two tenants, or of one with other parameters. Moved hits are marked
 * on both sides.
 */
import type { ResultHit, SearchResult } from "../../interface/index.ts";
import type { Answer } from "../http/client.ts";
import { counted } from "../logic/counted.ts";
import { mainSlice } from "../logic/main-slice.ts";
import { hitView } from "../logic/hit-view.ts";
import type { Failure } from "../logic/problems.ts";
import { compareRanks, type RankChange } from "../logic/ranks.ts";
import { formatMs } from "../logic/timings.ts";
import { button, make } from "./dom.ts";
import { failureBox } from "./failure.ts";
import { markedTitle } from "./hit-card.ts";
import { picture } from "./picture.ts";

export interface Side {
  readonly answer: Answer;
  readonly result: SearchResult;
  /** Position of the first hit. */
  readonly offset: number;
}

export interface CompareOptions {
  readonly onWhy: (side: "left" | "right", hit: ResultHit) => void;
  readonly onInspect: (answer: Answer) => void;
}

/** @param right a failure is shown in its column, beside the left hits */
export function compareView(left: Side, right: Side | Failure, options: CompareOptions): HTMLElement {
  const view = "answer" in right ? bothSides(left, right, options) : oneSide(left, right, options);
  markTwins(view);
  return view;
}

function oneSide(left: Side, failure: Failure, { onWhy, onInspect }: CompareOptions): HTMLElement {
  const hits = hitsOf(left);
  return make(
    "div",
    { class: "compare" },
    make(
      "div",
      { class: "compare-sides" },
      column("Left", left, hits, null, (hit) => onWhy("left", hit), onInspect),
      make("section", { class: "side", "aria-label": "Right" }, failureBox(failure)),
    ),
  );
}

function bothSides(left: Side, right: Side, { onWhy, onInspect }: CompareOptions): HTMLElement {
  const [leftHits, rightHits] = [hitsOf(left), hitsOf(right)];
  const {
    left: leftChanges,
    right: rightChanges,
    shared,
    unmoved,
  } = compareRanks(
    leftHits.map(({ document }) => document.id),
    rightHits.map(({ document }) => document.id),
  );
  return make(
    "div",
    { class: "compare" },
    make(
      "p",
      { class: "compare-summary" },
      make("strong", {}, `${shared} of ${Math.max(leftHits.length, rightHits.length)}`),
      ` hits are on both sides, `,
      make("strong", {}, String(unmoved)),
      ` in the same place.`,
    ),
    make(
      "div",
      { class: "compare-sides" },
      column("Left", left, leftHits, leftChanges, (hit) => onWhy("left", hit), onInspect),
      column("Right", right, rightHits, rightChanges, (hit) => onWhy("right", hit), onInspect),
    ),
  );
}

function hitsOf({ result }: Side): readonly ResultHit[] {
  return mainSlice(result)?.hits ?? [];
}

function column(
  name: string,
  { answer, result, offset }: Side,
  hits: readonly ResultHit[],
  changes: readonly RankChange[] | null,
  onWhy: (hit: ResultHit) => void,
  onInspect: CompareOptions["onInspect"],
): HTMLElement {
  return make(
    "section",
    { class: "side", "aria-label": name },
    make(
      "div",
      { class: "side-facts" },
      `${counted(mainSlice(result)?.matchCount ?? 0, "product")} · ${stageOf(result)}${formatMs(answer.roundTripMs)}`,
      button({ class: "quiet" }, () => onInspect(answer), "JSON"),
    ),
    hits.length === 0
      ? make("p", { class: "nothing" }, "Nothing matches.")
      : make(
          "ol",
          { class: "ranks" },
          ...hits.map((hit, place) => row(hit, offset + place + 1, changes?.[place] ?? null, onWhy)),
        ),
  );
}

function row(hit: ResultHit, rank: number, change: RankChange | null, onWhy: (hit: ResultHit) => void): HTMLElement {
  const view = hitView(hit);
  return make(
    "li",
    { class: change === null ? "rank alone" : "rank", "data-id": view.id },
    make("span", { class: "rank-number" }, String(rank)),
    change === null ? null : badge(change),
    picture(view),
    make(
      "span",
      { class: "rank-text" },
      make("span", { class: "rank-title" }, markedTitle(hit, view)),
      make(
        "span",
        { class: "hint" },
        [view.brand, view.price?.toLocaleString(), view.score === null ? null : `score ${view.score.toLocaleString()}`]
          .filter((fact) => fact !== null && fact !== undefined)
          .join(" · "),
      ),
    ),
    button({ class: "quiet why", "aria-label": `Why is ${view.title} a result?` }, () => onWhy(hit), "Why"),
  );
}

function badge(change: RankChange): HTMLElement {
  switch (change.kind) {
    case "same":
      return make("span", { class: "change same", title: "the same place" }, "=");
    case "only":
      return make("span", { class: "change only", title: "not on the other side" }, "only");
    case "moved": {
      const { by } = change;
      const said = `${Math.abs(by)} ${by > 0 ? "higher" : "lower"} than on the other side`;
      return make(
        "span",
        { class: `change ${by > 0 ? "up" : "down"}`, title: said },
        make("span", { "aria-hidden": "true" }, `${by > 0 ? "▲" : "▼"}${Math.abs(by)}`),
        make("span", { class: "visually-hidden" }, said),
      );
    }
  }
}

/** Highlights the same hit on the other side. */
function markTwins(view: HTMLElement): void {
  const mark = (event: Event, on: boolean): void => {
    const id = event.target instanceof Element ? event.target.closest<HTMLElement>(".rank")?.dataset["id"] : undefined;
    if (id === undefined) return;
    for (const twin of view.querySelectorAll(`.rank[data-id="${CSS.escape(id)}"]`)) {
      twin.classList.toggle("twin", on);
    }
  };
  view.addEventListener("pointerover", (event) => mark(event, true));
  view.addEventListener("pointerout", (event) => mark(event, false));
}

function stageOf({ meta }: SearchResult): string {
  const strategy = meta["query_strategy"];
  return typeof strategy === "string" ? `${strategy} · ` : "";
}
