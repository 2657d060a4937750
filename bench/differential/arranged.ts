/** The product sets of an arranged search, of every type that finds something by itself. */
import type { Draw } from "./draw.ts";
import { filtersOf, numbersOf, priceOf, titleOf, wordsOf, type Vocabulary } from "./vocabulary.ts";

const SET_KINDS = { static: 4, lookup: 1, dynamic: 4, querystring: 5, generic: 0.3 };

/** Members of the body beside those of a plain search. */
export function arrangedSets(
  text: string,
  queries: readonly string[],
  vocabulary: Vocabulary,
  draw: Draw,
): Record<string, unknown> {
  const count = 1 + draw.below(3);
  return {
    arrangedProductSets: Array.from({ length: count }, (_, i) => ({
      name: `set ${i}`,
      ...drawSet(draw.chance(0.5) ? text : draw.of(queries), vocabulary, draw),
      ...(draw.chance(0.2) && { asSeparateSlice: true }),
      ...(draw.chance(0.2) && { variantBoostTerms: draw.of(["black", "M red", "38"]) }),
    })),
    ...(draw.chance(0.2) && { includeMainResult: false }),
  };
}

function drawSet(text: string, vocabulary: Vocabulary, draw: Draw): Record<string, unknown> {
  const near = vocabulary.near(text, draw);
  const filters = Object.fromEntries(draw.some(filtersOf(near), 1));
  const options = {
    limit: 1 + draw.below(8),
    ...(draw.chance(0.3) && { filters }),
    ...(draw.chance(0.2) && { sort: draw.of(["price", "-stock", "title"]) }),
  };
  switch (draw.weighted(SET_KINDS)) {
    case "static": {
      const ids = Array.from({ length: 1 + draw.below(6) }, () => vocabulary.near(text, draw).id);
      return { type: "static", ids: [...ids, vocabulary.any(draw).id, "no such id"] };
    }
    case "lookup": {
      const ids = [...numbersOf(near), ...wordsOf(titleOf(near)).slice(0, 2)].slice(0, 4);
      return { type: "static", name: draw.of(["field:ean", "field:title"]), ids };
    }
    case "dynamic":
      return { type: "dynamic", query: text, ...options };
    case "querystring":
      return {
        type: "querystring",
        query: queryString(text, vocabulary, draw),
        ...options,
        ...(draw.chance(0.3) && { fieldWeights: { title: 2, brand: 1, "category_*": 0.5 } }),
      };
    case "generic":
      return { type: "generic", size: 2, parameters: {} };
  }
}

/** Boolean operators, fields, phrases and boosts around words that products have. */
function queryString(text: string, vocabulary: Vocabulary, draw: Draw): string {
  const near = vocabulary.near(text, draw);
  const words = wordsOf(titleOf(near)).filter((word) => word.length > 2);
  const [a, b, c] = draw.some(words.length === 0 ? ["black"] : words, 3);
  const { brand } = near.data;
  const maker = typeof brand === "string" ? (wordsOf(brand)[0] ?? a) : a;
  const price = Math.round(priceOf(near));
  return draw.of([
    `${a} AND ${b}`,
    `${a} OR ${b}^2 OR ${c}`,
    `brand:${maker} AND (${a} OR ${b})`,
    `brand:${maker}^3 ${a} -${c}`,
    `+${a} +(${b} ${c}) -brand:${maker}`,
    `"${a} ${b}"^1.5 OR title:${c}`,
    `title:(${a} AND ${b}) OR category_leaf:${c}^0.5`,
    `NOT ${a} AND ${b}`,
    `*:* -${a}`,
    `cat*:${a} OR t*:"${words.slice(0, 3).join(" ")}"`,
    `(${a} AND (${b} OR NOT ${c})) || price:${price}`,
    `${a} AND (${b}`,
    text,
  ]);
}
