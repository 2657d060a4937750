// Parts of suggestions (src/index-engine/base/work.ts), between which others run:
// 1. what one source has for one stage is a part, and parts that are left together give what all at once give;
// 2. of a shard among several, a part is what it answers to one question;
// 3. others also run while the words of tens of thousands of labels are read, which is done once per segment: several
//    suggestions go on with it in turn, and what has been read stays if one of them has to begin again;
// 4. reading them does not count for the limits of the suggestion that happens to do it, and an error stays one.
import { expect, test, vi } from "vitest";
import { MustBeginAgain, run, work, type Parts } from "../../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { CachedLabelWords } from "../../../src/index-engine/answer/suggest/cached-label-words.ts";
import { suggest, suggestPartial, suggestParts } from "../../../src/index-engine/answer/suggest/index.ts";
import { BUILT_IN_INDEX_CONFIG, resolveSuggestConfig, type SuggestRequest } from "../../../src/interface/index.ts";
import { buildSegment, indexable } from "../support/indexing.ts";

const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
const config = resolveSuggestConfig({}, "shop");
const KINDS = ["Shoe", "Shirt", "Sock", "Shorts", "Show"];
const reader = Reader.of([
  buildSegment(
    Array.from({ length: 100 }, (_, i) => {
      const kind = KINDS[i % KINDS.length];
      const data = { brand: `${kind} maker ${i % 7}`, title: `${kind} red ${i}` };
      return indexable({ id: String(i), data, categories: [[{ id: kind, name: kind }]] }, plan);
    }),
  ),
]);

function ask(userQuery: string): SuggestRequest {
  return { userQuery, limit: 20, filter: [] };
}

/** The steps between two yields, in the order of the parts. */
function partsOf<T>(parts: Generator<void, T, void>): { readonly steps: readonly number[]; readonly value: T } {
  const steps: number[] = [];
  let since = 0;
  const spend = vi.spyOn(work, "spend").mockImplementation((count) => void (since += count));
  try {
    for (;;) {
      const part = parts.next();
      steps.push(since);
      since = 0;
      if (part.done === true) return { steps, value: part.value };
    }
  } finally {
    spend.mockRestore();
  }
}

test.each(["sh", "shoe red", "shoo rde", "shoe none red"])("1: %s", (userQuery) => {
  const { steps, value } = partsOf(suggestParts(reader, plan, config, ask(userQuery)));
  expect(value).toEqual(suggest(reader, plan, config, ask(userQuery)));
  expect(value).not.toEqual([]);
  expect(steps.filter((own) => own > 0).length).toBeGreaterThan(2);
  expect(Math.max(...steps)).toBeLessThan(steps.reduce((sum, own) => sum + own, 0));
});

test.each(["sh", "shoe red"])("2: %s", (userQuery) => {
  const { steps, value } = partsOf(suggestPartial(reader, plan, config, ask(userQuery), null));
  expect(value.sent.length).toBeGreaterThan(2);
  expect(steps).toHaveLength(value.sent.length + 1);
  expect(steps.at(-1)).toBe(0);
  const asked = value.sent.map(({ followUp }) => followUp);
  expect(run(suggestPartial(reader, plan, config, ask(userQuery), asked)).sent).toEqual(value.sent);
});

const LABELS_PER_DOCUMENT = 1_000;

function manyLabels(count: number, maker = "maker"): Reader {
  const documents = Array.from({ length: count / LABELS_PER_DOCUMENT }, (_, d) => {
    const brand = Array.from({ length: LABELS_PER_DOCUMENT }, (_, i) => `${maker} ${d * LABELS_PER_DOCUMENT + i}`);
    return indexable({ id: String(d), data: { title: "shoe", brand } }, plan);
  });
  return Reader.of([buildSegment(documents)]);
}

test("3: words of many labels", () => {
  const suggesting = (one: Reader): Parts<unknown> => suggestParts(one, plan, config, ask("shoe"));
  const turnsOf = (one: Reader): number => [...work.inParts(suggesting(one))].length;
  const alone = manyLabels(20_000);
  const turns = turnsOf(alone);
  // 512 labels take two milliseconds.
  expect(turns).toBeGreaterThan(10);
  expect(turnsOf(alone)).toBe(0);

  const shared = manyLabels(20_000);
  const both = [work.inParts(suggesting(shared)), work.inParts(suggesting(shared))];
  let together = 0;
  for (let open = both; open.length > 0; together++) open = open.filter((one) => one.next().done !== true);
  expect(together).toBeLessThan(turns);

  const stopped = manyLabels(20_000);
  const mostFirst = 3_000_000;
  const first = { steps: mostFirst, mostFirst };
  let tries = 1;
  while (!endsWithin(work.inParts(suggesting(stopped), first))) tries++;
  expect(tries).toBeGreaterThan(2);
  expect(tries).toBeLessThan(10);
});

test("3: long ones, which are work to read", () => {
  const one = manyLabels(20_000, `maker ${"of hats ".repeat(90)}`);
  const first = { steps: 250_000, mostFirst: 250_000 };
  const suggesting = (): Parts<unknown> => suggestParts(one, plan, config, ask("shoe"));
  let tries = 1;
  while (tries < 100 && !endsWithin(work.inParts(suggesting(), first))) tries++;
  expect(tries).toBeGreaterThan(10);
  expect(tries).toBeLessThan(100);
  expect(suggest(one, plan, config, ask("maker 7777"))).not.toEqual([]);
});

function endsWithin(parts: Parts<unknown>): boolean {
  try {
    return parts.next().done === true;
  } catch (error) {
    if (!(error instanceof MustBeginAgain)) throw error;
    return false;
  }
}

test("4: words of very many labels", () => {
  const one = manyLabels(100_000);
  expect(suggest(one, plan, config, ask("maker 77777"))).toHaveLength(1);
});

test("4: an error", () => {
  const damaged = new CachedLabelWords(1, () => {
    throw new Error("damaged");
  });
  expect(() => damaged.now()).toThrow("damaged");
  expect(() => damaged.now()).toThrow("failed before");
});
