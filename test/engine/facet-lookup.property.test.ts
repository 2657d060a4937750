/**
 * Looking facet values up by their key, in bytes, against making every key and searching one after the other.
 *
 * 1. `partition` finds the first string of a range that is not before, in a table whose other strings may be in any
 *    order; it looks at few.
 * 2. `compareWithKey` orders a text in bytes and a key as the key of the text and the key are ordered.
 * 3. `group` finds the values with a key, for any fields wherever they begin in their blocks, in whole and paged
 *    segments, built and merged.
 *
 * Texts change their length with their case (İ) or become ASCII (the Kelvin sign), begin like each other, are empty,
 * or need surrogates.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareWithKey, facetKey } from "../../src/index-engine/segment/facet-values/values.ts";
import type { FacetKind, FieldValue, Segment } from "../../src/index-engine/segment/model/index.ts";
import { mergeSegments, openApart, openSegment } from "../../src/index-engine/segment/index.ts";
import { wholeBytes, compareCodePoints } from "../../src/index-engine/base/index.ts";
import { STRING_BLOCK } from "../../src/index-engine/segment/strings/index.ts";
import { forAll, runs } from "../support/property.ts";
import { tableOf } from "./expansion/dictionary.ts";
import { build, path, product, term } from "./support/products.ts";
import { live } from "../../src/index-engine/index/reader.ts";

const letters = fc.constantFrom(
  ..."aAbBkKiIsSzZ09 _@[`{",
  ..."ßẞİıΣςσÅåÄäéÉﬀ\u212a\u0301\u0307\uffff",
  "\u{1d4b3}",
  "\u{10400}",
  "\u{10428}",
  "\u0000",
  "\u0002",
);
const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.array(letters, { maxLength: 6 }).map((parts) => parts.join("")) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom("a", "A", "b", "ß"), { minLength: 12, maxLength: 60 })
      .map((parts) => parts.join("")),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const anyKind = fc.constantFrom<FacetKind>("term", "path");

/** What somebody may ask for who knows these texts: their keys, what they begin with, and what is a little after. */
function keysAround(kind: FacetKind, texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const key = facetKey(kind, text);
    const start = key.slice(0, key.length >> 1).toWellFormed();
    return [key, text, text.toUpperCase(), start, `${key}a`, `${key}\u0307`];
  });
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

test("1: partition", () => {
  const seen = { first: 0, last: 0, inside: 0, empty: 0 };
  forAll(
    runs(150),
    fc.array(anyText, { maxLength: 40 }),
    fc.array(anyText, { maxLength: 90, size: "max" }),
    fc.array(anyText, { maxLength: 40 }),
    fc.array(anyText, { maxLength: 8 }),
    (before, own, after, probes) => {
      const sorted = [...own].sort(compareCodePoints);
      const all = [...before, ...sorted, ...after];
      const table = tableOf(all);
      const [from, end] = [before.length, before.length + own.length];
      for (const probe of [...probes, ...own.slice(0, 8), "", "\u{10ffff}"]) {
        let looked = 0;
        const found = table.partition(from, end, (bytes, start, stop) => {
          looked++;
          return compareCodePoints(decoder.decode(bytes.subarray(start, stop)), probe);
        });
        const behind = sorted.findIndex((text) => compareCodePoints(text, probe) >= 0);
        expect(found).toBe(behind < 0 ? end : from + behind);
        expect(looked).toBeLessThanOrEqual(STRING_BLOCK + Math.ceil(Math.log2(own.length / STRING_BLOCK + 2)));
        if (own.length === 0) seen.empty++;
        else if (found === from) seen.first++;
        else if (found === end) seen.last++;
        else seen.inside++;
      }
    },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});

test("1: partition of texts that are longer and longer", () => {
  const texts = [100, 300, 700, 1_500, 3_500, 8_000, 20_000].map((length) => "aé".repeat(length));
  const table = tableOf(["b", "a", ...texts]);
  for (const [i, probe] of texts.entries()) {
    const order = (bytes: Uint8Array, start: number, end: number): number =>
      compareCodePoints(decoder.decode(bytes.subarray(start, end)), probe);
    expect(table.partition(2, 2 + texts.length, order)).toBe(2 + i);
  }
});

test("2: compareWithKey", () => {
  const encoder = new TextEncoder();
  const seen = new Map<number, number>();
  forAll(
    runs(2_000),
    anyKind,
    anyText.map((text) => text.toWellFormed()),
    fc.array(anyText, { maxLength: 4 }),
    fc.nat(3),
    (kind, text, others, margin) => {
      // Something else lies around it.
      const bytes = encoder.encode("aéZ".slice(0, margin) + text + "b");
      const start = encoder.encode("aéZ".slice(0, margin)).length;
      for (const other of [...keysAround(kind, [text]), ...others]) {
        const order = compareWithKey(kind, bytes, start, bytes.length - 1, other);
        const expected = Math.sign(compareCodePoints(facetKey(kind, text), other));
        expect(Math.sign(order)).toBe(expected);
        seen.set(expected, (seen.get(expected) ?? 0) + 1);
      }
    },
  );
  expect([...seen.keys()].sort((a, b) => a - b)).toEqual([-1, 0, 1]);
});

const NAMES = ["a", "b", "c", "é"] as const;

const anyValue: fc.Arbitrary<FieldValue> = fc
  .record({
    kind: anyKind,
    name: fc.constantFrom(...NAMES),
    text: anyText.map((text) => text.toWellFormed()),
    id: fc.constantFrom(null, null, "1"),
    facet: fc.boolean(),
  })
  .map(({ kind, name, text, id, facet }) => (kind === "term" ? term(name, text, id, facet) : path(name, text, id)));
const anyValues = fc.array(anyValue, { maxLength: 120, size: "max" });

function bytesOf(values: readonly FieldValue[]): Uint8Array {
  return build([product("none"), product("all", { values })]).bytes;
}

/** How many fields began in the middle of a block, and groups of several values were found. */
interface Seen {
  middles: number;
  groups: number;
  nothing: number;
}

function expectGroups({ facets }: Segment, probes: readonly string[], seen: Seen): void {
  let texts = 0;
  for (const field of facets.fields) {
    if (texts % STRING_BLOCK !== 0) seen.middles++;
    const { kind, start, end } = field;
    const own = Array.from({ length: end - start }, (_, i) => facets.text(start + i));
    texts += own.length;
    const keys = own.map((text) => facetKey(kind, text));
    const said: unknown[] = [];
    const expected: unknown[] = [];
    for (const key of new Set([...keysAround(kind, own), ...probes])) {
      const first = keys.indexOf(key);
      expected.push([key, first < 0 ? null : [start + first, start + keys.lastIndexOf(key) + 1]]);
      said.push([key, facets.group(field, key)]);
      if (first < 0) seen.nothing++;
      else if (keys.lastIndexOf(key) > first) seen.groups++;
    }
    expect(said).toEqual(expected);
  }
}

test("3: groups of whole and paged segments", () => {
  const seen: Seen = { middles: 0, groups: 0, nothing: 0 };
  forAll(
    runs(60),
    anyValues,
    anyValues,
    fc.array(anyText, { maxLength: 5 }),
    fc.integer({ min: 1, max: 60 }),
    fc.constantFrom(0, 64, 400),
    (one, two, probes, eights, smallBytes) => {
      const bytes = bytesOf(one);
      const inputs = [bytes, bytesOf(two)].map((each) => live(openSegment(each)));
      for (const each of [bytes, mergeSegments(inputs)]) {
        expectGroups(openSegment(each), probes, seen);
        const cut = { smallBytes, partBytes: () => eights * 8 };
        expectGroups(openApart(wholeBytes(each), cut), probes, seen);
      }
    },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});
