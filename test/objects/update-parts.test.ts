// An update of several shards is cut into parts in the Worker (update-parts.ts).
//  1. what a shard is sent: its own documents, in a buffer that has no others
//  2. ids are read, parts cut and answers joined in steps of one document; ids are read once
//  3. a shard that holds a part of another update reads the ids in such steps, too
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { PreparedUpdates } from "../../src/objects/shard/joint/prepared-updates.ts";
import { ShardStore } from "../../src/objects/shard/store/store.ts";
import { Pause, type Steps } from "../../src/objects/pause.ts";
import { idsOf, joined, partsOf } from "../../src/objects/sharded/update-parts.ts";
import type { UpdateChange } from "../../src/objects/index.ts";
import { inside } from "./support/faults.ts";
import { bytesOf, document, importAll, liveShard, uniqueName } from "./support/index.ts";

const COUNT = 1_000;
const IDS = Array.from({ length: COUNT }, (_, i) => `p${i}`);

function all<T>(steps: Steps<T>): { readonly value: T; readonly count: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, count };
  }
}

function put(ids: readonly string[]): UpdateChange {
  return { kind: "put", documents: ids.map((id) => bytesOf(document(id, "shoe"))), replaceExisting: true };
}

const route = { shards: ["a", "b", "c", "d"] };

test("1: documents of a part", () => {
  const body = Uint8Array.from({ length: 10_000 }, (_, i) => i);
  const documents = [body.subarray(100, 130), body.subarray(0, 0), body.subarray(9_000, 9_500)];
  const [part, ...others] = all(partsOf(route, { kind: "patch", documents }, [null, null, null])).value;
  expect(others).toEqual([]);
  expect(part).toEqual({ shard: "a", change: { kind: "patch", documents }, ids: [] });
  if (part.change.kind !== "patch") throw new Error("another change");
  for (const { buffer } of part.change.documents) expect(buffer.byteLength).toBe(530);
  const nothing: UpdateChange = { kind: "patch", documents: [] };
  expect(all(partsOf(route, nothing, [])).value).toEqual([{ shard: "a", change: nothing, ids: [] }]);
});

test("2: steps", () => {
  const change = put(IDS);
  const ids = all(idsOf(change));
  expect(ids).toEqual({ value: IDS, count: COUNT });
  expect(all(idsOf(change))).toEqual({ value: IDS, count: 0 });
  // Each id is assigned, and its document copied.
  const parts = all(partsOf(route, change, ids.value));
  expect(parts.count).toBe(2 * COUNT);
  expect(parts.value.map(({ shard }) => shard)).toEqual(route.shards);
  const answers = parts.value.map((part) => Object.fromEntries(part.ids.map((id) => [id, "CREATED"] as const)));
  const answer = all(joined(IDS, answers));
  expect(answer.count).toBe(2 * COUNT);
  expect(Object.keys(answer.value)).toEqual(IDS);
});

test("3: in a shard that holds a part", async () => {
  const name = uniqueName("held");
  await importAll(name, [document("a", "shoe")]);
  await inside("SHARD", await liveShard(name), async (storage) => {
    const prepared = new PreparedUpdates(env, new ShardStore(storage, 64), {
      sources: () => {
        throw new Error("nothing is planned");
      },
      apply: async () => false,
      finish: async () => undefined,
    });
    const pause = new Pause("update");
    const stepped = vi.spyOn(pause, "after");
    const change = put(IDS);
    expect(await prepared.takes(change, pause)).toBe(false);
    expect(stepped).not.toHaveBeenCalled();
    const held = put(IDS.slice(-1));
    const call = { epoch: 1, name: "held", coordinator: "c", change: held, ids: IDS.slice(-1) };
    prepared.hold(call, { writes: new Map(), numbers: new Map(), answer: {}, patchedBytes: 0 });
    expect(await prepared.takes(change, pause)).toBe(true);
    expect(await prepared.takes(put(IDS.slice(0, 1)), pause)).toBe(false);
    expect(stepped).toHaveBeenCalledTimes(COUNT + 1);
    prepared.drop("held");
  });
});
