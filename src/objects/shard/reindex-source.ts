/**
 * A live shard as the source of a reindex (session/reindex.ts): what is copied, what is followed.
 *
 * One session follows at a time. From `follow` on every write notes its ids in its own commit (write-path.ts); the
 * session reads the published documents in pages, and what was noted as often as it likes. It ends when another
 * session follows (the first one's next call is STALE) and when the shard is retired (standing.ts).
 */
import type { LiveSegment, StoredRef } from "../../index-engine/segment/model/index.ts";
import type { LoadedShard, ShardStore, SourceReader } from "./state/index.ts";
import {
  isStale,
  STALE,
  type CopyCursor,
  type CopyPage,
  type FollowAnswer,
  type FollowCursor,
  type FollowedDocument,
  type FollowedPage,
  type ReindexCall,
  type ShardResult,
} from "../protocol/index.ts";
import { ok } from "../results.ts";
import { chunkCount } from "../stored-blocks.ts";
import type { Admission } from "./admission.ts";
import type { ShardMemory } from "./memory.ts";

/** Chunks of about 32 KB read by one call. */
const CHUNKS_PER_PAGE = 64;
/** Followed documents of one page; the pages end early at so many bytes. */
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

  async follow(
    call: ReindexCall & { readonly resume: boolean },
  ): Promise<ShardResult<FollowAnswer>> {
    const shard = await this.#admission.admit(call);
    // One turn from here, and no await since `admit` has answered.
    if (isStale(shard)) return shard;
    // Others have followed since: what was written meanwhile is noted for them only.
    if (call.resume && this.#store.following() !== call.session) return STALE;
    return ok(follow(this.#store, shard, call));
  }

  async copyPage(call: ReindexCall & CopyCursor): Promise<ShardResult<CopyPage>> {
    const shard = await this.#admission.admit(call);
    if (isStale(shard) || this.#store.following() !== call.session) return STALE;
    return ok(await copyPage(shard, this.#memory.sources(shard), call));
  }

  async followed(
    call: ReindexCall & { readonly after: FollowCursor },
  ): Promise<ShardResult<FollowedPage>> {
    const shard = await this.#admission.admit(call);
    if (isStale(shard) || this.#store.following() !== call.session) return STALE;
    return ok(await followedPage(this.#store, shard, this.#memory.sources(shard), call.after));
  }
}

/**
 * One turn: what is published now will be copied, what is only in the log is followed. `resume`: the session follows
 * already and has forgotten it by a crash; what was noted for it is still all that may differ from what it has copied
 * or will copy.
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
  }));
  const cursor = { position: -1, id: "" };
  if (resume) return { cursor, blocks };
  const position = store.state()?.logPosition ?? 0;
  const logSegments = new Set(shard.log.map((entry) => entry.segment));
  const ids: string[] = [];
  for (const { segment, deleted } of shard.reader.segments) {
    if (!logSegments.has(segment.base)) continue;
    for (let row = 0; row < segment.productCount; row++) {
      if (!isDeleted(deleted, row)) ids.push(segment.ids.get(row));
    }
  }
  store.transaction(() => store.follow(session, ids, position));
  return { cursor, blocks };
}

/** The live documents whose sources lie in the chunks from `chunk` on, in the order they lie there. */
async function copyPage(
  shard: LoadedShard,
  sources: SourceReader,
  { block, chunk }: CopyCursor,
): Promise<CopyPage> {
  const end = chunk + CHUNKS_PER_PAGE;
  const refs = shard.reader.segments
    .flatMap((live) => refsIn(live, block))
    .filter((ref) => chunk <= ref.chunk && ref.chunk < end)
    .sort((a, b) => a.chunk - b.chunk || a.offset - b.offset);
  const documents = await read(sources, refs);
  const entry = shard.manifest.blocks.find(({ id }) => id === block);
  const isLast = entry === undefined || end >= entry.firstChunk + chunkCount(entry);
  return { documents, next: isLast ? null : { block, chunk: end } };
}

/** What was written after the cursor, as it is at this moment. */
async function followedPage(
  store: ShardStore,
  shard: LoadedShard,
  sources: SourceReader,
  after: FollowCursor,
): Promise<FollowedPage> {
  const noted = store.followedAfter(after, DOCUMENTS_PER_PAGE);
  // Of one moment with the notes. A write that comes while sources are read is noted again, behind this page.
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

function refsIn({ segment, deleted }: LiveSegment, block: string): StoredRef[] {
  const refs: StoredRef[] = [];
  if (!segment.storedBlocks.includes(block)) return refs;
  for (let row = 0; row < segment.productCount; row++) {
    if (isDeleted(deleted, row)) continue;
    const ref = segment.storedRef(row);
    if (ref.block === block) refs.push(ref);
  }
  return refs;
}

async function read(sources: SourceReader, refs: readonly StoredRef[]): Promise<Uint8Array[]> {
  await sources.fetch(refs);
  return refs.map((ref) => sourceOf(sources, ref));
}

/** A copy: what is sent must not take its whole chunk along. */
function sourceOf(sources: SourceReader, ref: StoredRef): Uint8Array {
  const bytes = sources.get(ref);
  if (bytes === null) throw new Error("a source that was just fetched is gone");
  return bytes.slice();
}

function isDeleted(deleted: Uint32Array | null, row: number): boolean {
  return deleted !== null && ((deleted[row >>> 5] >>> row) & 1) === 1;
}
