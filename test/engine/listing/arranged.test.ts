/**
 * Arranged search (docs/behaviour.md 5.9). (Sets, their order, slices, pages, filters, facets, sorts, boost terms:
 * claims of 5.9, and random ones in search.property.test.ts.)
 *
 * 1. A sort by what nobody can sort by arranges as none does.
 * 2. A query of several article numbers, of products and of variants, injects all of them and nothing else: by
 *    default, and with stages that take any of the numbers. What was typed as one word (`100302740_003`) is one.
 */
import { describe, expect, test } from "vitest";
import type { ProductSet, SearchRequest, SearchResult } from "../../../src/interface/index.ts";
import { ProductSet as ProductSetSchema } from "../../../src/interface/searching.ts";
import { LittleShop, requestOf, tenantOf, type Source } from "../support/little-shop.ts";

const documents: Source[] = [
  ["a", "Red shoe", "Acme", 10],
  ["b", "Blue shoe", "Acme", 20],
  ["c", "Green shoe", "Bolt", 30],
  ["d", "Red hat", "Bolt", 5],
  ["e f", "Blue hat", "Acme", 6],
  ["g:h AND", "Green hat", "Bolt", 7],
  ["i/j", "Red sock", "Acme", 1],
  ["k", "Blue sock", "Bolt", 2],
  ["-l", "Green sock", "Acme", 3],
  ["m,n", "Red scarf", "Bolt", 14],
  ["o", "Blue scarf", "Acme", 15],
].map(([id, title, brand, price]) => ({ id: String(id), data: { title, brand, price } }));
const shop = new LittleShop(documents);

/** As they stand in a body. */
function arranged(address: string, sets: readonly object[]): SearchRequest {
  const read = sets.map((set): ProductSet => ProductSetSchema.parse(set));
  return { ...requestOf(address), arranged: { sets: read, includeMainResult: true } };
}

/** `Top: a b (2) | c d (5)`: label, ids, match count of each slice. */
function lineOf({ slices }: SearchResult): string {
  return slices
    .map(({ label, hits, matchCount }) =>
      [label === null ? [] : `${label}:`, hits.map(({ document }) => document.id), `(${matchCount})`].flat().join(" "),
    )
    .join(" | ");
}

function line(address: string, sets: readonly object[]): string {
  return lineOf(shop.ask(arranged(address, sets)));
}

const fixed = (...ids: readonly string[]): object => ({ type: "static", name: "Fixed", ids });
const apart = (name: string, ...ids: readonly string[]): object => ({
  type: "static",
  name,
  ids,
  asSeparateSlice: true,
});

test("1: a sort by what nobody can sort by", () => {
  for (const sort of ["nobody", "-description", "id"]) {
    expect(line(`q=shoe&sort=${sort}`, [apart("Socks", "k", "-l"), fixed("d")])).toBe("Socks: k -l (2) | d a b c (4)");
  }
  expect(line("q=shoe&sort=price", [apart("Socks", "k", "-l")])).toBe("k -l a b c (5)");
});

describe("2: article numbers", () => {
  const number = (i: number): string => String(100_300_000 + i * 137);
  // Every second product has variants, whose numbers all end alike; titles have such numbers, too.
  const many = new LittleShop(
    Array.from({ length: 60 }, (_, i): Source => {
      const artNr = number(i);
      const data = { title: `Shirt ${i % 7} model 00${i % 5}`, artNr };
      const variants = [0, 1, 2, 3].map((v) => {
        const id = `${artNr}_00${v}`;
        return { id, data: { id, artNr: id, color: ["red", "blue", "green", "black"][v] } };
      });
      return { id: artNr, data, ...(i % 2 === 0 && { variants }) };
    }),
  );
  const stage = (settings: object, weightedFields: object): object => ({
    strategy: "ConfigurableQuery",
    settings: { allowParallelSpellcheck: false, ...settings },
    weightedFields,
  });
  const staged = tenantOf({
    "query-configuration": {
      numbers: {
        ...stage({ operator: "OR", analyzer: "whitespace", acceptNoResult: true }, { artNr: 2 }),
        condition: { matchingRegex: "(\\d+\\w?\\d+\\s*)+" },
      },
      all: stage({ operator: "AND", analyzer: "standard" }, { title: 3, artNr: 1 }),
      relaxed: { strategy: "RelaxedQuery", weightedFields: { title: 3, artNr: 1 } },
    },
  });

  describe.each([
    ["by default", {}],
    ["with stages", staged],
  ])("%s", (_name, tenant) => {
    test.each([
      [[number(11), `${number(20)}_003`]],
      [[`${number(20)}_003`, number(11)]],
      [[`${number(20)}_003`, `${number(30)}_003`, `${number(40)}_001`]],
      [[number(3), number(4), number(5), `${number(6)}_002`, number(7), number(8)]],
      [[`${number(20)}_003`]],
      // Numbers that share parts: two of one product, or none of whose parts is left.
      [
        [`${number(20)}_001`, `${number(30)}_003`, `${number(20)}_003`],
        [number(20), `${number(30)}_003`],
      ],
      [[`${number(20)}_001`, `${number(20)}_003`], [number(20)]],
    ])("%s", (numbers, found = numbers) => {
      const query = numbers.join(" ");
      const set = { type: "dynamic", name: "Heroes", query, limit: 10, asSeparateSlice: true };
      const { slices } = many.ask(arranged("q=nothing&limit=20", [set]), tenant);
      const [heroes, rest] = slices;
      const shown = heroes.hits.map(({ document }) => document.data["artNr"]);
      expect(shown.map(String).toSorted()).toEqual(found.toSorted());
      expect(rest.matchCount).toBe(0);
    });
  });

  test("a word that no product has finds none by a part of it", () => {
    expect(many.ids("q=999999999_003", staged)).toBe("");
    expect(many.ids(`q=999999999_003 ${number(11)}`, staged)).toBe(number(11));
  });
});
