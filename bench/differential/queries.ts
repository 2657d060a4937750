/**
 * Requests of shoppers and shop frontends, drawn from recorded queries and the catalogue. One seed makes one request.
 *
 *   text        recorded, damaged, cut, quoted, joined, or taken from a title
 *   parameters  filters that some product near the text passes, sort, page, first stage
 *   body        for one in seven: product sets around the same search (arranged.ts)
 */
import { DAMAGE_KINDS, damage } from "../relevance/damage.ts";
import { arrangedSets } from "./arranged.ts";
import type { Draw } from "./draw.ts";
import type { Input } from "./side.ts";
import { filtersOf, numbersOf, priceOf, titleOf, wordsOf, type Vocabulary } from "./vocabulary.ts";

const TEXT_KINDS = {
  recorded: 26,
  damaged: 24,
  prefix: 8,
  quoted: 8,
  joined: 7,
  title: 10,
  shuffledTitle: 6,
  quotedTitle: 4,
  number: 4,
  empty: 3,
};
const ARRANGED_SHARE = 1 / 7;
const SORTS = [
  "price",
  "-price",
  "title",
  "-title",
  "stock",
  "-stock,price",
  "brand",
  "-popularity",
  "popularity,-title",
  "unknown,price",
];

export interface Queries {
  readonly own: readonly string[];
  readonly all: readonly string[];
  /** Texts that the tenant's rules act on; empty without rules. */
  readonly ruleInputs: readonly string[];
}

/** @param at number of the request: the queries of the set take turns */
export function drawInput(at: number, queries: Queries, vocabulary: Vocabulary, draw: Draw): Input {
  const recorded = draw.chance(0.6) ? queries.own[at % queries.own.length] : draw.of(queries.all);
  const text =
    queries.ruleInputs.length > 0 && draw.chance(0.6)
      ? drawRuled(recorded, queries.ruleInputs, vocabulary, draw)
      : drawText(recorded, queries, vocabulary, draw);
  const filters = drawFilters(text, vocabulary, draw);
  const page = drawPage(draw);
  const sort = draw.chance(0.15) ? draw.of(SORTS) : null;
  if (draw.chance(ARRANGED_SHARE)) {
    const body = {
      q: text,
      ...page,
      ...(sort !== null && { sort }),
      filters: Object.fromEntries(filters),
      ...arrangedSets(text, queries.all, vocabulary, draw),
    };
    return { kind: "body", json: JSON.stringify(body) };
  }
  const parameters = new URLSearchParams({ q: text });
  for (const [name, value] of filters) parameters.append(name, value);
  for (const [name, value] of Object.entries(page)) parameters.set(name, String(value));
  if (sort !== null) parameters.set("sort", sort);
  if (draw.chance(0.06)) parameters.set("query_stage", String(draw.below(4)));
  return { kind: "address", query: parameters.toString() };
}

function drawText(recorded: string, queries: Queries, vocabulary: Vocabulary, draw: Draw): string {
  const words = recorded.split(/\s+/);
  const title = (): string[] => {
    const all = wordsOf(titleOf(vocabulary.any(draw)));
    const start = draw.below(Math.max(1, all.length - 2));
    return all.slice(start, start + 2 + draw.below(4));
  };
  switch (draw.weighted(TEXT_KINDS)) {
    case "recorded":
      return recorded;
    case "damaged": {
      const once = damage(recorded, draw.of(DAMAGE_KINDS), draw.below(1_000)) ?? recorded;
      if (!draw.chance(0.25)) return once;
      return damage(once, draw.of(DAMAGE_KINDS), draw.below(1_000)) ?? once;
    }
    case "prefix":
      return recorded.slice(0, Math.max(2, recorded.length - 1 - draw.below(4)));
    case "quoted": {
      const start = draw.below(words.length);
      const end = Math.min(words.length, start + 1 + draw.below(3));
      const phrase = `"${words.slice(start, end).join(" ")}"`;
      return [...words.slice(0, start), phrase, ...words.slice(end)].join(" ");
    }
    case "joined":
      return `${recorded} ${draw.of(queries.all)}`;
    case "title":
      return title().join(" ");
    case "shuffledTitle":
      return draw.some(title(), 3).join(" ");
    case "quotedTitle":
      return `"${title().join(" ")}" ${draw.chance(0.5) ? words[0] : ""}`;
    case "number":
      return draw.some(numbersOf(vocabulary.any(draw)), 1 + draw.below(2)).join(" ") || recorded;
    case "empty":
      return "";
  }
}

/** Something for a rule to act on: alone, or with words before or behind it. */
function drawRuled(
  recorded: string,
  inputs: readonly string[],
  vocabulary: Vocabulary,
  draw: Draw,
): string {
  const input = draw.of(inputs);
  const near = draw.some(wordsOf(titleOf(vocabulary.near(input, draw))), 1).join("");
  return draw
    .of([
      input,
      `${near} ${input}`,
      `${input} ${near}`,
      `${input} ${recorded}`,
      `${input}s ${near}`,
    ])
    .trim();
}

/** Names are unique, as an arranged search has them in an object; several values are joined by commas. */
function drawFilters(
  text: string,
  vocabulary: Vocabulary,
  draw: Draw,
): (readonly [string, string])[] {
  if (!draw.chance(0.4)) return [];
  const near = vocabulary.near(text, draw);
  const found = new Map<string, string>();
  for (const [name, value] of draw.some(filtersOf(near), 1 + draw.below(2))) {
    const others = draw.chance(0.4) ? [vocabulary.near(text, draw), vocabulary.any(draw)] : [];
    const values = others
      .flatMap((other) => filtersOf(other))
      .flatMap(([otherName, otherValue]) => (otherName === name ? [otherValue] : []));
    const sign = draw.chance(0.12) ? "!" : "";
    found.set(name, `${sign}${[...new Set([value, ...values])].join(",")}`);
  }
  if (found.size === 0 || draw.chance(0.3)) {
    const price = priceOf(near);
    const [low, high] = [Math.floor(price * 0.5), Math.ceil(price * (1 + draw.below(3)))];
    found.set("price", draw.of([`${low},${high}`, `${low},`, `,${high}`, `${low}-${high}`]));
  }
  if (draw.chance(0.03)) found.set("no such field", "value");
  return [...found];
}

function drawPage(draw: Draw): Record<string, number | boolean> {
  return {
    ...(draw.chance(0.6) && { limit: draw.of([0, 3, 24, 24, 48, 48, 100]) }),
    ...(draw.chance(0.12) && { offset: draw.of([1, 3, 12, 12, 36, 200, 950]) }),
    ...(draw.chance(0.35) && { withFacets: false }),
  };
}
