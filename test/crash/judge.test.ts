// What the judge of the crash suite takes for possible, and what it does not.
//
// 1. whatever a service that is right answers, with kills between, is explained
// 2. one that loses what it has acknowledged, does half of a bulk, or shows what was there before, is found out
// 3. a reindex that was answered has the name and the count of its answer; what was live is kept, with the documents of that moment
// 4. one that was not answered may happen later, under a name that was never seen, but not after the pointer has moved
import fc from "fast-check";
import { describe, test, type ExpectStatic } from "vitest";
import { runs, seed } from "../support/property.ts";
import { Impossible, Judge } from "./judge.ts";
import { Names } from "./names.ts";
import { canonical } from "./product.ts";
import {
  after,
  EMPTY_WORLD,
  NOT_DONE,
  type Action,
  type Operation,
  type Product,
  type World,
} from "./world.ts";

const look = (product: Product): string => String(product.data["stamp"]);
const IDS = ["a", "b", "c"] as const;
const FIRST = "ocs-1-shop-en";

type Fault = "none" | "lost" | "half" | "stale";

/** A service that is right but for `fault`, its clients, and their judge. */
class Scene {
  readonly judge = new Judge();
  #world = EMPTY_WORLD;
  #before: World = EMPTY_WORLD;
  #numbers = 0;
  #underWay: Operation[] = [];
  #happened: { readonly operation: Operation; readonly answer: string }[] = [];
  #later: Operation[] = [];

  constructor() {
    this.import(FIRST, "v0");
  }

  import(session: string, stamp: string): void {
    this.did({ kind: "start" }, session);
    this.did({ kind: "add", session, documents: [{ id: "a", data: { stamp } }] }, "1");
    this.did({ kind: "done", session }, "ok");
  }

  /** The judge hears it, and so does the service. */
  did(action: Action, answer: string | null): void {
    this.judge.answered(this.judge.sent("client", action), answer);
    this.#become({ number: 0, client: "", action, answer });
  }

  sees(name: string, stamp: string): void {
    const sight = { name, documents: new Map([["a", stamp]]) };
    this.judge.answered(this.judge.sent("client", { kind: "read", sight, look }), "seen");
    this.judge.settle();
  }

  /** Sent, and not answered before the process died. */
  interruptedReindex(): void {
    this.judge.sent("client", { kind: "reindex", alias: `reindex ${++this.#numbers}` });
    this.judge.crash();
  }

  #become(operation: Operation): void {
    const next = after(this.#world, operation, new Names());
    if (next === null) throw new Error("the scene is wrong");
    if (next.live?.name !== this.#world.live?.name) this.#later = [];
    this.#before = this.#world;
    this.#world = next;
  }

  send(draw: number): void {
    if (this.#underWay.length + this.#happened.length >= 4) return;
    const number = ++this.#numbers;
    const ids = IDS.filter((_, i) => ((draw >> 4) & (1 << i)) !== 0);
    const documents = ids.map((id) => ({ id, data: { stamp: `v${number}` } }));
    const actions: readonly Action[] = [
      { kind: "put", documents },
      { kind: "patch", documents },
      { kind: "delete", ids },
      { kind: "reindex", alias: `reindex ${number}` },
      { kind: "read", sight: null, look },
      { kind: "rollback" },
    ];
    const action = actions[draw % actions.length] ?? { kind: "rollback" };
    this.#underWay.push(this.judge.sent("client", action));
  }

  /** What has happened is answered, unless the process dies first. */
  answer(draw: number): void {
    const one = this.#happened.splice(draw % Math.max(1, this.#happened.length), 1)[0];
    if (one !== undefined) this.judge.answered(one.operation, one.answer);
  }

  happen(draw: number, fault: Fault): void {
    const operation = this.#underWay.splice(draw % Math.max(1, this.#underWay.length), 1)[0];
    if (operation === undefined) return;
    const { action, number } = operation;
    if (action.kind === "read") {
      const { live } = fault === "stale" ? this.#before : this.#world;
      const documents = new Map([...(live?.documents ?? [])].map(([id, one]) => [id, look(one)]));
      operation.action = {
        ...action,
        sight: live === null ? null : { name: live.name, documents },
      };
      this.#happened.push({ operation, answer: "seen" });
      return;
    }
    const before = this.#world;
    const answer = this.#answerOf(action, number);
    if (fault === "half" && "documents" in action) {
      this.#become({ ...operation, action: { ...action, documents: action.documents.slice(1) } });
    } else if (fault !== "lost") {
      this.#become({ ...operation, answer });
    }
    if (this.#world === before && fault === "none" && answer === "ok") throw new Error("no effect");
    this.#happened.push({ operation, answer });
  }

  #answerOf(action: Action, number: number): string {
    const { live, kept } = this.#world;
    if (action.kind === "rollback") return kept?.name ?? "generation_not_found";
    if (action.kind === "reindex") return `ocs-${100 + number}-shop-en ${live?.documents.size}`;
    const results: Record<string, string> = {};
    const ids = action.kind === "delete" ? action.ids : IDS;
    const asked = "documents" in action ? action.documents.map(({ id }) => id) : ids;
    for (const id of asked) {
      const isThere = live?.documents.has(id) === true;
      if (action.kind === "delete") results[id] = isThere ? "DELETED" : "NOT_FOUND";
      else if (action.kind === "put") results[id] = isThere ? "UPDATED" : "CREATED";
      else results[id] = isThere ? "UPDATED" : "NOT_FOUND";
    }
    const isNone = action.kind === "delete" && !Object.values(results).includes("DELETED");
    return isNone ? "304" : canonical(results);
  }

  /** Of what is under way some has happened; reindexes may happen later. */
  crash(draw: number): void {
    for (const [i, operation] of this.#underWay.entries()) {
      if (operation.action.kind === "read") continue;
      if (operation.action.kind === "reindex") this.#later.push(operation);
      else if ((draw & (1 << i)) !== 0) this.#become({ ...operation, answer: null });
    }
    this.#underWay = [];
    this.#happened = [];
    this.judge.crash();
    this.judge.settle();
  }

  /** An interrupted reindex is taken up: then it has a name that nobody was told. */
  resume(): void {
    const operation = this.#later.shift();
    if (operation === undefined || this.#world.live === null) return;
    const answer = `ocs-${500 + operation.number}-shop-en ${this.#world.live.documents.size}`;
    this.#become({ ...operation, answer });
  }
}

const steps = fc.array(fc.tuple(fc.nat(99), fc.nat(4095)), { minLength: 20, maxLength: 60 });

function isExplained(drawn: readonly (readonly [number, number])[], fault: Fault): boolean {
  const scene = new Scene();
  try {
    for (const [i, [what, draw]] of drawn.entries()) {
      if (what < 40) scene.send(draw);
      else if (what < 65) scene.happen(draw, i % 3 === 0 ? fault : "none");
      else if (what < 90) scene.answer(draw);
      else if (what < 95) scene.resume();
      else scene.crash(draw);
    }
    scene.crash(0);
    for (let i = 0; i < 3; i++) {
      // A reading and a rollback.
      for (const draw of [4, 5]) {
        scene.send(draw);
        scene.happen(0, "none");
        scene.answer(0);
      }
      scene.judge.settle();
    }
    scene.judge.settle();
  } catch (error) {
    if (error instanceof Impossible) return false;
    throw error;
  }
  return true;
}

test("1. a service that is right is explained", ({ expect }) => {
  fc.assert(
    fc.property(steps, (drawn) => {
      expect(isExplained(drawn, "none")).toBe(true);
    }),
    { numRuns: runs(100), seed },
  );
});

test.for(["lost", "half", "stale"] as const)(
  "2. one with faults is found out: %s",
  (fault, { expect }) => {
    const found = fc
      .sample(steps, { numRuns: 200, seed })
      .filter((one) => !isExplained(one, fault));
    expect(found.length).toBeGreaterThan(3);
  },
);

const reindex = { kind: "reindex", alias: "reindex 0" } as const;
const put = { kind: "put", documents: [{ id: "a", data: { stamp: "v2" } }] } as const;

describe("3. a reindex that was answered", () => {
  test("is live with the documents of then; a rollback brings those back", ({ expect }) => {
    const scene = new Scene();
    scene.did(reindex, "ocs-2-shop-en 1");
    scene.did(put, '{"a":"UPDATED"}');
    scene.sees("ocs-2-shop-en", "v2");
    scene.did({ kind: "rollback" }, FIRST);
    scene.sees(FIRST, "v0");
    expect(() => scene.sees(FIRST, "v2")).toThrow(Impossible);
  });

  const judged = (answer: string | null): Scene => {
    const scene = new Scene();
    scene.judge.answered(scene.judge.sent("client", reindex), answer);
    return scene;
  };

  test.for(["ocs-2-shop-en 2", "index_not_found", "ok", NOT_DONE])(
    "is not answered %s",
    (answer, { expect }) => {
      expect(() => judged(answer).sees("ocs-2-shop-en", "v0")).toThrow(Impossible);
    },
  );

  test("may have happened where its answer does not say so, and does not later", ({ expect }) => {
    judged(null).sees("ocs-2-shop-en", "v0");
    const scene = judged(null);
    scene.sees(FIRST, "v0");
    expect(() => scene.sees("ocs-2-shop-en", "v0")).toThrow(Impossible);
  });
});

describe("4. a reindex that was interrupted", () => {
  const happensLater = (scene: Scene, expect: ExpectStatic): void => {
    scene.sees("ocs-9-shop-en", "v0");
    expect(scene.judge.mayReindex).toBe(false);
    expect(scene.judge.aliasesOf("ocs-9-shop-en")).toContain("reindex 1");
  };

  test("may happen any time after the kill, and after another one", ({ expect }) => {
    const scene = new Scene();
    scene.interruptedReindex();
    scene.sees(FIRST, "v0");
    scene.judge.crash();
    expect(scene.judge.mayReindex).toBe(true);
    happensLater(scene, expect);
    expect(() => scene.sees("ocs-8-shop-en", "v0")).toThrow(Impossible);
  });

  test.for<[string, (scene: Scene) => void]>([
    ["an import", (scene) => scene.import("ocs-3-shop-en", "v0")],
    ["another reindex", (scene) => scene.did(reindex, "ocs-3-shop-en 1")],
    [
      "the last of the sessions",
      (scene) => {
        scene.judge.noReindexLeft();
        scene.sees(FIRST, "v0");
      },
    ],
  ])("does not happen after %s", ([, over], { expect }) => {
    const scene = new Scene();
    scene.interruptedReindex();
    scene.sees(FIRST, "v0");
    over(scene);
    scene.judge.settle();
    expect(scene.judge.mayReindex).toBe(false);
    expect(() => happensLater(scene, expect)).toThrow(Impossible);
  });

  test("has a name of its own", ({ expect }) => {
    const scene = new Scene();
    scene.import("ocs-2-shop-en", "v2");
    scene.interruptedReindex();
    expect(() => scene.sees(FIRST, "v2")).toThrow(Impossible);
  });
});
