/**
 * (What facet data holds is proved in segment-build.test.ts; here is what is looked up in it.)
 * 1. group, numberRange and withId answer as filters over the list of values do.
 * 2. firstOfGroup is the first ordinal with the same key; productPostings and variantPostings are the inverse of the
 *    rows.
 * 3. text of a number fails loudly; number of a text is NaN.
 * 4. `single` says whether no product has two values of a field, and nothing only where variants have some; also of a
 *    merge.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { firstOfGroup } from "../../src/index-engine/segment/facet-values/index.ts";
import type { FacetField } from "../../src/index-engine/segment/model/index.ts";
import { mergeSegments, openSegment } from "../../src/index-engine/segment/index.ts";
import { forAll, runs } from "../support/property.ts";
import { anyProduct, build, contentsOf, list, number, product, term } from "./support/products.ts";
import { live } from "../../src/index-engine/index/reader.ts";

test("1, 2: look-ups and inverse lists", () => {
  forAll(runs(120), fc.array(anyProduct, { maxLength: 10 }), (products) => {
    const { facets } = build(products).segment;
    const expected = contentsOf(products);
    let start = 0;
    for (const { name, kind, values } of expected.fields) {
      const field = facets.fields.find((each) => each.name === name && each.kind === kind);
      if (field === undefined) throw new Error(`no ${name} ${kind}`);
      expect(facets.field(name, field.kind)).toBe(field);
      expect([field.start, field.end]).toEqual([start, start + values.length]);
      const at = (matches: (value: (typeof values)[number]) => boolean): number[] =>
        values.flatMap((value, i) => (matches(value) ? [start + i] : []));
      for (const key of ["red", "Red", "a/b", "A/B", "", "ﬀ", "𝒳", "zzz", 0, 1, Infinity, 99]) {
        const ordinals = at((value) => value[0] === key);
        const group = facets.group(field, key);
        if (ordinals.length === 0) expect(group).toBeNull();
        else expect(group).toEqual([ordinals[0], ordinals[ordinals.length - 1] + 1]);
      }
      if (kind === "number") {
        for (const [lower, upper] of [
          [0, 1],
          [-2, -1],
          [-Infinity, Infinity],
          [1, 0],
          [3, 1e301],
        ]) {
          const [first, end] = facets.numberRange(field, lower, upper);
          const inside = Array.from({ length: end - first }, (_, i) => first + i);
          expect(inside).toEqual(at(([, value]) => Number(value) >= lower && Number(value) <= upper));
        }
      }
      for (const id of ["1", "2", "𝒳", "3"]) {
        expect(facets.withId(field, id)).toEqual(at((value) => value[2] === id));
      }
      values.forEach(([key], i) => {
        expect(firstOfGroup(facets.sameKey, start + i)).toBe(at((value) => value[0] === key)[0]);
      });
      start += values.length;
    }
    const inverse = (rows: readonly (readonly number[])[], ordinal: number): number[] =>
      rows.flatMap((values, row) => (values.includes(ordinal) ? [row] : []));
    for (let ordinal = 0; ordinal < facets.valueCount; ordinal++) {
      expect(list(facets.productPostings, ordinal).rows).toEqual(inverse(expected.productValues, ordinal));
      if (facets.variantPostings === null) continue;
      expect(list(facets.variantPostings, ordinal).rows).toEqual(inverse(expected.variantValues, ordinal));
    }
    expect(facets.variantPostings === null).toBe(expected.variantValues.length === 0);
  });
});

function fieldOf(values: Parameters<typeof product>[1], name: string, kind: FacetField["kind"]) {
  const { facets } = build([product("a", values)]).segment;
  const field = facets.field(name, kind);
  if (field === null) throw new Error(`no ${name}`);
  return { facets, field };
}

test("3: texts and numbers", () => {
  const { facets } = fieldOf({ values: [number("n", 2.5), term("t", "x")] }, "n", "number");
  expect(() => facets.text(0)).toThrow("is a number");
  expect([facets.number(0), facets.number(1)]).toEqual([2.5, NaN]);
  expect(() => facets.text(2)).toThrow(RangeError);
  expect(facets.field("t", "number")).toBeNull();
});

test("4: fields of which no product has two values", () => {
  const seen = new Map<boolean | null, number>();
  forAll(runs(100), fc.array(fc.array(anyProduct, { maxLength: 5 }), { minLength: 1, maxLength: 3 }), (lists) => {
    const inputs = lists.map((products, i) => live(build(products, `block${i}`).segment));
    for (const segment of [inputs[0].segment, openSegment(mergeSegments(inputs))]) {
      const { facets, productCount } = segment;
      for (const { start, end, single, onVariants } of facets.fields) {
        const valuesOf = new Map<number, Set<number>>();
        for (let ordinal = start; ordinal < end; ordinal++) {
          const rows = new Uint32Array(productCount + segment.variantRowCount);
          for (let i = facets.productPostings.decode(ordinal, rows, null); i > 0; i--) {
            add(valuesOf, rows[i - 1], ordinal);
          }
          const count = facets.variantPostings?.decode(ordinal, rows, null) ?? 0;
          for (let i = 0; i < count; i++) {
            const product = segment.variantRows.productOf(rows[i]);
            add(valuesOf, product, ordinal);
          }
        }
        const isSingle = [...valuesOf.values()].every(({ size }) => size === 1);
        if (single === null) expect(onVariants).toBe(true);
        else expect(single).toBe(isSingle);
        seen.set(single, (seen.get(single) ?? 0) + 1);
      }
    }
  });
  expect([...seen.keys()].map(String).sort()).toEqual(["false", "null", "true"]);
});

function add(sets: Map<number, Set<number>>, row: number, ordinal: number): void {
  const known = sets.get(row);
  if (known === undefined) sets.set(row, new Set([ordinal]));
  else known.add(ordinal);
}
