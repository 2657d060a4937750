// The judge of the crash suite accepts what a correct service may answer and rejects everything else:
//
// 1. answered operations happened between sending and answer, in some order, each as a whole
// 2. lost ones happened or not, also those under way at a kill; `done` and reindexes may happen after it
// 3. a reindex keeps the documents; its generation has the answered name, or one that was never seen
import { expect, test } from "vitest";
import { Impossible, Judge } from "./judge.ts";
import { NOT_DONE, type Action, type Operation, type Product } from "./world.ts";

const FIRST = "ocs-1-shop-en";
const SECOND = "ocs-2-shop-en";

/** `a=v1 b=v1`: documents with their stamps. */
function documentsOf(text: string): Product[] {
  return text
    .split(" ")
    .filter((part) => part !== "")
    .map((part) => ({ id: part.slice(0, 1), data: { stamp: part.slice(2) } }));
}

const put = (text: string): Action => ({ kind: "put", documents: documentsOf(text) });
const updated = '{"a":"UPDATED"}';
const both = '{"a":"UPDATED","b":"CREATED"}';

/** A history, beginning with an import of `a=v0`. */
class History {
  readonly judge = new Judge();

  constructor() {
    this.import(FIRST, "a=v0");
  }

  send(action: Action): Operation {
    return this.judge.sent("client", action);
  }

  answer(operation: Operation, answer: string | null): void {
    this.judge.answered(operation, answer);
  }

  did(action: Action, answer: string | null): void {
    this.answer(this.send(action), answer);
  }

  import(session: string, text: string): void {
    const documents = documentsOf(text);
    this.did({ kind: "start" }, session);
    this.did({ kind: "add", session, documents }, String(documents.length));
    this.did({ kind: "done", session }, "ok");
  }

  sees(name: string, text: string): void {
    const stamps = documentsOf(text).map(({ id, data }) => [id, String(data["stamp"])] as const);
    const look = (product: Product): string => String(product.data["stamp"]);
    this.did({ kind: "read", sight: { name, documents: new Map(stamps) }, look }, "seen");
  }

  seesNothing(): void {
    this.did({ kind: "read", sight: null, look: () => "" }, "seen");
  }

  crash(): void {
    this.judge.crash();
  }
}

type Script = (history: History) => void;

function isExplained(script: Script): boolean {
  const history = new History();
  script(history);
  try {
    history.judge.settle();
    return true;
  } catch (error) {
    if (error instanceof Impossible) return false;
    throw error;
  }
}

/** Two updates under way at once, then a read. */
const concurrently =
  (seen: string): Script =>
  (history) => {
    const one = history.send(put("a=v1"));
    const other = history.send(put("a=v2"));
    history.answer(other, updated);
    history.answer(one, updated);
    history.sees(FIRST, seen);
  };

/** A read while a bulk is under way. */
const during =
  (seen: string): Script =>
  (history) => {
    const bulk = history.send(put("a=v1 b=v1"));
    history.sees(FIRST, seen);
    history.answer(bulk, both);
  };

const killedAt =
  (action: Action, ...then: readonly Script[]): Script =>
  (history) => {
    history.send(action);
    history.crash();
    for (const step of then) step(history);
  };
const sees =
  (name: string, text: string): Script =>
  (history) =>
    history.sees(name, text);
const doing =
  (action: Action, answer: string | null, ...then: readonly Script[]): Script =>
  (history) => {
    history.did(action, answer);
    for (const step of then) step(history);
  };
/** A session with `a=v9` that `done` was sent for when the process was killed. */
const killedDone =
  (...then: readonly Script[]): Script =>
  (history) => {
    history.did({ kind: "start" }, SECOND);
    history.did({ kind: "add", session: SECOND, documents: documentsOf("a=v9") }, "1");
    killedAt({ kind: "done", session: SECOND }, ...then)(history);
  };
const noReindexLeft: Script = ({ judge }) => judge.noReindexLeft();

const reindex = { kind: "reindex" } as const;
const rollback = { kind: "rollback" } as const;

test.for<[string, boolean, Script]>([
  ["1. either order of concurrent updates", true, concurrently("a=v1")],
  ["1. the other order", true, concurrently("a=v2")],
  ["1. neither of them", false, concurrently("a=v0")],
  ["1. a read before the bulk", true, during("a=v0")],
  ["1. a read after the bulk", true, during("a=v1 b=v1")],
  ["1. half a bulk", false, during("a=v1")],
  [
    "1. an acknowledged update that is lost",
    false,
    doing(put("a=v1"), updated, sees(FIRST, "a=v0")),
  ],
  ["1. an answer that does not fit", false, doing(put("a=v1"), '{"a":"CREATED"}')],
  [
    "1. an open session is not seen",
    false,
    (history) => {
      history.did({ kind: "start" }, SECOND);
      history.did({ kind: "add", session: SECOND, documents: documentsOf("a=v9") }, "1");
      history.sees(SECOND, "a=v9");
    },
  ],
  [
    "1. a rollback",
    true,
    (history) => {
      history.import(SECOND, "a=v9");
      doing(rollback, FIRST, sees(FIRST, "a=v0"))(history);
    },
  ],
  [
    "1. nothing after a deletion",
    true,
    (history) => {
      history.did({ kind: "deleteIndex" }, "ok");
      history.seesNothing();
    },
  ],
  [
    "1. documents after a deletion",
    false,
    doing({ kind: "deleteIndex" }, "ok", sees(FIRST, "a=v0")),
  ],
  ["2. a refused update that happened", true, doing(put("a=v1"), null, sees(FIRST, "a=v1"))],
  ["2. a refused update that did not", true, doing(put("a=v1"), null, sees(FIRST, "a=v0"))],
  ["2. an update that was not done", false, doing(put("a=v1"), NOT_DONE, sees(FIRST, "a=v1"))],
  ["2. a killed update that happened", true, killedAt(put("a=v1"), sees(FIRST, "a=v1"))],
  ["2. a killed update that did not", true, killedAt(put("a=v1"), sees(FIRST, "a=v0"))],
  [
    "2. a killed update that happens later",
    false,
    killedAt(put("a=v1"), sees(FIRST, "a=v0"), sees(FIRST, "a=v1")),
  ],
  [
    "2. a killed update that is undone later",
    false,
    killedAt(put("a=v1"), sees(FIRST, "a=v1"), sees(FIRST, "a=v0")),
  ],
  [
    "2. a killed done that happens later",
    true,
    killedDone(sees(FIRST, "a=v0"), sees(SECOND, "a=v9")),
  ],
  [
    "2. a killed done that is cancelled",
    true,
    killedDone(doing({ kind: "cancel", session: SECOND }, "ok", sees(FIRST, "a=v0"))),
  ],
  [
    "2. a killed done after its cancellation",
    false,
    killedDone(doing({ kind: "cancel", session: SECOND }, "ok", sees(SECOND, "a=v9"))),
  ],
  ["3. a reindex", true, doing(reindex, `${SECOND} 1`, sees(SECOND, "a=v0"))],
  ["3. a reindex that loses documents", false, doing(reindex, `${SECOND} 1`, sees(SECOND, ""))],
  ["3. a reindex with a wrong count", false, doing(reindex, `${SECOND} 2`)],
  [
    "3. a rollback to the documents of before",
    true,
    doing(
      reindex,
      `${SECOND} 1`,
      doing(put("a=v1"), updated, doing(rollback, FIRST, sees(FIRST, "a=v0"))),
    ),
  ],
  [
    "3. a rollback to later documents",
    false,
    doing(
      reindex,
      `${SECOND} 1`,
      doing(put("a=v1"), updated, doing(rollback, FIRST, sees(FIRST, "a=v1"))),
    ),
  ],
  [
    "3. a killed reindex that happens later",
    true,
    killedAt(reindex, sees(FIRST, "a=v0"), sees("ocs-9-shop-en", "a=v0")),
  ],
  [
    "3. two generations of one killed reindex",
    false,
    killedAt(reindex, sees("ocs-9-shop-en", "a=v0"), sees("ocs-8-shop-en", "a=v0")),
  ],
  [
    "3. a killed reindex after another one",
    false,
    killedAt(reindex, doing(reindex, `${SECOND} 1`, sees("ocs-9-shop-en", "a=v0"))),
  ],
  [
    "3. a killed reindex after the last session",
    false,
    killedAt(reindex, noReindexLeft, sees(FIRST, "a=v0"), sees("ocs-9-shop-en", "a=v0")),
  ],
])("%s: %s", ([, expected, script]) => {
  expect(isExplained(script)).toBe(expected);
});
