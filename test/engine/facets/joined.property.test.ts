/**
 * Entries of several segments, by the slow account (counting.ts), where segments have few values and many
 * (same-groups.ts, counted-field.ts): whatever the sizes, their order, and which of the values match; also while the
 * reader changes, and again.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { run } from "../../../src/index-engine/base/index.ts";
import { countFacets } from "../../../src/index-engine/answer/facets/index.ts";
import { compareKeys } from "../../../src/index-engine/answer/facets/keys.ts";
import { countedValue, mergeEntries } from "../../../src/index-engine/answer/facets/plain.ts";
import { FACET_KINDS, type FieldValue, type IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { forAll, runs } from "../../support/property.ts";
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
    product(i % 9 === 0 ? `shared${i}` : `b${at}p${i}`, { values: valuesOf((first + i * step) % UNIVERSE, spelling) }),
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
  const counts = run(countFacets(countInputs(reader, passes, new Map(), true)));
  const matching = live.map((each) => effectiveValues(each, passes)).filter((values) => values !== null);
  for (const name of ["colour", "shade", "way", "size"]) {
    for (const kind of FACET_KINDS) {
      const expected = countSlowly(matching, name, kind);
      const values = counts.local(name, kind).values();
      expect(values.map((value) => writtenEntry(value))).toEqual(expected);
      // What a shard sends: nothing but these, in any order.
      const sent = mergeEntries(kind, [counts.local(name, kind).plain()]).sort((a, b) => compareKeys(a.key, b.key));
      expect(sent.map((entry) => writtenEntry(countedValue(kind, entry)))).toEqual(expected);
    }
  }
}

test("segments of any sizes, again and again", () => {
  forAll(
    runs(40, 15),
    fc.array(batch, { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.nat(1_000), fc.constantFrom(1, 3, 8, 16)), { minLength: 1, maxLength: 4 }),
    (batches, asked) => {
      const written = batches.map(productsOf);
      let reader = Reader.empty;
      written.forEach((products, at) => {
        if (products.length > 0) reader = reader.withUpdate(build(products).segment, []);
        const live = liveProducts(written.slice(0, at + 1), new Set());
        for (const [salt, share] of asked) expectCounts(reader, live, passing(salt, share));
      });
    },
  );
});
