// What the model of the crash suite takes for possible after a reindex, and what it does not.
//
// 1. one that was answered has the name and the number of documents of its answer; what was live is kept, with the documents of that moment;
//    one that says that it did not happen changes nothing
// 2. one that was not answered may have happened, may happen after the crash, under a name that was never seen; then it keeps that name
// 3. but not after the pointer has moved since, nor when no reindex is left; and a name does not come out of nothing, nor twice
// 4. what was never answered is there or not, whole, in the live and the kept generation and in sessions; however much of it there is
import { describe, test } from "vitest";
import { History, Impossible } from "./model.ts";
import { NOT_DONE, type Action, type Product, type Sight } from "./world.ts";

const look = (product: Product): string => String(product.data["stamp"]);

/** An index with one document, `p`, of this stamp. */
class Scene {
  readonly history = new History();
  #reindexes = 0;

  constructor(stamp = "v1") {
    this.import("ocs-1-shop-en", stamp);
  }

  import(session: string, stamp: string): void {
    this.did({ kind: "start" }, session);
    this.did({ kind: "add", session, documents: [{ id: "p", data: { stamp } }] }, "1");
    this.did({ kind: "done", session }, "ok");
  }

  did(action: Action, answer: string | null): void {
    this.history.answered(this.history.sent("client", action), answer);
  }

  put(stamp: string): void {
    this.did({ kind: "put", documents: [{ id: "p", data: { stamp } }] }, '{"p":"UPDATED"}');
  }

  reindex(answer: string | null): void {
    this.did(this.#reindex(), answer);
  }

  /** Sent and not answered before the process died. */
  interruptedReindex(): void {
    this.history.sent("client", this.#reindex());
    this.history.crash();
  }

  sees(name: string, stamp: string): void {
    const sight: Sight = { name, documents: new Map([["p", stamp]]) };
    this.did({ kind: "read", sight, look }, "seen");
    this.history.settle();
  }

  #reindex(): Action {
    return { kind: "reindex", alias: `reindex ${++this.#reindexes}` };
  }
}

describe("a reindex that was answered", () => {
  test("1. is live with the documents of then; a rollback brings those back", ({ expect }) => {
    const scene = new Scene();
    scene.reindex("ocs-2-shop-en 1");
    scene.put("v2");
    scene.sees("ocs-2-shop-en", "v2");
    scene.did({ kind: "rollback" }, "ocs-1-shop-en");
    scene.sees("ocs-1-shop-en", "v1");
    expect(() => scene.sees("ocs-1-shop-en", "v2")).toThrow(Impossible);
  });

  test.for(["ocs-2-shop-en 2", "index_not_found", "ok"])(
    "1. is not answered %s",
    (answer, { expect }) => {
      const scene = new Scene();
      scene.reindex(answer);
      expect(() => scene.sees("ocs-2-shop-en", "v1")).toThrow(Impossible);
    },
  );

  test("1. and one that says that it did not happen has not, and does not later", ({ expect }) => {
    for (const crashes of [false, true]) {
      const scene = new Scene();
      scene.reindex(NOT_DONE);
      if (crashes) scene.history.crash();
      scene.sees("ocs-1-shop-en", "v1");
      expect(scene.history.mayReindex).toBe(false);
      expect(() => scene.sees("ocs-2-shop-en", "v1")).toThrow(Impossible);
      const other = new Scene();
      other.reindex(NOT_DONE);
      if (crashes) other.history.crash();
      expect(() => other.sees("ocs-2-shop-en", "v1")).toThrow(Impossible);
    }
  });

  test("1. and one that does not say whether it happened may have, but does not happen later", ({
    expect,
  }) => {
    const scene = new Scene();
    scene.reindex(null);
    scene.sees("ocs-1-shop-en", "v1");
    expect(() => scene.sees("ocs-2-shop-en", "v1")).toThrow(Impossible);
    const other = new Scene();
    other.reindex(null);
    other.sees("ocs-2-shop-en", "v1");
  });
});

describe("what was never answered", () => {
  test("4. is learned of both generations that a reindex has made of it", ({ expect }) => {
    for (const [seen, other] of [
      ["v1", "v2"],
      ["v2", "v1"],
    ] as const) {
      const scene = (): Scene => {
        const one = new Scene();
        one.history.sent("client", {
          kind: "put",
          documents: [{ id: "p", data: { stamp: "v2" } }],
        });
        one.history.crash();
        one.reindex("ocs-2-shop-en 1");
        one.sees("ocs-2-shop-en", seen);
        one.did({ kind: "rollback" }, "ocs-1-shop-en");
        return one;
      };
      scene().sees("ocs-1-shop-en", seen);
      expect(() => scene().sees("ocs-1-shop-en", other)).toThrow(Impossible);
    }
  });

  test("4. does not multiply, and none of it is half there", ({ expect }) => {
    const ids = Array.from({ length: 20 }, (_, i) => [`a${i}`, `b${i}`] as const);
    const scene = (): Scene => {
      const one = new Scene();
      one.did({ kind: "start" }, "ocs-2-shop-en");
      for (const pair of ids) {
        const documents = pair.map((id) => ({ id, data: { stamp: id } }));
        one.history.sent("client", { kind: "put", documents });
        one.history.sent("client", { kind: "add", session: "ocs-2-shop-en", documents });
        one.history.crash();
        one.history.settle();
      }
      one.did({ kind: "done", session: "ocs-2-shop-en" }, "ok");
      return one;
    };
    const sees = (one: Scene, name: string, seen: readonly string[]): void => {
      const sight = { name, documents: new Map(seen.map((id) => [id, id === "p" ? "v1" : id])) };
      one.did({ kind: "read", sight, look }, "seen");
      one.history.settle();
    };
    const some = ids.filter((_, i) => i % 3 === 0).flat();
    const right = scene();
    sees(right, "ocs-2-shop-en", some);
    right.did({ kind: "rollback" }, "ocs-1-shop-en");
    sees(right, "ocs-1-shop-en", ["p", ...ids.flat()]);
    expect(right.history.peak).toBeLessThan(10);
    expect(() => sees(scene(), "ocs-2-shop-en", some.slice(1))).toThrow(Impossible);
  });

  test("4. does not multiply either where all of it depends on each other", ({ expect }) => {
    const ids = Array.from({ length: 30 }, (_, i) => `p${i}`);
    const session = "ocs-2-shop-en";
    const scene = (): Scene => {
      const one = new Scene();
      one.did({ kind: "start" }, session);
      // Each of these bulks may have replaced one document of the one before.
      for (const [i, id] of ids.entries()) {
        const documents = [id, ids[i + 1] ?? "p"].map((own) => ({ id: own, data: { stamp: id } }));
        one.history.sent("client", { kind: "add", session, documents });
        one.history.crash();
        one.history.settle();
      }
      one.did({ kind: "done", session }, "ok");
      return one;
    };
    const sees = (one: Scene, seen: readonly (readonly [string, string])[]): void => {
      one.did({ kind: "read", sight: { name: session, documents: new Map(seen) }, look }, "seen");
      one.history.settle();
    };
    const right = scene();
    expect(right.history.peak).toBeLessThan(10);
    expect(right.history.approximations).toBeGreaterThan(0);
    sees(right, [...ids.map((id) => [id, id] as const), ["p", "p29"]]);
    // Those of even number.
    sees(
      scene(),
      ids.map((id, i) => [id, i % 2 === 0 ? id : `p${i - 1}`] as const),
    );
    expect(() => sees(scene(), [["p3", "p1"]])).toThrow(Impossible);
  });
});

describe("a reindex that was interrupted", () => {
  test("2. may happen before the crash, or any time after it", ({ expect }) => {
    const scene = new Scene();
    scene.interruptedReindex();
    scene.sees("ocs-1-shop-en", "v1");
    expect(scene.history.mayReindex).toBe(true);
    scene.put("v2");
    scene.sees("ocs-1-shop-en", "v2");
    scene.history.crash();
    scene.put("v3");
    scene.sees("ocs-2-shop-en", "v3");
    expect(scene.history.mayReindex).toBe(false);
    expect(scene.history.aliasesOf("ocs-2-shop-en")).toEqual(["reindex 1"]);
    scene.did({ kind: "rollback" }, "ocs-1-shop-en");
    // It was taken up before the last update, or after it.
    expect(() => scene.sees("ocs-1-shop-en", "v1")).toThrow(Impossible);
  });

  test("2. keeps its name; a rollback may be the first to tell it", ({ expect }) => {
    const scene = new Scene();
    scene.interruptedReindex();
    scene.import("ocs-3-shop-en", "v3");
    scene.did({ kind: "rollback" }, "ocs-2-shop-en");
    scene.sees("ocs-2-shop-en", "v1");
    expect(() => scene.sees("ocs-4-shop-en", "v1")).toThrow(Impossible);
  });

  test("2. one of several may be the one that is seen", ({ expect }) => {
    const scene = new Scene();
    scene.interruptedReindex();
    scene.interruptedReindex();
    scene.sees("ocs-3-shop-en", "v1");
    expect(scene.history.aliasesOf("ocs-3-shop-en")).toContain("reindex 1");
    expect(scene.history.aliasesOf("ocs-3-shop-en")).toContain("reindex 2");
  });

  test.for<[string, (scene: Scene) => void]>([
    ["an import", (scene) => scene.import("ocs-3-shop-en", "v1")],
    ["another reindex", (scene) => scene.reindex("ocs-3-shop-en 1")],
    [
      "a rollback there and back",
      (scene) => {
        scene.did({ kind: "rollback" }, "ocs-0-shop-en");
        scene.did({ kind: "rollback" }, "ocs-1-shop-en");
      },
    ],
    [
      "a deletion",
      (scene) => {
        scene.did({ kind: "deleteIndex" }, "ok");
        scene.import("ocs-3-shop-en", "v1");
      },
    ],
    [
      "the last of the sessions",
      (scene) => {
        scene.history.noReindexLeft();
        scene.sees("ocs-1-shop-en", "v1");
      },
    ],
  ])("3. does not happen after %s", ([, over], { expect }) => {
    const scene = new Scene();
    // So that there is something to roll back to.
    scene.import("ocs-0-shop-en", "v0");
    scene.did({ kind: "rollback" }, "ocs-1-shop-en");
    scene.interruptedReindex();
    scene.sees("ocs-1-shop-en", "v1");
    over(scene);
    scene.history.settle();
    expect(scene.history.mayReindex).toBe(false);
    expect(() => scene.sees("ocs-2-shop-en", "v1")).toThrow(Impossible);
  });

  test("3. has a name of its own", ({ expect }) => {
    const scene = new Scene();
    scene.import("ocs-2-shop-en", "v2");
    scene.interruptedReindex();
    expect(() => scene.sees("ocs-1-shop-en", "v2")).toThrow(Impossible);
  });

  test("3. and without one there is no new name", ({ expect }) => {
    const scene = new Scene();
    expect(() => scene.sees("ocs-2-shop-en", "v1")).toThrow(Impossible);
  });
});
