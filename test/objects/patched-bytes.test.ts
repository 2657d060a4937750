// Patches of large documents (LIMITS.patchedBytes), through the objects' RPC.
//  1. on one shard and on four: an update whose patches are merged into more than that is 413 body_too_large and changes
//     nothing; updates that wait with it are carried out
//  2. an update within the limit is carried out
//  3. patches of the numbers of documents are not merged and do not count: many of one document, which is parsed once,
//     and of many documents; also after patches of other numbers, without a change, and in a shard with as many changed
//     numbers as it takes. Further patches of a document count even if they change nothing
//  4. a turn does not hold the documents of many patches: after some megabytes, the others continue alone
import { describe, expect, test, vi } from "vitest";
import { Reader } from "../../src/index-engine/index/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { WritePath } from "../../src/objects/shard/writing/index.ts";
import { apply, document, importAll, read, shardedName, titleOf } from "./support/index.ts";

const SIZE = 900_000;
/** Patches of a large document that are within the limit. */
const MOST = Math.floor(LIMITS.patchedBytes.value / SIZE) - 1;
const IDS = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

function large(id: string): ReturnType<typeof document> {
  return document(id, "shoe", { text: "x".repeat(SIZE), price: 1 });
}

function titles(id: string, count: number): ReturnType<typeof document>[] {
  return Array.from({ length: count }, (_, i) => document(id, `shoe ${i + 1}`));
}

describe.each([1, 4])("on %i shards", (shards) => {
  test("too much is refused as a whole, and nothing else (1)", async () => {
    const name = await shardedName("patched-too-much", shards);
    await importAll(name, [large("a"), document("b", "boot"), document("c", "hat"), document("d", "sock")]);
    const others = ["b", "c", "d"].map((id) => document(id, "patched with it"));
    const [refused, ...answers] = await Promise.allSettled([
      apply(name, { kind: "patch", documents: [...others, ...titles("a", MOST + 3)] }),
      apply(name, { kind: "put", documents: [document("e", "glove")] }),
      apply(name, { kind: "patch", documents: [document("c", "cap")] }),
    ]);
    expect(refused).toMatchObject({
      status: "rejected",
      reason: { type: "body_too_large", details: { limit: "patchedBytes", value: LIMITS.patchedBytes.value } },
    });
    expect(answers).toMatchObject([{ value: { e: "CREATED" } }, { value: { c: "UPDATED" } }]);
    const found = await Promise.all(["a", "b", "c", "d", "e"].map((id) => titleOf(name, id)));
    expect(found).toEqual(["shoe", "boot", "cap", "sock", "glove"]);
  });

  test("patches within the limit (2)", async () => {
    const name = await shardedName("patched-within", shards);
    await importAll(name, [large("a"), document("b", "boot")]);
    expect(await apply(name, { kind: "patch", documents: titles("a", MOST) })).toEqual({ a: "UPDATED" });
    expect(await titleOf(name, "a")).toBe(`shoe ${MOST}`);
  });
});

test("numbers do not count (3)", async () => {
  const name = await shardedName("patched-numbers", 1);
  await importAll(name, [large("a")]);
  const parse = vi.spyOn(JSON, "parse");
  const documents = Array.from({ length: 200 }, (_, i) => ({ id: "a", data: { price: i + 2 } }));
  expect(await apply(name, { kind: "patch", documents })).toEqual({ a: "UPDATED" });
  expect(parse.mock.calls.filter(([text]) => text.length > SIZE).length).toBeLessThan(3);
  parse.mockRestore();
  expect(await read(name, "a")).toMatchObject({ price: 201 });
});

test("numbers of many documents do not count, patches that change nothing only when repeated (3)", async () => {
  const name = await shardedName("patched-prices", 1);
  const ids = Array.from({ length: MOST + 3 }, (_, i) => `p${i}`);
  await importAll(
    name,
    ids.map((id) => ({ id, data: { ...large(id).data, stock: 1 } })),
  );
  const numbers = (data: Record<string, number>): Promise<unknown> =>
    apply(name, { kind: "patch", documents: ids.map((id) => ({ id, data })) });
  const all = (result: string): unknown => Object.fromEntries(ids.map((id) => [id, result]));
  expect(await numbers({ stock: 2 })).toEqual(all("UPDATED"));
  expect(await numbers({ price: 2 })).toEqual(all("UPDATED"));
  const full = vi.spyOn(Reader.prototype, "changedNumbers", "get").mockReturnValue(250_000);
  expect(await numbers({ price: 3, stock: 3 })).toEqual(all("UPDATED"));
  full.mockRestore();
  expect(await numbers({ price: 3, stock: 3 })).toEqual(all("NOOP"));
  const repeated = ids.map(() => ({ id: "p0", data: { price: 3 } }));
  await expect(apply(name, { kind: "patch", documents: repeated })).rejects.toMatchObject({ type: "body_too_large" });
});

test("patches of large documents that come together (4)", async () => {
  const name = await shardedName("patched-together", 1);
  await importAll(name, [document("z", "boot")]);
  // Their sources are in the log: a patch whose source is in R2 continues alone anyway.
  for (const id of IDS) await apply(name, { kind: "put", documents: [large(id)] });
  const alone = vi.spyOn(WritePath.prototype, "write");
  const answers = await Promise.all(IDS.map((id) => apply(name, { kind: "patch", documents: titles(id, 1) })));
  expect(answers).toEqual(IDS.map((id) => ({ [id]: "UPDATED" })));
  expect(alone.mock.calls.length).toBeGreaterThanOrEqual(IDS.length - 6);
  alone.mockRestore();
  expect(await Promise.all(IDS.map((id) => titleOf(name, id)))).toEqual(IDS.map(() => "shoe 1"));
});
