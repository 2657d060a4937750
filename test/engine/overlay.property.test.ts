// Changed numbers (index-engine/index/doc-values): a reader that has them laid over its segments answers what a reader
// built anew of the changed products answers.
//
// 1. Over random histories of updates, deletions, changed prices and stocks and merges, every search (hits, order,
//    scores, counts, facets with their ranges, distinct values, ids) equals that of one fresh segment (which
//    search.property.test.ts holds against the slow twin). So it is through manifests (packed and unpacked), after
//    merging all, and over three shards.
// 2. SegmentNumbers is a map of maps; packing keeps what is wanted, to the last bit.
// 3. Facet data keeps its form: lists and rows say the same, values ascend, each has a row, nobody's ordinals have
//    none.
// 4. A reader that was taken before a change goes on answering as before.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  LARGEST_DELTA,
  type IndexableProduct,
  type LiveSegment,
  type Segment,
  packNumbers,
  SegmentNumbers,
  unpackNumbers,
} from "../../src/index-engine/segment/model/index.ts";
import type { Execution } from "../../src/index-engine/query/execution.ts";
import { writtenEntry } from "./facets/counting.ts";
import type { Offsets } from "../../src/index-engine/base/index.ts";
import { OverlaidSegment } from "../../src/index-engine/index/doc-values/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { search } from "../../src/index-engine/search.ts";
import { searchAll } from "./support/search-all.ts";
import { forAll, long, runs, seed } from "../support/property.ts";
import { batches, fields, IDS, request, tenant } from "./support/catalogue.ts";
import { buildSegment, merged } from "./support/indexing.ts";
import { list } from "./support/products.ts";

const NUMBERS = [-5, 0, 0.1, 9.99, 10, 12.5, 15, 20, 1e3, 1e21, 5e-324];
const numberOrNone = fc.constantFrom(null, ...NUMBERS);

const EMPTY: IndexableProduct = {
  id: "",
  source: new TextEncoder().encode("{}"),
  texts: [],
  values: [],
  columns: [],
  variants: [],
};

type Change = readonly [id: string, field: "price" | "stock", value: number];

/** What happens after a batch, in order. */
const steps = fc.record({
  prices: fc.array(numberOrNone, { minLength: IDS.length, maxLength: IDS.length }),
  stocks: fc.array(numberOrNone, { minLength: IDS.length, maxLength: IDS.length }),
  odd: fc.array(fc.boolean(), { minLength: IDS.length, maxLength: IDS.length }),
  changes: fc.array(
    fc.tuple(fc.constantFrom(...IDS), fc.constantFrom("price" as const, "stock" as const), fc.constantFrom(...NUMBERS)),
    { maxLength: 12 },
  ),
  merge: fc.option(fc.tuple(fc.nat(6), fc.nat(6)), { freq: 3 }),
  pack: fc.boolean(),
  /** Facet data is made, so that the next changes are made of it. */
  look: fc.boolean(),
});

/** The product with one price (listed) and one stock (only filtered by) of its own, or none. */
function withOwn(product: IndexableProduct, price: number | null, stock: number | null): IndexableProduct {
  const values = product.values.filter(({ field }) => field !== "price");
  const columns = product.columns.filter(({ field }) => field !== "price" && field !== "stock");
  const own: [string, number | null, boolean][] = [
    ["price", price, true],
    ["stock", stock, false],
  ];
  for (const [field, value, facet] of own) {
    if (value === null) continue;
    values.push({ kind: "number", field, value, id: null, facet });
    columns.push({ field, value });
  }
  return { ...product, values, columns };
}

/** Variants whose prices have ids, or are not listed: values of one number that differ. */
function withOdd(product: IndexableProduct, odd: boolean): IndexableProduct {
  if (!odd) return product;
  const variants = product.variants.map((variant) => ({
    ...variant,
    values: variant.values.map((value) =>
      value.kind === "number" && value.field === "price"
        ? { ...value, id: value.value > 9 ? "p" : null, facet: value.value !== 15 }
        : value,
    ),
  }));
  return { ...product, variants };
}

function changed(product: IndexableProduct, field: string, value: number): IndexableProduct {
  const replaced = <T extends { readonly field: string }>(given: T): T =>
    given.field === field ? { ...given, value } : given;
  return { ...product, values: product.values.map(replaced), columns: product.columns.map(replaced) };
}

/** The product has a number of its own, and none of its variants several: what NumberFields.areChanged asks for. */
function mayChange({ columns, variants }: IndexableProduct, field: string): boolean {
  const own = (column: { readonly field: string }): boolean => column.field === field;
  return columns.some(own) && variants.every((one) => one.columns.filter(own).length <= 1);
}

function comparable(execution: Execution): unknown {
  const { facets } = execution;
  return {
    ...execution,
    hits: execution.hits.map(({ segment: _segment, row: _row, ...hit }) => ({
      ...hit,
      partial: 0,
      variantScore: hit.variantScore === null ? null : Number(hit.variantScore.toFixed(9)),
    })),
    facets:
      facets === null
        ? null
        : facets.fields().map(({ name, kind, coverage }) => {
            const field = facets.field(name, kind);
            return {
              name,
              kind,
              coverage,
              hasRepeats: field?.hasRepeats,
              values: field?.values().map((value) => writtenEntry(value)),
              top: new Set(field?.top(2).map((value) => writtenEntry(value))),
              distinct: field?.distinctValues(Infinity),
              owned: field?.values().map((entry) => field?.ownsId(entry)),
              ranges:
                kind === "number"
                  ? field?.countRanges([
                      { lower: -5, upper: 0.1 },
                      { lower: 9.99, upper: 12.5 },
                      { lower: 20, upper: 1e21 },
                    ])
                  : null,
              numbers: kind === "number" ? field?.numbers() : null,
            };
          }),
  };
}

/** As it comes out of a manifest. */
function reopened(reader: Reader): Reader {
  return Reader.ofDisjoint(
    reader.segments.map(({ segment, deleted, deletedCount }): LiveSegment => {
      const numbers =
        segment instanceof OverlaidSegment
          ? unpackNumbers(
              packNumbers(segment.numbers, (row) => deleted === null || ((deleted[row >>> 5] >>> row) & 1) === 0),
            )
          : null;
      return { segment: segment.base, deleted, deletedCount, numbers };
    }),
  );
}

function checkForm(segment: Segment): void {
  const { facets } = segment;
  const withRow = new Set<number>();
  for (const [starts, deltas, postings] of [
    [facets.productDeltaStarts, facets.productDeltas, facets.productPostings],
    [facets.variantDeltaStarts, facets.variantDeltas, facets.variantPostings],
  ] as const) {
    if (starts === null || deltas === null || postings === null) continue;
    const lists = new Map<number, number[]>();
    for (let row = 0; row + 1 < starts.length; row++) {
      let ordinal = postings === facets.productPostings ? facets.beforeProducts : -1;
      for (let at = starts.at(row); at < starts.at(row + 1); at++) {
        ordinal += deltas[at] === 0 ? LARGEST_DELTA : deltas[at];
        if (deltas[at] === 0) continue;
        lists.set(ordinal, [...(lists.get(ordinal) ?? []), row]);
      }
    }
    for (let ordinal = 0; ordinal < facets.valueCount; ordinal++) {
      const rows = lists.get(ordinal) ?? [];
      if (rows.length > 0) withRow.add(ordinal);
      expect(list(postings, ordinal).rows).toEqual(rows);
      expect(postings.count(ordinal)).toBe(rows.length);
      const decoded = new Uint32Array(rows.length);
      expect(postings.decode(ordinal, decoded, null)).toBe(rows.length);
      expect([...decoded]).toEqual(rows);
      const cursor = postings.cursor();
      cursor.open(ordinal);
      for (const row of rows) expect(cursor.advance(row)).toBe(row);
    }
  }
  const named = new Set<number>();
  for (const field of facets.fields) {
    expect(facets.field(field.name, field.kind)).toBe(field);
    let before = -Infinity;
    for (let ordinal = field.start; ordinal < field.end; ordinal++) {
      named.add(ordinal);
      expect(facets.fieldOf(ordinal)).toBe(field);
      if (field.kind !== "number") continue;
      const number = facets.number(ordinal);
      expect(number).toBeGreaterThanOrEqual(before);
      before = number;
      const [start, end] = facets.numberRange(field, number, number);
      expect(start <= ordinal && ordinal < end).toBe(true);
    }
  }
  expect([...withRow].sort((a, b) => a - b)).toEqual([...named].sort((a, b) => a - b));
}

/** What was made step by step is what is made at once; whether the segment has changed numbers. */
function checkSteps(segment: Segment): boolean {
  if (!(segment instanceof OverlaidSegment)) return false;
  // As text: comparing long arrays number by number takes seconds.
  const text = (numbers: Uint32Array | Uint16Array | null): string | null => (numbers === null ? null : numbers.join());
  const all = (offsets: Offsets | null): string | null =>
    offsets === null ? null : Array.from({ length: offsets.length }, (_, i) => offsets.at(i)).join();
  const arrays = ({ facets }: Segment): unknown => [
    facets.valueCount,
    text(facets.sameKey),
    text(facets.filterOnly),
    all(facets.productDeltaStarts),
    text(facets.productDeltas),
    all(facets.variantDeltaStarts),
    text(facets.variantDeltas),
    facets.fields.map(({ name, kind, start, end }) => ({ name, kind, start, end })),
  ];
  expect(arrays(segment)).toEqual(arrays(new OverlaidSegment(segment.base, segment.numbers)));
  return true;
}

test(`changed numbers answer as documents indexed anew (seed ${seed})`, () => {
  let stepwise = 0;
  forAll(
    runs(30, 10),
    batches,
    fc.array(steps, { minLength: 7, maxLength: 7 }),
    tenant,
    fc.array(request, { minLength: 6, maxLength: 6 }),
    (all, after, config, requests) => {
      const model = new Map<string, IndexableProduct>();
      let reader = Reader.empty;
      const shards = [Reader.empty, Reader.empty, Reader.empty];
      const shardOf = (id: string): number => (id.codePointAt(0) ?? 0) % 3;
      all.forEach(({ products, deleted }, i) => {
        const { prices, stocks, odd, changes, merge, pack, look } = after[i];
        const written = products.map((product) => {
          const at = IDS.indexOf(product.id);
          return withOdd(withOwn(product, prices[at], stocks[at]), odd[at]);
        });
        for (const product of written) model.set(product.id, product);
        for (const id of deleted) model.delete(id);
        const usable: Change[] = [];
        for (const change of changes) {
          const [id, field, value] = change;
          const product = model.get(id);
          if (product === undefined || !mayChange(product, field)) continue;
          model.set(id, changed(product, field, value));
          usable.push(change);
        }
        const update = (given: Reader, wanted: (id: string) => boolean): Reader => {
          const own = written.filter(({ id }) => wanted(id));
          const gone = deleted.filter(wanted);
          let next = given;
          if (own.length > 0) next = next.withUpdate(buildSegment(own), []);
          if (gone.length > 0) next = next.withUpdate(null, gone);
          return next.withNumbers(
            usable.filter(([id]) => wanted(id)).map(([id, field, value]) => [id, new Map([[field, value]])] as const),
          );
        };
        reader = update(reader, () => true);
        shards.forEach((shard, s) => (shards[s] = update(shard, (id) => shardOf(id) === s)));
        if (pack) reader = reopened(reader);
        if (look) {
          for (const one of [reader, ...shards]) {
            for (const { segment } of one.segments) expect(segment.facets.valueCount).toBeDefined();
          }
        }
        if (merge !== null) reader = merged(reader, Math.min(...merge), Math.max(...merge));
      });
      for (const { segment } of reader.segments) {
        checkForm(segment);
        if (checkSteps(segment)) stepwise++;
      }
      const live = [...model.values()];
      const fresh = live.length === 0 ? Reader.empty : Reader.of([buildSegment(live)]);
      const before = requests.map((one) => comparable(search(reader, one, config, fields)));
      requests.forEach((one, i) => {
        const expected = comparable(search(fresh, one, config, fields));
        expect(before[i]).toEqual(expected);
        expect(comparable(searchAll(shards, one, config, fields))).toEqual(expected);
        const whole = merged(reader, 0, reader.segments.length);
        expect(comparable(search(whole, one, config, fields))).toEqual(expected);
      });
      reader.withNumbers(live.map(({ id }) => [id, new Map([["price", 77]])] as const));
      requests.forEach((one, i) => {
        expect(comparable(search(reader, one, config, fields))).toEqual(before[i]);
      });
    },
  );
  expect(stepwise).toBeGreaterThan(4);
});

test("deltas over 65,535 come and go with the numbers before them", () => {
  const PRICED = 8;
  const values = LARGEST_DELTA + 5 - 2 * PRICED;
  const own = (field: string, texts: readonly string[]): IndexableProduct["values"] =>
    texts.map((text) => ({ kind: "term", field, value: text, id: null, facet: true }));
  const others = Array.from({ length: 99 }, (_, i): IndexableProduct => {
    const texts = Array.from({ length: Math.ceil(values / 99) }, (_unused, at) => `z${i * 1_000 + at}`);
    return { ...EMPTY, id: `other ${i}`, values: own("z", texts.slice(0, values - i * texts.length)) };
  });
  const priced = Array.from({ length: PRICED }, (_, i): IndexableProduct =>
    withOwn({ ...EMPTY, id: `priced ${i}`, values: own("a", [`a${i + 100}`]) }, i, null),
  );
  const base = buildSegment([...priced, ...others]);
  expect(base.facets.valueCount).toBe(LARGEST_DELTA + 5);
  let reader = Reader.of([base]);
  const lengths = new Set<number>();
  // Each new number below all others moves those up by one, each that leaves its place moves them down.
  for (let i = 0; i < PRICED + 6; i++) {
    reader = reader.withNumbers([[`priced ${(i * 7) % PRICED}`, new Map([["price", i % 3 === 0 ? 5 : -i]])]]);
    const [{ segment }] = reader.segments;
    lengths.add(segment.facets.productDeltas.length);
    // 65,535 deltas are many to compare.
    if (long || i % 5 === 0) expect(checkSteps(segment)).toBe(true);
  }
  checkForm(reader.segments[0].segment);
  expect(lengths.size).toBeGreaterThan(1);
});

test("changed numbers of a segment are a map of maps", () => {
  const change = fc.tuple(
    fc.nat(40),
    fc.constantFrom("price", "stock"),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  forAll(runs(200, 80), fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 8 }), (rounds) => {
    const model = new Map<number, Map<string, number>>();
    let numbers = SegmentNumbers.none;
    for (const round of rounds) {
      const changes = new Map<number, Map<string, number>>();
      for (const [row, field, value] of round) {
        for (const target of [model, changes]) {
          const own = target.get(row) ?? new Map<string, number>();
          target.set(row, own.set(field, value));
        }
      }
      numbers = numbers.with(changes);
    }
    const packed = unpackNumbers(
      JSON.parse(JSON.stringify(packNumbers(numbers, (row) => row % 3 !== 0))) as ReturnType<typeof packNumbers>,
    );
    for (let row = 0; row <= 41; row++) {
      const expected = model.get(row);
      expect(numbers.at(row)).toEqual(expected ?? null);
      // JSON has no minus zero; nobody changes a number to it (documents/number-updates.ts).
      const plain = [...(expected ?? [])].map(([field, value]) => [field, value + 0] as const);
      const kept = row % 3 === 0 || expected === undefined ? null : new Map(plain);
      expect(packed.at(row)).toEqual(kept);
    }
    expect(numbers.count).toBe([...model.values()].reduce((sum, { size }) => sum + size, 0));
  });
});
