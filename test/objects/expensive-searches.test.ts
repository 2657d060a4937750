// Searches that take more than a turn (src/objects/expensive-searches.ts):
// 1. others run between their parts; cheap ones have no pause;
// 2. two at a time; the others begin again when it is their turn;
// 3. an error ends a search, and the next one has its turn;
// 4. who has waited for LIMITS.expensiveSearchWaitMs is 429, and its search does not begin again;
// 5. a turn ends with the parts of a search, not with what follows, whether it has waited or not;
// 6. suggestions, of one shard and of several, wait for their turn as searches do, but after a smaller first run;
// 7. of many searches that take just under a turn, the first ones run at once; the others end within their part and
//    wait, and usual searches overtake them; a moment later there is an allowance again;
// 8. a page that takes more than a turn to highlight waits for its turn and keeps it; all its hits have one budget.
import { beforeEach, describe, test, vi } from "vitest";
import { work, type Parts } from "../../src/index-engine/base/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { inTurns, pageInTurns } from "../../src/objects/expensive-searches.ts";
import { call } from "../worker/support.ts";
import { fullAllowance, heldTurns } from "./support/expensive-searches.ts";
import { document, importAll, shardedName } from "./support/index.ts";
import { SHARD_COUNTS } from "./support/points.ts";

const TURN_STEPS = 1_000_000;
const AT_ONCE = LIMITS.expensiveSearchesAtOnce.value;

beforeEach(fullAllowance);

function withPauses<T>(begin: () => Parts<T>): Promise<T> {
  return inTurns((run) => run(begin()));
}

/** Notes the number of each of its turns. */
function* turns(count: number, note: (turn: number) => void): Parts<number> {
  for (let turn = 0; turn < count; turn++) {
    note(turn);
    work.spend(TURN_STEPS);
    yield;
  }
  return count;
}

test("others between the parts (1)", async ({ expect }) => {
  const events: string[] = [];
  const expensive = withPauses(() => turns(6, (turn) => events.push(`turn ${turn}`)));
  const cheap = withPauses(function* cheap(): Parts<string> {
    yield;
    return "cheap";
  }).then((answer) => events.push(answer));
  await cheap;
  expect(events).toEqual(["turn 0", "cheap"]);
  expect(await expensive).toBe(6);
});

test("two at a time (2)", async ({ expect }) => {
  const firsts: number[] = [];
  const lasts: number[] = [];
  const all = Array.from({ length: AT_ONCE + 3 }, (_, i) =>
    withPauses(() =>
      turns(4, (turn) => {
        if (turn === 0) firsts.push(i);
        if (turn === 3) lasts.push(i);
      }),
    ),
  );
  expect(await Promise.all(all)).toEqual(all.map(() => 4));
  // Everyone begins at once; who waited begins again, when one before it has ended.
  expect(firsts).toEqual([0, 1, 2, 3, 4, 2, 3, 4]);
  expect(lasts).toEqual([0, 1, 2, 3, 4]);
});

test("a wait that is too long (4)", async ({ expect }) => {
  const letGo = await heldTurns();
  let begun = 0;
  const late = withPauses(() => turns(3, (turn) => void (turn === 0 && begun++)));
  await scheduler.wait(20);
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + LIMITS.expensiveSearchWaitMs.value + 1);
  await expect(late).rejects.toMatchObject({
    type: "too_many_requests",
    retryAfterS: 1,
    details: { limit: "expensiveSearchWaitMs" },
  });
  expect(begun).toBe(1);
  vi.restoreAllMocks();
  await letGo();
  expect(await withPauses(() => turns(3, () => {}))).toBe(3);
});

test("an error (3)", async ({ expect }) => {
  const tooMany = LIMITS.searchSteps.value / TURN_STEPS + 1;
  const outcomes = await Promise.allSettled(
    Array.from({ length: AT_ONCE + 1 }, (_, i) => withPauses(() => turns(i === AT_ONCE ? 3 : tooMany, () => {}))),
  );
  const refused = { status: "rejected", reason: { type: "search_too_expensive" } };
  expect(outcomes).toMatchObject([
    ...Array.from({ length: AT_ONCE }, () => refused),
    { status: "fulfilled", value: 3 },
  ]);
});

test("what follows the parts (5)", async ({ expect }) => {
  const rendered = Promise.withResolvers<void>();
  let rendering = 0;
  const waiting = AT_ONCE;
  const all = Array.from({ length: AT_ONCE + waiting }, () =>
    inTurns(async (run) => {
      const count = await run(turns(3, () => {}));
      rendering++;
      await rendered.promise;
      return count;
    }),
  );
  await vi.waitFor(() => expect(rendering).toBe(AT_ONCE + waiting));
  const next = await withPauses(() => turns(4, () => {}));
  expect(next).toBe(4);
  rendered.resolve();
  expect(await Promise.all(all)).toEqual(all.map(() => 3));
});

/** A part of so many steps. */
function* once(steps: number, note: () => void): Parts<void> {
  for (let done = 0; done < steps; done += 1_000) work.spend(1_000);
  note();
  yield;
}

test("many searches that take just under a turn (7)", async ({ expect }) => {
  vi.spyOn(Date, "now").mockReturnValue(Date.now());
  const count = 60;
  const events: number[] = [];
  const before = work.spent;
  const all = Array.from({ length: count }, (_, i) => withPauses(() => once(950_000, () => events.push(i))));
  // 700,000 steps beyond a usual search each.
  const atOnce = 6;
  expect(events).toEqual(Array.from({ length: atOnce }, (_, i) => i));
  expect(work.spent - before).toBeLessThanOrEqual(atOnce * 950_000 + (count - atOnce) * 251_000);
  await withPauses(() => once(240_000, () => events.push(-1)));
  expect(events.indexOf(-1)).toBe(atOnce);
  vi.restoreAllMocks();
  await Promise.all(all);
  expect(events).toHaveLength(count + 1);
  await fullAllowance();
  const late = withPauses(() => once(950_000, () => events.push(count)));
  expect(events.at(-1)).toBe(count);
  await late;
});

test("the hits of a page (8)", async ({ expect }) => {
  const letGo = await heldTurns();
  const events: string[] = [];
  const page = (hits: number, steps: number): Promise<void> =>
    pageInTurns(async (run) => {
      for (let hit = 0; hit < hits; hit++) {
        await run(once(steps, () => events.push(`${hits} hits of ${steps}`)));
        await scheduler.wait(0);
      }
    });
  const large = page(3, 600_000);
  await page(9, 100_000);
  // The second hit of the large page reaches a turn, before its last part.
  expect(events.filter((event) => event.startsWith("3"))).toHaveLength(2);
  expect(events.filter((event) => event.startsWith("9"))).toHaveLength(9);
  await letGo();
  await large;
  const most = LIMITS.highlightSteps.value;
  const refused = { type: "search_too_expensive", details: { limit: "highlightSteps", value: most } };
  await expect(page(most / 5_000_000 + 1, 5_000_000)).rejects.toMatchObject(refused);
  // Its turn has ended.
  const all = Array.from({ length: AT_ONCE + 1 }, () => page(2, 2_000_000));
  await Promise.all(all);
});

describe.for(SHARD_COUNTS)("highlighting on %i shards (8)", (shards) => {
  test("waits for its turn", async ({ expect }) => {
    const name = await shardedName("turns-highlight", shards);
    const words = Array.from({ length: 300 }, (_, i) => `w${i.toString(36)}x`).join(" ");
    const features = Array.from({ length: 100 }, (_, i) => `${words} ${i}`);
    await importAll(name, [document("a", "shoe", { features }), document("b", "boot", { features })]);
    const search = (q: string): Promise<string> =>
      call(`/search-api/v1/search/${name}?q=${q}&withFacets=false`).then((response) => response.text());
    const hitsOf = (answer: string): unknown => (JSON.parse(answer) as { slices: [{ hits: unknown }] }).slices[0].hits;
    const query = "shoe&highlight=*";
    const expected = hitsOf(await search(query));
    expect(JSON.stringify(expected)).toContain("<em>shoe</em>");

    const letGo = await heldTurns();
    expect(await search("boot")).toContain('"id":"b"');
    let isAnswered = false;
    // Not the cached answer.
    const answer = search(`${query}&limit=7`).finally(() => {
      isAnswered = true;
    });
    await scheduler.wait(100);
    expect(isAnswered).toBe(false);
    await letGo();
    expect(hitsOf(await answer)).toEqual(expected);
  });
});

/** More steps than the first run of a suggestion has, and fewer than that of a search. */
function* afterSteps<T>(parts: Parts<T>): Parts<T> {
  work.spend(300_000);
  yield;
  return yield* parts;
}

describe.for(SHARD_COUNTS)("suggestions of %i shards (6)", (shards) => {
  test("wait for their turn", async ({ expect }) => {
    const name = await shardedName("turns-suggest", shards);
    await importAll(
      name,
      Array.from({ length: 40 }, (_, i) => document(`d${i}`, `shoe ${i}`)),
    );
    const suggestions = (): Promise<Response> => call(`/suggest-api/v1/${name}/suggest?userQuery=shoe`);
    const expected = await (await suggestions()).text();
    expect(JSON.parse(expected)).not.toEqual([]);

    const letGo = await heldTurns();
    const inParts = work.inParts.bind(work);
    vi.spyOn(work, "inParts").mockImplementation((parts, ...more) => inParts(afterSteps(parts), ...more));
    expect((await call(`/search-api/v1/search/${name}?q=shoe`)).status).toBe(200);
    let isAnswered = false;
    const answer = suggestions().finally(() => {
      isAnswered = true;
    });
    await scheduler.wait(100);
    vi.restoreAllMocks();
    expect(isAnswered).toBe(false);
    await letGo();
    expect(await (await answer).text()).toBe(expected);
  });
});
