/**
 * Reindex: a generation built from the stored sources of the live one, with the configuration of now and as many
 * shards as its size asks for, while searches and writes go on. An internal import session (reindex-run.ts) drives it:
 *
 *   follow    each live shard begins to note the ids of its writes, and the documents that are in its log only; it names its stored
 *             blocks. From here on "followed since" is what has to be brought over last.
 *   copy      every block of every live shard is read in pages: documents that are live and lie there go through ImportWriter, a bulk per
 *             block, which bears the block's name. A document that is written meanwhile may come in its old, in its new, or in no version: it is followed.
 *   publish   merge, manifest, open: as for every session. The new shards are "building", nobody is answered by them.
 *   catch up  followed ids since the last look, by log position: their documents as they are now, or that they are gone, go into the
 *             new shards' logs (ShardApi.catchUp). Again, until few are left.
 *   flip      the live shards are frozen, the rest is caught up, the commit is made: all within one lease. freeze_lost: again from the
 *             freeze; what was caught up stays so.
 *
 * Why no write is lost: one before `follow` is in a published segment (copied) or in the log (followed from the
 * start); one after it is followed, and the last look happens when no more can come. Why none is applied twice: what
 * is brought over is the state of an id and not an operation, so bringing it twice is bringing it once.
 *
 * A document that the current configuration refuses is left out, and taken out when an older version was copied: what
 * is live afterwards is what an import of all current sources would give.
 *
 * One reindex at a time follows a shard: the next `follow` ends the one before, whose next look is STALE. So does
 * everything that moves the pointer (import, rollback, deletion), as all calls carry the epoch. Then the old
 * generation is untouched and the session is cancelled.
 *
 * After a crash of the session object the alarm goes on with it: the route is stored, shards go on noting, blocks
 * whose bulk is registered are not copied again (unless another session has followed since: then it ends), and all
 * that was followed is brought over again, which changes nothing. Blocks that a checkpoint has written meanwhile hold
 * followed documents. (What was rejected before the crash is not counted.)
 */
import { parseDocument } from "../../index-engine/documents/index.ts";
import { ServiceError, unwrap } from "../../interface/index.ts";
import { forAll, repeated } from "../calls.ts";
import { ImportWriter } from "../import-writer.ts";
import { shardIndexOf } from "../partition.ts";
import {
  isStale,
  type CopyCursor,
  type FollowCursor,
  type FollowedBlock,
  type FollowedDocument,
  type Route,
  type SessionInfo,
  type ShardResult,
} from "../protocol/index.ts";
import { Pause } from "../pause.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";

/** Fewer followed documents than this are brought over during the freeze. */
const FEW_DOCUMENTS = 50;
/** Looks before the freeze comes all the same; writes may be faster than we are. */
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
  /** New shards, and how many documents each holds. */
  #targets: readonly string[] = [];
  readonly #documents = new Map<string, number>();
  /** Ids of documents that the configuration of now refuses. */
  readonly rejected = new Set<string>();

  /** `isCopied`: whether the session has a bulk of this name. */
  constructor(
    env: ObjectsEnv,
    info: SessionInfo,
    route: Route,
    isCopied: (bulk: string) => boolean,
  ) {
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

  /** Whether these are the shards that are followed. */
  isOf(shards: readonly string[]): boolean {
    const own = this.#route.shards;
    return shards.length === own.length && own.every((shard, i) => shard === shards[i]);
  }

  /** Step "follow"; `resume`: goes on with what shards have noted for this session. */
  async follow(resume: boolean): Promise<void> {
    const followed: Followed[] = [];
    await forAll([...this.#route.shards.entries()], async ([i, shard]) => {
      const { cursor, blocks } = this.#current(
        await shardStub(this.#env, shard).follow({ ...this.#call(), resume }),
      );
      followed[i] = { shard, blocks, cursor };
    });
    this.#followed = followed;
  }

  /** Step "copy": afterwards the session holds everything but what is followed. */
  async copy(): Promise<void> {
    for (const { shard, blocks } of this.#followed) {
      for (const block of blocks) {
        const bulk = `${shard} ${block.id}`;
        if (!this.#isCopied(bulk)) await this.#copyBlock(shard, block, bulk);
      }
    }
  }

  async #copyBlock(
    shard: string,
    { id, firstChunk, endChunk }: FollowedBlock,
    bulk: string,
  ): Promise<void> {
    const pause = new Pause("reindex");
    const writer = new ImportWriter(this.#env, this.#info, pause);
    const decoder = new TextDecoder();
    let cursor: CopyCursor | null = { block: id, chunk: firstChunk };
    while (cursor !== null && cursor.chunk < endChunk) {
      const at: CopyCursor = cursor;
      const page: { documents: readonly Uint8Array[]; next: CopyCursor | null } = this.#current(
        await repeated(() => shardStub(this.#env, shard).copyPage({ ...this.#call(), ...at })),
      );
      pause.skip();
      for (const source of page.documents) {
        await writer.add(parseDocument(decoder.decode(source)), source, true);
        await pause.after(source.byteLength);
      }
      cursor = page.next;
    }
    const report = await writer.finish(bulk);
    for (const { id } of report.rejected) if (id !== null) this.rejected.add(id);
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

  /** All that is left; the live shards are frozen. */
  async drain(): Promise<void> {
    await this.#look();
  }

  /** Brings over what was followed since the last look; how many documents. */
  async #look(): Promise<number> {
    let brought = 0;
    // Shards do not share documents, so the order among them does not matter.
    await forAll(this.#followed, async (followed) => {
      for (;;) {
        const page = this.#current(
          await repeated(() =>
            shardStub(this.#env, followed.shard).followed({
              ...this.#call(),
              after: followed.cursor,
            }),
          ),
        );
        await this.#bring(page.documents);
        // Only now: a page that failed half-way is brought again.
        followed.cursor = page.cursor;
        brought += page.documents.length;
        if (!page.more) return;
      }
    });
    return brought;
  }

  async #bring(documents: readonly FollowedDocument[]): Promise<void> {
    const parts = new Map<string, FollowedDocument[]>();
    for (const document of documents) {
      const shard = this.#targets[shardIndexOf({ shards: this.#targets }, document.id)];
      const part = parts.get(shard);
      if (part === undefined) parts.set(shard, [document]);
      else part.push(document);
    }
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

  #current<T>(answer: ShardResult<T>): T {
    if (isStale(answer)) throw replaced();
    return unwrap(answer);
  }
}

/** Another import, rollback or reindex was faster, or the index is gone. */
export class ReindexReplaced extends ServiceError {}

export function replaced(): ServiceError {
  return new ReindexReplaced(
    "index_unavailable",
    "The index was replaced while it was reindexed, so the reindex was given up; it can be started again.",
  );
}
