/**
 * One update request over the shards of an index, as the Worker sends it: documents grouped by shard, answers put
 * together in the order sent.
 *
 *   const update = new ShardedUpdate(env, change);
 *   loop: answer = await update.attempt(route)          STALE: nothing was applied; again with a fresh route
 *
 * What concerns one shard goes there. What concerns several goes to the first shard of the generation, which sees to
 * it that all of it is applied or nothing (shard/joint/joint-update.ts). So a failure means that nothing was applied, unless
 * the answer got lost on its way, or the shards were decided but could not be reached; then it is whole in the end.
 * The request may be sent again as it is: PUT and PATCH come to the same documents; DELETE, too, though what was
 * deleted the first time is NOT_FOUND then, and so would PUT with replaceExisting=false find its own documents and
 * call them DISMISSED.
 *
 * A document whose id cannot be read goes to the first shard, which refuses it.
 */
import type { UpdateAnswer, UpdateResult } from "../../interface/index.ts";
import { shardIndexOf } from "../partition.ts";
import {
  isStale,
  type Route,
  type ShardResult,
  type UpdateChange,
  type UpdatePart,
} from "../protocol/index.ts";
import { ok } from "../results.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";
import { idsOf } from "./update-ids.ts";

export class ShardedUpdate {
  readonly #env: ObjectsEnv;
  readonly #change: UpdateChange;
  /** By position in the request; made when there is more than one shard. */
  #ids: readonly (string | null)[] | null = null;

  constructor(env: ObjectsEnv, change: UpdateChange) {
    this.#env = env;
    this.#change = change;
  }

  /** STALE: the shards have another epoch, and nothing was applied. Throws what a call has thrown. */
  async attempt(route: Route): Promise<ShardResult<UpdateAnswer>> {
    const { epoch } = route;
    const parts = this.#parts(route);
    const [only] = parts;
    if (parts.length === 1)
      return shardStub(this.#env, only.shard).update({ ...only.change, epoch });
    const answer = await shardStub(this.#env, route.shards[0]).updateJointly({ epoch, parts });
    if (isStale(answer) || !answer.ok) return answer;
    return ok(this.#inOrder(answer.value));
  }

  /** At least one, in the order of the shards. */
  #parts(route: Route): UpdatePart[] {
    const change = this.#change;
    const [first] = route.shards;
    if (route.shards.length === 1) return [{ shard: first, change, ids: [] }];
    this.#ids ??= idsOf(change);
    const positions = new Map<number, number[]>();
    for (const [position, id] of this.#ids.entries()) {
      const shard = id === null ? 0 : shardIndexOf(route, id);
      const own = positions.get(shard);
      if (own === undefined) positions.set(shard, [position]);
      else own.push(position);
    }
    const ids = this.#ids;
    if (positions.size === 0) return [{ shard: first, change, ids: [] }];
    return [...positions]
      .sort(([a], [b]) => a - b)
      .map(([shard, own]) => ({
        shard: route.shards[shard],
        change: partOf(change, own),
        ids: own.map((position) => ids[position]).filter((id) => id !== null),
      }));
  }

  /** As one shard would have answered. */
  #inOrder(answers: readonly UpdateAnswer[]): UpdateAnswer {
    const results = new Map<string, UpdateResult>(answers.flatMap((one) => Object.entries(one)));
    const answer = new Map<string, UpdateResult>();
    for (const id of this.#ids ?? []) {
      const result = results.get(id ?? "");
      if (result !== undefined) answer.set(id ?? "", result);
    }
    for (const [id, result] of results) if (!answer.has(id)) answer.set(id, result);
    return Object.fromEntries(answer);
  }
}

function partOf(change: UpdateChange, positions: readonly number[]): UpdateChange {
  return change.kind === "delete"
    ? { ...change, ids: positions.map((position) => change.ids[position]) }
    : { ...change, documents: apart(positions.map((position) => change.documents[position])) };
}

/** The same documents in a buffer of their own: a view that is sent takes along all of its buffer, the whole body. */
export function apart(documents: readonly Uint8Array[]): Uint8Array[] {
  const whole = new Uint8Array(documents.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let end = 0;
  return documents.map((document) => {
    whole.set(document, end);
    const start = end;
    end += document.byteLength;
    return whole.subarray(start, end);
  });
}
