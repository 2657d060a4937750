/**
 * Reindex: builds a new generation from the stored sources of the live one, with the current configuration and number
 * of shards, while searches and writes continue. It is an internal import session (reindex-run.ts):
 *
 *   follow    each live shard starts to record the ids of its writes and of documents that are only in its log, and lists its stored
 *             blocks. Recorded ids are applied to the new shards last.
 *   copy      the blocks of every live shard are read in pages. Their live documents go through ImportWriter, in one bulk per several
 *             megabytes of blocks, which is named after the blocks. A document that is written meanwhile may be copied
 *             in its old version, its new version or not at all, because its id is recorded.
 *   publish   merge, manifest, open, as in every session. The new shards are "building" and do not serve requests.
 *   catch up  for the ids recorded since the last round, by log position: their current documents, or deletions, go into the new
 *             shards' logs (ShardApi.catchUp). Repeated until few remain.
 *   flip      freezes the live shards, applies the remaining ids, and commits, all under one lease. freeze_lost: repeat from the freeze;
 *             applied ids stay applied.
 *
 * No write is lost: a write before `follow` is in a published segment (copied) or in the log (recorded at the start). A
 * later write is recorded, and the last round happens when no more writes are accepted. Applying an id twice is
 * harmless, because its state is applied, not an operation.
 *
 * Documents that the current configuration rejects are omitted, and removed if an older version was copied. The result
 * equals an import of all current sources.
 *
 * A shard is followed by one reindex at a time. The next `follow` ends the previous one, whose next round is STALE,
 * and so does everything that moves the pointer (import, rollback, deletion), because all calls carry the epoch. The
 * old generation is then unchanged and the session is cancelled.
 *
 * An invocation may make 10,000 calls to objects and R2, and a shard may have more blocks. So the session calls itself
 * for each bulk, which is a separate invocation (`copyBulk`).
 *
 * After a crash of the session object the alarm continues: the route is stored, shards keep recording, and blocks of
 * registered bulks are not copied again (unless another session has followed since, which ends this one). All recorded
 * ids are applied again, which is harmless. Blocks that a checkpoint wrote meanwhile only contain recorded documents.
 * (Documents rejected before the crash are not counted.)
 */
import { parseDocument } from "../../index-engine/documents/index.ts";
import { ServiceError, unwrap } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { importSettings } from "../import-settings.ts";
import { ImportWriter } from "../import-writer.ts";
import { shardOfId } from "../partition.ts";
import {
  isStale,
  type ChunkRun,
  type CopyBulkCall,
  type FollowCursor,
  type FollowedBlock,
  type FollowedDocument,
  type Route,
  type SessionInfo,
  type ShardResult,
} from "../protocol/index.ts";
import { Pause } from "../pause.ts";
import { sessionStub, shardStub, type ObjectsEnv } from "../stubs.ts";

/** Fewer recorded documents than this are applied during the freeze. */
const FEW_DOCUMENTS = 50;
/** Bytes of sources in a page. An answer may have 32 MB, and a chunk is at most a document of a megabyte. */
const PAGE_BYTES = 2_097_152;
/** Maximum number of rounds before the freeze, because writes may be faster. */
const LOOKS = 20;

interface Followed {
  readonly shard: string;
  readonly blocks: readonly FollowedBlock[];
  cursor: FollowCursor;
}

export class Reindex {
  readonly #env: ObjectsEnv;
  readonly #info: SessionInfo;
  readonly #route: Route;
  readonly #isCopied: (bulk: string) => boolean;
  #followed: readonly Followed[] = [];
  /** New shards with their numbers of documents. */
  #targets: readonly string[] = [];
  readonly #documents = new Map<string, number>();
  /** Ids of documents that the current configuration rejects. */
  readonly rejected = new Set<string>();

  /** `isCopied`: whether the session has a bulk with this name. */
  constructor(env: ObjectsEnv, info: SessionInfo, route: Route, isCopied: (bulk: string) => boolean) {
    this.#env = env;
    this.#info = info;
    this.#route = route;
    this.#isCopied = isCopied;
  }

  get documents(): number {
    let sum = 0;
    for (const count of this.#documents.values()) sum += count;
    return sum;
  }

  get shardCount(): number {
    return this.#targets.length;
  }

  /** Whether these are the followed shards. */
  isOf(shards: readonly string[]): boolean {
    const own = this.#route.shards;
    return shards.length === own.length && own.every((shard, i) => shard === shards[i]);
  }

  /** Step "follow"; `resume`: continues with the ids that shards have recorded for this session. */
  async follow(resume: boolean): Promise<void> {
    const followed: Followed[] = [];
    await forAll([...this.#route.shards.entries()], async ([i, shard]) => {
      const { cursor, blocks } = current(await shardStub(this.#env, shard).follow({ ...this.#call(), resume }));
      followed[i] = { shard, blocks, cursor };
    });
    this.#followed = followed;
  }

  /**
   * Step "copy": afterwards the session has everything except recorded writes. `bulkBytes`: stored sources per bulk.
   */
  async copy(bulkBytes: number): Promise<void> {
    const { temporaryIndexName } = this.#info;
    const { epoch } = this.#call();
    for (const { shard, blocks } of this.#followed) {
      for (const runs of chunkRuns(blocks, bulkBytes)) {
        const bulk = bulkName(shard, runs);
        if (this.#isCopied(bulk)) continue;
        const pages = chunkRuns(runs, PAGE_BYTES);
        const rejected = unwrap(
          await sessionStub(this.#env, temporaryIndexName).copyBulk({ shard, epoch, bulk, pages }),
        );
        for (const id of rejected) this.rejected.add(id);
      }
    }
  }

  /** The new shards are open. */
  opened(shard: string, documents: number): void {
    this.#documents.set(shard, documents);
  }

  /** Step "catch up", before the freeze. */
  async catchUp(targets: readonly string[]): Promise<void> {
    this.#targets = targets;
    for (let look = 0; look < LOOKS; look++) {
      if ((await this.#look()) < FEW_DOCUMENTS) return;
    }
  }

  /** Applies all remaining ids; the live shards are frozen. */
  async drain(): Promise<void> {
    await this.#look();
  }

  /** Applies the ids recorded since the last round. Returns their number. */
  async #look(): Promise<number> {
    let moved = 0;
    // Shards share no documents, so their order does not matter.
    await forAll(this.#followed, async (followed) => {
      for (;;) {
        const page = current(
          await repeated(() =>
            shardStub(this.#env, followed.shard).followed({
              ...this.#call(),
              after: followed.cursor,
            }),
          ),
        );
        await this.#replay(page.documents);
        // Only now, so that a partially failed page is repeated.
        followed.cursor = page.cursor;
        moved += page.documents.length;
        if (!page.more) return;
      }
    });
    return moved;
  }

  async #replay(documents: readonly FollowedDocument[]): Promise<void> {
    const parts = Map.groupBy(documents, ({ id }) => shardOfId({ shards: this.#targets }, id));
    await forAll([...parts], async ([shard, part]) => {
      const answer = unwrap(await repeated(() => shardStub(this.#env, shard).catchUp(part)));
      this.#documents.set(shard, answer.documents);
      for (const { id } of part) this.rejected.delete(id);
      for (const id of answer.rejected) this.rejected.add(id);
    });
  }

  #call(): { readonly epoch: number; readonly session: string } {
    return { epoch: this.#route.epoch, session: this.#info.temporaryIndexName };
  }
}

/** Copies one bulk of step "copy". Returns the ids of rejected documents. */
export async function copyBulk(
  env: ObjectsEnv,
  info: SessionInfo,
  { shard, epoch, bulk, pages }: CopyBulkCall,
): Promise<readonly string[]> {
  const pause = new Pause("reindex");
  const writer = new ImportWriter(env, importSettings(info), pause);
  const decoder = new TextDecoder();
  const session = info.temporaryIndexName;
  for (const runs of pages) {
    const sources = current(await repeated(() => shardStub(env, shard).copyRuns({ epoch, session, runs })));
    pause.skip();
    for (const source of sources) {
      await writer.add(parseDocument(decoder.decode(source)), source, true);
      await pause.after(source.byteLength);
    }
  }
  const { rejected } = await writer.finish(bulk);
  return rejected.map(({ id }) => id).filter((id) => id !== null);
}

/** The name of a bulk. Its blocks are in manifest order, and blocks are only appended to manifests. */
function bulkName(shard: string, runs: readonly ChunkRun[]): string {
  const [first] = runs;
  const last = runs.at(-1);
  return `${shard} ${first?.id} ${first?.firstChunk} ${last?.id} ${last?.endChunk} ${runs.length}`;
}

/** All chunks in order, in lists of approximately at most these bytes (a chunk counts as the mean of its block). */
export function chunkRuns(blocks: readonly FollowedBlock[], mostBytes: number): readonly (readonly FollowedBlock[])[] {
  const lists: FollowedBlock[][] = [];
  let list: FollowedBlock[] = [];
  let listBytes = 0;
  for (const { id, firstChunk, endChunk, sizeBytes } of blocks) {
    const chunkBytes = sizeBytes / (endChunk - firstChunk);
    for (let from = firstChunk; from < endChunk;) {
      let chunks = Math.min(Math.floor((mostBytes - listBytes) / chunkBytes), endChunk - from);
      if (chunks < 1 && list.length > 0) {
        lists.push(list);
        list = [];
        listBytes = 0;
        continue;
      }
      chunks = Math.max(1, chunks);
      const runBytes = chunks * chunkBytes;
      list.push({ id, firstChunk: from, endChunk: from + chunks, sizeBytes: runBytes });
      listBytes += runBytes;
      from += chunks;
    }
  }
  if (list.length > 0) lists.push(list);
  return lists;
}

function current<T>(answer: ShardResult<T>): T {
  if (isStale(answer)) throw replaced();
  return unwrap(answer);
}

/** Another import, rollback or reindex was faster, or the index was deleted. */
export class ReindexReplaced extends ServiceError {}

export function replaced(): ServiceError {
  return new ReindexReplaced(
    "index_unavailable",
    "The index was replaced during the reindex, so the reindex has stopped; it can be started again.",
  );
}
