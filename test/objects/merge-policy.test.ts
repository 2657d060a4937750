// Which segments an import merges.
//  1. a run is contiguous, within the bounds, and fits into memory
//  2. final runs end with few segments, or when no neighbours fit together
//  3. background merging of equal segments rewrites each byte at most log8(segments) + 1 times
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  backgroundRun,
  FEW_SEGMENTS,
  finalRun,
  MERGE_INPUT_BYTES,
  MERGE_WIDTH,
  type Run,
} from "../../src/objects/merge-policy.ts";

const sizes = fc.array(fc.integer({ min: 1, max: 30_000_000 }), { maxLength: 60 });

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function merged(list: readonly number[], run: Run): number[] {
  return [...list.slice(0, run.start), sum(list.slice(run.start, run.end)), ...list.slice(run.end)];
}

describe("runs", () => {
  test("are contiguous and fit into memory", ({ expect }) => {
    fc.assert(
      fc.property(sizes, (list) => {
        for (const run of [backgroundRun(list), finalRun(list, FEW_SEGMENTS)]) {
          if (run === null) continue;
          expect(run.start).toBeGreaterThanOrEqual(0);
          expect(run.end).toBeLessThanOrEqual(list.length);
          expect(run.end - run.start).toBeGreaterThanOrEqual(2);
          expect(run.end - run.start).toBeLessThanOrEqual(MERGE_WIDTH);
          expect(sum(list.slice(run.start, run.end))).toBeLessThanOrEqual(MERGE_INPUT_BYTES);
        }
      }),
    );
  });

  test("of the final kind end with few segments", ({ expect }) => {
    fc.assert(
      fc.property(sizes, (given) => {
        let list: number[] = given;
        for (
          let run = finalRun(list, FEW_SEGMENTS);
          run !== null;
          run = finalRun(list, FEW_SEGMENTS)
        ) {
          const next = merged(list, run);
          expect(next.length).toBeLessThan(list.length);
          expect(next.length).toBeGreaterThanOrEqual(FEW_SEGMENTS);
          list = next;
        }
        if (list.length > FEW_SEGMENTS) {
          for (let i = 1; i < list.length; i++) {
            expect((list[i - 1] ?? 0) + (list[i] ?? 0)).toBeGreaterThan(MERGE_INPUT_BYTES);
          }
        }
        expect(sum(list)).toBe(sum(given));
      }),
    );
  });

  test("of the background kind rewrite little", ({ expect }) => {
    const size = 10_000;
    const count = 512;
    let list: number[] = [];
    let written = 0;
    for (let i = 0; i < count; i++) {
      list = [...list, size];
      for (let run = backgroundRun(list); run !== null; run = backgroundRun(list)) {
        written += sum(list.slice(run.start, run.end));
        list = merged(list, run);
      }
    }
    expect(list.length).toBeLessThanOrEqual(3 * MERGE_WIDTH);
    expect(written / (size * count)).toBeLessThanOrEqual(
      Math.log(count) / Math.log(MERGE_WIDTH) + 1,
    );
  });
});
