/**
 * Merges the tiny segments of the log, to have at most LOG_SEGMENTS. When there are more, the last few entries are
 * merged with all entries before them that are not larger than their sum. So a document is merged about
 * log(documents) times.
 *
 *   sizes        9 8 1 1 1 1 1 1 1   ->   9 8 7
 *
 * Every segment slows searches down, so the log must stay short on a busy thread, too:
 *
 *   small run    up to SMALL_BYTES, some milliseconds: merged in the turn and commit of the write that made it due
 *   large run    merged in steps with pauses for searches and writes, one at a time. On a busy thread a pause lasts as long as the waiting
 *                searches; meanwhile the entries behind it are merged in small runs
 *
 *   entries      [ 900 450 230 being merged ]  120 60 1 1 1 1 1 1 1   ->   [ ... ]  120 60 7
 *
 * Merging changes memory only; SQLite keeps a row per batch (update-log.ts). An entry that covers SAVED_ROWS rows is
 * also written to SQLite, so a restart reads few rows. A restart merges what it has read before it answers
 * (`mergeLoaded`).
 *
 * A checkpoint (checkpoint.ts), which moves the log into published segments, has priority: sealed entries are not
 * merged, and a large merge that includes them is discarded.
 */
import { openSegment, mergeSegments } from "../../../index-engine/segment/index.ts";
import type { LiveSegment, Segment, NumberChanges } from "../../../index-engine/segment/model/index.ts";
import { liveInputs, type LoadedEntry, type LoadedShard } from "../loaded/index.ts";
import { isOfAnalysis } from "./analysis.ts";
import { Pause } from "../../pause.ts";
import { mergeWithPauses } from "../../segment-storage.ts";
import { LOG_SEGMENTS, logRun, type LogPiece } from "./log-run.ts";
import type { ShardStore } from "../store/index.ts";

/** Rows of SQLite that are merged into one. A restart reads a few times as many. */
const SAVED_ROWS = 32;

/** Size of a deleted id and of a changed number, for merging. */
const ID_BYTES = 32;
const NUMBER_BYTES = 32;

export class LogMerging {
  readonly #store: ShardStore;
  /** The last entry of the large run being merged. */
  #largeEnd: LoadedEntry | null = null;

  constructor(store: ShardStore) {
    this.#store = store;
  }

  /** Merges what is due, small runs in the caller's turn. Resolves when a large run and what follows it are merged. */
  async merge(shard: LoadedShard, isCurrent: () => boolean): Promise<void> {
    while (isCurrent()) {
      const open = this.#open(shard);
      const run = logRun(open.map(pieceOf), this.#largeEnd === null);
      if (run === null) return;
      const entries = open.slice(run.start, run.end);
      if (run.isSmall) this.#mergeSmall(shard, entries);
      else if (!(await this.#mergeLarge(shard, entries, isCurrent))) return;
    }
  }

  /** Merges the last entries after loading, before any answer. */
  mergeLoaded(shard: LoadedShard): void {
    const open = this.#open(shard);
    const segments = open.filter(({ segment }) => segment !== null);
    if (segments.length <= LOG_SEGMENTS) return;
    const run = open.slice(open.indexOf(segments[LOG_SEGMENTS - 1]));
    // Without pauses, because they would wait for searches that wait for this.
    this.#mergeSmall(shard, run);
  }

  /**
   * Entries behind the sealed ones, the run being merged, and those of another analysis version, which the next
   * checkpoint removes.
   */
  #open(shard: LoadedShard): readonly LoadedEntry[] {
    let start = 0;
    shard.log.forEach((entry, at) => {
      const isForeign = entry.segment !== null && !isOfAnalysis(entry.segment, shard.plan);
      if (entry.sealed || entry === this.#largeEnd || isForeign) start = at + 1;
    });
    return shard.log.slice(start);
  }

  #mergeSmall(shard: LoadedShard, run: readonly LoadedEntry[]): void {
    const inputs = liveInputs(shard.reader, run);
    const merged = isMergeNeeded(inputs) ? mergeSegments(inputs) : null;
    const numbers = new Map<string, NumberChanges>();
    for (const entry of run) addNumbers(numbers, entry);
    replace(this.#store, shard, { run, inputs, merged, numbers });
  }

  /** False: the log has changed. */
  async #mergeLarge(shard: LoadedShard, run: readonly LoadedEntry[], isCurrent: () => boolean): Promise<boolean> {
    this.#largeEnd = run[run.length - 1];
    try {
      const inputs = liveInputs(shard.reader, run);
      const merged = isMergeNeeded(inputs) ? await mergeWithPauses(inputs) : null;
      const numbers = new Map<string, NumberChanges>();
      const pause = new Pause("merge");
      for (const entry of run) {
        addNumbers(numbers, entry);
        await pause.after(pieceOf(entry).sizeBytes / 8);
      }
      // One turn from here: SQLite and the reader change together.
      const at = shard.log.indexOf(run[0]);
      const isSame = at >= 0 && run.every((entry, i) => shard.log[at + i] === entry);
      if (!isSame || !isCurrent() || this.#store.state() === null) return false;
      replace(this.#store, shard, { run, inputs, merged, numbers });
      return true;
    } finally {
      this.#largeEnd = null;
    }
  }
}

/**
 * A single segment without deletions is kept. Any other run is merged, even into an empty segment, because dead rows
 * must not come back.
 */
function isMergeNeeded(inputs: readonly LiveSegment[]): boolean {
  return inputs.length > 1 || inputs.some(({ deletedCount }) => deletedCount > 0);
}

function pieceOf({ segment, deletedIds, numbers }: LoadedEntry): LogPiece {
  return {
    sizeBytes: (segment?.sizeBytes ?? 0) + deletedIds.length * ID_BYTES + numbers.size * NUMBER_BYTES,
    isSegment: segment !== null,
  };
}

/** A run of log entries and its merged contents. */
interface Merged {
  readonly run: readonly LoadedEntry[];
  /** Their segments in the reader, as they were when the merge began. */
  readonly inputs: readonly LiveSegment[];
  /** Null: not merged (isMergeNeeded). */
  readonly merged: Uint8Array<ArrayBuffer> | null;
  readonly numbers: ReadonlyMap<string, NumberChanges>;
}

/** Replaces the run by one entry, in one turn. */
function replace(store: ShardStore, shard: LoadedShard, { run, inputs, merged, numbers }: Merged): void {
  const [first] = run;
  const last = run[run.length - 1];
  const at = shard.log.indexOf(first);
  const made = merged === null ? null : openSegment(merged);
  const reader = made === null ? shard.reader : shard.reader.replaceRun(inputs, made);
  const { segment, bytes } = resultOf(store, run, inputs, made, merged);
  // An id that is live in the segment was written again after its deletion.
  const deletedIds = [...new Set(run.flatMap((entry) => entry.deletedIds))].filter(
    (id) => segment === null || segment.ids.find(id) < 0,
  );
  const entry = {
    first: first.first,
    last: last.last,
    operations: run.reduce((sum, one) => sum + one.operations - one.numbers.size, numbers.size),
    sizeBytes: run.reduce((sum, one) => sum + one.sizeBytes, 0),
  };
  const rows = run.reduce((sum, one) => sum + one.rows, 0);
  const isSaved = rows >= SAVED_ROWS;
  if (isSaved) {
    const contents = { segment: bytes, deletedIds, numbers, sources: null };
    store.transaction(() => store.log.append(entry, contents, store.log.end()?.updates ?? 0));
  }
  const kept = isSaved ? { rows: 1, unsaved: null } : { rows, unsaved: bytes };
  shard.reader = reader;
  shard.log = [
    ...shard.log.slice(0, at),
    { ...entry, segment, deletedIds, numbers, sealed: false, ...kept },
    ...shard.log.slice(at + run.length),
  ];
}

/** The segment of the new entry, in memory and as bytes; null: no document is left. */
function resultOf(
  store: ShardStore,
  run: readonly LoadedEntry[],
  inputs: readonly LiveSegment[],
  made: Segment | null,
  merged: Uint8Array<ArrayBuffer> | null,
): { readonly segment: Segment | null; readonly bytes: Uint8Array<ArrayBuffer> | null } {
  const nothing = { segment: null, bytes: null };
  if (made !== null) return made.productCount === 0 ? nothing : { segment: made, bytes: merged };
  const [only] = inputs;
  if (only === undefined) return nothing;
  const kept = run.find(({ segment }) => segment === only.segment.base);
  const bytes = kept === undefined ? null : (kept.unsaved ?? store.log.segment(kept));
  if (bytes === null) throw new Error("a segment of the log is not in SQLite");
  return { segment: only.segment.base, bytes };
}

/** Adds the numbers of the next entry. Earlier numbers of documents it writes or deletes are dropped. */
function addNumbers(merged: Map<string, NumberChanges>, { segment, deletedIds, numbers }: LoadedEntry): void {
  if (merged.size > 0) {
    for (const id of deletedIds) merged.delete(id);
    for (let row = 0; row < (segment?.productCount ?? 0); row++) {
      if (segment !== null) merged.delete(segment.ids.get(row));
    }
  }
  for (const [id, changes] of numbers) {
    const before = merged.get(id);
    merged.set(id, before === undefined ? changes : new Map([...before, ...changes]));
  }
}
