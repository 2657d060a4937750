/**
 * The two shards of a reindex (session/reindex.ts): the session copies and follows a live shard, and a building shard
 * catches up.
 *
 * One session at a time follows a live shard. After `follow`, every write notes its ids in its commit (write-path.ts).
 * The session reads the published documents in pages, and the noted ones at any time. Following ends when another
 * session follows (the next call of the first is STALE), when the shard is retired (standing.ts), and after an hour
 * without calls (maintenance.ts). Meanwhile no source moves to another block (source-packing.ts).
 */
import { hasBit } from "../../index-engine/base/index.ts";
import type { StoredRef } from "../../index-engine/segment/model/index.ts";
import type { LoadedShard, SourceReader } from "./loaded/index.ts";
import type { ShardStore } from "./store/index.ts";
import {
  isStale,
  STALE,
  type ChunkRun,
  type CopyCall,
  type FollowAnswer,
  type FollowCursor,
  type FollowedDocument,
  type FollowedPage,
  type ReindexCall,
  type ShardResult,
  type Stale,
  type CatchUpAnswer,
} from "../protocol/index.ts";
import { ok, fail, type Failure } from "../results.ts";
import { chunkCount } from "../stored-blocks.ts";
import type { Admission, ShardMemory } from "./standing/index.ts";
import { parseDocument } from "../../index-engine/documents/index.ts";
import type { Result } from "../../interface/index.ts";
import { type PlannedDocument, type PlannedWrites, sizeOfChange, type WritePath } from "./writing/index.ts";
import { Pause, stepped, type Steps } from "../pause.ts";
import type { Lock } from "./locks.ts";

/** Limits of a page of followed documents. */
const DOCUMENTS_PER_PAGE = 500;
const PAGE_BYTES = 4_000_000;

export class ReindexSource {
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #admission: Admission;

  constructor(store: ShardStore, memory: ShardMemory, admission: Admission) {
    this.#store = store;
    this.#memory = memory;
    this.#admission = admission;
  }

  async follow(call: ReindexCall & { readonly resume: boolean }): Promise<ShardResult<FollowAnswer>> {
    const shard = await this.#admission.admit(call);
    // No await between `admit` and the end of this turn.
    if (isStale(shard)) return shard;
    // Another session has followed since, and writes were noted for that one.
    if (call.resume && this.#store.following() !== call.session) return STALE;
    return ok(follow(this.#store, shard, call));
  }

  async copyRuns(call: CopyCall): Promise<ShardResult<readonly Uint8Array[]>> {
    const shard = await this.#followedBy(call);
    return isStale(shard) ? STALE : ok(await copyPage(shard, this.#memory.sources(shard), call));
  }

  /** The shard, if the session still follows it. */
  async #followedBy(call: ReindexCall): Promise<LoadedShard | Stale> {
    const shard = await this.#admission.admit(call);
    if (isStale(shard) || this.#store.following() !== call.session) return STALE;
    this.#store.heardOf(call.session);
    return shard;
  }

  async followed(call: ReindexCall & { readonly after: FollowCursor }): Promise<ShardResult<FollowedPage>> {
    const shard = await this.#followedBy(call);
    if (isStale(shard)) return STALE;
    return ok(await followedPage(this.#store, shard, this.#memory.sources(shard), call.after));
  }
}

/**
 * In one turn: published documents will be copied, documents of the log are followed.
 *
 * @param resume the session already follows and continues after a crash; the notes are still complete
 */
function follow(
  store: ShardStore,
  shard: LoadedShard,
  { session, resume }: { readonly session: string; readonly resume: boolean },
): FollowAnswer {
  const blocks = shard.manifest.blocks.map((block) => ({
    id: block.id,
    firstChunk: block.firstChunk,
    endChunk: block.firstChunk + chunkCount(block),
    sizeBytes: (block.bounds.at(-1) ?? 0) - block.bounds[0],
  }));
  const cursor = { position: -1, id: "" };
  if (resume) return { cursor, blocks };
  const position = store.state()?.logPosition ?? 0;
  const logSegments = new Set(shard.log.map((entry) => entry.segment));
  const ids: string[] = [];
  for (const { segment, deleted } of shard.reader.segments) {
    if (!logSegments.has(segment.base)) continue;
    for (let row = 0; row < segment.productCount; row++) {
      if (deleted === null || !hasBit(deleted, row)) ids.push(segment.ids.get(row));
    }
  }
  store.transaction(() => store.follow(session, ids, position));
  return { cursor, blocks };
}

/** The live documents in these chunks, in stored order. */
async function copyPage(shard: LoadedShard, sources: SourceReader, { runs }: CopyCall): Promise<readonly Uint8Array[]> {
  const byBlock = new Map(runs.map((run): [string, ChunkRun] => [run.id, run]));
  const placeOf = new Map([...byBlock.keys()].map((id, place) => [id, place]));
  const refs: StoredRef[] = [];
  for (const live of shard.reader.segments) {
    if (!live.segment.storedBlocks.some((block) => byBlock.has(block))) continue;
    for (let row = 0; row < live.segment.productCount; row++) {
      if (live.deleted !== null && hasBit(live.deleted, row)) continue;
      const ref = live.segment.storedRef(row);
      const run = byBlock.get(ref.block);
      if (run !== undefined && run.firstChunk <= ref.chunk && ref.chunk < run.endChunk) {
        refs.push(ref);
      }
    }
  }
  const place = ({ block }: StoredRef): number => placeOf.get(block) ?? 0;
  refs.sort((a, b) => place(a) - place(b) || a.chunk - b.chunk || a.offset - b.offset);
  await sources.fetch(refs);
  return refs.map((ref) => sourceOf(sources, ref));
}

/** The documents written after the cursor, as they are now. */
async function followedPage(
  store: ShardStore,
  shard: LoadedShard,
  sources: SourceReader,
  after: FollowCursor,
): Promise<FollowedPage> {
  const noted = store.followedAfter(after, DOCUMENTS_PER_PAGE);
  // Looked up in the same turn as the notes. Writes during the following reads are noted again, after this page.
  const refs = noted.map(({ id }) => shard.place(id));
  const found = refs.filter((ref) => ref !== null);
  await sources.fetch(found);
  const documents: FollowedDocument[] = [];
  let cursor = after;
  let sizeBytes = 0;
  for (const [i, entry] of noted.entries()) {
    const ref = refs[i];
    const source = ref === null ? null : sourceOf(sources, ref);
    sizeBytes += source?.byteLength ?? 0;
    if (sizeBytes > PAGE_BYTES && documents.length > 0) break;
    documents.push({ id: entry.id, source });
    cursor = entry;
  }
  const more = documents.length < noted.length || noted.length === DOCUMENTS_PER_PAGE;
  return { documents, cursor, more };
}

/** A copy, because sending a view would send its whole chunk. */
function sourceOf(sources: SourceReader, ref: StoredRef): Uint8Array {
  const bytes = sources.get(ref);
  if (bytes === null) throw new Error("a source that was just fetched is gone");
  return bytes.slice();
}

/**
 * A building shard as the target of a reindex (session/reindex.ts). It writes followed documents to its log, like an
 * update that is not counted. A followed document is its current version or its deletion, so repeating it is harmless.
 */
export class ReindexTarget {
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #turns: Lock;
  readonly #writes: WritePath;

  constructor(store: ShardStore, memory: ShardMemory, turns: Lock, writes: WritePath) {
    this.#store = store;
    this.#memory = memory;
    this.#turns = turns;
    this.#writes = writes;
  }

  async catchUp(documents: readonly FollowedDocument[]): Promise<Result<CatchUpAnswer>> {
    return this.#turns.run(async () => {
      const shard = await this.#memory.load();
      const state = this.#store.state();
      if (shard === null || state?.status !== "building" || this.#memory.current !== shard) {
        return gone();
      }
      const isWanted = (): boolean => this.#memory.current === shard && this.#store.state()?.status === "building";
      const pause = new Pause("update");
      const planned = await stepped(planCatchUp(shard, documents), pause, isWanted);
      const built = planned === null ? null : await this.#writes.built(shard, planned.change, pause, isWanted);
      const now = this.#store.state();
      if (planned === null || built === null || now === null || !isWanted()) return gone();
      if (sizeOfChange(built) > 0) this.#writes.apply(shard, now, built);
      return ok({ documents: shard.reader.productCount, rejected: planned.rejected });
    });
  }
}

function gone(): Failure {
  return fail("index_unavailable", "The shard does not accept documents of this reindex.");
}

/** Plans the writes that give the shard these documents. Documents that the configuration rejects are deleted. */
function* planCatchUp(
  shard: LoadedShard,
  documents: readonly FollowedDocument[],
): Steps<{ readonly change: PlannedWrites; readonly rejected: readonly string[] }> {
  const writes = new Map<string, PlannedDocument | null>();
  const rejected: string[] = [];
  for (const { id, source } of documents) {
    const outcome = source === null ? null : shard.plan.read(parse(source), source, true);
    if (outcome?.status === "indexable") {
      writes.set(id, { source: outcome.product.source, product: outcome.product });
    } else {
      if (outcome !== null) rejected.push(id);
      if (shard.reader.find(id) !== null) writes.set(id, null);
    }
    yield source?.byteLength ?? id.length;
  }
  return { change: { writes, numbers: new Map() }, rejected };
}

const decoder = new TextDecoder();

function parse(source: Uint8Array): unknown {
  return parseDocument(decoder.decode(source));
}
