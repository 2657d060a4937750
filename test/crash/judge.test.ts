// The judge of the crash suite accepts what a correct service may answer and rejects everything else:
//
// 1. answered operations happened between sending and answer, in some order, each as a whole
// 2. lost ones happened or not, also those under way at a kill; `done` and reindexes may happen after it
// 3. a reindex keeps the documents; its generation has the answered name, or one that was never seen
import { expect, test } from "vitest";
import { Impossible, Judge } from "./judge.ts";
import { canonical, type Product } from "./product.ts";
import type { Action, Operation } from "./world.ts";
import { table } from "../support/table.ts";

/**
 * A history is a list of steps. It begins after an import of `a=v0` as generation 1.
 *
 *   put a=v1 b=v1 > a:UPDATED b:CREATED    sent and answered; `?`: not answered clearly
 *   1: put a=v1, and later 1 > a:UPDATED   other things happen in between
 *   see 1 a=v0                             generation 1 is live with this document; `see nothing`: there is no index
 *   kill                                   whatever was not answered is lost
 *   settle                                 the judge goes through the steps so far
 */
type History = readonly string[];

const nameOf = (generation: string): string => `ocs-${generation}-shop-en`;

function documentsOf(words: readonly string[]): Product[] {
  return words.map((word) => ({ id: word.slice(0, 1), data: { stamp: word.slice(2) } }));
}

function actionOf(text: string): Action {
  const [kind, ...words] = text.split(" ");
  switch (kind) {
    case "put":
      return { kind, documents: documentsOf(words) };
    case "add":
      return { kind, session: nameOf(words[0] ?? ""), documents: documentsOf(words.slice(1)) };
    case "done":
    case "cancel":
      return { kind, session: nameOf(words[0] ?? "") };
    case "start":
    case "reindex":
    case "rollback":
    case "deleteIndex":
      return { kind };
    default:
      throw new Error(text);
  }
}

/** `2`, `2 1`: a generation; `count 1`; `a:UPDATED b:CREATED`: results. */
function answerOf(text: string): string | null {
  if (text === "?") return null;
  if (/^\d/.test(text)) return text.replace(/^\d+/, nameOf);
  if (!text.includes(":")) return text.replace("count ", "");
  return canonical(Object.fromEntries(text.split(" ").map((word) => word.split(":"))));
}

function seen(text: string): Action {
  const look = ({ data }: Product): string => String(data["stamp"]);
  if (text === "nothing") return { kind: "read", sight: null, look };
  const [generation = "", ...words] = text.split(" ");
  const documents = new Map(documentsOf(words).map((one) => [one.id, look(one)]));
  return { kind: "read", sight: { name: nameOf(generation), documents }, look };
}

const IMPORT = ["start > 1", "add 1 a=v0 > count 1", "done 1 > ok"];

function isExplained(history: History): boolean {
  const judge = new Judge();
  const sent = new Map<string, Operation>();
  for (const step of [...IMPORT, ...history]) {
    const [, label = null, text = step] = /^(\d+): (.*)$/.exec(step) ?? [];
    const [asked = "", answer = null] = text.split(" > ");
    if (text === "kill") judge.crash();
    else if (text === "settle") judge.settle();
    else if (text === "no reindex left") judge.noReindexLeft();
    else if (text.startsWith("see ")) {
      judge.answered(judge.sent("reader", seen(text.slice(4))), "seen");
    } else {
      const operation = sent.get(asked) ?? judge.sent("client", actionOf(asked));
      if (label !== null) sent.set(label, operation);
      if (answer !== null) judge.answered(operation, answerOf(answer));
    }
  }
  try {
    judge.settle();
    return true;
  } catch (error) {
    if (error instanceof Impossible) return false;
    throw error;
  }
}

const reindexed = ["reindex > 2 1", "put a=v1 > a:UPDATED", "rollback > 1"];
/** Generation 9 is seen after a killed reindex, then replaced twice. */
const twice = ["reindex", "kill", "see 9 a=v0", "settle", "reindex > 2 1", "reindex > 3 1"];
const killedDone = ["start > 2", "add 2 a=v9 > count 1", "done 2", "kill"];

test.for(table<[string, boolean, History]>`
  1. either order of concurrent updates | ${true}
    | ${["1: put a=v1", "2: put a=v2", "2 > a:UPDATED", "1 > a:UPDATED", "see 1 a=v1"]}
  1. the other order | ${true} | ${["1: put a=v1", "2: put a=v2", "2 > a:UPDATED", "1 > a:UPDATED", "see 1 a=v2"]}
  1. neither of them | ${false} | ${["1: put a=v1", "2: put a=v2", "2 > a:UPDATED", "1 > a:UPDATED", "see 1 a=v0"]}
  1. a read before the bulk | ${true} | ${["1: put a=v1 b=v1", "see 1 a=v0", "1 > a:UPDATED b:CREATED"]}
  1. a read after the bulk | ${true} | ${["1: put a=v1 b=v1", "see 1 a=v1 b=v1", "1 > a:UPDATED b:CREATED"]}
  1. half a bulk | ${false} | ${["1: put a=v1 b=v1", "see 1 a=v1", "1 > a:UPDATED b:CREATED"]}
  1. an acknowledged update that is lost | ${false} | ${["put a=v1 > a:UPDATED", "see 1 a=v0"]}
  1. an answer that does not fit | ${false} | ${["put a=v1 > a:CREATED"]}
  1. an open session that is seen | ${false} | ${["start > 2", "add 2 a=v9 > count 1", "see 2 a=v9"]}
  1. an import | ${true} | ${["start > 2", "add 2 a=v9 > count 1", "done 2 > ok", "see 2 a=v9"]}
  1. a rollback | ${true} | ${["start > 2", "add 2 a=v9 > count 1", "done 2 > ok", "rollback > 1", "see 1 a=v0"]}
  1. nothing after a deletion | ${true} | ${["deleteIndex > ok", "see nothing"]}
  1. documents after a deletion | ${false} | ${["deleteIndex > ok", "see 1 a=v0"]}
  2. a refused update that happened | ${true} | ${["put a=v1 > ?", "see 1 a=v1"]}
  2. a refused update that did not | ${true} | ${["put a=v1 > ?", "see 1 a=v0"]}
  2. an update that was not done | ${false} | ${["put a=v1 > not done", "see 1 a=v1"]}
  2. a killed update that happened | ${true} | ${["put a=v1", "kill", "see 1 a=v1"]}
  2. a killed update that did not | ${true} | ${["put a=v1", "kill", "see 1 a=v0"]}
  2. a killed update that happens later | ${false} | ${["put a=v1", "kill", "see 1 a=v0", "see 1 a=v1"]}
  2. a killed update that is undone later | ${false} | ${["put a=v1", "kill", "see 1 a=v1", "see 1 a=v0"]}
  2. a killed done that happens later | ${true} | ${[...killedDone, "see 1 a=v0", "see 2 a=v9"]}
  2. a killed done that is cancelled | ${true} | ${[...killedDone, "cancel 2 > ok", "see 1 a=v0"]}
  2. a killed done after its cancellation | ${false} | ${[...killedDone, "cancel 2 > ok", "see 2 a=v9"]}
  3. a reindex | ${true} | ${["reindex > 2 1", "see 2 a=v0"]}
  3. a reindex that loses documents | ${false} | ${["reindex > 2 1", "see 2"]}
  3. a reindex with a wrong count | ${false} | ${["reindex > 2 2"]}
  3. a reindex that was not done | ${false} | ${["reindex > not done", "see 2 a=v0"]}
  3. a rollback to the documents of before | ${true} | ${[...reindexed, "see 1 a=v0"]}
  3. a rollback to later documents | ${false} | ${[...reindexed, "see 1 a=v1"]}
  3. a killed reindex that happens later | ${true} | ${["reindex", "kill", "see 1 a=v0", "kill", "see 9 a=v0"]}
  3. two generations of one killed reindex | ${false} | ${["reindex", "kill", "see 9 a=v0", "see 8 a=v0"]}
  3. a name that was seen for another generation | ${false} | ${[...twice, "reindex", "kill", "see 9 a=v0"]}
  3. a killed reindex after another one | ${false} | ${["reindex", "kill", "reindex > 2 1", "see 9 a=v0"]}
  3. a killed reindex after the last session | ${false}
    | ${["reindex", "kill", "no reindex left", "see 1 a=v0", "see 9 a=v0"]}
`)("%s: %s", ([, expected, history]) => {
  expect(isExplained(history)).toBe(expected);
});
