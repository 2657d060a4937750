/**
 * Sends one update request to the shards of an index, from the Worker. Groups documents by shard and returns answers in
 * the order sent.
 *
 *   const update = new ShardedUpdate(env, change);
 *   loop: answer = await update.attempt(route)          STALE: nothing was applied; repeat with a fresh route
 *
 * An update of one shard goes directly to it. An update of several goes to the first shard of the generation, which
 * applies all of it or nothing (shard/joint/joint-update.ts). So after a failure nothing was applied, unless the
 * answer was lost or a decided shard could not be reached; then the whole update is applied eventually. The request
 * can be repeated: PUT and PATCH have the same result; DELETE as well, but documents deleted the first time are
 * NOT_FOUND, and PUT with replaceExisting=false answers DISMISSED for its own documents.
 *
 * A document without a readable id goes to the first shard, which rejects it.
 */
import type { UpdateAnswer, UpdateResult } from "../../interface/index.ts";
import { shardIndexOf } from "../partition.ts";
import { isStale, type Route, type ShardResult, type UpdateChange, type UpdatePart } from "../protocol/index.ts";
import { ok } from "../results.ts";
import { shardStub, type ObjectsEnv } from "../stubs.ts";
import { idsOf } from "./update-ids.ts";

export class ShardedUpdate {
  readonly #env: ObjectsEnv;
  readonly #change: UpdateChange;
  /** By position in the request; only for more than one shard. */
  #ids: readonly (string | null)[] | null = null;

  constructor(env: ObjectsEnv, change: UpdateChange) {
    this.#env = env;
    this.#change = change;
  }

  /** STALE: the shards have another epoch and nothing was applied. Throws errors of calls. */
  async attempt(route: Route): Promise<ShardResult<UpdateAnswer>> {
    const { epoch } = route;
    const parts = this.#parts(route);
    const [only] = parts;
    if (parts.length === 1) return shardStub(this.#env, only.shard).update({ ...only.change, epoch });
    const answer = await shardStub(this.#env, route.shards[0]).updateJointly({ epoch, parts });
    if (isStale(answer) || !answer.ok) return answer;
    return ok(this.#inOrder(answer.value));
  }

  /** At least one, in shard order. */
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

  /** Answers like a single shard. */
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

/** Copies documents to their own buffer, because sending a view sends its whole buffer, the request body. */
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
