// Witnesses of columns (query/live-columns.ts) against looking at every row, over a history of updates and merges;
// readers of before go on being asked beside those of after.
import fc from "fast-check";
import { expect, test } from "vitest";
import { hasBit } from "../../src/index-engine/base/bits.ts";
import type { LiveSegment } from "../../src/index-engine/segment/model/index.ts";
import { hasLiveNumber, hasLiveString } from "../../src/index-engine/query/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { forAll, runs, seed } from "../support/property.ts";
import { batches } from "./support/catalogue.ts";
import { buildSegment, merged } from "./support/indexing.ts";

interface Columns {
  readonly numbers: string[];
  readonly strings: string[];
}

function byWitness(live: LiveSegment): Columns {
  const { numberColumns, stringColumns } = live.segment;
  return {
    numbers: [...numberColumns.keys()].filter((name) => hasLiveNumber(live, name)),
    strings: [...stringColumns.keys()].filter((name) => hasLiveString(live, name)),
  };
}

function byRows({ segment, deleted }: LiveSegment): Columns {
  const rows = Array.from({ length: segment.productCount }, (_, row) => row).filter(
    (row) => deleted === null || !hasBit(deleted, row),
  );
  return {
    numbers: [...segment.numberColumns.values()]
      .filter((column) => rows.some((row) => !Number.isNaN(column.min(row))))
      .map(({ field }) => field),
    strings: [...segment.stringColumns.values()]
      .filter((column) => rows.some((row) => column.min(row) >= 0))
      .map(({ field }) => field),
  };
}

test(`columns have a live product or none (seed ${seed})`, () => {
  let without = 0;
  forAll(
    runs(50),
    batches,
    fc.array(fc.option(fc.tuple(fc.nat(6), fc.nat(6))), { minLength: 7, maxLength: 7 }),
    (all, merges) => {
      let reader = Reader.empty;
      const readers: Reader[] = [];
      all.forEach(({ products, deleted }, i) => {
        reader = reader.withUpdate(products.length === 0 ? null : buildSegment(products), deleted);
        const run = merges[i] ?? null;
        if (run !== null) reader = merged(reader, Math.min(...run), Math.max(...run));
        readers.push(reader);
        for (const one of readers) {
          for (const live of one.segments) {
            const expected = byRows(live);
            expect(byWitness(live)).toEqual(expected);
            const { numberColumns, stringColumns } = live.segment;
            const found = expected.numbers.length + expected.strings.length;
            if (found < numberColumns.size + stringColumns.size) without++;
          }
        }
      });
    },
  );
  expect(without).toBeGreaterThan(0);
});
