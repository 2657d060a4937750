// Which segments an import merges.
//  1. a run is contiguous, within the bounds, and fits into memory
//  2. final runs end with few segments, or when no neighbours fit together; they rewrite the fewest bytes of all ways
//     to get there
//  3. towards several shards: no version of a document overtakes another, nothing is lost, and in the end each shard
//     has few segments that hold its documents only
//  4. background merging of equal segments rewrites each byte at most log8(segments) + 1 times
//  5. a live shard merges runs that fit and are worth it, ends, and rewrites each byte at most log4/3(checkpoints)
//     times
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  backgroundRun,
  compactionRun,
  FEW_SEGMENTS,
  finalRun,
  GROWTH,
  MERGE_INPUT_BYTES,
  MERGE_WIDTH,
  nextMerge,
  type Merge,
  type Piece,
  type Run,
} from "../../src/objects/merge-policy.ts";
import { covers, shardCountFor, shardRanges, type PartitionRange } from "../../src/objects/partition.ts";
import { forAll, runs } from "../support/property.ts";

const sizes = fc.array(fc.integer({ min: 1, max: 30_000_000 }), { maxLength: 60 });

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function merged(list: readonly number[], run: Run): number[] {
  return [...list.slice(0, run.start), sum(list.slice(run.start, run.end)), ...list.slice(run.end)];
}

describe("runs", () => {
  test("are contiguous and fit into memory", ({ expect }) => {
    forAll(runs(100), sizes, (list) => {
      for (const run of [backgroundRun(list), finalRun(list, FEW_SEGMENTS)]) {
        if (run === null) continue;
        expect(run.start).toBeGreaterThanOrEqual(0);
        expect(run.end).toBeLessThanOrEqual(list.length);
        expect(run.end - run.start).toBeGreaterThanOrEqual(2);
        expect(sum(list.slice(run.start, run.end))).toBeLessThanOrEqual(MERGE_INPUT_BYTES);
      }
    });
  });

  test("of the final kind end with few segments", ({ expect }) => {
    forAll(runs(100), sizes, (given) => {
      let list: number[] = given;
      for (let run = finalRun(list, FEW_SEGMENTS); run !== null; run = finalRun(list, FEW_SEGMENTS)) {
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
    });
  });

  test("of the final kind rewrite the fewest bytes", ({ expect }) => {
    /** The least cost of cutting the list into so many groups, by trying all. */
    function slowest(list: readonly number[], groups: number): number {
      if (groups === 1) return list.length === 1 ? 0 : fits(list);
      let least = Infinity;
      for (let first = 1; first <= list.length - groups + 1; first++) {
        const own = first === 1 ? 0 : fits(list.slice(0, first));
        least = Math.min(least, own + slowest(list.slice(first), groups - 1));
      }
      return least;
    }
    const fits = (list: readonly number[]): number => (sum(list) <= MERGE_INPUT_BYTES ? sum(list) : Infinity);
    const lists = fc.array(fc.integer({ min: 1, max: 30_000_000 }), { minLength: 2, maxLength: 9 });
    forAll(runs(100), lists, fc.integer({ min: 1, max: 4 }), (given, few) => {
      let list: number[] = given;
      let cost = 0;
      for (let run = finalRun(list, few); run !== null; run = finalRun(list, few)) {
        cost += sum(list.slice(run.start, run.end));
        list = merged(list, run);
      }
      expect(cost).toBe(list.length === given.length ? 0 : slowest(given, list.length));
    });
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
    expect(written / (size * count)).toBeLessThanOrEqual(Math.log(count) / Math.log(MERGE_WIDTH) + 1);
  });
});

describe("merges of an import towards several shards", () => {
  interface Held extends Piece {
    /** Versions of documents, as partition -> ranks in the order they are kept. */
    readonly ranks: ReadonlyMap<number, readonly number[]>;
  }

  function written(sizeBytes: number, rank: number, analysisVersion: number): Held {
    const ranks = new Map<number, number[]>();
    for (let partition = 0; partition < 64; partition++) ranks.set(partition, [rank]);
    return { sizeBytes, partitions: { first: 0, end: 64 }, analysisVersion, ranks };
  }

  /** What the session does: outputs at the place of the first input. */
  function carriedOut(pieces: readonly Held[], merge: Merge): Held[] {
    const inputs = merge.inputs.map((position) => pieces[position]);
    const outputs = merge.outputs.map((range): Held => {
      const ranks = new Map<number, readonly number[]>();
      for (let partition = range.first; partition < range.end; partition++) {
        ranks.set(
          partition,
          inputs.flatMap((input) => input.ranks.get(partition) ?? []),
        );
      }
      const width = ({ first, end }: PartitionRange): number => end - first;
      const sizeBytes = inputs.reduce(
        (total, input) => total + (input.sizeBytes * width(range)) / width(input.partitions),
        0,
      );
      const { analysisVersion } = inputs[0];
      return { sizeBytes, partitions: range, analysisVersion, ranks };
    });
    const [first] = merge.inputs;
    const rest = (from: number, to: number): Held[] =>
      pieces.slice(from, to).filter((_, i) => !merge.inputs.includes(from + i));
    return [...rest(0, first), ...outputs, ...rest(first, pieces.length)];
  }

  function inRankOrder(pieces: readonly Held[]): boolean {
    for (let partition = 0; partition < 64; partition++) {
      const ranks = pieces.flatMap((piece) => piece.ranks.get(partition) ?? []);
      if (ranks.some((rank, i) => i > 0 && rank <= ranks[i - 1])) return false;
    }
    return true;
  }

  test("keep the rank of every version, and end with few segments per shard", ({ expect }) => {
    const bulks = fc.array(
      fc.record({
        sizeBytes: fc.integer({ min: 1, max: 12_000_000 }),
        // How many merges the background gets done before the next bulk comes.
        merges: fc.nat(3),
      }),
      { maxLength: 60 },
    );
    const shardBytes = 40_000_000;
    fc.assert(
      fc.property(bulks, fc.constantFrom(1, 2, 8), fc.nat(60), (list, atLeast, upgraded) => {
        let pieces: Held[] = [];
        const total = (): number => sum(pieces.map(({ sizeBytes }) => sizeBytes));
        const step = (final: boolean, count: number): boolean => {
          const merge = nextMerge(pieces, shardRanges(count), final);
          if (merge === null) return false;
          const inputs = merge.inputs.map((position) => pieces[position].sizeBytes);
          const versions = new Set(merge.inputs.map((i) => pieces[i].analysisVersion));
          expect(versions.size).toBe(1);
          if (inputs.length > 1) expect(sum(inputs)).toBeLessThanOrEqual(MERGE_INPUT_BYTES + 1);
          const before = total();
          pieces = carriedOut(pieces, merge);
          expect(total()).toBeCloseTo(before, 0);
          expect(inRankOrder(pieces)).toBe(true);
          return true;
        };
        list.forEach(({ sizeBytes, merges }, rank) => {
          pieces = [...pieces, written(sizeBytes, rank, rank < upgraded ? 1 : 2)];
          const count = shardCountFor(total() * GROWTH, atLeast, shardBytes);
          for (let i = 0; i < merges && step(false, count); i++);
        });
        const count = shardCountFor(total(), atLeast, shardBytes);
        while (step(true, count));
        for (const shard of shardRanges(count)) {
          const own = pieces.filter(({ partitions }) => covers(shard, partitions));
          const apart = pieces.filter(({ partitions: { first, end } }) => first < shard.end && shard.first < end);
          expect(own).toEqual(apart);
          // More only where neighbours do not fit into memory together.
          const versions = new Set(own.map((piece) => piece.analysisVersion)).size;
          const few = Math.max(FEW_SEGMENTS, sum(own.map((piece) => piece.sizeBytes)) / 5_000_000);
          expect(own.length).toBeLessThanOrEqual(few * versions);
        }
      }),
      {
        numRuns: runs(200),
        // Cut for two shards, then for four, published as two: ranges that are finer in the middle.
        examples: [
          [
            [7.0, 10.8, 2.7, 2.6, 0.7, 7.4, 8.6, 7.7, 6.0, 0.1].map((megabytes, i) => ({
              sizeBytes: megabytes * 1_000_000,
              merges: [0, 0, 0, 0, 0, 1, 0, 1, 3, 0][i],
            })),
            1,
            0,
          ],
        ],
      },
    );
  });

  test("what ranges of a shard have few segments of leaves more to the others", ({ expect }) => {
    const whole = { first: 0, end: 64 };
    // An import that was cut for two shards when it began, and is published as one.
    let pieces: Held[] = [
      ...[4_200_000, 4_200_000].map((sizeBytes, i) => ({
        ...written(sizeBytes, 0, 1),
        partitions: shardRanges(2)[i] ?? whole,
      })),
      ...[8_200_000, 6_300_000].map((sizeBytes) => written(sizeBytes, 1, 1)),
      ...Array.from({ length: 12 }, () => written(800_000, 2, 1)),
    ];
    let rewritten = 0;
    for (;;) {
      const merge = nextMerge(pieces, shardRanges(1), true);
      if (merge === null) break;
      rewritten += sum(merge.inputs.map((position) => pieces[position].sizeBytes));
      pieces = carriedOut(pieces, merge);
    }
    expect(pieces.length).toBe(FEW_SEGMENTS);
    // The small ones only.
    expect(rewritten).toBeLessThanOrEqual(12 * 800_000);
  });
});

describe("compaction of a live shard", () => {
  /** Of segments of which everything is live. */
  const runOf = (sizes: readonly number[], most: number): Run | null =>
    compactionRun(
      sizes.map((size) => ({ sizeBytes: size, liveBytes: size })),
      most,
    );

  test("leaves nothing that is mostly dead, and ends", ({ expect }) => {
    const pieces = fc.array(
      fc.record({
        sizeBytes: fc.integer({ min: 1, max: 1_000_000 }),
        liveShare: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 12 },
    );
    forAll(runs(100), pieces, (given) => {
      let list = given.map(({ sizeBytes, liveShare }) => ({ sizeBytes, liveBytes: sizeBytes * liveShare }));
      for (let turn = 0; ; turn++) {
        expect(turn).toBeLessThanOrEqual(given.length * 2);
        const run = compactionRun(list, Infinity);
        if (run === null) break;
        const size = sum(list.slice(run.start, run.end).map(({ liveBytes }) => liveBytes));
        const made = size === 0 ? [] : [{ sizeBytes: size, liveBytes: size }];
        list = [...list.slice(0, run.start), ...made, ...list.slice(run.end)];
      }
      const live = sum(list.map(({ liveBytes }) => liveBytes));
      for (const { sizeBytes, liveBytes } of list) {
        expect(sizeBytes - liveBytes).toBeLessThanOrEqual(Math.max(liveBytes, live / 8) + 1e-3);
      }
    });
  });

  const sizesOfShard = fc.array(fc.integer({ min: 1, max: 20_000_000 }), { maxLength: 16 });

  test("merges runs that fit and are worth it, until there is none", ({ expect }) => {
    forAll(runs(100), sizesOfShard, fc.integer({ min: 1, max: 60_000_000 }), (given, most) => {
      let list: number[] = given;
      for (let run = runOf(list, most); run !== null; run = runOf(list, most)) {
        const inputs = list.slice(run.start, run.end);
        const largest = Math.max(...inputs);
        expect(inputs.length).toBeGreaterThanOrEqual(2);
        expect(sum(inputs)).toBeLessThanOrEqual(most);
        expect(sum(inputs) - largest).toBeGreaterThanOrEqual(largest / 3);
        expect(sum(inputs)).toBeGreaterThanOrEqual(sum(list) / 8);
        list = merged(list, run);
      }
      // Where memory is no matter, one segment has three quarters of all at least.
      if (given.length > 0 && sum(given) <= most) {
        expect(Math.max(...list)).toBeGreaterThanOrEqual(sum(list) * 0.75);
      }
    });
  });

  test("rewrites a byte a few times, however small the checkpoints are", ({ expect }) => {
    let list: number[] = [];
    let rewritten = 0;
    const count = 2_000;
    for (let i = 0; i < count; i++) {
      list = [...list, 10_000];
      // As checkpoints do.
      while (list.length > 10) {
        const few = finalRun(list, FEW_SEGMENTS);
        if (few === null) break;
        list = merged(list, few);
      }
      for (;;) {
        const run = runOf(list, 30_000_000);
        if (run === null) break;
        rewritten += sum(list.slice(run.start, run.end));
        list = merged(list, run);
      }
    }
    expect(rewritten / (count * 10_000)).toBeLessThan(Math.log(count) / Math.log(4 / 3));
  });

  test("examples", ({ expect }) => {
    const MB = 1_000_000;
    const of = (sizes: readonly number[], most: number): Run | null =>
      runOf(
        sizes.map((size) => size * MB),
        most * MB,
      );
    expect(of([6, 4, 4, 4, 3, 2], 30)).toEqual({ start: 0, end: 6 });
    expect(of([23, 0.1, 0.1, 0.2], 30)).toBeNull();
    expect(of([23, 3, 3, 2], 40)).toEqual({ start: 0, end: 4 });
    expect(of([7, 7, 7, 7, 7], 16)).toEqual({ start: 0, end: 2 });
    expect(of([], 30)).toBeNull();
    expect(of([5], 30)).toBeNull();
  });
});
