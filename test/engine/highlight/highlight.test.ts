/**
 * Marks in hits, in words of a shop.
 *
 *  1. Every way in which a word is found is marked: as typed, stem, prefix, typo, joined, split, number and unit,
 *     synonym, quoted phrase.
 *  2. Every kind of text: strings, lists, attributes, category paths; numbers only by name, addresses never; a shown
 *     variant's own text.
 *  3. The text is plain, the html escaped and marked, in the tag asked for.
 *  4. Short texts are whole, of long ones the best fragment, cut between words.
 *  5. Fields are chosen by names, patterns and exclusions; without marks there is an empty map. (Without the parameter, in
 *     product sets, and over shards: worker/answers.)
 *  6. In the sample catalogue, all of whose searched fields are shown, every hit of a search for words has a mark.
 *  7. Long lists, long texts and queries of many words run in parts, none of them long; all steps are counted.
 */
import { describe, expect, test } from "vitest";
import { sampleNdjson } from "../../../cli/sample-catalogue/index.ts";
import { analyzerFor } from "../../../src/index-engine/analysis/index.ts";
import { FieldSelection, Highlighter } from "../../../src/index-engine/answer/highlight/index.ts";
import { budgetOf, run, TURN_STEPS, work } from "../../../src/index-engine/base/index.ts";
import { termGroup, type TermGroup } from "../../../src/index-engine/query/rank/index.ts";
import { builtInTenantConfig, LIMITS, type Highlight } from "../../../src/interface/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { answeringShop, type Source } from "./support.ts";

const LONG =
  "This is the model for long days in the city: light, airy, and made to be worn with anything you like. " +
  "Its sole has been tested by people who walk a lot. Runners who also run on trails get a running shoe with " +
  "a good grip, and whoever wants more than one shoe finds other colours. Care instructions are inside the box, " +
  "and further information can be found on the pages of the maker.";

const documents: readonly Source[] = [
  {
    id: "shoe",
    data: {
      title: "Red Running Shoes",
      brand: "Acme & Sons",
      description: LONG,
      price: 42,
      image: "https://img.example/red-shoes.jpg",
      features: ["Light", "Red laces", "A shoe for 42 km"],
    },
    attributes: [
      { name: "color", value: "red", code: "r1" },
      { name: "material", value: "Leather" },
      { name: "season", value: "Summer" },
    ],
    categories: [[{ name: "Sport" }, { name: "Running shoes" }]],
  },
  { id: "phones", data: { title: "Wireless headphones" } },
  { id: "board", data: { title: "Keyboard with backlight" } },
  { id: "shirt", data: { title: "T-Shirt, blue", description: "A <b>shirt</b> with <script>x()</script> R&amp;D" } },
  { id: "tv", data: { title: 'Television 55" 4K' } },
  {
    id: "coat",
    data: { title: "Winter coat" },
    variants: [
      { id: "coat-1", data: { size: "S", shade: "navy" } },
      { id: "coat-2", data: { size: "L", shade: "olive green" } },
    ],
  },
];
const shop = answeringShop(documents, {
  tenant: { ...builtInTenantConfig("shop", ["shop"]), analyzer: "QuerqyQueryExpander" },
  rules: "sneaker =>\n  SYNONYM: running shoe\n",
});

function html(found: Record<string, Highlight[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(found).map(([field, list]) => [field, list.map((one) => one.html)]));
}

function marked(query: string, id: string): Record<string, string[]> {
  return html(shop.highlights(query, id));
}

test.each([
  ["running shoes", "shoe", "Red <em>Running</em> <em>Shoes</em>"],
  ["red shoe", "shoe", "<em>Red</em> Running <em>Shoes</em>"],
  ["runn", "shoe", "Red <em>Running</em> Shoes"],
  ["runing shoes", "shoe", "Red <em>Running</em> <em>Shoes</em>"],
  ["wireless head phones", "phones", "<em>Wireless</em> <em>headphones</em>"],
  ["tshirt", "shirt", "<em>T</em>-<em>Shirt</em>, blue"],
  ["key board", "board", "<em>Keyboard</em> with backlight"],
  ["keyboard with backlight", "board", "<em>Keyboard</em> with <em>backlight</em>"],
  ["55 inch", "tv", "Television <em>55&quot;</em> 4K"],
  ["sneaker", "shoe", "Red <em>Running</em> <em>Shoes</em>"],
  ['"running shoes"', "shoe", "Red <em>Running</em> <em>Shoes</em>"],
])("1: what is marked: %s", (q, id, expected) => {
  const parameters = new URLSearchParams({ q, highlight: "title" });
  expect(marked(parameters.toString(), id)["title"]).toEqual([expected]);
});

describe("2: texts", () => {
  test("of all kinds", () => {
    expect(marked("q=red+shoe+42&highlight=*", "shoe")).toEqual({
      title: ["<em>Red</em> Running <em>Shoes</em>"],
      description: [expect.stringContaining("<em>shoe</em>")],
      features: ["<em>Red</em> laces", "A <em>shoe</em> for <em>42</em> km"],
      color: ["<em>red</em>"],
      category: ["Sport/Running <em>shoes</em>"],
    });
  });

  test("numbers by name only, addresses never", () => {
    expect(marked("q=red+shoe+42&highlight=price,image", "shoe")).toEqual({ price: ["<em>42</em>"] });
  });

  test("values are numbered", () => {
    const { features } = shop.highlights("q=shoe&highlight=features", "shoe");
    expect(features).toEqual([
      { html: "A <em>shoe</em> for 42 km", text: "A shoe for 42 km", marks: [[2, 6]], whole: true, value: 2 },
    ]);
  });

  test("of the variant that is shown", () => {
    expect(marked("q=olive+coat&highlight=*", "coat")).toEqual({
      title: ["Winter <em>coat</em>"],
      shade: ["<em>olive</em> green"],
    });
  });
});

describe("3: safe", () => {
  test("markup in the source", () => {
    const { description } = shop.highlights("q=shirt&highlight=description", "shirt");
    expect(description).toEqual([
      { html: "A <em>shirt</em> with R&amp;D", text: "A shirt with R&D", marks: [[2, 7]], whole: true, value: 0 },
    ]);
  });

  test("another tag", () => {
    expect(marked("q=acme&highlight=brand&highlightTag=MARK", "shoe")).toEqual({
      brand: ["<mark>Acme</mark> &amp; Sons"],
    });
    expect(() => parseSearchParameters("highlight=brand&highlightTag=script")).toThrow();
  });
});

test("4: fragments: around the most words", () => {
  const [only, ...others] = shop.highlights("q=running+shoe&highlight=description", "shoe")["description"] ?? [];
  expect(others).toEqual([]);
  expect(only).toMatchObject({ whole: false, value: 0 });
  const { text, html: written } = only ?? { text: "", html: "" };
  expect(LONG).toContain(text);
  expect(text.length).toBeLessThanOrEqual(160);
  expect(text).toContain("a running shoe with");
  expect(written).toMatch(/^….*<em>running<\/em> <em>shoe<\/em>.*…$/u);
  // Between words.
  expect(` ${LONG} `).toContain(` ${text} `);
});

describe("5: fields", () => {
  test("patterns", () => {
    expect(Object.keys(marked("q=red+shoe&highlight=t*,c*,-category", "shoe"))).toEqual(["title", "color"]);
    expect(Object.keys(marked("q=red&highlight=title&highlight=color,nobody", "shoe"))).toEqual(["title", "color"]);
  });

  test("nothing to mark", () => {
    expect(shop.highlights("highlight=*", "tv")).toEqual({});
    expect(shop.highlights("q=red&highlight=brand", "shoe")).toEqual({});
  });
});

test("6: nothing is found without a mark", () => {
  const lines = new TextDecoder().decode(sampleNdjson("en")).trim().split("\n");
  // Every fifth product: of all kinds, and quickly built.
  const sample = answeringShop(lines.filter((_, i) => i % 5 === 0).map((line) => JSON.parse(line) as Source));
  const queries = [
    "running shoes",
    "runing shoe",
    "women's boots",
    "tshirt",
    "rain jacket",
    "down park",
    "black jean",
    "sweat shirt",
    "summer dres",
    "blue leather",
    "hikingboots",
    "size 42",
  ];
  for (const q of queries) {
    const query = new URLSearchParams({ q, highlight: "*", withFacets: "false" }).toString();
    const hits = sample.answer(query).slices.flatMap((slice) => slice.hits);
    const marked = hits.filter(({ metaData }) => Object.keys(metaData?.["highlights"] ?? {}).length);
    expect([q, marked.length, hits.length > 0]).toEqual([q, hits.length, true]);
  }
});

describe("7: counted parts", () => {
  const analyzer = analyzerFor("en");
  const groupOf = (word: string, parts: readonly string[]): TermGroup => ({
    ...termGroup(analyzer, word),
    subQueries: [
      {
        kind: "all",
        groups: parts.map((part) => termGroup(analyzer, part)),
        factor: 0.9,
        slop: null,
        origin: "split",
      },
    ],
  });
  const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i.toString(36)}`).join(" ");
  const long = words(400);

  test.for([
    ["a list of long texts", [groupOf("shoe", [])], Array(400).fill(long)],
    ["a list of short texts", [groupOf("shoe", [])], Array(100_000).fill("a")],
    ["attributes", [groupOf("shoe", [])], Array(400).fill({ value: long })],
    [
      "many words written apart",
      Array.from({ length: 40 }, (_, i) => groupOf(`a${i}`, [`b${i}`, `c${i}`, `d${i}`])),
      [words(5_000)],
    ],
  ] as const)("%s", ([, groups, texts]) => {
    const highlights = (): ReturnType<Highlighter["of"]> =>
      new Highlighter(groups, analyzer, new FieldSelection(["*"]), "em").of({ title: texts });
    const budget = budgetOf("highlightSteps");
    const parts = work.inParts(highlights(), undefined, budget);
    const steps: number[] = [];
    for (let isDone = false; !isDone;) {
      const before = work.spent;
      isDone = parts.next().done === true;
      steps.push(work.spent - before);
    }
    expect(steps.length).toBeGreaterThan(3);
    expect(Math.max(...steps)).toBeLessThan(1.5 * TURN_STEPS);
    expect(budget.left).toBe(LIMITS.highlightSteps.value - steps.reduce((sum, one) => sum + one, 0));
    // A page with one step less is refused.
    const tooSmall = { ...budgetOf("highlightSteps"), left: LIMITS.highlightSteps.value - budget.left - 1 };
    expect(() => run(work.inParts(highlights(), undefined, tooSmall))).toThrow("highlightSteps");
  });
});
