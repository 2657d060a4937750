// PUTs that create indexes take turns (src/objects/turns.ts; large-pages.test.ts has the rest):
// 1. so many are created at a time, the others afterwards, all of them in the end;
// 2. meanwhile another index is searched and updated as always.
import { test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { withFaults, type Fault } from "../objects/support/faults.ts";
import { call, freshName, ok, publish, send } from "./support.ts";

const AT_ONCE = LIMITS.newIndexesAtOnce.value;

async function put(indexName: string): Promise<unknown> {
  const documents = [{ id: "1", data: { title: "shoe" } }];
  const path = `/indexer-api/v1/update/${indexName}?langCode=en`;
  return (await ok(await call(path, send("PUT", documents)))).json();
}

test("new indexes take turns, and hold nobody else up (1, 2)", async ({ expect }) => {
  const other = freshName("new-indexes-other");
  await publish(other, [{ id: "0", data: { title: "shoe" } }]);
  const names = Array.from({ length: AT_ONCE + 4 }, () => freshName("new-indexes"));
  const begun: string[] = [];
  let isOpen = false;
  let running = 0;
  let most = 0;
  // Promises of one request must not be awaited by another.
  const held = (name: string): Fault => ({
    before: async () => {
      begun.push(name);
      most = Math.max(most, ++running);
      while (!isOpen) await scheduler.wait(1);
      running--;
    },
  });
  const puts = names.map(async (name) => {
    const plan = ({ what }: { readonly what: string }): Fault | null => (what === "ensureIndex" ? held(name) : null);
    return (await withFaults(name, plan, () => put(name))).result;
  });
  await vi.waitFor(() => expect(begun).toHaveLength(AT_ONCE));
  const found = await ok(await call(`/search-api/v1/search/${other}?q=shoe`));
  expect(await found.json()).toMatchObject({ slices: [{ matchCount: 1 }] });
  expect(await put(other)).toEqual({ 1: "CREATED" });
  expect(begun).toHaveLength(AT_ONCE);
  isOpen = true;
  expect(await Promise.all(puts)).toEqual(names.map(() => ({ 1: "CREATED" })));
  expect(most).toBe(AT_ONCE);
  expect(begun.toSorted()).toEqual(names.toSorted());
});
