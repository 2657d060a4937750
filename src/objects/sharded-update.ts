/**
 * One update request over the shards of an index, as the Worker runs it: documents grouped by shard, parts sent at once, answers put
 * together in the order sent.
 *
 *   const update = new ShardedUpdate(env, change);
 *   loop: answer = await update.attempt(route)          STALE: again with a fresh route; only what is not yet applied is sent again
 *
 * Unless the fresh route has another epoch: parts that were applied before the pointer moved are in the generation that was left, and an
 * update acknowledged after a commit is in the new one (decisions.md "done and updates"). Then all of it is sent to the new one.
 *
 * What is atomic: one shard's part, which is one row of its log. It is durable and searchable, or nothing of it is. Parts of one request
 * are independent: a search may see one and not yet the other.
 *
 * What a failure means. A part that was applied stays applied, the others are not lost silently: the answer is the error of the part
 * that failed (503), its details say how many documents were applied. The request may be sent again as it is: PUT and PATCH come to
 * the same documents; DELETE, too, though what was deleted the first time is NOT_FOUND then, and so would PUT with
 * replaceExisting=false find its own documents and call them DISMISSED.
 *
 * A document whose id cannot be read goes to the first shard, which refuses it.
 */
import { parseDocument, readableId } from "../index-engine/fields/index.ts";
import type { UpdateAnswer, UpdateResult } from "../interface/index.ts";
import { forAll } from "./calls.ts";
import { shardIndexOf } from "./partition.ts";
import { isStale, STALE, type Route, type ShardResult, type UpdateCall } from "./protocol.ts";
import { ok, type Failure } from "./results.ts";
import { shardStub, type ObjectsEnv } from "./stubs.ts";

/** An update without the epoch, which is known only per attempt. */
export type UpdateChange =
  | {
      readonly kind: "put";
      readonly documents: readonly Uint8Array[];
      readonly replaceExisting: boolean;
    }
  | { readonly kind: "patch"; readonly documents: readonly Uint8Array[] }
  | { readonly kind: "delete"; readonly ids: readonly string[] };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The id of a document as shards read it; null for what is no document or has none. */
export function documentId(bytes: Uint8Array): string | null {
  let document: unknown;
  try {
    document = parseDocument(decoder.decode(bytes));
  } catch {
    return null;
  }
  return readableId(document);
}

export class ShardedUpdate {
  readonly #env: ObjectsEnv;
  readonly #change: UpdateChange;
  /** By position in the request; made when there is more than one shard. */
  #ids: readonly (string | null)[] | null = null;
  /** Positions of what no shard has applied yet, ascending. */
  #pending: readonly number[];
  readonly #results = new Map<string, UpdateResult>();
  /** Of the route of the last attempt; null: none yet. */
  #epoch: number | null = null;

  constructor(env: ObjectsEnv, change: UpdateChange) {
    this.#env = env;
    this.#change = change;
    this.#pending = this.#everything();
  }

  /** STALE when some part met another epoch. Throws what a call has thrown, after all calls have ended. */
  async attempt(route: Route): Promise<ShardResult<UpdateAnswer>> {
    if (this.#epoch !== route.epoch) {
      this.#pending = this.#everything();
      this.#results.clear();
      this.#epoch = route.epoch;
    }
    const [only] = route.shards;
    const isFirst = this.#results.size === 0;
    if (route.shards.length === 1 && only !== undefined && isFirst) {
      return shardStub(this.#env, only).update({ ...this.#change, epoch: route.epoch });
    }
    const pending = new Set(this.#pending);
    let isAnyStale = false;
    let failure: Failure | null = null;
    try {
      await forAll([...this.#parts(route)], async ([shard, positions]) => {
        const call: UpdateCall = { ...this.#part(positions), epoch: route.epoch };
        const answer = await shardStub(this.#env, route.shards[shard]).update(call);
        if (isStale(answer)) isAnyStale = true;
        else if (!answer.ok) failure ??= answer;
        else {
          for (const [id, result] of Object.entries(answer.value)) this.#results.set(id, result);
          for (const position of positions) pending.delete(position);
        }
      });
    } finally {
      this.#pending = [...pending];
    }
    if (failure !== null) return this.#failed(failure);
    return isAnyStale ? STALE : ok(this.#answer());
  }

  /** Every position. */
  #everything(): number[] {
    const { length } = this.#change.kind === "delete" ? this.#change.ids : this.#change.documents;
    return Array.from({ length }, (_, position) => position);
  }

  /** Positions by number of the shard. */
  #parts(route: Route): Map<number, number[]> {
    const ids = this.#documentIds();
    const parts = new Map<number, number[]>();
    for (const position of this.#pending) {
      const id = ids[position];
      const shard = id === null ? 0 : shardIndexOf(route, id);
      const part = parts.get(shard);
      if (part === undefined) parts.set(shard, [position]);
      else part.push(position);
    }
    return parts;
  }

  #part(positions: readonly number[]): UpdateChange {
    const change = this.#change;
    return change.kind === "delete"
      ? { ...change, ids: positions.map((position) => change.ids[position]) }
      : { ...change, documents: positions.map((position) => change.documents[position]) };
  }

  #documentIds(): readonly (string | null)[] {
    this.#ids ??=
      this.#change.kind === "delete" ? this.#change.ids : this.#change.documents.map(documentId);
    return this.#ids;
  }

  /** In the order of the request, as one shard would have answered. */
  #answer(): UpdateAnswer {
    const answer = new Map<string, UpdateResult>();
    for (const id of this.#documentIds()) {
      const result = this.#results.get(id ?? "");
      if (result !== undefined) answer.set(id ?? "", result);
    }
    for (const [id, result] of this.#results) if (!answer.has(id)) answer.set(id, result);
    return Object.fromEntries(answer);
  }

  #failed(failure: Failure): Failure {
    const documents = this.#documentIds().length;
    const applied = documents - this.#pending.length;
    return { ok: false, error: { ...failure.error, details: { applied, documents } } };
  }
}
