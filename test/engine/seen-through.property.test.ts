/**
 * What a tenant with filters sees of an index (docs/security.md "Filters of a tenant").
 *
 * 1. Searches, suggestions, look-ups and sums of live products are those of an index that has the passing products
 *    only; which pass is decided here by looking at each document. With updates, deletions, and views of other filters
 *    in between.
 * 2. What cannot be read passes nothing.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writtenEntry } from "./facets/counting.ts";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { suggest } from "../../src/index-engine/answer/suggest/index.ts";
import { Reader } from "../../src/index-engine/index/index.ts";
import { seenThrough } from "../../src/index-engine/query/filter/index.ts";
import { search } from "../../src/index-engine/search.ts";
import {
  BUILT_IN_INDEX_CONFIG,
  builtInTenantConfig,
  readConfiguration,
  resolveSuggestConfig,
} from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";
import { documentFrequency, documentSegment } from "./support/indexing.ts";
import { plainRequest } from "./support/request.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
const tenant = builtInTenantConfig("shop", ["shop"]);
const read = readConfiguration({});
if (!read.ok) throw new Error("an empty configuration is one");
const suggestConfig = resolveSuggestConfig(read.value, "shop");

interface Sent {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly variants: readonly { readonly data: Readonly<Record<string, string>> }[];
}

const words = ["red", "shoe", "boot", "boots", "velvet", "sock"];
const sent: fc.Arbitrary<Sent> = fc.record({
  id: fc.constantFrom(..."abcdefghijkl"),
  data: fc.record({
    title: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((some) => some.join(" ")),
    brand: fc.constantFrom("Acme", "Zenith", "Bolt"),
    price: fc.constantFrom(5, 10, 15, 20),
  }),
  variants: fc.array(fc.record({ data: fc.record({ color: fc.constantFrom("Red", "Blue") }) }), { maxLength: 2 }),
});

/** Filters and the slow look at a document. */
const FILTERS: readonly (readonly [Readonly<Record<string, string>>, (one: Sent) => boolean])[] = [
  [{}, () => true],
  [{ brand: "acme" }, ({ data }) => data["brand"] === "Acme"],
  [{ brand: "!Acme,Bolt" }, ({ data }) => data["brand"] === "Zenith"],
  [{ price: "10-15" }, ({ data }) => data["price"] === 10 || data["price"] === 15],
  [{ price: "15," }, ({ data }) => Number(data["price"]) >= 15],
  [{ color: "red" }, ({ variants }) => variants.some(({ data }) => data["color"] === "Red")],
  [{ brand: "Acme,Bolt", price: "!5" }, ({ data }) => data["brand"] !== "Zenith" && data["price"] !== 5],
  [{ id: "a,c" }, ({ id }) => id === "a" || id === "c"],
  [{ nobodyHas: "it" }, () => false],
];

const batches = fc.array(fc.uniqueArray(sent, { selector: ({ id }) => id, maxLength: 6 }), {
  minLength: 1,
  maxLength: 4,
});

function readerOf(documents: readonly Sent[]): Reader {
  return documents.length === 0 ? Reader.empty : Reader.of([documentSegment(documents, plan)]);
}

function everythingOf(reader: Reader, q: string): object {
  const request = plainRequest({ q, limit: 20, withFacets: true });
  const { matchCount, hits, facets, meta } = search(reader, request, tenant, plan);
  return {
    matchCount,
    meta,
    hits: hits.map(({ id, score, sortValues, variant }) => ({ id, score, sortValues, variant })),
    facets: facets?.fields().map(({ name, kind }) => [
      name,
      kind,
      facets
        .field(name, kind)
        ?.values()
        .map((value) => writtenEntry(value)),
    ]),
    suggestions: suggest(reader, plan, suggestConfig, { userQuery: q, limit: 20, filter: [] }),
    found: [..."abcdefghijkl"].map((id) => reader.find(id) !== null),
    sums: [reader.productCount, reader.variantCount, reader.lengthSums],
    frequencies: words.map((word) => documentFrequency(reader, word)),
  };
}

describe("a view", () => {
  test("1: is the index of what passes", () => {
    forAll(
      runs(60),
      batches,
      fc.array(fc.constantFrom(...FILTERS), { minLength: 2, maxLength: 3 }),
      fc.array(fc.constantFrom("", "boot", "boots red", "vel", "velvt shoe", "acme"), { minLength: 1, maxLength: 2 }),
      fc.constantFrom(..."abc"),
      (all, filters, queries, deletedId) => {
        let reader = Reader.empty;
        const live = new Map<string, Sent>();
        for (const batch of all) {
          if (batch.length > 0) reader = reader.withUpdate(documentSegment(batch, plan), []);
          for (const one of batch) live.set(one.id, one);
          // Views of a reader that is updated: what is kept of them must not go on counting.
          for (const [texts] of filters) expect(seenThrough(reader, texts).segments).toBeDefined();
        }
        reader = reader.withUpdate(null, [deletedId]);
        live.delete(deletedId);
        for (const [texts, passes] of filters) {
          const expected = readerOf([...live.values()].filter((one) => passes(one)));
          for (const q of queries) {
            const seen = everythingOf(seenThrough(reader, texts), q);
            expect({ texts, ...seen }).toEqual({ texts, ...everythingOf(expected, q) });
          }
        }
      },
    );
  });

  test("2: what cannot be read passes nothing", () => {
    const reader = readerOf([{ id: "a", data: { title: "boot", brand: "Acme" }, variants: [] }]);
    for (const text of ["", "!", ",", "!,!"]) {
      expect(seenThrough(reader, { brand: text }).productCount).toBe(0);
      expect(seenThrough(reader, { brand: "Acme", price: text }).find("a")).toBeNull();
    }
    expect(seenThrough(reader, {})).toBe(reader);
  });
});
