/**
 * 1. Of any counted groups of a segment, those with a key that another segment has are found there, and no others; ask
 *    as often as you like: for each of the ways to find what they have in common, for segments of like and of very
 *    different sizes.
 * 2. Asking for few values of many is not charged with comparing all of them: nothing is kept until it would have paid.
 * 3. What is kept of texts is counted as long as their segment is there, whatever numbers change in it.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sameGroups, sameGroupBytes } from "../../src/index-engine/answer/facets/same-groups.ts";
import { OverlaidSegment } from "../../src/index-engine/index/doc-values/index.ts";
import type { OpenedSegment } from "../../src/index-engine/segment/index.ts";
import { SegmentNumbers, type FacetField, type FacetKind } from "../../src/index-engine/segment/model/index.ts";
import { forAll, runs } from "../support/property.ts";
import { build, number, path, product, term } from "./support/products.ts";

function segmentOf(values: readonly string[], figures: readonly number[]): OpenedSegment {
  return build([
    product("none"),
    ...values.map((value, i) => product(`p${i}`, { values: [term("colour", value), path("way", value)] })),
    ...figures.map((figure, i) => product(`n${i}`, { values: [number("size", figure)] })),
  ]).segment;
}

interface Field {
  readonly segment: OpenedSegment;
  readonly field: FacetField;
  /** First ordinal of each group, by key. */
  readonly groups: ReadonlyMap<string | number, number>;
}

/** Null if the segment does not have the field. */
function fieldOf(segment: OpenedSegment, name: string, kind: FacetKind): Field | null {
  const field = segment.facets.field(name, kind);
  if (field === null) return null;
  const groups = new Map<string | number, number>();
  for (let ordinal = field.start; ordinal < field.end; ordinal++) {
    const key =
      kind === "number"
        ? segment.facets.number(ordinal) + 0
        : kind === "term"
          ? segment.facets.text(ordinal).toLowerCase()
          : segment.facets.text(ordinal);
    if (!groups.has(key)) groups.set(key, ordinal);
  }
  return { segment, field, groups };
}

test("2: what is kept", () => {
  const many = (from: number): string[] => Array.from({ length: 1_000 }, (_, i) => `v${from + i}`);
  const one = fieldOf(segmentOf(many(0), []), "colour", "term");
  const other = fieldOf(segmentOf(many(500), []), "colour", "term");
  if (one === null || other === null) throw new Error("no colours");
  const asked = Uint32Array.of(one.groups.get("v700") ?? -1);
  const ask = (): number[] => [...(sameGroups(one, asked, other) ?? [-1])];
  for (let i = 0; i < 100; i++) expect(ask()).toEqual([other.groups.get("v700")]);
  expect(sameGroupBytes(other.segment)).toBe(0);
  for (let i = 0; i < 1_000; i++) ask();
  expect(sameGroupBytes(other.segment)).toBeGreaterThan(1_000 * 4);
  expect(ask()).toEqual([other.groups.get("v700")]);
});

test("3: beside changed numbers", () => {
  const values = Array.from({ length: 1_000 }, (_, i) => `v${i}`);
  const one = fieldOf(segmentOf(values, []), "colour", "term");
  const { segment: base } = fieldOf(segmentOf(values, [1]), "colour", "term") ?? {};
  if (one === null || base === undefined) throw new Error("no colours");
  const withStock = (stock: number): OverlaidSegment =>
    new OverlaidSegment(base, SegmentNumbers.none.with(new Map([[1, new Map([["stock", stock]])]])));
  const segment = withStock(1);
  const field = segment.facets.field("colour", "term");
  if (field === null) throw new Error("no colours");
  sameGroups(one, Uint32Array.from(one.groups.values()), { segment, field });
  expect(sameGroupBytes(segment)).toBeGreaterThan(1_000 * 4);
  expect(sameGroupBytes(withStock(2))).toBe(sameGroupBytes(segment));
});

const SIZES = [0, 1, 3, 20, 60, 400] as const;
/** Keys of several spellings and lengths, the empty one among them. */
const SPELT = [
  "Red",
  "red",
  "Größe",
  "GRÖSSE",
  "ß",
  "ﬀ",
  "",
  "\u{1f460}",
  "ＲＥＤ",
  "\u212a",
  "Rede",
  "Redé",
  "REDÉ",
  "Redè",
  "red×",
  "RedÞ",
  "redÿ",
  "REDEN",
  "RED",
];
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
  const seen = { counted: 0, "looked up": 0, merged: 0, none: 0 };
  forAll(
    runs(60),
    fc.record({
      sizes: fc.tuple(fc.constantFrom(...SIZES), fc.constantFrom(...SIZES)),
      steps: fc.tuple(fc.constantFrom(1, 2, 5), fc.constantFrom(1, 2, 3)),
      rounds: fc.array(fc.tuple(fc.nat(6), fc.nat(1_000)), { minLength: 1, maxLength: 6 }),
    }),
    ({ sizes, steps, rounds }) => {
      const first = sizedSegment(sizes[0], steps[0]);
      const second = sizedSegment(sizes[1], steps[1]);
      for (const [name, kind] of [
        ["colour", "term"],
        ["way", "path"],
        ["size", "number"],
      ] as const) {
        const one = fieldOf(first, name, kind);
        const other = fieldOf(second, name, kind);
        if (one === null || other === null) continue;
        // The last rounds count all.
        for (const [share, salt] of [...rounds, ...Array.from({ length: 12 }, () => [6, 0] as const)]) {
          // About one of 2^(6 - share).
          const counted = [...one.groups].filter((_, i) => ((i * 31 + salt) & (63 >> share)) === 0);
          const before = sameGroupBytes(second);
          const found = sameGroups(
            one,
            Uint32Array.from(counted, ([, ordinal]) => ordinal),
            other,
          );
          expect([...(found ?? counted.map(() => -1))]).toEqual(counted.map(([key]) => other.groups.get(key) ?? -1));
          if (sameGroupBytes(second) === before) {
            seen.counted++;
            continue;
          }
          const isLookedUp = (one.field.end - one.field.start) * 6 < other.field.end - other.field.start;
          seen[isLookedUp ? "looked up" : "merged"]++;
          if (sameGroupBytes(second) - before === 64) seen.none++;
        }
      }
    },
  );
  const { none, ...others } = seen;
  expect(none).toBeGreaterThan(0);
  for (const times of Object.values(others)) expect(times).toBeGreaterThan(5);
});
