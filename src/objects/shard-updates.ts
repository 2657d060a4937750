/**
 * One update applied to a shard, without any await: documents -> tiny segment, deletions, log rows, new reader.
 *
 *   put      complete documents. CREATED, UPDATED; DISMISSED: bad document, or there already and `replaceExisting` false;
 *            NOOP: a data processor declared it not visible.
 *   patch    changes, merged into the stored source, which then goes through the pipeline like any document. UPDATED; NOT_FOUND;
 *            NOOP: nothing changed, or not visible; DISMISSED: no document, or a bad one after merging.
 *   delete   DELETED; NOT_FOUND.
 *
 * Documents count in the order sent: the second patch of an id sees the first. An id sent twice reports its last outcome; in a PUT that
 * of the request as a whole: CREATED or UPDATED when one of its documents was written, whatever became of the others.
 * A document is reported under its id as far as it can be read, even if it is too long; one without any under "".
 */
import { parseDocument, parseVerbatim, readableId } from "../index-engine/fields/index.ts";
import { openSegment, SegmentBuilder } from "../index-engine/segment/index.ts";
import { storedChunks } from "../index-engine/stored/index.ts";
import type { IndexableProduct, ReadOutcome, Segment } from "../index-engine/model.ts";
import type { UpdateAnswer, UpdateResult } from "../interface/index.ts";
import type { Reader } from "../index-engine/reader.ts";
import type { LoadedEntry, LoadedShard, SourceReader } from "./loaded-shard.ts";
import type { UpdateCall } from "./protocol.ts";
import { updateBlock, type ShardStore } from "./shard-store.ts";

/** What an update changes; nothing is changed yet. */
export interface Change {
  readonly answer: UpdateAnswer;
  /** Documents to write, by id; null: to delete. */
  readonly writes: ReadonlyMap<string, IndexableProduct | null>;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** Ids whose sources `planChange` will read. */
export function neededSources(call: UpdateCall): string[] {
  if (call.kind !== "patch") return [];
  return call.documents.map((bytes) => readableId(parse(bytes))).filter((id) => id !== null);
}

/** Decides what becomes of each document. Sources of patched documents must be readable without waiting. */
export function planChange(shard: LoadedShard, sources: SourceReader, call: UpdateCall): Change {
  // No object: an id may be "__proto__".
  const answer = new Map<string, UpdateResult>();
  const writes = new Map<string, IndexableProduct | null>();
  const exists = (id: string): boolean => {
    const written = writes.get(id);
    return written === undefined ? shard.reader.find(id) !== null : written !== null;
  };
  const put = (outcome: ReadOutcome, replaceExisting: boolean): void => {
    const id = outcome.status === "indexable" ? outcome.product.id : outcome.id;
    const isWritten = id !== null && writes.has(id);
    if (outcome.status === "indexable" && (replaceExisting || !exists(outcome.product.id))) {
      const { product } = outcome;
      if (!isWritten) answer.set(product.id, exists(product.id) ? "UPDATED" : "CREATED");
      writes.set(product.id, product);
    } else if (!isWritten) {
      answer.set(id ?? "", outcome.status === "skipped" ? "NOOP" : "DISMISSED");
    }
  };
  const patched = (outcome: ReadOutcome): void => {
    switch (outcome.status) {
      case "rejected":
        answer.set(outcome.id ?? "", "DISMISSED");
        return;
      case "skipped":
        answer.set(outcome.id, "NOOP");
        return;
      case "indexable":
        answer.set(outcome.product.id, "UPDATED");
        writes.set(outcome.product.id, outcome.product);
    }
  };

  switch (call.kind) {
    case "put":
      for (const bytes of call.documents) {
        put(shard.plan.read(parse(bytes), bytes), call.replaceExisting);
      }
      break;
    case "patch":
      for (const bytes of call.documents) {
        // What is only passed on is passed on digit by digit.
        const patch = parse(bytes, parseVerbatim);
        const id = readableId(patch);
        if (id === null) {
          answer.set("", "DISMISSED");
        } else if (!exists(id)) {
          answer.set(id, "NOT_FOUND");
        } else {
          const source = writes.get(id)?.source ?? storedSource(shard, sources, id);
          const stored = parse(source, parseVerbatim);
          const merged = shard.plan.merge(stored, patch);
          if (!merged.ok) {
            answer.set(id, "DISMISSED");
          } else {
            const text = JSON.stringify(merged.document);
            if (text === JSON.stringify(stored)) answer.set(id, "NOOP");
            else patched(shard.plan.read(parseDocument(text), encoder.encode(text)));
          }
        }
      }
      break;
    case "delete":
      for (const id of call.ids) {
        if (exists(id)) {
          answer.set(id, "DELETED");
          writes.set(id, null);
        } else if (!answer.has(id)) {
          answer.set(id, "NOT_FOUND");
        }
      }
  }
  return { answer: Object.fromEntries(answer), writes };
}

/** What the change becomes once it is durable. */
export interface Applied {
  readonly reader: Reader;
  readonly entry: LoadedEntry;
}

/**
 * Writes log and sources into SQLite; within a transaction. The caller installs the result after it, in the same turn, so that a
 * transaction that fails leaves both as they were. `position`: the number of this update.
 */
export function writeChange(
  store: ShardStore,
  shard: LoadedShard,
  change: Change,
  position: number,
): Applied {
  const deletedIds: string[] = [];
  let builder: SegmentBuilder | null = null;
  for (const [id, product] of change.writes) {
    if (product === null) {
      deletedIds.push(id);
    } else {
      builder ??= new SegmentBuilder({
        analyzer: shard.plan.analyzer,
        normGroup: (field) => shard.plan.normGroup(field),
        language: shard.plan.language,
        storedBlock: updateBlock(position),
      });
      builder.add(product);
    }
  }
  const built = builder?.finish() ?? null;
  const entry = {
    first: position,
    last: position,
    operations: change.writes.size,
    sizeBytes: built === null ? 0 : built.index.byteLength + built.stored.byteLength,
  };
  store.appendLog(entry, built?.index ?? null, deletedIds);
  let segment: Segment | null = null;
  if (built !== null) {
    storedChunks(built.stored).forEach((bytes, chunk) => {
      // A copy, because this is a view of the whole block.
      store.putLogChunk(position, chunk, bytes.slice());
    });
    segment = openSegment(built.index);
  }
  return {
    reader: shard.reader.withUpdate(segment, deletedIds),
    entry: { ...entry, segment, deletedIds, sealed: false },
  };
}

function storedSource(shard: LoadedShard, sources: SourceReader, id: string): Uint8Array {
  const ref = shard.place(id);
  const bytes = ref === null ? null : sources.get(ref);
  if (bytes === null) throw new Error(`the source of ${id} was to be fetched before`);
  return bytes;
}

/** Undefined for what is no JSON: the pipeline rejects it like every other thing that is no document. */
function parse(bytes: Uint8Array, as: (text: string) => unknown = parseDocument): unknown {
  try {
    return as(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}
