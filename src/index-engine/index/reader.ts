/**
 * An immutable snapshot of an index: segments, oldest first, and their deletions. Every change makes a new reader that
 * shares data with the old one; a search uses one reader and sees no changes.
 *
 * An id is live at most once: adding a segment deletes its ids from all older segments and copies only the bitsets of
 * segments that lose rows. Every deletion updates the sums of live products (for ranking) by the deleted product.
 *
 * Changes of only numbers overlay the product's segment (index/doc-values/segment.ts): searches see an OverlaidSegment
 * instead. Segments are identified by their bytes (`segment.base`), regardless of overlays.
 */
import {
  NORM_GROUPS,
  type LiveSegment,
  type Segment,
  type StringTable,
  SegmentNumbers,
  type NumberChanges,
} from "../segment/model/index.ts";
import { OverlaidSegment } from "./doc-values/index.ts";
import { NORM_LENGTHS } from "../segment/format/index.ts";
import { hasBit, run, setBit, wordsFor } from "../base/index.ts";
import { countLive, LiveFrequencies } from "./live-frequency.ts";
import { FrontCodedTable, scanOf, StringMerge } from "../segment/strings/index.ts";

/** A segment with its live sums. */
class CountedSegment implements LiveSegment {
  readonly segment: Segment;
  readonly deleted: Uint32Array | null;
  readonly deletedCount: number;
  readonly variantCount: number;
  readonly lengthSums: readonly number[];
  /** The line of successive segments, and this one's position in it. */
  readonly #line: LiveFrequencies;
  readonly #at: number;

  constructor(
    segment: Segment,
    deleted: Uint32Array | null,
    sums: {
      readonly deletedCount: number;
      readonly variantCount: number;
      readonly lengthSums: readonly number[];
    },
    { line, at } = { line: new LiveFrequencies(), at: 0 },
  ) {
    this.#line = line;
    this.#at = at;
    this.segment = segment;
    this.deleted = deleted;
    this.deletedCount = sums.deletedCount;
    this.variantCount = sums.variantCount;
    this.lengthSums = sums.lengthSums;
  }

  static of(given: Segment | LiveSegment): CountedSegment {
    if (given instanceof CountedSegment) return given;
    const numbers = "segment" in given ? (given.numbers ?? null) : null;
    const bytes = "segment" in given ? given.segment : given;
    const segment = numbers === null ? bytes : new OverlaidSegment(bytes.base, numbers);
    const { variantCount, lengthSums } = segment;
    const whole = new CountedSegment(segment, null, { deletedCount: 0, variantCount, lengthSums });
    if (!("segment" in given) || given.deleted === null) return whole;
    const rows: number[] = [];
    for (let row = 0; row < segment.productCount; row++) {
      if (hasBit(given.deleted, row)) rows.push(row);
    }
    const live = whole.without(rows);
    // Starts a new line.
    return new CountedSegment(segment, live.deleted, live);
  }

  /** Numbers of `segment` that differ from its bytes. */
  get changed(): SegmentNumbers | null {
    return this.segment instanceof OverlaidSegment ? this.segment.numbers : null;
  }

  /** A copy with changed numbers of these rows. */
  withNumbers(changes: ReadonlyMap<number, NumberChanges>): CountedSegment {
    if (changes.size === 0) return this;
    const before = this.segment instanceof OverlaidSegment ? this.segment : null;
    const numbers = (before?.numbers ?? SegmentNumbers.none).with(changes);
    return new CountedSegment(new OverlaidSegment(this.segment.base, numbers, before), this.deleted, this, {
      line: this.#line,
      at: this.#at,
    });
  }

  /** A copy with these rows deleted too; ignores deleted rows. Returns this object if nothing changes. */
  without(rows: readonly number[]): CountedSegment {
    if (rows.length === 0) return this;
    const { segment } = this;
    let { deletedCount, variantCount } = this;
    let deleted: Uint32Array | null = null;
    const lengthSums = [...this.lengthSums];
    const gone: number[] = [];
    for (const row of rows) {
      if (deleted === null) {
        if (this.deleted !== null && hasBit(this.deleted, row)) continue;
        deleted = new Uint32Array(wordsFor(segment.productCount));
        if (this.deleted !== null) deleted.set(this.deleted);
      }
      if (hasBit(deleted, row)) continue;
      setBit(deleted, row);
      gone.push(row);
      deletedCount++;
      variantCount -= segment.variantsOf(row);
      for (let group = 0; group < NORM_GROUPS.length; group++) {
        lengthSums[group] -= NORM_LENGTHS[segment.norms[group][row]];
      }
    }
    if (deleted === null) return this;
    const sums = { deletedCount, variantCount, lengthSums };
    return new CountedSegment(segment, deleted, sums, this.#line.with(gone, this.#at));
  }

  /** Live products in list `term`. */
  frequency(term: number): number {
    return this.#line.frequency(this, this.#at, term);
  }

  /** Memory of known frequencies. */
  get lineBytes(): number {
    return this.#line.sizeBytes;
  }
}

/** A table this large, and not much smaller than the other, is walked in parallel with it; other ids are looked up. */
const WALK_FROM = 256;
const WALK_RATIO = 16;

const WALKED_PER_STEP = 8_192;
const LOOKED_UP_PER_STEP = 512;

/** Rows of `older` whose id is also in `newer`. */
function* sharedRows(older: StringTable, newer: StringTable): Generator<void, number[], void> {
  const isLarge = newer.size >= WALK_FROM && newer.size * WALK_RATIO >= older.size;
  if (!(isLarge && older instanceof FrontCodedTable && newer instanceof FrontCodedTable)) {
    return yield* rowsOf(older, idsOf(newer));
  }
  const rows: number[] = [];
  const merge = new StringMerge([scanOf(older), scanOf(newer)]);
  for (let walked = 1; merge.next(); walked++) {
    if (merge.members.length === 2) rows.push(merge.scans[0].ordinal);
    if (walked % WALKED_PER_STEP === 0) yield;
  }
  return rows;
}

function* rowsOf(table: StringTable, ids: Iterable<string>): Generator<void, number[], void> {
  const rows: number[] = [];
  let lookedUp = 0;
  for (const id of ids) {
    const row = table.find(id);
    if (row >= 0) rows.push(row);
    if (++lookedUp % LOOKED_UP_PER_STEP === 0) yield;
  }
  return rows;
}

function* idsOf(table: StringTable): Generator<string> {
  for (let ordinal = 0; ordinal < table.size; ordinal++) yield table.get(ordinal);
}

/** Rows of `older` that an update replaces or deletes. */
function* replacedIn(
  older: Segment,
  segment: Segment | null,
  deletedIds: readonly string[],
): Generator<void, number[], void> {
  const rows = yield* rowsOf(older.ids, deletedIds);
  return segment === null ? rows : rows.concat(yield* sharedRows(older.ids, segment.ids));
}

/** Base segment -> rows that an update replaces or deletes, including already deleted ones. */
export type ReplacedRows = ReadonlyMap<Segment, readonly number[]>;

/** Place of a product: index of the reader's segment, and row in the segment. */
export interface FoundProduct {
  readonly segment: number;
  readonly row: number;
}

/** As many as a batch of updates (objects/shard/writing/update-queue.ts). */
const MOST_FOUND = 1_000;

export class Reader {
  /** Oldest first. */
  readonly segments: readonly LiveSegment[];
  /** Live products, variants in their documents, and decoded lengths by index of NORM_GROUPS. */
  readonly productCount: number;
  readonly variantCount: number;
  readonly lengthSums: readonly number[];
  /** Bytes of the segments and deletion bits. */
  readonly sizeBytes: number;
  readonly #segments: readonly CountedSegment[];
  /** Cached results of `find`. */
  readonly #found = new Map<string, FoundProduct | null>();

  private constructor(segments: readonly CountedSegment[]) {
    this.#segments = segments;
    this.segments = segments;
    let productCount = 0;
    let variantCount = 0;
    let sizeBytes = 0;
    const lengthSums: number[] = NORM_GROUPS.map(() => 0);
    for (const live of segments) {
      productCount += live.segment.productCount - live.deletedCount;
      variantCount += live.variantCount;
      sizeBytes += live.segment.sizeBytes + (live.deleted === null ? 0 : live.deleted.byteLength);
      // Integers below 2^53, so sums do not depend on the order.
      live.lengthSums.forEach((sum, group) => (lengthSums[group] += sum));
    }
    this.productCount = productCount;
    this.variantCount = variantCount;
    this.sizeBytes = sizeBytes;
    this.lengthSums = lengthSums;
  }

  /** Memory of cached live frequencies, in addition to `sizeBytes`. */
  get countedBytes(): number {
    return this.#segments.reduce((sum, { lineBytes }) => sum + lineBytes, 0);
  }

  /** A reader without segments. */
  static readonly empty: Reader = new Reader([]);

  /**
   * Segments oldest first. Deletes rows whose id is in a later segment, live or deleted. One segment costs nothing;
   * each further one costs a lookup per id in all earlier ones.
   */
  static of(segments: readonly (Segment | LiveSegment)[]): Reader {
    let reader = Reader.empty;
    for (const given of segments) {
      const newest = CountedSegment.of(given);
      const { ids } = newest.segment;
      const older = reader.#segments.map((live) => live.without(run(sharedRows(live.segment.ids, ids))));
      reader = new Reader([...older, newest]);
    }
    return reader;
  }

  /** The same without lookups. Every id must be live in at most one segment (guaranteed by a manifest). */
  static ofDisjoint(segments: readonly LiveSegment[]): Reader {
    return new Reader(segments.map((given) => CountedSegment.of(given)));
  }

  /** The live product with this id. */
  find(id: string): FoundProduct | null {
    const known = this.#found.get(id);
    if (known !== undefined) return known;
    const found = this.#lookUp(id);
    // Updates look up their ids three or four times; nothing else looks up many.
    if (this.#found.size >= MOST_FOUND) this.#found.clear();
    this.#found.set(id, found);
    return found;
  }

  #lookUp(id: string): FoundProduct | null {
    for (let segment = this.#segments.length - 1; segment >= 0; segment--) {
      const live = this.#segments[segment];
      const row = live.segment.ids.find(id);
      if (row >= 0 && (live.deleted === null || !hasBit(live.deleted, row))) {
        return { segment, row };
      }
    }
    return null;
  }

  /**
   * Adds `segment` as the newest (null: only deletes). Deletes its ids and `deletedIds` from all older segments;
   * `deletedIds` are not deleted from `segment` itself. `known`: result of `replacedRows` of this or an earlier reader.
   */
  withUpdate(segment: Segment | null, deletedIds: readonly string[], known: ReplacedRows | null = null): Reader {
    const isSmall = known === null && (segment?.productCount ?? 0) + deletedIds.length < WALK_FROM;
    const found = isSmall ? this.#foundRows(segment, deletedIds) : null;
    const older = this.#segments.map((live, i) => {
      const { base } = live.segment;
      return live.without(found?.[i] ?? known?.get(base) ?? run(replacedIn(base, segment, deletedIds)));
    });
    if (segment !== null) return new Reader([...older, CountedSegment.of(segment)]);
    return older.every((live, i) => live === this.#segments[i]) ? this : new Reader(older);
  }

  /**
   * By segment, the live rows that a small update replaces or deletes. `find` knows them already, because the update was
   * planned with it, and an id is live in one segment only.
   */
  #foundRows(segment: Segment | null, deletedIds: readonly string[]): readonly (readonly number[])[] {
    const rows = this.#segments.map((): number[] => []);
    const note = (id: string): void => {
      const found = this.find(id);
      if (found !== null) rows[found.segment].push(found.row);
    };
    for (const id of deletedIds) note(id);
    if (segment !== null) for (const id of idsOf(segment.ids)) note(id);
    return rows;
  }

  /** The expensive part of a large `withUpdate`, in steps. */
  *replacedRows(segment: Segment | null, deletedIds: readonly string[]): Generator<void, ReplacedRows, void> {
    const rows = new Map<Segment, readonly number[]>();
    for (const { segment: older } of this.#segments) {
      rows.set(older.base, yield* replacedIn(older.base, segment, deletedIds));
    }
    return rows;
  }

  /**
   * A reader with changed numbers of live products (index/doc-values/segment.ts has the conditions); ignores other ids.
   */
  withNumbers(changes: Iterable<readonly [id: string, numbers: NumberChanges]>): Reader {
    const bySegment = this.#segments.map(() => new Map<number, NumberChanges>());
    for (const [id, numbers] of changes) {
      const found = this.find(id);
      if (found === null) continue;
      const rows = bySegment[found.segment];
      const before = rows.get(found.row);
      rows.set(found.row, before === undefined ? numbers : new Map([...before, ...numbers]));
    }
    if (bySegment.every(({ size }) => size === 0)) return this;
    return new Reader(this.#segments.map((live, i) => live.withNumbers(bySegment[i])));
  }

  /** Number of numbers that differ from the segments' bytes. */
  get changedNumbers(): number {
    return this.#segments.reduce((sum, { changed }) => sum + (changed?.count ?? 0), 0);
  }

  /**
   * Replaces `inputs`, the live segments given to a merge, by its result (null: empty). They must be a contiguous run
   * of this reader's segments; they are found by segment identity, because rows may have been deleted from them
   * meanwhile. Those products are deleted from the result too; changed numbers of the others overlay it.
   */
  replaceRun(inputs: readonly LiveSegment[], merged: Segment | null): Reader {
    const from = this.#segments.findIndex((live) => live.segment.base === inputs[0]?.segment.base);
    const isRun = inputs.every((input, i) => this.#segments[from + i]?.segment.base === input.segment.base);
    if (from < 0 || !isRun) throw new RangeError("the merged segments are not a run of this reader");
    const rest = this.#segments.slice(from + inputs.length);
    const before = this.#segments.slice(0, from);
    if (merged === null || merged.productCount === 0) return new Reader([...before, ...rest]);
    const gone: number[] = [];
    inputs.forEach((input, i) => {
      const { segment, deleted } = this.#segments[from + i];
      if (deleted === null || deleted === input.deleted) return;
      for (let word = 0; word < deleted.length; word++) {
        let bits = deleted[word] & ~(input.deleted === null ? 0 : input.deleted[word]);
        while (bits !== 0) {
          const lowest = bits & -bits;
          const row = merged.ids.find(segment.ids.get((word << 5) + 31 - Math.clz32(lowest)));
          if (row >= 0) gone.push(row);
          bits ^= lowest;
        }
      }
    });
    const current = this.#segments.slice(from, from + inputs.length);
    const replacement = mergedLive(current, merged).without(gone);
    return new Reader([...before, replacement, ...rest]);
  }
}

/** Id -> numbers of live products that differ from the bytes. */
function* changedNumbersOf({
  segment,
  deleted,
}: LiveSegment): Generator<readonly [id: string, numbers: NumberChanges]> {
  if (!(segment instanceof OverlaidSegment)) return;
  const rows = new Set<number>();
  for (const field of segment.numbers.fields.values()) for (const row of field.rows) rows.add(row);
  for (const row of rows) {
    if (deleted !== null && hasBit(deleted, row)) continue;
    const numbers = segment.numbers.at(row);
    if (numbers !== null) yield [segment.ids.get(row), numbers];
  }
}

/**
 * The result of a merge as in a reader: overlaid by the changed numbers of live products. `merged` must have only their
 * rows.
 */
export function mergedLive(inputs: readonly LiveSegment[], merged: Segment): CountedSegment {
  const changed = new Map<number, NumberChanges>();
  for (const input of inputs) {
    for (const [id, numbers] of changedNumbersOf(input)) {
      const row = merged.ids.find(id);
      if (row >= 0) changed.set(row, numbers);
    }
  }
  return CountedSegment.of(merged).withNumbers(changed);
}

/** Whether the heads of all titles are known (segment/positions/writer.ts). */
export function hasTitleHeads({ segments }: Reader): boolean {
  return segments.every(({ segment }) => segment.productCount === 0 || segment.titles.heads !== null);
}

/** A segment without deletions. */
export function live(segment: Segment): LiveSegment {
  return CountedSegment.of(segment);
}

/** Live products in list `term` of a segment. */
export function liveFrequency(live: LiveSegment, term: number): number {
  if (live.deletedCount === 0) return live.segment.postings.count(term);
  return live instanceof CountedSegment ? live.frequency(term) : countLive(live, term);
}
