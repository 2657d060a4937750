/**
 * 1. Of any counted groups of two segments those with equal keys are found as a pair, and no others; ask as often as
 *    you like: for each of the ways to find what they have in common, for segments of like and of very different
 *    sizes, on either side.
 * 2. Asking for few values of many is not charged with naming all of them: nothing is kept until it would have paid.
 *    Beside a small segment that is soon.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FacetKind } from "../../src/index-engine/segment/model/index.ts";
import { SharedKeys, sharedKeyBytes } from "../../src/index-engine/answer/facets/shared-keys.ts";
import type { OpenedSegment } from "../../src/index-engine/segment/index.ts";
import { runs } from "../support/property.ts";
import { build, number, path, product, term } from "./support/products.ts";

function segmentOf(values: readonly string[], figures: readonly number[]): OpenedSegment {
  return build([
    product("none"),
    ...values.map((value, i) => product(`p${i}`, { values: [term("colour", value), path("way", value)] })),
    ...figures.map((figure, i) => product(`n${i}`, { values: [number("size", figure)] })),
  ]).segment;
}

/** First ordinal of each group of the field, with its key. */
function groups(segment: OpenedSegment, name: string, kind: FacetKind): Map<string | number, number> {
  const field = segment.facets.field(name, kind);
  const found = new Map<string | number, number>();
  for (let ordinal = field?.start ?? 0; ordinal < (field?.end ?? 0); ordinal++) {
    const key =
      kind === "number"
        ? segment.facets.number(ordinal) + 0
        : kind === "term"
          ? segment.facets.text(ordinal).toLowerCase()
          : segment.facets.text(ordinal);
    if (!found.has(key)) found.set(key, ordinal);
  }
  return found;
}

test("2: what is kept", () => {
  const many = (from: number): string[] => Array.from({ length: 1_000 }, (_, i) => `v${from + i}`);
  const first = segmentOf(many(0), []);
  const other = segmentOf(many(500), []);
  const of = groups(first, "colour", "term");
  const also = groups(other, "colour", "term");
  const one = Uint32Array.of(of.get("v700") ?? -1);
  const all = Uint32Array.from(also.values());
  const ask = (): number => new SharedKeys("colour", "term").between(first, other, one, all).ofFirst.length;
  for (let i = 0; i < 100; i++) expect(ask()).toBe(1);
  expect(sharedKeyBytes(first)).toBe(0);
  for (let i = 0; i < 1_000; i++) ask();
  expect(sharedKeyBytes(first)).toBeGreaterThan(500 * 8);
  expect(ask()).toBe(500);
});

test("2: what is kept of a small segment beside a large one", () => {
  const large = segmentOf(
    Array.from({ length: 1_000 }, (_, i) => `v${i}`),
    [],
  );
  const small = segmentOf(["v1", "v5", "V900", "new"], []);
  for (const [first, other] of [
    [large, small],
    [small, large],
  ]) {
    // One of the small segment's, all of the large one's.
    const [one, also] = [first, other].map((each) => {
      const all = groups(each, "colour", "term");
      return Uint32Array.from(each === small ? [all.get("v5") ?? -1] : all.values());
    });
    const ask = (): number => new SharedKeys("colour", "term").between(first, other, one, also).ofFirst.length;
    expect(ask()).toBe(1);
    expect(sharedKeyBytes(first)).toBe(0);
    // As often as the small one has values, and all of it has been looked up.
    for (let i = 0; i < 4; i++) ask();
    expect(sharedKeyBytes(first)).toBeGreaterThan(0);
    expect(ask()).toBe(3);
  }
});

const SIZES = [0, 1, 3, 20, 60, 400] as const;
/** Keys of several spellings and lengths, the empty one among them. */
const SPELT = ["Red", "red", "Größe", "GRÖSSE", "ß", "ﬀ", "", "RED"];
const FIGURES = [-1.5, -0, 1e300, Infinity];

/** Values v0, v1 * step, ...; every third spelt in two ways. */
function valuesOf(size: number, step: number): string[] {
  return Array.from({ length: size }, (_, i) => `${i % 3 === 0 ? "V" : "v"}${i * step}`).concat(
    size > 5 ? ["v0", "V3", ...SPELT.slice(step)] : size > 1 ? SPELT.slice(-step) : [],
  );
}

/** Each size and step once: what is kept goes with the pair, so pairs are of segments of their own. */
function sizedSegment(size: number, step: number): OpenedSegment {
  const figures = Array.from({ length: size }, (_, i) => i * step).concat(FIGURES.slice(step));
  return segmentOf(valuesOf(size, step), figures);
}

test("1: every way", () => {
  const seen = { counted: 0, "other in first": 0, "first in other": 0, merged: 0 };
  fc.assert(
    fc.property(
      fc.record({
        sizes: fc.tuple(fc.constantFrom(...SIZES), fc.constantFrom(...SIZES)),
        steps: fc.tuple(fc.constantFrom(1, 2, 5), fc.constantFrom(1, 2, 3)),
        rounds: fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(1_000)), {
          minLength: 1,
          maxLength: 6,
        }),
      }),
      ({ sizes, steps, rounds }) => {
        const first = sizedSegment(sizes[0], steps[0]);
        const other = sizedSegment(sizes[1], steps[1]);
        for (const [name, kind] of [
          ["colour", "term"],
          ["way", "path"],
          ["size", "number"],
        ] as const) {
          const [ofFirst, ofOther] = [first, other].map((segment) => groups(segment, name, kind));
          // The last round counts all.
          for (const [a, b, salt] of [...rounds, [6, 6, 0] as const]) {
            /** About one of 2^(6 - share). */
            const counted = (all: Map<string | number, number>, share: number): Uint32Array =>
              Uint32Array.from([...all.values()].filter((_, i) => ((i * 31 + salt) & (63 >> share)) === 0));
            const countedOfFirst = counted(ofFirst, a);
            const countedOfOther = counted(ofOther, b);
            const before = sharedKeyBytes(first);
            const shared = new SharedKeys(name, kind).between(first, other, countedOfFirst, countedOfOther);
            const all = new Map(
              [...ofFirst].flatMap(([key, ordinal]) => {
                const same = ofOther.get(key);
                return same === undefined ? [] : [[ordinal, same] as const];
              }),
            );
            const found = new Map(Array.from(shared.ofFirst, (ordinal, i) => [ordinal, shared.ofOther[i]]));
            // Of what was counted all, and nothing that is not so.
            const [isInFirst, isInOther] = [new Set(countedOfFirst), new Set(countedOfOther)];
            for (const [ordinal, same] of all) {
              const isCounted = isInFirst.has(ordinal) && isInOther.has(same);
              if (isCounted || found.has(ordinal)) expect(found.get(ordinal)).toBe(same);
            }
            for (const ordinal of found.keys()) expect(all.has(ordinal)).toBe(true);
            for (const column of [shared.ofFirst, shared.ofOther]) {
              expect([...column]).toEqual([...column].sort((x, y) => x - y));
            }

            if (all.size === 0) continue;
            if (sharedKeyBytes(first) === before) {
              if (found.size < all.size) seen.counted++;
              continue;
            }
            // Kept, so it is all there is.
            expect(found.size).toBe(all.size);
            const [one, two] = [first, other].map((segment) => {
              const field = segment.facets.field(name, kind);
              return (field?.end ?? 0) - (field?.start ?? 0);
            });
            if (two * 6 < one) seen["other in first"]++;
            else if (one * 6 < two) seen["first in other"]++;
            else seen.merged++;
          }
        }
      },
    ),
    { numRuns: runs(60) },
  );
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
});
