// What an update keeps while it is planned (KEPT_BYTES), through the objects' RPC.
// 1. a PUT, a PATCH, and updates that are carried out together, of more documents than that keep no more of their
//    products, and are read again when they are written: all of them are found, with what was sent
// 2. a document that is written twice or deleted afterwards in the same turn is as it was sent last
import { expect, test, vi } from "vitest";
import { KEPT_BYTES, Writes } from "../../src/objects/shard/writing/index.ts";
import { apply, document, importAll, shardedName, titleOf } from "./support/index.ts";

const TEXT = "x".repeat(20_000);
/** A little more than twice as many as are kept. */
const COUNT = Math.ceil((KEPT_BYTES * 2.2) / TEXT.length);
const IDS = Array.from({ length: COUNT }, (_, i) => `d${i}`);

function all(title: string): ReturnType<typeof document>[] {
  return IDS.map((id) => document(id, `${title} ${id}`, { text: TEXT }));
}

/** Of the plans that were made meanwhile: bytes of documents with and without their products. */
async function plannedBytes<T>(update: () => Promise<T>): Promise<{ answer: T; kept: number; dropped: number }> {
  const write = vi.spyOn(Writes.prototype, "write");
  const answer = await update();
  const plans = new Set(write.mock.contexts as Writes[]);
  write.mockRestore();
  let kept = 0;
  let dropped = 0;
  for (const { writes } of plans) {
    let own = 0;
    for (const one of writes.values()) {
      if (one === null) continue;
      if (one.product === null) dropped += one.source.byteLength;
      else own += one.source.byteLength;
    }
    kept = Math.max(kept, own);
  }
  return { answer, kept, dropped };
}

async function expectTitles(name: string, title: string): Promise<void> {
  const some = [0, 1, Math.floor(COUNT / 2), COUNT - 2, COUNT - 1].map((i) => IDS[i]);
  for (const id of some) expect(await titleOf(name, id)).toBe(`${title} ${id}`);
}

test("products that are kept (1)", async () => {
  const name = await shardedName("planned-memory", 1);
  await importAll(name, [document("other", "boot")]);
  const put = await plannedBytes(() => apply(name, { kind: "put", documents: all("shoe") }));
  expect(Object.values(put.answer).every((result) => result === "CREATED")).toBe(true);
  expect(put.kept).toBeLessThanOrEqual(KEPT_BYTES);
  expect(put.dropped).toBeGreaterThan(KEPT_BYTES);
  await expectTitles(name, "shoe");

  const patch = await plannedBytes(() => apply(name, { kind: "patch", documents: all("boot") }));
  expect(Object.values(patch.answer).every((result) => result === "UPDATED")).toBe(true);
  expect(patch.kept).toBeLessThanOrEqual(KEPT_BYTES);
  expect(patch.dropped).toBeGreaterThan(KEPT_BYTES);
  await expectTitles(name, "boot");

  const parts = [0, 1, 2, 3, 4, 5].map((part) => all("hat").filter((_, i) => i % 6 === part));
  const together = await plannedBytes(() =>
    Promise.all(parts.map((documents) => apply(name, { kind: "put", documents }))),
  );
  expect(together.kept).toBeLessThanOrEqual(KEPT_BYTES);
  await expectTitles(name, "hat");
});

test("documents that change again (2)", async () => {
  const name = await shardedName("planned-again", 1);
  await importAll(name, [document("other", "boot")]);
  const [first, last] = [IDS[0], IDS[COUNT - 1]];
  const again = [first, last].map((id) => document(id, `glove ${id}`, { text: TEXT }));
  await apply(name, { kind: "put", documents: [...all("shoe"), ...again] });
  expect(await titleOf(name, first)).toBe(`glove ${first}`);
  expect(await titleOf(name, last)).toBe(`glove ${last}`);
  await Promise.all([
    apply(name, { kind: "put", documents: all("sock") }),
    apply(name, { kind: "patch", documents: [{ id: last, data: { title: "scarf" } }] }),
    apply(name, { kind: "delete", ids: [first] }),
  ]);
  expect(await titleOf(name, last)).toBe("scarf");
  expect(await titleOf(name, first)).toBeNull();
  expect(await titleOf(name, IDS[1])).toBe(`sock ${IDS[1]}`);
});
