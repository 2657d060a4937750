/**
 * One update applied to a shard, without any await: documents -> tiny segment, deletions, log rows, new reader.
 *
 *   put      complete documents. CREATED, UPDATED; DISMISSED: bad document, or there already and `replaceExisting` false;
 *            NOOP: a data processor declared it not visible.
 *   patch    changes, merged into the stored source, which then goes through the pipeline like any document. UPDATED; NOT_FOUND;
 *            NOOP: nothing changed, or not visible; DISMISSED: no document, or a bad one after merging.
 *   delete   DELETED; NOT_FOUND.
 *
 * Documents count in the order sent: the second patch of an id sees the first. An id sent twice reports its last outcome. A document without
 * a readable id is reported under "".
 */
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
  return call.documents.map((bytes) => idOf(parse(bytes))).filter((id) => id !== null);
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
  const write = (outcome: ReadOutcome, replaceExisting: boolean): void => {
    switch (outcome.status) {
      case "rejected":
        answer.set(outcome.id ?? "", "DISMISSED");
        return;
      case "skipped":
        answer.set(outcome.id, "NOOP");
        return;
      case "indexable": {
        const { product } = outcome;
        const there = exists(product.id);
        if (there && !replaceExisting) {
          answer.set(product.id, "DISMISSED");
          return;
        }
        answer.set(product.id, there ? "UPDATED" : "CREATED");
        writes.set(product.id, product);
      }
    }
  };

  switch (call.kind) {
    case "put":
      for (const bytes of call.documents) {
        write(shard.plan.read(parse(bytes), bytes), call.replaceExisting);
      }
      break;
    case "patch":
      for (const bytes of call.documents) {
        const patch = parse(bytes);
        const id = idOf(patch);
        if (id === null) {
          answer.set("", "DISMISSED");
        } else if (!exists(id)) {
          answer.set(id, "NOT_FOUND");
        } else {
          const stored = parse(writes.get(id)?.source ?? storedSource(shard, sources, id));
          const merged = shard.plan.merge(stored, patch);
          if (!merged.ok) {
            answer.set(id, "DISMISSED");
          } else {
            const text = JSON.stringify(merged.document);
            if (text === JSON.stringify(stored)) answer.set(id, "NOOP");
            else write(shard.plan.read(merged.document, encoder.encode(text)), true);
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
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** As documents' ids are read: numbers become strings. */
function idOf(document: unknown): string | null {
  if (typeof document !== "object" || document === null || !("id" in document)) return null;
  const { id } = document;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && id !== "" ? id.toWellFormed() : null;
}
