// That the model keeps few states and forgets none: it finds explained what the slow enumeration of all orders finds
// explained, and nothing else. Histories of a service that dies now and then, some right, some of one that loses
// acknowledged operations, does half of them, or reads what was there before.
import fc from "fast-check";
import { describe, test } from "vitest";
import { runs, seed } from "../support/property.ts";
import { applied, EMPTY, Enumeration, type Sent, type State, type Step } from "./enumeration.ts";
import { History, Impossible } from "./model.ts";
import { NOT_DONE, type Action, type Operation, type Product } from "./world.ts";

const look = (product: Product): string => String(product.data["stamp"]);
const IDS = ["a", "b", "c"] as const;

/** A service and its clients, out of numbers that are drawn: who does what when. */
class Scene {
  readonly history = new History();
  readonly enumeration = new Enumeration();
  /** Of each settled batch: null, not explained. */
  #steps: Step[] = [];
  #state = EMPTY;
  #before: State = EMPTY;
  #underWay: { operation: Operation; sent: Sent; name: string; answer: string | null }[] = [];
  /** Interrupted ones that may still happen. */
  #later: { action: Action; name: string }[] = [];
  #numbers = 0;

  /** Whether model and enumeration go on; throws when they differ. */
  settle(): boolean {
    const steps = this.#steps;
    this.#steps = [];
    const isExplained = this.enumeration.explains(steps);
    try {
      this.history.settle();
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      if (isExplained)
        throw new Error(`the model finds no order: ${error.message}`, { cause: error });
      return false;
    }
    if (!isExplained) {
      const list = steps.map((step) => ("operation" in step ? step.operation : step.kind));
      throw new Error(`no order explains this, but the model does: ${JSON.stringify(list)}`);
    }
    return true;
  }

  get isIdle(): boolean {
    return this.#underWay.length === 0;
  }

  send(draw: number): void {
    if (this.#underWay.length >= 4) return;
    const number = ++this.#numbers;
    const session = `ocs-${1 + ((draw >> 8) % 2)}-shop-en`;
    const ids = IDS.filter((_, i) => ((draw >> 4) & (1 << i)) !== 0);
    const documents = ids.map((id) => ({ id, data: { stamp: `v${number}` } }));
    const alias = `reindex ${number}`;
    const actions: readonly Action[] = [
      { kind: "put", documents },
      { kind: "patch", documents },
      { kind: "delete", ids },
      { kind: "add", session, documents },
      { kind: "add", session, documents: documents.slice(0, 1) },
      { kind: "done", session },
      { kind: "cancel", session },
      { kind: "rollback" },
      { kind: "reindex", alias },
      { kind: "read", sight: null, look },
      { kind: "read", sight: null, look },
      { kind: "deleteIndex" },
    ];
    const action = actions[draw % 12] ?? { kind: "rollback" };
    this.#send(number, action, `ocs-${100 + number}-shop-en`);
  }

  did(action: Action, name = ""): void {
    this.#send(++this.#numbers, action, name);
    this.happen(this.#underWay.length - 1);
    this.answer(this.#underWay.length - 1, 0);
  }

  #send(number: number, action: Action, name: string): void {
    const operation = this.history.sent("client", action);
    const sent = { number, action, answer: null };
    this.#steps.push({ kind: "sent", operation: sent });
    this.#underWay.push({ operation, sent, name, answer: null });
  }

  /** `fault` 1: it does not, but says so; 2: half; 3: what it reads is old. */
  happen(at: number, fault = 0): void {
    const one = this.#underWay[at % Math.max(1, this.#underWay.length)];
    if (one === undefined || one.answer !== null) return;
    let action = one.operation.action;
    if (action.kind === "read") {
      const { live } = fault === 3 ? this.#before : this.#state;
      const sight =
        live === null
          ? null
          : { name: live.name, documents: new Map(Object.entries(live.documents)) };
      const isNamed = sight !== null && sight.documents.size > 0;
      action = { ...action, sight: isNamed || sight === null ? sight : { ...sight, name: null } };
      one.operation.action = action;
      const { sent } = one;
      const replaced: Sent = Object.assign(sent, { action });
      one.sent = replaced;
      one.answer = "seen";
      return;
    }
    const { state, answers } = applied(this.#state, action, one.name);
    one.answer = answers[0] ?? "ok";
    if (fault === 1) return;
    this.#become(
      fault === 2 && "documents" in action
        ? applied(this.#state, { ...action, documents: action.documents.slice(1) }, one.name).state
        : state,
    );
  }

  #become(state: State): void {
    if (state.live?.name !== this.#state.live?.name) {
      this.#later = this.#later.filter(({ action }) => action.kind === "done");
    }
    this.#before = this.#state;
    this.#state = state;
  }

  /** `how` 1: does not say whether it happened; 2: a reindex says that it has not. */
  answer(at: number, how: number): void {
    const one = this.#underWay[at % Math.max(1, this.#underWay.length)];
    if (one === undefined) return;
    const isRead = one.operation.action.kind === "read";
    if (one.answer === null && how === 2 && one.operation.action.kind === "reindex") {
      one.answer = NOT_DONE;
    }
    if (one.answer === null) this.happen(at);
    const answer =
      how === 1 && !isRead && one.operation.action.kind !== "start" ? null : one.answer;
    Object.assign(one.sent, { answer });
    this.history.answered(one.operation, answer);
    this.#steps.push({ kind: "answered", operation: one.sent });
    this.#underWay = this.#underWay.filter((other) => other !== one);
  }

  crash(): void {
    for (const { operation, name, answer } of this.#underWay) {
      const { action } = operation;
      if (answer === null && (action.kind === "done" || action.kind === "reindex")) {
        this.#later.push({ action, name });
      }
    }
    this.#underWay = [];
    this.history.crash();
    this.#steps.push({ kind: "crash" });
  }

  /** What was interrupted is taken up, or ends. */
  resume(draw: number): void {
    const one = this.#later.splice(draw % Math.max(1, this.#later.length), 1)[0];
    if (one !== undefined) this.#become(applied(this.#state, one.action, one.name).state);
  }

  endReindexes(): void {
    this.#later = this.#later.filter(({ action }) => action.kind === "done");
    this.history.noReindexLeft();
    this.#steps.push({ kind: "noReindexLeft" });
  }
}

const commands = fc.array(fc.tuple(fc.nat(99), fc.nat(4095), fc.nat(99)), {
  minLength: 20,
  maxLength: 60,
  size: "max",
});

/** Whether an order explains all of it. */
function isExplained(
  draws: readonly (readonly [number, number, number])[],
  faults: boolean,
): boolean {
  const scene = new Scene();
  for (const session of ["ocs-3-shop-en", "ocs-1-shop-en", "ocs-2-shop-en"]) {
    scene.did({ kind: "start" }, session);
  }
  const documents = IDS.slice(0, 2).map((id) => ({ id, data: { stamp: "v0" } }));
  scene.did({ kind: "add", session: "ocs-3-shop-en", documents });
  scene.did({ kind: "done", session: "ocs-3-shop-en" });
  let crashes = 0;
  for (const [what, draw, chance] of draws) {
    if (what < 45) {
      scene.send(draw);
    } else if (what < 65) {
      scene.happen(draw, faults && chance < 45 ? 1 + (chance % 3) : 0);
    } else if (what < 88) {
      scene.answer(draw, chance < 12 ? 1 : chance < 20 ? 2 : 0);
    } else if (what < 91) {
      scene.resume(draw);
    } else if (what < 93) {
      scene.endReindexes();
    } else if (what < 96 && crashes++ < 2) {
      scene.crash();
      if (!scene.settle()) return false;
    } else if (scene.isIdle && !scene.settle()) {
      return false;
    }
  }
  scene.crash();
  if (!scene.settle()) return false;
  for (let i = 0; i < 2; i++) {
    scene.did({ kind: "read", sight: null, look });
    if (!scene.settle()) return false;
    scene.did({ kind: "rollback" });
  }
  return scene.settle();
}

describe("the model agrees with the enumeration of all orders", () => {
  test("of a service that is right: there is one", ({ expect }) => {
    fc.assert(
      fc.property(commands, (draws) => {
        expect(isExplained(draws, false)).toBe(true);
      }),
      { numRuns: runs(300), seed },
    );
  });

  test("of one that is not: whether there is one", ({ expect }) => {
    const found = { explained: 0, not: 0 };
    fc.assert(
      fc.property(commands, (draws) => {
        found[isExplained(draws, true) ? "explained" : "not"]++;
      }),
      { numRuns: runs(300), seed },
    );
    // Both happen, or the comparison says nothing.
    expect(Math.min(found.explained, found.not)).toBeGreaterThan(20);
  });
});
