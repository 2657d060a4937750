/**
 * A building shard as the target of a reindex (session/reindex.ts): it takes what the session has caught up with into
 * its log, like an update, but nobody's update is counted. A document comes as it is in the live generation, or that
 * it is gone: bringing it twice is bringing it once.
 */
import { parseDocument } from "../../index-engine/documents/index.ts";
import type { IndexableProduct } from "../../index-engine/segment/model/index.ts";
import type { Result } from "../../interface/index.ts";
import {
  type LoadedShard,
  type PlannedWrites,
  type ShardStore,
  sizeOfChange,
} from "./state/index.ts";
import type { CatchUpAnswer, FollowedDocument } from "../protocol/index.ts";
import { Pause, stepped, type Steps } from "../pause.ts";
import { fail, ok, type Failure } from "../results.ts";
import type { ShardMemory } from "./memory.ts";
import type { Lock } from "./write-lock.ts";
import type { WritePath } from "./write-path.ts";

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
      const isWanted = (): boolean =>
        this.#memory.current === shard && this.#store.state()?.status === "building";
      const pause = new Pause("update");
      const planned = await stepped(planCatchUp(shard, documents), pause, isWanted);
      const built =
        planned === null ? null : await this.#writes.built(shard, planned.change, pause, isWanted);
      const now = this.#store.state();
      if (planned === null || built === null || now === null || !isWanted()) return gone();
      if (sizeOfChange(built) > 0) this.#writes.apply(shard, now, built);
      return ok({ documents: shard.reader.productCount, rejected: planned.rejected });
    });
  }
}

function gone(): Failure {
  return fail("index_unavailable", "The shard takes nothing from a reindex (any more).");
}

/** What a building shard writes to have these documents as they are. What the configuration refuses goes. */
function* planCatchUp(
  shard: LoadedShard,
  documents: readonly FollowedDocument[],
): Steps<{ readonly change: PlannedWrites; readonly rejected: readonly string[] }> {
  const writes = new Map<string, IndexableProduct | null>();
  const rejected: string[] = [];
  for (const { id, source } of documents) {
    const outcome = source === null ? null : shard.plan.read(parse(source), source, true);
    if (outcome?.status === "indexable") {
      writes.set(id, outcome.product);
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
