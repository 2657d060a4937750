// Functions that rank variants, in an answer (`use-for-variants`; docs/search.md "Variants"):
//
// 1. A function of a field that variants have chooses among them; one of the product's, or one that is told not to, does not.
// 2. It chooses among variants that have the words of the query, and only among those.
// 3. Boost terms win whatever functions say.
// 4. The product's score is the same, whether its functions rank variants or not.
// 5. What a filter leaves out has no say.
import { expect, test } from "vitest";
import type { Execution } from "../../../src/index-engine/query/execution.ts";
import type { IndexableRow } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  type ProductSet,
  type ScoringConfig,
  type SearchRequest,
} from "../../../src/interface/index.ts";
import { fields } from "../support/catalogue.ts";
import { buildSegment } from "../support/indexing.ts";
import { plainRequest } from "../support/request.ts";

function row(title: string, stock: number, color: string): IndexableRow {
  return {
    texts: [{ field: "title", text: title }],
    values: [{ kind: "term", field: "color", value: color, id: null, facet: true }],
    columns: [{ field: "stock", value: stock }],
  };
}

const reader = Reader.of([
  buildSegment([
    {
      id: "a",
      source: new TextEncoder().encode("{}"),
      texts: [{ field: "title", text: "shirt" }],
      values: [],
      columns: [],
      variants: [
        row("red small", 2, "red"),
        row("blue small", 9, "blue"),
        row("red large", 5, "red"),
        row("green large", 7, "green"),
      ],
    },
  ]),
]);

function asked(
  q: string,
  options: Readonly<Record<string, string>> = {},
  request: Partial<SearchRequest> = {},
): Execution["hits"][number] {
  const scoring: ScoringConfig = {
    boostMode: "sum",
    scoreMode: "sum",
    functions: [{ field: "stock", type: "field_value_factor", weight: 1, options }],
  };
  const { hits } = search(
    reader,
    plainRequest({ q, ...request }),
    { ...builtInTenantConfig("shop", ["shop"]), scoring },
    fields,
  );
  const [hit] = hits;
  if (hit === undefined) throw new Error("no hit");
  return hit;
}

test("the best by the function (1)", () => {
  expect(asked("shirt")).toMatchObject({ variant: 1, variantScore: 1 + 9 });
  expect(asked("")).toMatchObject({ variant: 1, variantScore: 1 + 9 });
  expect(asked("shirt", { USE_FOR_VARIANTS: "false" })).toMatchObject({ variant: null });
});

test("among those that have the words (2)", () => {
  expect(asked("red shirt")).toMatchObject({ variant: 2, variantScore: 3 + 5 });
  // A word more is worth 3, and seven in stock more are worth more.
  expect(asked("red small shirt")).toMatchObject({ variant: 1, variantScore: 3 + 9 });
});

test("boost terms win (3)", () => {
  const set: ProductSet = {
    type: "static",
    name: "heroes",
    ids: [],
    asSeparateSlice: false,
    variantBoostTerms: "green",
  };
  const arranged = { sets: [set], includeMainResult: true };
  expect(asked("shirt", {}, { arranged })).toMatchObject({ variant: 3, variantScore: 1_000 + 8 });
});

test("the product's score has the function once (4)", () => {
  const ranked = asked("red shirt");
  const unranked = asked("red shirt", { USE_FOR_VARIANTS: "false" });
  expect(ranked.score).toBe(unranked.score);
  // Words make at most 10 of text, and the title's head a quarter more; the biggest stock is 9.
  expect(ranked.score).toBeGreaterThan(90_000);
  expect(ranked.score).toBeLessThanOrEqual(215_000);
});

test("filters come first (5)", () => {
  const filters = [{ name: "color", negated: true, values: ["blue"] }];
  expect(asked("shirt", {}, { filters })).toMatchObject({ variant: 3, variantScore: 1 + 7 });
  // Only the variant that is left out has the word: the others are equal by words, and the function decides.
  expect(asked("blue shirt", {}, { filters })).toMatchObject({ variant: 3, variantScore: 1 + 7 });
});
