/**
 * Entries of several segments, by the slow account (counting.ts), where segments have few values and many: those with
 * few counted groups are joined by their keys, others pair by pair, and a large segment remembers what it was asked
 * (shared-keys.ts, field-counts.ts).
 *
 * 1. Whatever the sizes, their order, and which of the values match: also while the reader changes, and again.
 * 2. So it is for more keys than are remembered.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ended } from "../../../src/index-engine/base/index.ts";
import { countFacets } from "../../../src/index-engine/answer/facets/index.ts";
import { mergeEntries } from "../../../src/index-engine/answer/facets/plain.ts";
import { knownKeyBytes } from "../../../src/index-engine/answer/facets/shared-keys.ts";
import { FACET_KINDS, type FieldValue, type IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { runs } from "../../support/property.ts";
import { build, number, path, product, term } from "../support/products.ts";
import { countInputs, countSlowly, writtenEntry, effectiveValues, liveProducts, type Passing } from "./counting.ts";

const UNIVERSE = 300;

/** Spelt in one of three ways, and not of ASCII only. */
function textOf(value: number, spelling: number): string {
  const text = value % 5 === 0 ? `größe ${value}` : `value ${value}`;
  return [text, text.toUpperCase(), `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`][spelling];
}

function valuesOf(value: number, spelling: number): FieldValue[] {
  return [
    term("colour", textOf(value, spelling)),
    path("way", textOf(value, spelling)),
    // Another field with the same keys, and another kind of the same name.
    term("shade", textOf((value + 1) % UNIVERSE, spelling)),
    term("way", textOf((value + 2) % UNIVERSE, spelling)),
    number("size", value / 4),
  ];
}

/** From `first` on every `step`th value, so many of them, a product each. */
const batch = fc.record({
  count: fc.oneof(fc.nat(4), fc.integer({ min: 28, max: 36 }), fc.integer({ min: 60, max: 220 })),
  first: fc.nat(UNIVERSE - 1),
  step: fc.constantFrom(1, 7),
  spelling: fc.nat(2),
});

type Batch = typeof batch extends fc.Arbitrary<infer T> ? T : never;

function productsOf({ count, first, step, spelling }: Batch, at: number): IndexableProduct[] {
  return Array.from({ length: count }, (_, i) =>
    // Some ids come again in a later batch.
    product(i % 9 === 0 ? `shared${i}` : `b${at}p${i}`, {
      values: valuesOf((first + i * step) % UNIVERSE, spelling),
    }),
  );
}

/** A share of the products, out of 16. */
function passing(salt: number, share: number): Passing {
  return (id) => {
    let hash = salt;
    for (const character of id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return ((hash >>> 8) & 15) < share;
  };
}

function expectCounts(reader: Reader, live: readonly IndexableProduct[], passes: Passing): void {
  const counts = ended(countFacets(countInputs(reader, passes, new Map(), true)));
  const matching = live.map((each) => effectiveValues(each, passes)).filter((values) => values !== null);
  for (const name of ["colour", "shade", "way", "size"]) {
    for (const kind of FACET_KINDS) {
      const expected = countSlowly(matching, name, kind);
      const values = counts.values(name, kind);
      expect(values.map((value) => writtenEntry(value))).toEqual(expected);
      // What a shard sends: nothing but these, in their order.
      const sent = mergeEntries(kind, [counts.plain(name, kind, false)]);
      expect(sent.map((entry) => writtenEntry(entry.value()))).toEqual(expected);
    }
  }
}

test("1: segments of any sizes, again and again", () => {
  fc.assert(
    fc.property(
      fc.array(batch, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(1_000), fc.constantFrom(1, 3, 8, 16)), {
        minLength: 1,
        maxLength: 4,
      }),
      (batches, asked) => {
        const written = batches.map(productsOf);
        let reader = Reader.empty;
        written.forEach((products, at) => {
          if (products.length > 0) reader = reader.withUpdate(build(products).segment, []);
          const live = liveProducts(written.slice(0, at + 1), new Set());
          for (const [salt, share] of asked) expectCounts(reader, live, passing(salt, share));
        });
      },
    ),
    { numRuns: runs(40, 15) },
  );
});

test("2: more keys than are remembered", () => {
  const VALUES = 9_990;
  const spelt = (value: number): string => `key ${value}`;
  const large = build(
    Array.from({ length: VALUES / 2 }, (_, i) => product(`p${i}`, { values: [term("colour", spelt(i * 2))] })),
  ).segment;
  const base = Reader.of([large]);
  let most = 0;
  for (let first = 0; first < VALUES; first += 30) {
    const values = Array.from({ length: 30 }, (_, i) => [term("colour", spelt(first + i))]);
    const small = build(values.map((own, i) => product(`new${i}`, { values: own }))).segment;
    const reader = base.withUpdate(small, []);
    const inputs = countInputs(reader, () => true, new Map(), true);
    const counts = ended(countFacets(inputs));
    for (let value = first; value < first + 30; value += 7) {
      expect(counts.entry("colour", "term", spelt(value))?.count).toBe(value % 2 === 0 ? 2 : 1);
    }
    most = Math.max(most, knownKeyBytes(large));
  }
  // The cache has a limit, and all keys together are larger.
  expect(most).toBeGreaterThan(900_000);
  expect(most).toBeLessThanOrEqual(1_048_576);
  expect(VALUES * 256).toBeGreaterThan(2 * most);
});
