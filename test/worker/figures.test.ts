// Overviews, which ask every index (src/worker/figures.ts):
// 1. few are made at a time; those that wait use what was read since they came, so each index is asked a few times only;
// 2. what was read before a call is not used for it: it has all that was acknowledged before;
// 3. meanwhile an index is searched as always.
import { describe, test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { withFaults, type Fault, type Plan } from "../objects/support/faults.ts";
import { call, freshName, ok, publish, send } from "./support.ts";

const AT_ONCE = LIMITS.overviewsAtOnce.value;
const CALLS = 12;

interface Held {
  readonly plan: Plan;
  /** Calls of the method so far, and those that have not ended. */
  readonly asked: { all: number; running: number; most: number };
  readonly open: () => void;
}

/** Holds calls of a method, before or after they are carried out. */
function held(method: string, when: "before" | "after"): Held {
  let isOpen = false;
  const asked = { all: 0, running: 0, most: 0 };
  const wait = async (): Promise<void> => {
    asked.all++;
    asked.most = Math.max(asked.most, ++asked.running);
    // Promises of one request must not be awaited by another.
    while (!isOpen) await scheduler.wait(1);
    asked.running--;
  };
  const fault: Fault = when === "before" ? { before: wait } : { after: wait };
  return {
    asked,
    plan: ({ what }) => (what === method ? fault : null),
    open: () => {
      isOpen = true;
    },
  };
}

async function documentsOf(name: string, path: string): Promise<number | undefined> {
  const text = await (await ok(await call(path))).text();
  if (path === "/metrics") {
    const figure = text.split("\n").find((line) => line.startsWith(`aisle_index_documents{index="${name}"} `));
    return figure === undefined ? undefined : Number(figure.split(" ")[1]);
  }
  const indexes = JSON.parse(text) as readonly { readonly name: string; readonly documents: number }[];
  return indexes.find((index) => index.name === name)?.documents;
}

describe.each(["/metrics", "/admin-api/v1/indexes"])("%s", (path) => {
  test("many at once (1, 3)", async ({ expect }) => {
    const name = freshName("figures");
    await publish(name, [{ id: "1", data: { title: "shoe" } }]);
    const { plan, asked, open } = held("status", "before");
    const { result } = await withFaults(name, plan, async () => {
      const all = Array.from({ length: CALLS }, () => documentsOf(name, path));
      await vi.waitFor(() => expect(asked.all).toBe(AT_ONCE));
      const found = await ok(await call(`/search-api/v1/search/${name}?q=shoe`));
      expect(await found.json()).toMatchObject({ slices: [{ matchCount: 1 }] });
      open();
      return Promise.all(all);
    });
    expect(result).toEqual(Array.from({ length: CALLS }, () => 1));
    expect(asked.most).toBe(AT_ONCE);
    expect(asked.all).toBeLessThanOrEqual(2 * AT_ONCE);
  });

  test("what was written before the call (2)", async ({ expect }) => {
    const name = freshName("figures");
    await publish(name, [{ id: "1", data: { title: "shoe" } }]);
    const { plan, asked, open } = held("stats", "after");
    const { result } = await withFaults(name, plan, async () => {
      const before = documentsOf(name, path);
      await vi.waitFor(() => expect(asked.all).toBe(1));
      const documents = [{ id: "2", data: { title: "shoe" } }];
      await (await ok(await call(`/indexer-api/v1/update/${name}?langCode=en`, send("PUT", documents)))).text();
      const after = Array.from({ length: 4 }, () => documentsOf(name, path));
      await scheduler.wait(20);
      open();
      return [await before, ...(await Promise.all(after))];
    });
    expect(result).toEqual([1, 2, 2, 2, 2]);
  });
});
