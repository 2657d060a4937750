/**
 * SQLite's copy of the published segments of a shard, in pages: a shard that wakes up reads what its first search asks for, not all of its index.
 * R2 has every segment whole.
 *
 *   segment_pages   (segment, page) -> checksum of the bytes, bytes [page * PAGE_BYTES, (page + 1) * PAGE_BYTES) of the segment
 *
 * **Whole or not there.** Page 0, which holds the header, is written last and dropped first. So a copy can be written and dropped in steps, in as
 * many commits, whatever ends them: without page 0 it is not there, and what is left of it goes with the next sweep.
 *
 * **Damage** is noticed when a page is read, also in the middle of a search: DamagedCopyError. The copy is dropped then (not before the turn is
 * over, which may be a transaction that fails), the shard forgets what it has in memory, the call begins again, and the segment comes from R2
 * (shard-object.ts). XXH32 of a page takes some 20 microseconds.
 *
 * Pages of 64 KB: reading all of a segment takes as long as in pieces of 2 MB, reading one page some 50 microseconds.
 */
import {
  checksum32,
  openPagedSegment,
  PagedBytes,
  SegmentCorruptError,
  type OpenedSegment,
  type SegmentBytes,
} from "../index-engine/segment/index.ts";
import { Pause } from "./pause.ts";
import type { SegmentEntry } from "./protocol/index.ts";

export const PAGE_BYTES = 65_536;

/** Pages dropped in one go: a millisecond or so. */
const DROPPED_PER_STEP = 64;

/** Writing a page, as Pause counts: a quarter of a millisecond. */
const STEP_BYTES = 2_048;

/** Pages of the copy of a segment are missing or have other bytes than were written. */
export class DamagedCopyError extends SegmentCorruptError {
  constructor(detail: string) {
    super("page", detail);
    this.name = "DamagedCopyError";
  }
}

type Entry = Pick<SegmentEntry, "id" | "sizeBytes">;

export class SegmentCache {
  readonly #sql: SqlStorage;
  /** Called after the turn in which damage was noticed, when the copy is dropped. */
  onDamage: () => void = () => undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The table, empty: for a new life of the shard. */
  begin(): void {
    this.#sql.exec(`
      DROP TABLE IF EXISTS segment_pages;
      CREATE TABLE segment_pages (
        segment TEXT NOT NULL, page INTEGER NOT NULL, checksum INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (segment, page)
      );
    `);
  }

  /** Null: not here, or damaged, and dropped. Reads the header; the rest when it is asked for: that may throw DamagedCopyError. */
  open({ id, sizeBytes }: Entry): OpenedSegment | null {
    if (!this.#isHere(id)) return null;
    let isOpen = false;
    const pages = new PagedBytes(sizeBytes, PAGE_BYTES, (first, end) =>
      this.#read(id, first, end, (error) => {
        if (isOpen) queueMicrotask(() => this.#dropDamaged(id, error));
      }),
    );
    try {
      const segment = openPagedSegment(pages);
      isOpen = true;
      return segment;
    } catch (error) {
      if (!(error instanceof SegmentCorruptError)) throw error;
      this.#dropDamaged(id, error);
      return null;
    }
  }

  /** In steps, with pauses. Ends early once `isWanted` says no: the shard may have been destroyed, its tables gone. */
  async put({ id, sizeBytes }: Entry, bytes: SegmentBytes, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("segment_copy");
    for (let page = Math.ceil(sizeBytes / PAGE_BYTES) - 1; page >= 0; page--) {
      if (!isWanted()) return;
      const piece = bytes.copy(page * PAGE_BYTES, Math.min((page + 1) * PAGE_BYTES, sizeBytes));
      this.#sql.exec(
        "INSERT OR REPLACE INTO segment_pages (segment, page, checksum, bytes) VALUES (?, ?, ?, ?)",
        id,
        page,
        checksum32(piece),
        piece,
      );
      await pause.after(STEP_BYTES);
    }
  }

  /** At once. */
  drop(id: string): void {
    this.#sql.exec("DELETE FROM segment_pages WHERE segment = ?", id);
  }

  /** Drops all copies but these, in steps. Nobody may be writing another one meanwhile. */
  async sweep(keep: ReadonlySet<string>, isWanted: () => boolean): Promise<void> {
    const pause = new Pause("segment_copy");
    for (const id of this.#ids()) {
      if (keep.has(id)) continue;
      for (let left = true; left;) {
        if (!isWanted()) return;
        const { rowsWritten } = this.#sql.exec(
          "DELETE FROM segment_pages WHERE segment = ? AND page IN (SELECT page FROM segment_pages WHERE segment = ? ORDER BY page LIMIT ?)",
          id,
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
      .exec<{ segment: string }>("SELECT DISTINCT segment FROM segment_pages")
      .toArray()
      .map(({ segment }) => segment);
  }

  #isHere(id: string): boolean {
    const rows = this.#sql.exec("SELECT 1 FROM segment_pages WHERE segment = ? AND page = 0", id);
    return !rows.next().done;
  }

  #dropDamaged(id: string, { message }: Error): void {
    console.error(JSON.stringify({ event: "cached_segment_damaged", id, reason: message }));
    this.drop(id);
    this.onDamage();
  }

  *#read(
    id: string,
    first: number,
    end: number,
    onDamage: (error: DamagedCopyError) => void,
  ): Iterable<Uint8Array> {
    let page = first;
    const rows = this.#sql.exec<{ page: number; checksum: number; bytes: ArrayBuffer }>(
      "SELECT page, checksum, bytes FROM segment_pages WHERE segment = ? AND page BETWEEN ? AND ? ORDER BY page",
      id,
      first,
      end - 1,
    );
    for (const row of rows) {
      const bytes = new Uint8Array(row.bytes);
      if (row.page !== page || checksum32(bytes) !== row.checksum) break;
      yield bytes;
      page++;
    }
    if (page === end) return;
    const error = new DamagedCopyError(`page ${page} of ${id}`);
    onDamage(error);
    throw error;
  }
}
