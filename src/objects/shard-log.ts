/**
 * Keeping the log short by merging its tiny segments: at most LOG_SEGMENTS entries; when there are more, the last few and whatever before
 * them is not larger than their sum become one, so that an operation is merged about log(operations) times. Writes go on meanwhile.
 *
 *   operations   9 8 1 1 1 1 1 1 1   ->   9 8 7
 *
 * What moves the log into published segments is a checkpoint (checkpoint.ts).
 */
import { openSegment } from "../index-engine/segment/index.ts";
import type { NumberChanges } from "../index-engine/overlay/index.ts";
import { liveInputs, type LoadedEntry, type LoadedShard } from "./loaded-shard.ts";
import { mergeWithPauses } from "./segment-storage.ts";
import type { ShardStore } from "./shard-store.ts";

/** In-memory segments of updates (architecture.md, "Near real time"). */
export const LOG_SEGMENTS = 8;
/** So many of the last entries are merged at least. */
const LEAST_RUN = 4;

/** Entries that change numbers only are no segments, but a log is replayed row by row. */
const LOG_ENTRIES = 256;

/**
 * Merges entries of the log while there are too many. Updates may come in between; so may a checkpoint, which wins: what it has sealed is left
 * alone. One at a time.
 */
export async function mergeLog(
  store: ShardStore,
  shard: LoadedShard,
  isCurrent: () => boolean,
): Promise<void> {
  for (;;) {
    const open = shard.log.filter((entry) => !entry.sealed);
    const segments = open.filter(({ segment }) => segment !== null).length;
    if (segments <= LOG_SEGMENTS && open.length <= LOG_ENTRIES) return;
    let start = open.length - LEAST_RUN;
    let operations = open.slice(start).reduce((sum, entry) => sum + entry.operations, 0);
    while (start > 0 && open[start - 1].operations <= operations) {
      start--;
      operations += open[start].operations;
    }
    if (!(await mergeEntries(store, shard, open.slice(start), isCurrent))) return;
  }
}

/** False: the log is another one now. */
async function mergeEntries(
  store: ShardStore,
  shard: LoadedShard,
  run: readonly LoadedEntry[],
  isCurrent: () => boolean,
): Promise<boolean> {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined) return false;
  const inputs = liveInputs(shard.reader, run);
  const bytes = inputs.length < 2 ? null : await mergeWithPauses(inputs);
  // From here on one turn: SQLite and the reader change together.
  const at = shard.log.indexOf(first);
  if (
    !isCurrent() ||
    store.state() === null ||
    at < 0 ||
    run.some((entry, i) => shard.log[at + i] !== entry)
  ) {
    return false;
  }
  const merged = bytes === null ? null : openSegment(bytes);
  const kept = run.find((entry) => entry.segment !== null);
  const segment = merged ?? kept?.segment ?? null;
  const segmentBytes = bytes ?? (kept === undefined ? null : store.logSegment(kept));
  // What is live in the merged segment was written again after it was deleted.
  const deletedIds = [...new Set(run.flatMap((entry) => entry.deletedIds))].filter(
    (id) => segment === null || segment.ids.find(id) < 0,
  );
  const numbers = mergedNumbers(run);
  const entry = {
    first: first.first,
    last: last.last,
    operations: run.reduce((sum, one) => sum + one.operations - one.numbers.size, numbers.size),
    sizeBytes: run.reduce((sum, one) => sum + one.sizeBytes, 0),
  };
  store.transaction(() => {
    store.dropLogEntries(run);
    store.appendLog(entry, segmentBytes, deletedIds, numbers);
  });
  if (merged !== null) shard.reader = shard.reader.replaceRun(inputs, merged);
  shard.log = [
    ...shard.log.slice(0, at),
    { ...entry, segment, deletedIds, numbers, sealed: false },
    ...shard.log.slice(at + run.length),
  ];
  return true;
}

/** Of these entries one after the other: what is written or deleted later has none from before. */
function mergedNumbers(run: readonly LoadedEntry[]): Map<string, NumberChanges> {
  const merged = new Map<string, NumberChanges>();
  for (const { segment, deletedIds, numbers } of run) {
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
  return merged;
}
