/** Explains a hit: the points of each word as bars, and the service's sentences. */
import type { ResultHit } from "../../interface/index.ts";
import type { Answer, Client } from "../http/client.ts";
import { explainedInAnyCase, type Explained } from "../http/explained.ts";
import { readExplanation, type Explanation } from "../logic/explanation.ts";
import { hitView } from "../logic/hit-view.ts";
import { prettyJson } from "../logic/json-tokens.ts";
import type { PriceFormat } from "../logic/prices.ts";
import { documentRequest } from "../logic/requests.ts";
import { jsonView } from "./code.ts";
import { button, make } from "./dom.ts";
import { failureBox, failureOf } from "./failure.ts";
import { markedTitle, priceOf } from "./hit-card.ts";
import { heading } from "./inspector.ts";
import { picture } from "./picture.ts";
import { openSheet } from "./sheet.ts";

export interface WhyOptions {
  readonly tenant: string;
  readonly hit: ResultHit;
  readonly client: Client;
  readonly explained: Explained;
  readonly money: PriceFormat;
}

export async function openWhy({ tenant, hit, client, explained, money }: WhyOptions): Promise<void> {
  const view = hitView(hit);
  const { body } = openSheet("side", "Why is this a result?");
  const content = make("div", { class: "why-content", "aria-live": "polite" }, "…");
  body.append(
    make(
      "div",
      { class: "why-head" },
      picture(view),
      make(
        "div",
        {},
        make("h3", {}, markedTitle(hit, view)),
        make("p", { class: "hint" }, "id ", make("code", {}, view.id), ", found in ", make("code", {}, hit.index)),
        priceOf(view, money),
      ),
    ),
    content,
    documentPart(tenant, view.id, client),
  );
  try {
    const found = (await explainedInAnyCase(explained)).get(view.id);
    const explanation = found === undefined ? null : readExplanation(found.metaData);
    content.replaceChildren(
      ...(explanation === null
        ? [make("p", { class: "hint" }, "The service explains hits on pages of up to 100.")]
        : explanationParts(explanation)),
    );
  } catch (error) {
    const failure = failureOf(error);
    if (failure !== null) content.replaceChildren(failureBox(failure));
  }
}

function explanationParts(explanation: Explanation): HTMLElement[] {
  const { score, stage, contributions, missing, lines } = explanation;
  const most = Math.max(1, ...contributions.map(({ points }) => Math.abs(points)));
  const facts = [
    score === null ? null : `Score ${score.toLocaleString()}`,
    stage,
    missing.length === 0 ? null : `without ${missing.join(", ")}`,
  ].filter((fact) => fact !== null);
  return [
    make("p", { class: "why-facts" }, facts.join(" · ")),
    make(
      "ul",
      { class: "contributions" },
      ...contributions.map(({ label, detail, points }) => {
        const bar = make("span", { class: "bar", "aria-hidden": "true" });
        bar.style.setProperty("--share", String(Math.abs(points) / most));
        return make(
          "li",
          { class: points < 0 ? "down" : null },
          make("span", { class: "contribution-label" }, label),
          make("span", { class: "points" }, `${points > 0 ? "+" : ""}${points.toLocaleString()}`),
          bar,
          make("span", { class: "contribution-detail" }, detail),
        );
      }),
    ),
    heading("In sentences"),
    make("ol", { class: "why-lines" }, ...lines.map((line) => make("li", {}, line))),
  ];
}

function documentPart(tenant: string, id: string, client: Client): HTMLElement {
  const place = make("div", { class: "document" });
  const show = async (): Promise<void> => {
    try {
      const answer: Answer = await client.expect(documentRequest(tenant, id), AbortSignal.timeout(30_000));
      place.replaceChildren(jsonView(prettyJson(answer.text), "The whole document"));
    } catch (error) {
      const failure = failureOf(error);
      if (failure !== null) place.replaceChildren(failureBox(failure));
    }
  };
  place.append(button({ class: "secondary" }, () => void show(), "Show the whole document"));
  return make("section", {}, heading("Document, with all variants"), place);
}
