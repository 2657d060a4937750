// Parts of suggestions (src/index-engine/base/work.ts), between which others run:
// 1. what one source has for one stage is a part, and parts that are left together give what all at once give;
// 2. of a shard among several, a part is what it answers to one question;
// 3. others also run after the words of tens of thousands of labels are read, which is done once per segment.
import { expect, test, vi } from "vitest";
import { run, work } from "../../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
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

test("3: words of many labels", () => {
  const brand = Array.from({ length: 20_000 }, (_, i) => `maker ${i}`);
  const one = Reader.of([buildSegment([indexable({ id: "1", data: { title: "shoe", brand } }, plan)])]);
  const turns = (): number => [...work.inParts(suggestParts(one, plan, config, ask("shoe")))].length;
  expect([turns(), turns()]).toEqual([1, 0]);
});
