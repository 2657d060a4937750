/**
 * 1. Counts, spellings, ids, coverage and order are those of the slow account (counting.ts): for any products with
 *    variants, values of any kind, ids and filterOnly values, some of them hashed, and keys that are listed in one
 *    segment and not in another; for any cut into segments with replaced and deleted products; for any match set by
 *    product or by variant row; for fields counted without their own filter.
 * 2. `hasRepeats`, `summary`, `top`, `entry`, `entriesWithId`, `numbers`, `countRanges`, `ownsId` and `distinctValues`
 *    say the same as `values`.
 * 3. Counting leaves no trace: counting something else in between changes nothing.
 * 4. Broad match sets (counted by their complement) and narrow ones agree; more than 65,535 values do too.
 * 5. Each segment, and each field with matches of its own, is counted in one part of the search.
 * 6. A segment that has counted many rows counts as before, with more and with fewer than 65,536 values, and with
 *    changed numbers. What it keeps for this does not exhaust the budget of a search.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasBit } from "../../../src/index-engine/base/bits.ts";
import { run, work } from "../../../src/index-engine/base/index.ts";
import { STEPS_OF_ROW } from "../../../src/index-engine/answer/facets/count-rows.ts";
import { LIMITS } from "../../../src/interface/index.ts";
import { countFacets, countingBytes, type LocalFacetCounts } from "../../../src/index-engine/answer/facets/index.ts";
import { filterKey, HASHED_VALUE_PREFIX, VARIANT_ID_FIELD } from "../../../src/index-engine/documents/index.ts";
import {
  FACET_KINDS,
  type FacetKind,
  type FieldValue,
  type IndexableProduct,
} from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { forAll, runs } from "../../support/property.ts";
import { anyProduct, build, number, product, term } from "../support/products.ts";
import {
  countInputs,
  countSlowly,
  writtenEntry,
  effectiveValues,
  liveProducts,
  ownsIdSlowly,
  type Passing,
} from "./counting.ts";

/** Colours are called like the ids of variants in every second scenario: those are counted when they are asked for. */
const FIELDS = ["colour", "size", "Category", "price", VARIANT_ID_FIELD] as const;
const RANGES = [
  { lower: -Infinity, upper: -1 },
  { lower: 0, upper: 0 },
  { lower: 1, upper: 2 },
  { lower: 1e200, upper: Infinity },
];

/**
 * What a batch makes of its values: how somebody has written them, or as configuration that differs from segment to
 * segment has it.
 */
type Listing = "as they are" | "all" | "none" | "no terms";

/**
 * Spellings that become others where values are long. Two are too long to be stored whole if they are never listed; no
 * field has empty ones.
 */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["Straße", "A text that is as long as a description of a product tends to be, or longer."],
  ["A/B", "x".repeat(90)],
  ["", "none"],
]);

/** `isLong`: some spellings become long texts, which are stored as hashes where they are not listed. */
function relisted(value: FieldValue, listing: Listing, isLong: boolean): FieldValue {
  const isTerm = value.kind === "term";
  const isUnlisted = listing === "none" || (listing === "no terms" && isTerm);
  const facet = listing === "all" || (!isUnlisted && value.facet);
  if (!isTerm || !isLong) return { ...value, facet };
  const text = INSTEAD.get(value.value) ?? value.value;
  const spelt = value.id === "1" ? text.toUpperCase() : text;
  return { ...value, facet, value: facet ? spelt : filterKey(spelt) };
}

function relistedProduct(given: IndexableProduct, listing: Listing, isLong: boolean): IndexableProduct {
  const values = (all: readonly FieldValue[]): FieldValue[] => all.map((value) => relisted(value, listing, isLong));
  return {
    ...given,
    values: values(given.values),
    variants: given.variants.map((row) => ({ ...row, values: values(row.values) })),
  };
}

function withColoursAs(given: IndexableProduct, name: string): IndexableProduct {
  const values = (all: readonly FieldValue[]): FieldValue[] =>
    all.map((value) => (value.field === "colour" ? { ...value, field: name } : value));
  return {
    ...given,
    values: values(given.values),
    variants: given.variants.map((row) => ({ ...row, values: values(row.values) })),
  };
}

/** Deterministic from a number: which rows pass, with the given share out of 8. */
function passing(salt: number, share: number, byVariant: boolean): Passing {
  return (id, variant) => {
    let hash = salt;
    for (const character of `${id} ${byVariant ? variant : 0}`) {
      hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) | 0;
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return ((hash >>> 8) & 7) < share;
  };
}

const scenario = fc.record({
  batches: fc
    .tuple(
      fc.array(
        fc.tuple(
          fc.array(anyProduct, { maxLength: 9 }),
          fc.constantFrom<Listing>("as they are", "as they are", "all", "none", "no terms"),
        ),
        { maxLength: 4 },
      ),
      fc.boolean(),
      fc.constantFrom("colour", VARIANT_ID_FIELD),
    )
    .map(([all, isLong, colour]) =>
      all.map(([products, listing]) =>
        products.map((each) => withColoursAs(relistedProduct(each, listing, isLong), colour)),
      ),
    ),
  deleted: fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 3 }),
  salt: fc.nat(10_000),
  share: fc.nat(8),
  byVariant: fc.boolean(),
  postField: fc.constantFrom(null, ...FIELDS),
});

function readerOf(batches: readonly IndexableProduct[][], deleted: readonly string[]): Reader {
  let reader = Reader.empty;
  for (const batch of batches) {
    if (batch.length > 0) reader = reader.withUpdate(build(batch).segment, []);
  }
  return reader.withUpdate(null, deleted);
}

function everything(counts: LocalFacetCounts): unknown {
  return counts.fields().map(({ name, kind, coverage }) => ({
    name,
    kind,
    coverage,
    values: counts
      .local(name, kind)
      .values()
      .map((value) => writtenEntry(value)),
  }));
}

test("1, 2, 3: as the slow account", () => {
  const seen: Seen = { listedInOne: 0, hashed: 0, repeatedAcross: 0 };
  forAll(runs(240, 80), scenario, ({ batches, deleted, salt, share, byVariant, postField }) => {
    const reader = readerOf(batches, deleted);
    const live = liveProducts(batches, new Set(deleted));
    const all = passing(salt, share, byVariant);
    const wider = passing(salt, Math.min(8, share + 2), byVariant);
    const without = new Map(postField === null ? [] : [[postField, wider] as const]);
    const counts = run(countFacets(countInputs(reader, all, without, !byVariant)));

    // 3: something else in between.
    const other = run(countFacets(countInputs(reader, passing(salt + 1, 4, true), new Map(), false)));
    other.fields();

    const productsOf = (name: string): FieldValue[][] =>
      live.map((each) => effectiveValues(each, name === postField ? wider : all)).filter((values) => values !== null);
    const expected: unknown[] = [];
    for (const name of [...FIELDS].sort()) {
      for (const kind of FACET_KINDS) {
        const values = countSlowly(productsOf(name), name, kind);
        if (values.length === 0) continue;
        const coverage = values.reduce((sum, { count }) => sum + count, 0);
        expected.push({ name, kind, coverage, values });
      }
    }
    expect(everything(counts)).toEqual(expected);
    expectViews(counts, live, productsOf);
    look(seen, reader, all);
  });
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});

/** Which of the cases that several segments make of a field there were. */
interface Seen {
  /** A key that is listed in one segment with a match and never in another one with a match. */
  listedInOne: number;
  /** The same of a field in which all that is never listed is hashed. */
  hashed: number;
  /** Entries of which no segment has a second product, but several have one. */
  repeatedAcross: number;
}

function look(seen: Seen, reader: Reader, all: Passing): void {
  const inSegments = reader.segments.map(({ segment, deleted }) => {
    const keys = new Map<string, { listed: boolean; hidden: boolean; hashed: boolean; products: number }>();
    const { facets } = segment;
    for (const field of facets.fields) {
      if (field.kind !== "term") continue;
      for (let ordinal = field.start; ordinal < field.end; ordinal++) {
        const rows = new Uint32Array(facets.productPostings.count(ordinal));
        facets.productPostings.decode(ordinal, rows, null);
        const matching = [...rows].filter(
          (row) => (deleted === null || !hasBit(deleted, row)) && all(segment.ids.get(row), 0),
        );
        if (matching.length === 0) continue;
        const text = facets.text(ordinal);
        const key = `${field.name} ${text.toLowerCase()}`;
        const known = keys.get(key) ?? { listed: false, hidden: false, hashed: false, products: 0 };
        keys.set(key, known);
        if (facets.filterOnly !== null && hasBit(facets.filterOnly, ordinal)) {
          known.hidden = true;
          known.hashed = text.startsWith(HASHED_VALUE_PREFIX);
        } else known.listed = true;
        known.products += matching.length;
      }
    }
    return keys;
  });
  const every = inSegments.flatMap((keys) => [...keys]);
  for (const [key, one] of every) {
    const same = every.filter(([other]) => other === key).map(([, each]) => each);
    if (one.hidden && !one.listed && same.some(({ listed }) => listed)) seen.listedInOne++;
    if (one.hashed) seen.hashed++;
    if (same.length > 1 && same.every(({ products }) => products === 1)) seen.repeatedAcross++;
  }
}

/**
 * What the other views say, and what follows from `values` and the products for them. One comparison per case:
 * expecting is slow.
 */
function expectViews(
  counts: LocalFacetCounts,
  live: readonly IndexableProduct[],
  productsOf: (name: string) => FieldValue[][],
): void {
  const said: unknown[] = [];
  const expected: unknown[] = [];
  const everyValue = live.map((each) => effectiveValues(each, () => true) ?? []);
  for (const name of FIELDS) {
    for (const kind of FACET_KINDS) {
      const field = counts.local(name, kind);
      const values = field.values();
      const coverage = values.reduce((sum, { count }) => sum + count, 0);
      said.push(field.coverage, counts.field(name, kind) === null);
      expected.push(coverage, coverage === 0);
      // From its coverage on a field is listed, and not from one more.
      for (const least of [coverage, coverage + 1]) {
        const fields = counts.fields({ term: least, number: least, path: least });
        said.push(fields.filter((one) => one.name === name && one.kind === kind));
        expected.push(least === coverage && coverage > 0 ? [{ name, kind, coverage }] : []);
      }
      said.push(field.hasRepeats);
      expected.push(values.some(({ count }) => count > 1));
      said.push(field.size, field.largestCount);
      expected.push(values.length, Math.max(0, ...values.map(({ count }) => count)));
      // Stable: ties stay in the order of keys.
      const byCount = [...values].sort((a, b) => b.count - a.count);
      for (const limit of [0, 1, 2, 3, 100]) {
        const found = new Map(field.top(limit).map((value) => [value.key, value]));
        said.push(found);
        expected.push(new Map(byCount.slice(0, limit).map((value) => [value.key, value])));
        said.push(new Map(field.top(limit, hasEvenLength).map((value) => [value.key, value])));
        const even = byCount.filter(({ key }) => hasEvenLength(key));
        expected.push(new Map(even.slice(0, limit).map((value) => [value.key, value])));
      }
      if (kind !== "number") {
        const keys = [...values.map(({ key }) => String(key)), "nothing has this key"];
        said.push(keys.map((key) => field.entry(key)));
        expected.push([...values, null]);
      }
      const ids = [...new Set(values.flatMap((value) => value.ids)), "nothing has this id"];
      said.push(ids.map((id) => field.entriesWithId(id)));
      expected.push(ids.map((id) => values.filter((value) => value.ids.includes(id))));
      said.push(values.map((value) => field.ownsId(value)));
      expected.push(values.map((value) => ownsIdSlowly(everyValue, name, kind, value)));
      const distinct = countSlowly(everyValue, name, kind).length;
      said.push(field.distinctValues(Infinity), field.distinctValues(2));
      expected.push(distinct, Math.min(2, distinct));
    }
    const field = counts.local(name, "number");
    const numbers = field.values();
    const columns = field.numbers();
    said.push([...columns.values], [...columns.counts]);
    expected.push(
      numbers.map(({ key }) => key),
      numbers.map(({ count }) => count),
    );
    said.push(field.countRanges(RANGES));
    expected.push(RANGES.map((range) => countInRange(productsOf(name), name, range)));
  }
  expect(said).toEqual(expected);
}

/** Of a key as text. */
function hasEvenLength(key: string | number): boolean {
  return String(key).length % 2 === 0;
}

function countInRange(
  products: readonly (readonly FieldValue[])[],
  name: string,
  { lower, upper }: { readonly lower: number; readonly upper: number },
): number {
  return products.filter((values) =>
    values.some(
      (value) =>
        value.kind === "number" && value.facet && value.field === name && value.value >= lower && value.value <= upper,
    ),
  ).length;
}

test("4: complement and walk agree, also beyond 16-bit ordinals", () => {
  // 70,000 values: every product has one of its own and shares another; every third has two prices.
  const products = Array.from({ length: 70_000 }, (_, i) =>
    product(String(i).padStart(6, "0"), {
      values: [
        term("sku", `sku-${i}`),
        term("colour", i % 4 === 0 ? "Red" : "red"),
        number("price", i % 100),
        ...(i % 3 === 0 ? [number("price", (i % 100) + 1)] : []),
      ],
    }),
  );
  const { segment } = build(products);
  const reader = Reader.of([segment]);
  const narrow: Passing = (id) => Number(id) % 5 === 0;
  const broad: Passing = (id) => Number(id) % 5 !== 0;
  const [rest, most, all] = [narrow, broad, () => true].map((passes) =>
    run(countFacets(countInputs(reader, passes, new Map(), true))),
  );
  const countOf = (counts: LocalFacetCounts, name: string, kind: FacetKind): Map<unknown, number> =>
    new Map(
      counts
        .local(name, kind)
        .values()
        .map(({ key, count }) => [key, count]),
    );
  expect(countOf(all, "colour", "term")).toEqual(new Map([["red", 70_000]]));
  expect(all.local("colour", "term").values()[0].value).toBe("red");
  expect(most.local("sku", "term").size).toBe(56_000);
  expect(most.local("sku", "term").largestCount).toBe(1);
  for (let price = 0; price <= 100; price++) {
    const sum = (countOf(rest, "price", "number").get(price) ?? 0) + (countOf(most, "price", "number").get(price) ?? 0);
    expect(sum).toBe(countOf(all, "price", "number").get(price));
    if (price > 3) break;
  }
  const ranges = [
    { lower: 0, upper: 49 },
    { lower: 50, upper: 100 },
  ];
  const sums = [rest, most, all].map((counts) => counts.local("price", "number").countRanges(ranges));
  expect(sums[0].map((count, i) => count + sums[1][i])).toEqual(sums[2]);
  // 49 and 50 on one product: it is in both ranges.
  expect(sums[2][0] + sums[2][1]).toBe(
    70_000 + products.filter((_, i) => i % 300 === 249 || (i % 100 === 49 && i % 3 === 0)).length,
  );
  expect(countingBytes([segment])).toBeGreaterThan(70_000 * 4);
});

test("5: fields that together take more than a part may", () => {
  const most = LIMITS.searchPartSteps.value;
  const rowCount = 10_000;
  const fields = Array.from({ length: Math.ceil(most / (rowCount * STEPS_OF_ROW)) + 1 }, (_, i) => `field ${i}`);
  const products = Array.from({ length: 2 * rowCount }, (_, i) =>
    product(`${i}`, { values: i === 0 ? fields.map((field) => term(field, "a")) : [] }),
  );
  const reader = Reader.of([build(products).segment]);
  const half = countInputs(reader, (id) => Number(id) % 2 === 0, new Map(), true);
  const inputs = half.map((input) => ({ ...input, without: new Map(fields.map((field) => [field, input.all])) }));
  const counts = run(work.inParts(countFacets(inputs)));
  expect(fields.map((field) => counts.local(field, "term").values()[0].count)).toEqual(fields.map(() => 1));
});

test.for([10, 700])("6: %i variants of each product, counted again", (variantCount) => {
  const products = Array.from({ length: 100 }, (_, i) =>
    product(
      `${i}`,
      { values: [term("colour", i % 3 === 0 ? "Red" : "red"), term("brand", `${i % 7}`)] },
      Array.from({ length: variantCount }, (_, at) => ({
        values: [term("colour", at % 2 === 0 ? "red" : "blue"), number("size", at % 5), term("code", `${i} ${at}`)],
      })),
    ),
  );
  const reader = Reader.of([build(products).segment]);
  const count = (): unknown => {
    const counts = run(countFacets(countInputs(reader, (id) => Number(id) % 3 === 1, new Map(), true)));
    const ofField = (name: string, kind: FacetKind): unknown =>
      counts
        .local(name, kind)
        .values()
        .map(({ key, count: products }) => [key, products]);
    return [ofField("colour", "term"), ofField("brand", "term"), ofField("size", "number"), ofField("code", "term")];
  };
  const first = count();
  const { segment } = reader.segments[0];
  const bytesBefore = countingBytes([segment]);
  for (let i = 0; i < 4; i++) expect(count()).toEqual(first);
  const bytesPerValue = variantCount < 100 ? 2 : 4;
  expect(countingBytes([segment]) - bytesBefore).toBeGreaterThan(bytesPerValue * variantCount * products.length);
});

test("6: what a segment keeps for counting is no work of the search that makes it", () => {
  const products = Array.from({ length: 100 }, (_, i) =>
    product(
      `${i}`,
      { values: [term("colour", "Red")] },
      Array.from({ length: 10 }, (_, at) => ({
        values: [
          term("colour", "red"),
          ...Array.from({ length: 20 }, (_, value) => term("colour", `${(i + at * value) % 50}`)),
        ],
      })),
    ),
  );
  const reader = Reader.of([build(products).segment]);
  const inputs = countInputs(reader, (id) => Number(id) % 3 === 1, new Map(), true);
  function* count(): Generator<void, LocalFacetCounts, void> {
    work.spend(LIMITS.searchPartSteps.value - 2 * 33 * STEPS_OF_ROW);
    return yield* countFacets(inputs);
  }
  const valuesOf = (counts: LocalFacetCounts): unknown => counts.local("colour", "term").values().map(writtenEntry);
  const first = valuesOf(run(work.inParts(count())));
  for (let i = 0; i < 4; i++) expect(valuesOf(run(work.inParts(count())))).toEqual(first);
});

test("6: changed numbers of a field whose name is the first", () => {
  const products = Array.from({ length: 20 }, (_, i) =>
    product(`${i}`, {
      values: [term("colour", i % 3 === 0 ? "red" : "blue"), number("amount", i % 4)],
      columns: [{ field: "amount", value: i % 4 }],
    }),
  );
  const reader = Reader.of([build(products).segment]).withNumbers([["1", new Map([["amount", 9]])]]);
  const matching = products.filter(({ id }) => Number(id) % 3 === 1);
  const colours = countSlowly(
    matching.map(({ values }) => values),
    "colour",
    "term",
  );
  for (let i = 0; i < 4; i++) {
    const inputs = countInputs(reader, (id) => Number(id) % 3 === 1, new Map(), true);
    const counts = run(countFacets(inputs));
    expect(counts.local("colour", "term").values().map(writtenEntry)).toEqual(colours);
    const ofAmount = counts.local("amount", "number").values();
    expect(ofAmount.map(({ key, count }) => [key, count])).toEqual([
      [0, 2],
      [1, 1],
      [2, 1],
      [3, 2],
      [9, 1],
    ]);
  }
});
