// Which entries of a shard's log are merged.
//  1. a run lies within the log and ends behind its last segment where segments are too many; asking again comes to an
//     end
//  2. small runs are small; what is not is only merged as a large run of segments, and only where that is allowed
//  3. afterwards few segments are left. While a large merge is under way: few, or the last ones are too large to be
//     merged at once
//  4. entries of numbers alone are let be until there are very many, and are never a large run
//  5. nothing small is left unmerged in front of a run: what is before it is larger than it
//  6. equal entries that come one after the other are each merged about log(entries) times
import fc from "fast-check";
import { describe, test } from "vitest";
import { LOG_ENTRIES, LOG_SEGMENTS, logRun, SMALL_BYTES, type LogPiece } from "../../src/objects/shard/log/log-run.ts";
import { forAll, runs } from "../support/property.ts";

function segment(sizeBytes: number): LogPiece {
  return { sizeBytes, isSegment: true };
}

function numbers(sizeBytes: number): LogPiece {
  return { sizeBytes, isSegment: false };
}

function total(pieces: readonly LogPiece[]): number {
  return pieces.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function segmentsIn(pieces: readonly LogPiece[]): number {
  return pieces.filter(({ isSegment }) => isSegment).length;
}

/** One segment more than there may be, all but the last of them empty. */
function tooMany(sizeBytes: number): LogPiece[] {
  return [...Array.from({ length: LOG_SEGMENTS }, () => segment(0)), segment(sizeBytes)];
}

/** A run has at least so many entries of the kind that is counted. */
const LEAST_RUN = 2;

const anySize = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 500, max: 5_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 5_000, max: SMALL_BYTES }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 * SMALL_BYTES }) },
);
const anySegment = anySize.map(segment);
const anyNumbers = fc.oneof(fc.constant(32), fc.integer({ min: 32, max: 2 * SMALL_BYTES })).map(numbers);
const anyPieces = fc.oneof(
  fc.array(anySegment, { maxLength: 40 }),
  fc.array(fc.oneof({ weight: 2, arbitrary: anySegment }, { weight: 1, arbitrary: anyNumbers }), { maxLength: 60 }),
  // More entries than may be, a segment here and there.
  fc
    .tuple(
      fc.array(fc.oneof({ weight: 40, arbitrary: anyNumbers }, { weight: 1, arbitrary: anySegment }), {
        minLength: LOG_ENTRIES - 5,
        maxLength: LOG_ENTRIES + 60,
        size: "max",
      }),
      fc.array(anySegment, { maxLength: 3 }),
    )
    .map(([log, last]) => [...log, ...last]),
);

/** The log when one run has become one entry. */
function replaced(log: readonly LogPiece[], start: number, end: number): LogPiece[] {
  const run = log.slice(start, end);
  const merged = { sizeBytes: total(run), isSegment: segmentsIn(run) > 0 };
  return [...log.slice(0, start), merged, ...log.slice(end)];
}

/** Merges until nothing is due. A large run stays under way for ever: what is due is behind it. */
function settled(
  given: readonly LogPiece[],
  mayBeLarge: boolean,
): { readonly log: readonly LogPiece[]; readonly mergedBytes: number } {
  let log = [...given];
  let mergedBytes = 0;
  for (;;) {
    const run = logRun(log, mayBeLarge);
    if (run === null) return { log, mergedBytes };
    if (run.end - run.start < 2) throw new Error("merging one entry would never end");
    mergedBytes += total(log.slice(run.start, run.end));
    log = replaced(log, run.start, run.end);
  }
}

test("0: the limits", ({ expect }) => {
  expect(logRun(tooMany(SMALL_BYTES), true)).toEqual({ start: 0, end: 9, isSmall: true });
  expect(logRun(tooMany(SMALL_BYTES + 1), true)).toEqual({ start: 0, end: 9, isSmall: false });
  expect(logRun([], true)).toBeNull();
  expect(logRun(tooMany(1).slice(1), true)).toBeNull();
  const entries = (count: number): LogPiece[] => new Array<LogPiece>(count).fill(numbers(32));
  expect(logRun(entries(LOG_ENTRIES), true)).toBeNull();
  expect(logRun(entries(LOG_ENTRIES + 1), true)).not.toBeNull();
});

test("0: the example in the documentation", ({ expect }) => {
  const log = [9, 8, 1, 1, 1, 1, 1, 1, 1].map((documents) => segment(documents * 800));
  expect(logRun(log, true)).toEqual({ start: 2, end: 9, isSmall: true });
});

test("1, 2, 4, 5: a run is what may be merged now", ({ expect }) => {
  const seen = { small: 0, large: 0, none: 0, ofNumbers: 0, cut: 0 };
  forAll(runs(600), anyPieces, fc.boolean(), (pieces, mayBeLarge) => {
    const run = logRun(pieces, mayBeLarge);
    const isOfSegments = segmentsIn(pieces) > LOG_SEGMENTS;
    if (!isOfSegments && pieces.length <= LOG_ENTRIES) expect(run).toBeNull();
    if (run === null) {
      seen.none++;
      return;
    }
    const { start, end, isSmall } = run;
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeLessThanOrEqual(pieces.length);
    const inside = pieces.slice(start, end);
    const lastSegment = pieces.findLastIndex((piece) => piece.isSegment);
    expect(end).toBe(isOfSegments ? lastSegment + 1 : pieces.length);
    expect(isOfSegments ? segmentsIn(inside) : inside.length).toBeGreaterThanOrEqual(LEAST_RUN);

    if (isSmall) expect(total(inside)).toBeLessThanOrEqual(SMALL_BYTES);
    else {
      expect(mayBeLarge && isOfSegments).toBe(true);
      expect(total(inside)).toBeGreaterThan(SMALL_BYTES);
    }
    // What is before it is larger than it, or the two would be too large to be merged at once.
    if (start > 0) {
      const before = pieces[start - 1].sizeBytes;
      const isCut = isSmall && before + total(inside) > SMALL_BYTES;
      expect(before > total(inside) || isCut).toBe(true);
      if (isCut && before <= total(inside)) seen.cut++;
    }
    if (isSmall) seen.small++;
    else seen.large++;
    if (!isOfSegments) seen.ofNumbers++;
  });
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(0);
});

test("1, 3: few segments are left", ({ expect }) => {
  forAll(runs(60), fc.array(anyPieces, { maxLength: 4 }), (arrivals) => {
    let log: readonly LogPiece[] = [];
    for (const pieces of arrivals) {
      for (const piece of pieces) {
        log = settled([...log, piece], true).log;
        expect(segmentsIn(log)).toBeLessThanOrEqual(LOG_SEGMENTS);
      }
    }
  });
});

test("3: while a large merge is under way", ({ expect }) => {
  let many = 0;
  forAll(runs(200), anyPieces, (pieces) => {
    const { log } = settled(pieces, false);
    expect(total(log)).toBe(total(pieces));
    if (segmentsIn(log) <= LOG_SEGMENTS) return;
    many++;
    const last = log.flatMap(({ isSegment }, at) => (isSegment ? [at] : []));
    const tail = log.slice(last[last.length - LEAST_RUN], last[last.length - 1] + 1);
    expect(total(tail)).toBeGreaterThan(SMALL_BYTES);
    // When it is over they are merged at last.
    expect(segmentsIn(settled(log, true).log)).toBeLessThanOrEqual(LOG_SEGMENTS);
  });
  expect(many).toBeGreaterThan(0);
});

test("4: small entries of numbers are few afterwards, whatever segments are among them", ({ expect }) => {
  forAll(
    runs(20),
    fc.array(fc.constantFrom(numbers(32), numbers(64), numbers(320), segment(800)), {
      minLength: LOG_ENTRIES,
      maxLength: 3 * LOG_ENTRIES,
      size: "max",
    }),
    fc.boolean(),
    (arrivals, mayBeLarge) => {
      let log: readonly LogPiece[] = [];
      for (const piece of arrivals) {
        log = settled([...log, piece], mayBeLarge).log;
        expect(log.length).toBeLessThanOrEqual(LOG_ENTRIES);
        expect(segmentsIn(log)).toBeLessThanOrEqual(LOG_SEGMENTS);
      }
    },
  );
});

describe("6: what merging costs", () => {
  // A checkpoint comes long before there are more.
  for (const entries of [9, 100, 1_000, 5_000]) {
    for (const sizeBytes of [1, 800, 20_000]) {
      test(`${entries} entries of ${sizeBytes} bytes`, ({ expect }) => {
        let log: readonly LogPiece[] = [];
        let mergedBytes = 0;
        for (let i = 0; i < entries; i++) {
          const after = settled([...log, segment(sizeBytes)], true);
          log = after.log;
          mergedBytes += after.mergedBytes;
        }
        expect(mergedBytes / (entries * sizeBytes)).toBeLessThanOrEqual(Math.log2(entries));
      });
    }
  }
});
