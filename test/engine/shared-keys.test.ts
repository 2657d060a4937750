/**
 * 1. Of any counted groups of two segments those with equal keys are found as a pair, and no others; ask as often as you like, so that both
 *    ways of finding them are taken.
 * 2. Asking for few values of many is not charged with naming all of them: nothing is kept until it would have paid.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FacetKind } from "../../src/index-engine/model.ts";
import { SharedKeys, sharedKeyBytes } from "../../src/index-engine/facets/shared-keys.ts";
import type { OpenedSegment } from "../../src/index-engine/segment/index.ts";
import { runs } from "../support/property.ts";
import { build, number, path, product, term } from "./support/products.ts";

const texts = fc.array(
  fc.constantFrom(
    "Red",
    "red",
    "RED",
    "blue",
    "Blue",
    "green",
    "Größe",
    "GRÖSSE",
    "ß",
    "ﬀ",
    "x",
    "",
  ),
  { maxLength: 12 },
);
const numbers = fc.array(fc.constantFrom(-1.5, 0, -0, 2, 3, 1e300, Infinity), { maxLength: 8 });

function segmentOf(values: readonly string[], figures: readonly number[]): OpenedSegment {
  return build([
    product("none"),
    ...values.map((value, i) =>
      product(`p${i}`, { values: [term("colour", value), path("way", value)] }),
    ),
    ...figures.map((figure, i) => product(`n${i}`, { values: [number("size", figure)] })),
  ]).segment;
}

/** First ordinal of each group of the field, with its key. */
function groups(
  segment: OpenedSegment,
  name: string,
  kind: FacetKind,
): Map<string | number, number> {
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

test("1: pairs", () => {
  fc.assert(
    fc.property(
      texts,
      texts,
      numbers,
      numbers,
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 12 }),
      (one, two, three, four, rounds) => {
        const first = segmentOf(one, three);
        const other = segmentOf(two, four);
        for (const [name, kind] of [
          ["colour", "term"],
          ["way", "path"],
          ["size", "number"],
        ] as const) {
          const [ofFirst, ofOther] = [first, other].map((segment) => groups(segment, name, kind));
          for (const [inFirst, inOther] of rounds) {
            // A bit for each group: whether it was counted.
            const counted = (all: Map<string | number, number>, bits: number): Uint32Array =>
              Uint32Array.from([...all.values()].filter((_, i) => ((bits >>> i) & 1) === 1));
            const [a, b] = [counted(ofFirst, inFirst), counted(ofOther, inOther)];
            const shared = new SharedKeys(name, kind).between(first, other, a, b);
            const expected = [...ofFirst]
              .map(([key, ordinal]) => [ordinal, ofOther.get(key) ?? -1])
              .filter(([ordinal, same]) => a.includes(ordinal) && b.includes(same));
            const pairs = Array.from(shared.ofFirst, (ordinal, i) => [ordinal, shared.ofOther[i]]);
            for (const column of [shared.ofFirst, shared.ofOther]) {
              expect([...column]).toEqual([...column].sort((x, y) => x - y));
            }
            expect(
              pairs.filter(([ordinal, same]) => a.includes(ordinal) && b.includes(same)),
            ).toEqual(expected);
            for (const [ordinal, same] of pairs) {
              expect([...ofFirst.values()].indexOf(ordinal)).toBeGreaterThanOrEqual(0);
              expect([...ofFirst].find(([, o]) => o === ordinal)?.[0]).toEqual(
                [...ofOther].find(([, o]) => o === same)?.[0],
              );
            }
          }
        }
      },
    ),
    { numRuns: runs(120) },
  );
});

test("2: what is kept", () => {
  const many = (from: number): string[] => Array.from({ length: 1_000 }, (_, i) => `v${from + i}`);
  const first = segmentOf(many(0), []);
  const other = segmentOf(many(500), []);
  const of = groups(first, "colour", "term");
  const also = groups(other, "colour", "term");
  const one = Uint32Array.of(of.get("v700") ?? -1);
  const all = Uint32Array.from(also.values());
  const ask = (): number =>
    new SharedKeys("colour", "term").between(first, other, one, all).ofFirst.length;
  for (let i = 0; i < 100; i++) expect(ask()).toBe(1);
  expect(sharedKeyBytes(first)).toBe(0);
  for (let i = 0; i < 1_000; i++) ask();
  expect(sharedKeyBytes(first)).toBeGreaterThan(500 * 8);
  expect(ask()).toBe(500);
});
