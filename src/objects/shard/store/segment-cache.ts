/**
 * A cache in SQLite of the shard's published segments, in parts, so a shard that wakes up reads only the parts its
 * first search needs. R2 has all segments.
 *
 *   segment_parts   segment * 2^32 + section * 2^20 + part -> XXH32 of the part, its bytes; section 0 is the head. segment/format/pages.ts
 *                   cuts segments; changing the cut needs a new SCHEMA_VERSION of the store
 *   segments        number of a segment in these keys -> its id (name-numbers.ts)
 *
 * **Complete or absent.** The head is written last and dropped first, so a copy can be written and dropped in several
 * commits and interrupted at any point. A copy without head counts as absent; the next sweep drops its parts.
 *
 * **Damage** is detected when a part is read, possibly in the middle of a search, and throws DamagedCopyError. After
 * the turn (which may be a failing transaction) the copy is dropped and the shard forgets its memory. The call is
 * repeated and reads the segment from R2 (shard-object.ts).
 */
import {
  OpenedSegment,
  PagedSections,
  partsOf,
  SegmentCorruptError,
  type SegmentCut,
} from "../../../index-engine/segment/index.ts";
import { checksum32, type CopyableBytes } from "../../../index-engine/base/index.ts";
import { NameNumbers } from "./name-numbers.ts";
import { Pause } from "../../pause.ts";
import type { SegmentEntry } from "../../protocol/index.ts";

/** Keys per segment, and per section. */
const SEGMENT_KEYS = 2 ** 32;
const SECTION_KEYS = 2 ** 20;

/** Parts dropped per step, which takes about a millisecond. */
const DROPPED_PER_STEP = 32;

/** Cost of a written byte, as Pause counts: a megabyte takes some milliseconds. */
const COUNTED_SHARE = 0.03;
/** Cost of a dropping step. */
const STEP_BYTES = 8_192;

/** Parts of a segment's copy are missing or differ from what was written. */
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
  /** Called when a damaged copy is dropped, after the turn that detected the damage. */
  onDamage: () => void = () => undefined;

  constructor(sql: SqlStorage, cut: SegmentCut) {
    this.#sql = sql;
    this.#cut = cut;
    this.#segments = new NameNumbers(sql, "segments");
  }

  /** Creates empty tables for a new life of the shard. */
  begin(): void {
    this.#sql.exec(`
      DROP TABLE IF EXISTS segment_parts;
      CREATE TABLE segment_parts (id INTEGER PRIMARY KEY, checksum INTEGER NOT NULL, bytes BLOB NOT NULL);
    `);
    this.#segments.begin();
  }

  /** SQLite no longer has what was last written: a transaction was rolled back. */
  forget(): void {
    this.#segments.forget();
  }

  /**
   * Null: not cached, or damaged and now dropped. Reads only the head; later reads of other parts may throw
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
      const segment = new OpenedSegment(head, paged);
      if (segment.sizeBytes !== sizeBytes) throw new DamagedCopyError(`${segment.sizeBytes} bytes`);
      isOpen = true;
      return segment;
    } catch (error) {
      if (!(error instanceof SegmentCorruptError)) throw error;
      this.#dropDamaged(id, error.message);
      return null;
    }
  }

  /** In steps, with pauses. Ends early when `isWanted` becomes false, because the tables may be gone. */
  async put({ id }: Entry, bytes: CopyableBytes, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("segment_copy");
    if (!isWanted()) return;
    const { head, parts } = partsOf(bytes, this.#cut);
    const headKey = this.#segments.add(id) * SEGMENT_KEYS;
    const write = (key: number, piece: Uint8Array): void => {
      this.#sql.exec(
        "INSERT OR REPLACE INTO segment_parts (id, checksum, bytes) VALUES (?, ?, ?)",
        key,
        checksum32(piece),
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

  /** Drops all other copies, in steps. No other copy may be written meanwhile. */
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
      .exec<{ checksum: number; bytes: ArrayBuffer }>("SELECT checksum, bytes FROM segment_parts WHERE id = ?", key)
      .toArray();
    if (row === undefined) return null;
    const head = new Uint8Array(row.bytes);
    if (checksum32(head) !== row.checksum) throw new DamagedCopyError("head");
    return head;
  }

  /** Parts [first, end) of the section whose keys start at `sectionKey`. */
  *#read(sectionKey: number, first: number, end: number, onDamage: (detail: string) => void): Iterable<Uint8Array> {
    let part = first;
    const rows = this.#sql.exec<{ part: number; checksum: number; bytes: ArrayBuffer }>(
      "SELECT id - ?1 AS part, checksum, bytes FROM segment_parts WHERE id >= ?1 + ?2 AND id < ?1 + ?3 ORDER BY id",
      sectionKey,
      first,
      end,
    );
    for (const row of rows) {
      const bytes = new Uint8Array(row.bytes);
      if (row.part !== part || checksum32(bytes) !== row.checksum) break;
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
    this.#sql.exec("DELETE FROM segment_parts WHERE id >= ?1 AND id < ?1 + ?2", first, SEGMENT_KEYS);
  }
}
