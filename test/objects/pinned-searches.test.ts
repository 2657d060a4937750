// Searches over several shards between their rounds (src/objects/shard/reading/pinned.ts):
// 1. a search whose call waits for its turn is not displaced by others, nor does it expire before the search's own time
//    is over;
// 2. others are displaced, those that were not used for the longest time first, and expire;
// 3. if calls use all of them, a new search is 429, until one has ended or expired;
// 4. the facet counts of all searches take 8 MB at most: those that were not used for the longest time lose theirs.
import { afterEach, test, vi } from "vitest";
import type { ShardSearch } from "../../src/index-engine/shards/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { PinnedSearches } from "../../src/objects/shard/reading/pinned-searches.ts";

const LIFETIME_MS = 5_000;
const MOST = LIMITS.searchesInRounds.value;
const CALL = { epoch: 1, configurationVersion: 1 };

/** What is used of a search. */
function searchOf(countedBytes: number): ShardSearch {
  const search = {
    countedBytes,
    forgetCounts: (): void => {
      search.countedBytes = 0;
    },
  };
  return search as unknown as ShardSearch;
}

const SEARCH = searchOf(0);

afterEach(() => {
  vi.useRealTimers();
});

function added(searches: PinnedSearches, count: number): string[] {
  return Array.from({ length: count }, () => searches.add(SEARCH, CALL));
}

test("a call that waits (1)", async ({ expect }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const searches = new PinnedSearches(LIFETIME_MS);
  const [token] = added(searches, 1);
  const turn = Promise.withResolvers<void>();
  const answer = searches.using(token, async () => {
    await turn.promise;
    return searches.find(token, CALL);
  });
  vi.advanceTimersByTime(LIFETIME_MS - 1);
  added(searches, 2 * MOST);
  turn.resolve();
  expect(await answer).not.toBeNull();
  // The next round, after a wait as long.
  expect(searches.find(token, CALL)).not.toBeNull();
  await searches.using(token, async () => vi.advanceTimersByTime(LIFETIME_MS - 1));
  expect(searches.find(token, CALL)).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(searches.find(token, CALL)).toBeNull();
});

test("others (2)", async ({ expect }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const searches = new PinnedSearches(LIFETIME_MS);
  const [first, second, ...more] = added(searches, MOST);
  await searches.using(first, async () => null);
  added(searches, 1);
  expect(searches.find(second, CALL)).toBeNull();
  for (const token of [first, ...more]) expect(searches.find(token, CALL)).not.toBeNull();
  expect(searches.find(first, { ...CALL, epoch: 2 })).toBeNull();
  // A call that never ends, because its client is gone, keeps nothing for longer.
  void searches.using(first, () => new Promise(() => {}));
  vi.advanceTimersByTime(LIFETIME_MS);
  added(searches, MOST);
  for (const token of [first, ...more]) expect(searches.find(token, CALL)).toBeNull();
});

test("calls that use all of them (3)", async ({ expect }) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const searches = new PinnedSearches(LIFETIME_MS);
  const tokens = added(searches, MOST);
  const turn = Promise.withResolvers<void>();
  const [first, ...others] = tokens.map((token, i) =>
    searches.using(token, async () => (i === 0 ? turn.promise : new Promise<void>(() => {}))),
  );
  expect(others).toHaveLength(MOST - 1);
  const refused = { type: "too_many_requests", retryAfterS: 1, details: { limit: "searchesInRounds", value: MOST } };
  expect(() => searches.add(SEARCH, CALL)).toThrow(expect.objectContaining(refused));
  for (const token of tokens) expect(searches.find(token, CALL)).not.toBeNull();
  turn.resolve();
  await first;
  const [next] = added(searches, 1);
  expect(tokens.map((token) => searches.find(token, CALL) === null)).toEqual(tokens.map((_, i) => i === 0));
  void searches.using(next, () => new Promise(() => {}));
  expect(() => searches.add(SEARCH, CALL)).toThrow(expect.objectContaining(refused));
  vi.advanceTimersByTime(LIFETIME_MS);
  added(searches, MOST);
});

test("facet counts (4)", async ({ expect }) => {
  const searches = new PinnedSearches(LIFETIME_MS);
  const all = [0, 0, 0, 0].map(searchOf);
  const tokens = all.map((search) => searches.add(search, CALL));
  const count = async (i: number, megabytes: number): Promise<number[]> => {
    await searches.using(tokens[i], async () => Object.assign(all[i], { countedBytes: megabytes * 1_000_000 }));
    return all.map(({ countedBytes }) => countedBytes / 1_000_000);
  };
  expect(await count(0, 3)).toEqual([3, 0, 0, 0]);
  expect(await count(1, 3)).toEqual([3, 3, 0, 0]);
  expect(await count(2, 3)).toEqual([0, 3, 3, 0]);
  // One that is too large by itself takes no room of others.
  expect(await count(3, 9)).toEqual([0, 3, 3, 0]);
  expect(await count(1, 3)).toEqual([0, 3, 3, 0]);
});
