/**
 * SQLite's copy of the published segments of a shard, in parts: a shard that wakes up reads what its first search asks
 * for, not all of its index. R2 has every segment whole.
 *
 *   segment_parts   segment * 2^32 + section * 2^20 + part -> checksum of the part, its bytes; section 0 is the head. How a segment is cut:
 *                   segment/format/pages.ts; another way of cutting needs another SCHEMA_VERSION of the store
 *   segments        number of a segment in these keys -> its id (name-numbers.ts)
 *
 * **Whole or not there.** The head is written last and dropped first. So a copy can be written and dropped in steps, in as many commits,
 * whatever ends them: without the head it is not there, and what is left of it goes with the next sweep.
 *
 * **Damage** is noticed when a part is read, also in the middle of a search: DamagedCopyError. The copy is dropped then (not before the turn is
 * over, which may be a transaction that fails), the shard forgets what it has in memory, the call begins again, and
 * the segment comes from R2 (shard-object.ts).
 */
import {
  openPagedSegment,
  PagedSections,
  partsOf,
  SegmentCorruptError,
  type OpenedSegment,
  type SegmentCut,
} from "../../../index-engine/segment/index.ts";
import type { CopyableBytes } from "../../../index-engine/base/index.ts";
import { NameNumbers } from "./name-numbers.ts";
import { Pause } from "../../pause.ts";
import type { SegmentEntry } from "../../protocol/index.ts";

/** Keys of a segment, and of a section of it. */
const SEGMENT_KEYS = 2 ** 32;
const SECTION_KEYS = 2 ** 20;

/** Parts dropped in one go: a millisecond or so. */
const DROPPED_PER_STEP = 32;

/** What Pause counts for so many bytes that are written: a megabyte takes some milliseconds. */
const COUNTED_SHARE = 0.03;
/** And for dropping some parts. */
const STEP_BYTES = 8_192;

/** Parts of the copy of a segment are missing or have other bytes than were written. */
export class DamagedCopyError extends SegmentCorruptError {
  constructor(detail: string) {
    super("copy", detail);
    this.name = "DamagedCopyError";
  }
}

type Entry = Pick<SegmentEntry, "id" | "sizeBytes">;

export class SegmentCache {
  readonly #sql: SqlStorage;
  readonly #cut: SegmentCut;
  readonly #segments: NameNumbers;
  /** Called after the turn in which damage was noticed, when the copy is dropped. */
  onDamage: () => void = () => undefined;

  constructor(sql: SqlStorage, cut: SegmentCut) {
    this.#sql = sql;
    this.#cut = cut;
    this.#segments = new NameNumbers(sql, "segments");
  }

  /** The tables, empty: for a new life of the shard. */
  begin(): void {
    this.#sql.exec(`
      DROP TABLE IF EXISTS segment_parts;
      CREATE TABLE segment_parts (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
    `);
    this.#segments.begin();
  }

  /** What is in SQLite is not what was written last: a transaction was taken back. */
  forget(): void {
    this.#segments.forget();
  }

  /**
   * Null: not here, or damaged, and dropped now. Reads the head; the rest when it is asked for: that may throw
   * DamagedCopyError.
   */
  open({ id, sizeBytes }: Entry): OpenedSegment | null {
    const number = this.#segments.of(id);
    if (number === undefined) return null;
    const headKey = number * SEGMENT_KEYS;
    let isOpen = false;
    const onDamage = (detail: string): void => {
      if (!isOpen) return;
      queueMicrotask(() => {
        this.#dropDamaged(id, detail);
        this.onDamage();
      });
    };
    const paged = new PagedSections(
      (section, first, end) => this.#read(headKey + section * SECTION_KEYS, first, end, onDamage),
      this.#cut,
    );
    try {
      const head = this.#head(headKey);
      if (head === null) return null;
      const segment = openPagedSegment(head, paged);
      if (segment.sizeBytes !== sizeBytes) throw new DamagedCopyError(`${segment.sizeBytes} bytes`);
      isOpen = true;
      return segment;
    } catch (error) {
      if (!(error instanceof SegmentCorruptError)) throw error;
      this.#dropDamaged(id, error.message);
      return null;
    }
  }

  /** In steps, with pauses. Ends early once `isWanted` says no: the shard may have been destroyed, its tables gone. */
  async put({ id }: Entry, bytes: CopyableBytes, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("segment_copy");
    if (!isWanted()) return;
    const { head, parts } = partsOf(bytes, this.#cut);
    const headKey = this.#segments.add(id) * SEGMENT_KEYS;
    const write = (key: number, piece: Uint8Array): void => {
      this.#sql.exec(
        "INSERT OR REPLACE INTO segment_parts (id, checksum, bytes) VALUES (?, ?, ?)",
        key,
        copySum(piece),
        piece,
      );
    };
    for (const { section, part, start, end } of parts) {
      if (!isWanted()) return;
      write(headKey + section * SECTION_KEYS + part, bytes.copy(start, end));
      await pause.after((end - start) * COUNTED_SHARE);
    }
    if (isWanted()) write(headKey, head);
  }

  /** Drops all copies but these, in steps. Nobody may be writing another one meanwhile. */
  async sweep(keep: ReadonlySet<string>, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("segment_copy");
    for (const id of this.#segments.names()) {
      if (keep.has(id)) continue;
      const first = this.#segments.add(id) * SEGMENT_KEYS;
      for (;;) {
        if (!isWanted()) return;
        const { rowsWritten } = this.#sql.exec(
          "DELETE FROM segment_parts WHERE id IN (SELECT id FROM segment_parts WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id LIMIT ?3)",
          first,
          SEGMENT_KEYS,
          DROPPED_PER_STEP,
        );
        if (rowsWritten === 0) break;
        await pause.after(STEP_BYTES);
      }
      this.#segments.drop(id);
    }
  }

  /** Throws DamagedCopyError. */
  #head(key: number): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ checksum: number; bytes: ArrayBuffer }>(
        "SELECT checksum, bytes FROM segment_parts WHERE id = ?",
        key,
      )
      .toArray();
    if (row === undefined) return null;
    const head = new Uint8Array(row.bytes);
    if (copySum(head) !== row.checksum) throw new DamagedCopyError("head");
    return head;
  }

  /** Parts [first, end) of the section whose keys begin there. */
  *#read(
    sectionKey: number,
    first: number,
    end: number,
    onDamage: (detail: string) => void,
  ): Iterable<Uint8Array> {
    let part = first;
    const rows = this.#sql.exec<{ part: number; checksum: number; bytes: ArrayBuffer }>(
      "SELECT id - ?1 AS part, checksum, bytes FROM segment_parts WHERE id >= ?1 + ?2 AND id < ?1 + ?3 ORDER BY id",
      sectionKey,
      first,
      end,
    );
    for (const row of rows) {
      const bytes = new Uint8Array(row.bytes);
      if (row.part !== part || copySum(bytes) !== row.checksum) break;
      yield bytes;
      part++;
    }
    if (part === end) return;
    const section = (sectionKey % SEGMENT_KEYS) / SECTION_KEYS;
    const detail = `part ${part} of section ${section}`;
    onDamage(detail);
    throw new DamagedCopyError(detail);
  }

  #dropDamaged(id: string, reason: string): void {
    console.error(JSON.stringify({ event: "cached_segment_damaged", id, reason }));
    const number = this.#segments.of(id);
    if (number === undefined) return;
    const first = number * SEGMENT_KEYS;
    this.#sql.exec(
      "DELETE FROM segment_parts WHERE id >= ?1 AND id < ?1 + ?2",
      first,
      SEGMENT_KEYS,
    );
  }
}

const ODD_1 = 0x9e3779b1 | 0;
const ODD_2 = 0x85ebca77 | 0;
const ODD_3 = 0xc2b2ae3d | 0;
const ODD_4 = 0x27d4eb2f | 0;

/**
 * The checksum of SQLite's copies, 32 bits: whoever wakes up computes it over megabytes before the first answer, and
 * this takes a third of the time of the segments' own (XXH32). Four lanes, each `lane = (lane ^ word) * odd`, which
 * maps different lanes to different ones, and so does what puts them together: damage in one word is always noticed,
 * other damage all but once in four billion times.
 *
 * `bytes` must start at a multiple of 4.
 */
export function copySum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, (bytes.length >>> 4) * 4);
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  for (let i = 0; i < words.length; i += 4) {
    a = Math.imul(a ^ words[i], ODD_1);
    b = Math.imul(b ^ words[i + 1], ODD_2);
    c = Math.imul(c ^ words[i + 2], ODD_3);
    d = Math.imul(d ^ words[i + 3], ODD_4);
  }
  for (let i = words.length * 4; i < bytes.length; i++) a = Math.imul(a ^ bytes[i], ODD_1);
  let sum = Math.imul(a ^ bytes.length, ODD_1);
  sum = Math.imul(sum ^ b, ODD_2);
  sum = Math.imul(sum ^ c, ODD_3);
  sum = Math.imul(sum ^ d, ODD_4);
  return (sum ^ (sum >>> 15)) >>> 0;
}
