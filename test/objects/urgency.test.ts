// What works in the background leave the thread to (src/objects/urgency.ts):
// 1. a work counts from its beginning to its end, and is remembered for a second
// 2. one of which the end is never told counts for as long as is given, whatever begins and ends beside it
import fc from "fast-check";
import { expect, test } from "vitest";
import { Urgency } from "../../src/objects/urgency.ts";
import { forAll, runs } from "../support/property.ts";

const FOR_MS = 2_000;
const LATELY_MS = 1_000;

test("1, 2: whatever begins, ends and is dropped", () => {
  forAll(
    runs(300),
    fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 1_500 }),
        // Null: it is dropped without a word.
        lastsMs: fc.option(fc.integer({ min: 0, max: 3_000 })),
      }),
      { maxLength: 12 },
    ),
    (works) => {
      let beginMs = 0;
      const planned = works.map(({ afterMs, lastsMs }) => {
        beginMs += afterMs;
        return { beginMs, endMs: lastsMs === null ? null : beginMs + lastsMs };
      });
      const moments = planned.flatMap((one) => (one.endMs === null ? [one.beginMs] : [one.beginMs, one.endMs]));
      const times = [...new Set([...moments, ...moments.flatMap((ms) => [ms + FOR_MS, ms + LATELY_MS])])];
      const urgency = new Urgency(FOR_MS);
      const begun = new Map<(typeof planned)[number], ReturnType<Urgency["begin"]>>();
      let lastEndMs = -Infinity;
      for (const nowMs of times.sort((a, b) => a - b)) {
        for (const one of planned) {
          if (one.beginMs === nowMs) begun.set(one, urgency.begin(nowMs));
        }
        for (const [one, work] of begun) {
          if (one.endMs !== nowMs) continue;
          urgency.end(work, nowMs);
          lastEndMs = nowMs;
        }
        const expected = planned.some(
          (one) => one.beginMs <= nowMs && nowMs < one.beginMs + FOR_MS && (one.endMs === null || nowMs < one.endMs),
        );
        expect(urgency.isAny(nowMs)).toBe(expected);
        expect(urgency.isLately(nowMs)).toBe(expected || nowMs - lastEndMs < LATELY_MS);
      }
    },
  );
});
