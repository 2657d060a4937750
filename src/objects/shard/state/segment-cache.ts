/**
 * SQLite's copy of the published segments of a shard, in parts: a shard that wakes up reads what its first search asks
 * for, not all of its index. R2 has every segment whole.
 *
 *   segment_parts   (segment, section, part) -> checksum of the part, its bytes; section 0 is the head. How a segment is cut: segment/format/pages.ts;
 *                   another way of cutting needs another SCHEMA_VERSION of the store
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
import { copySum } from "./copy-sum.ts";
import { Pause } from "../../pause.ts";
import type { SegmentEntry } from "../../protocol/index.ts";

/** No section of a segment has this number. */
const HEAD = 0;

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
  /** Called after the turn in which damage was noticed, when the copy is dropped. */
  onDamage: () => void = () => undefined;

  constructor(sql: SqlStorage, cut: SegmentCut) {
    this.#sql = sql;
    this.#cut = cut;
  }

  /** The table, empty: for a new life of the shard. */
  begin(): void {
    this.#sql.exec(`
      DROP TABLE IF EXISTS segment_parts;
      CREATE TABLE segment_parts (
        segment TEXT NOT NULL, section INTEGER NOT NULL, part INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL,
        PRIMARY KEY (segment, section, part)
      );
    `);
  }

  /**
   * Null: not here, or damaged, and dropped now. Reads the head; the rest when it is asked for: that may throw
   * DamagedCopyError.
   */
  open({ id, sizeBytes }: Entry): OpenedSegment | null {
    let isOpen = false;
    const onDamage = (detail: string): void => {
      if (!isOpen) return;
      queueMicrotask(() => {
        this.#dropDamaged(id, detail);
        this.onDamage();
      });
    };
    const paged = new PagedSections(
      (section, first, end) => this.#read(id, section, first, end, onDamage),
      this.#cut,
    );
    try {
      const head = this.#head(id);
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
    const { head, parts } = partsOf(bytes, this.#cut);
    const write = (section: number, part: number, piece: Uint8Array): void => {
      this.#sql.exec(
        "INSERT OR REPLACE INTO segment_parts (segment, section, part, checksum, bytes) VALUES (?, ?, ?, ?, ?)",
        id,
        section,
        part,
        copySum(piece),
        piece,
      );
    };
    for (const { section, part, start, end } of parts) {
      if (!isWanted()) return;
      write(section, part, bytes.copy(start, end));
      await pause.after((end - start) * COUNTED_SHARE);
    }
    if (isWanted()) write(HEAD, 0, head);
  }

  /** Drops all copies but these, in steps. Nobody may be writing another one meanwhile. */
  async sweep(keep: ReadonlySet<string>, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("segment_copy");
    for (const id of this.#ids()) {
      if (keep.has(id)) continue;
      for (let left = true; left;) {
        if (!isWanted()) return;
        const { rowsWritten } = this.#sql.exec(
          "DELETE FROM segment_parts WHERE rowid IN (SELECT rowid FROM segment_parts WHERE segment = ? ORDER BY section, part LIMIT ?)",
          id,
          DROPPED_PER_STEP,
        );
        left = rowsWritten > 0;
        await pause.after(STEP_BYTES);
      }
    }
  }

  #ids(): string[] {
    return this.#sql
      .exec<{ segment: string }>("SELECT DISTINCT segment FROM segment_parts")
      .toArray()
      .map(({ segment }) => segment);
  }

  /** Throws DamagedCopyError. */
  #head(id: string): Uint8Array | null {
    const [row] = this.#sql
      .exec<{ checksum: number; bytes: ArrayBuffer }>(
        "SELECT checksum, bytes FROM segment_parts WHERE segment = ? AND section = ?",
        id,
        HEAD,
      )
      .toArray();
    if (row === undefined) return null;
    const head = new Uint8Array(row.bytes);
    if (copySum(head) !== row.checksum) throw new DamagedCopyError("head");
    return head;
  }

  *#read(
    id: string,
    section: number,
    first: number,
    end: number,
    onDamage: (detail: string) => void,
  ): Iterable<Uint8Array> {
    let part = first;
    const rows = this.#sql.exec<{ part: number; checksum: number; bytes: ArrayBuffer }>(
      "SELECT part, checksum, bytes FROM segment_parts WHERE segment = ? AND section = ? AND part BETWEEN ? AND ? ORDER BY part",
      id,
      section,
      first,
      end - 1,
    );
    for (const row of rows) {
      const bytes = new Uint8Array(row.bytes);
      if (row.part !== part || copySum(bytes) !== row.checksum) break;
      yield bytes;
      part++;
    }
    if (part === end) return;
    const detail = `part ${part} of section ${section}`;
    onDamage(detail);
    throw new DamagedCopyError(detail);
  }

  #dropDamaged(id: string, reason: string): void {
    console.error(JSON.stringify({ event: "cached_segment_damaged", id, reason }));
    this.#sql.exec("DELETE FROM segment_parts WHERE segment = ?", id);
  }
}
