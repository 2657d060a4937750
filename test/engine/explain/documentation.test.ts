// docs/search.md says what is there.
//
// 1. Every meta key, strategy, setting, condition, preprocessor, analyzer, trace flag and variant strategy is named;
//    so is every type and option of a function in docs/scoring.md.
// 2. Its tables of shares, of field weights and of minShouldMatch are those of the code, and so is what it says of
//    searches without stages.
// 3. The example explains what the engine explains, but for the numbers, which change with every tuning; its sums are
//    right as they stand.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { META_KEYS } from "../../../src/index-engine/query/rules/meta.ts";
import {
  EVIDENCE,
  FULL_PAGE,
  FEEDBACK_LIFT,
  HEAD_LIFT,
  PURPOSE,
  READING,
  UNWANTED,
  VOTERS,
} from "../../../src/index-engine/query/relevance/policy.ts";
import { NGRAM_SHARE, TYPO_SHARES } from "../../../src/index-engine/query/expansion/index.ts";
import { requiredWords } from "../../../src/index-engine/query/stages/stage.ts";
import { parseMinShouldMatch } from "../../../src/interface/configuration-query.ts";
import { DEFAULT_FIELD_WEIGHTS } from "../../../src/index-engine/query/stages/tenant-stages.ts";
import { STEM_FACTOR } from "../../../src/index-engine/query/rank/term-group.ts";
import {
  ANALYZER_NAMES,
  PREPROCESSOR_NAMES,
  QUERY_SETTINGS,
  SCORE_FUNCTIONS,
  SCORE_OPTIONS,
  STRATEGY_NAMES,
} from "../../../src/interface/configuration-schema.ts";
import { LIMITS, TRACE_FLAGS } from "../../../src/interface/index.ts";
import { DEFAULT_RELEVANCE } from "../../../src/interface/preset.ts";
import { shopOf } from "../stages/shop.ts";
import { tenantOf } from "../support/little-shop.ts";

function read(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
}
const PAGE = read("search.md");
const SCORING = read("scoring.md");

/** What stands between the fences of a language. */
function block(language: string): string {
  const found = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(PAGE)?.[1];
  if (found === undefined) throw new Error(`no block of ${language}`);
  return found;
}

/** Cells of the rows that begin with this cell. */
function row(first: string): string[] {
  const line = PAGE.split("\n").find((one) => one.startsWith(`| ${first}`));
  if (line === undefined) throw new Error(`no row of ${first}`);
  return line.split("|").map((cell) => cell.trim());
}

describe("names (1)", () => {
  test.each([
    ...META_KEYS,
    ...STRATEGY_NAMES,
    ...QUERY_SETTINGS,
    ...PREPROCESSOR_NAMES,
    ...ANALYZER_NAMES,
    ...TRACE_FLAGS,
    ...SCORE_FUNCTIONS,
    "minTermCount",
    "maxTermCount",
    "maxQueryLength",
    "matchingRegex",
    "pickIfBestScored",
    "pickAlways",
    "pickIfDrilledDown",
    "pickIfSingleHit",
  ])("%s", (name) => {
    expect(PAGE).toContain(`\`${name}\``);
  });
  test.each([...SCORE_FUNCTIONS, ...SCORE_OPTIONS])("%s", (name) => {
    const written = SCORE_FUNCTIONS.some((one) => one === name) ? name : name.toLowerCase().replaceAll("_", "-");
    expect(SCORING).toContain(`\`${written}\``);
  });
});

describe("tables (2)", () => {
  test("shares", () => {
    expect(row("`form`")[2]).toBe(String(READING.form));
    expect(row("`joined`, `split`")[2]).toBe(String(READING.joined));
    expect(READING.split).toBe(READING.joined);
    expect(row("the end of a compound")[2]).toBe(String(READING.compound));
    expect(row("`stem`")[2]).toBe(String(STEM_FACTOR));
    expect(row("`prefix`")[2]).toBe(String(READING.prefix));
    expect(row("a last word that only lacks")[2]).toBe(String(READING.lastLetter));
    expect(row("`typo`")[2]).toBe(TYPO_SHARES.slice(1).join("; "));
    expect(row("`ngram`")[2]).toMatch(new RegExp(`^${NGRAM_SHARE} times`));
  });
  test("field weights", () => {
    const text = PAGE.replaceAll(/\s+/g, " ");
    const sentence = /Fields and weights without stages: (.*?)\. /.exec(text)?.[1] ?? "";
    for (const { field, weight } of DEFAULT_FIELD_WEIGHTS) {
      const name = { _attributes: "attributes", _other: "everything else in `data`" }[field] ?? field;
      expect(sentence).toContain(name === "*" ? `your own configuration ${weight}` : `${name} ${weight}`);
    }
  });
  test("without stages", () => {
    const text = PAGE.replaceAll(/\s+/g, " ");
    const { enough } = DEFAULT_RELEVANCE;
    const { products, frequency } = EVIDENCE;
    const { cutThousandths, lowCutThousandths } = DEFAULT_RELEVANCE;
    expect([EVIDENCE.rarity, cutThousandths, lowCutThousandths]).toEqual([10, 200, 50]);
    for (const said of [
      `fewer than ${enough} products have all words, and fewer than ${EVIDENCE.meant} have the word itself`,
      `in at least ${frequency} times as many products, but in less than a tenth of the catalogue`,
      `finds at least ${products} products, and at least ${products} times as many as the word as typed`,
      `With fewer than ${enough}, and at least two words`,
      `must reach a fifth of the best product's value, or a twentieth where that leaves fewer than ${FULL_PAGE} products`,
      `up to ${1 + HEAD_LIFT / 1_000} when the title`,
      `${PURPOSE / 1_000} when the title names the query only as what the product is for`,
      `up to ${1 + FEEDBACK_LIFT / 1_000} in the categories of the ${VOTERS} best products`,
      `${UNWANTED.lacks / 1_000} for a title that says so`,
      `${UNWANTED.has / 1_000} for one that has the word`,
    ]) {
      expect(text).toContain(said);
    }
  });
  test("its defaults", () => {
    const lines = /^relevance-configuration:\n((?: .*\n)+)/m.exec(PAGE)?.[1] ?? "";
    const section = Object.fromEntries(
      [...lines.matchAll(/^ +([\w-]+): ([\w.]+|\{\}) +#/gm)].map(([, key = "", value]) => [
        key,
        value === "{}" ? {} : value,
      ]),
    );
    const tenant = tenantOf({ "relevance-configuration": section });
    expect(tenant.relevance).toEqual(DEFAULT_RELEVANCE);
    expect(Object.keys(section).length).toBe(Object.keys(DEFAULT_RELEVANCE).length);
  });
  test("minShouldMatch", () => {
    const rows = [...PAGE.matchAll(/^\| `([-\d%< ]+)` \| (\d+) \| (\d+) \|$/gm)];
    expect(rows.length).toBe(6);
    for (const [, spec = "", words, required] of rows) {
      const rules = parseMinShouldMatch(spec);
      expect([spec, rules && requiredWords(rules, Number(words))]).toEqual([spec, Number(required)]);
    }
  });
  test("limits", () => {
    const characters = LIMITS.queryCharacters.value.toLocaleString("en");
    expect(PAGE).toContain(`first ${characters} characters and ${LIMITS.queryTerms.value} different`);
  });
});

describe("the example (3)", () => {
  const shop = shopOf(
    {
      glide: {
        title: "Velocita Glide trail running shoes",
        brand: "Velocita",
        description: "Running shoes for wet rocks.",
        stock: 4,
      },
      city: { title: "City sneaker", brand: "Runwell", description: "For running errands.", stock: 0 },
      sock: { title: "Running socks, 3 pairs", brand: "Velocita", stock: 50 },
      lamp: { title: "Desk lamp", stock: 7 },
    },
    {
      tenant: tenantOf({
        "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
        "scoring-configuration": {
          "boost-mode": "sum",
          "score-mode": "sum",
          "score-functions": [
            { field: "stock", type: "field_value_factor", weight: 0.5, options: { modifier: "log1p" } },
          ],
        },
      }),
      rules: block("rules"),
    },
  );
  const written = block("explain");

  test("is what the engine says", () => {
    const { hits } = shop.search("q=runing+shoes&trace=Explain&withFacets=false");
    const said = hits.map(({ id, explanation }) => [id, ...(explanation?.lines ?? [])].join("\n"));
    const withoutNumbers = (text: string): string => text.replaceAll(/\d[\d,.]*/g, "0");
    expect(withoutNumbers(`${said.join("\n\n")}\n`)).toBe(withoutNumbers(written));
  });
  test("adds up as it is written", () => {
    for (const hit of written.split("\n\n")) {
      const points = [...hit.matchAll(/^\+([\d,]+) /gm)].map(([, text = ""]) => Number(text.replaceAll(",", "")));
      const text = /^text score ([\d,]+)$/m.exec(hit)?.[1] ?? "none";
      const factors = [...hit.matchAll(/^x ([\d.]+): /gm)].map(([, factor]) => Number(factor));
      const sum = points.reduce((a, b) => a + b, 0);
      const score = factors.reduce((value, factor) => Math.floor(value * factor), sum);
      expect(score).toBe(Number(text.replaceAll(",", "")));
    }
  });
});
