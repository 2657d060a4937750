// Whatever a reader has searched before, and whatever it searches at the same time, a search answers what it does alone;
// texts, tenants, rules, filters, sets, pages and sorts are mixed.
//
// 1. A repeated search answers what the first one did (query/cached-searches.ts, query/read-text.ts).
// 2. So do searches in parts (base/work.ts), several at a time on one reader and on three shards, in a random order of
//    their parts.
// 3. Matches that a search does not keep, because there are too many of them (MOST_KEPT_ROWS), are matched again.
// 4. A search that ended at any of its steps, because it has to begin again, leaves nothing behind.
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { MustBeginAgain, run, work } from "../../src/index-engine/base/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { SearchContext } from "../../src/index-engine/query/context.ts";
import { cachedSearchBytes } from "../../src/index-engine/query/index.ts";
import { searchAll, searchAllParts } from "./support/search-all.ts";
import type { SearchRequest, TenantConfig } from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";
import { compiled } from "./rules/support.ts";
import { wholeExecution } from "./support/answers.ts";
import { crowdedBatches, fields, IDS, request, rules, tenant, wordsRequest } from "./support/catalogue.ts";
import { shardedReaders, updatedReader } from "./support/indexing.ts";

const requests = fc.oneof(request, wordsRequest);
const rulesOf = rules.map((text) => (text === null ? null : compiled(text)));

/** By readers that know nothing: what is found is cached by reader, texts by tenant. */
function alone(
  readers: readonly Reader[],
  one: SearchRequest,
  config: TenantConfig,
  ownRules: ReturnType<typeof compiled> | null,
): unknown {
  const fresh = readers.map(({ segments }) => Reader.ofDisjoint(segments));
  return wholeExecution(searchAll(fresh, one, { ...config }, fields, ownRules));
}

/** Which of two tenants, whether with rules, and from which stage on. */
const asker = fc.record({ tenant: fc.nat(1), withRules: fc.boolean(), stage: fc.constantFrom(0, 0, 1) });

/** Names all products, which then do not count as found by a stage. */
const EVERYTHING_NAMED: SearchRequest["arranged"] = {
  sets: [{ type: "static", name: "All", ids: [...IDS], asSeparateSlice: false, variantBoostTerms: null }],
  includeMainResult: true,
};

test("1: repeated searches", () => {
  let repeated = 0;
  let cachedBytes = 0;
  forAll(
    runs(100, 40),
    crowdedBatches,
    fc.array(tenant, { minLength: 2, maxLength: 2 }),
    rulesOf,
    fc.array(requests, { minLength: 4, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(1), fc.nat(3), asker), { minLength: 12, maxLength: 12 }),
    (all, tenants, compiledRules, asked, mixes) => {
      const reader = updatedReader(all, fields);
      const known = new Set<string>();
      for (const [words, rest, by] of mixes) {
        const { q } = asked[words];
        const arranged = rest === 0 ? EVERYTHING_NAMED : asked[rest].arranged;
        const one: SearchRequest = { ...asked[rest], arranged, q, queryStage: by.stage };
        const config = tenants[by.tenant];
        const ownRules = by.withRules ? compiledRules : null;
        const name = JSON.stringify([q, by]);
        if (known.has(name)) repeated++;
        known.add(name);
        expect(wholeExecution(searchAll([reader], one, config, fields, ownRules))).toEqual(
          alone([reader], one, config, ownRules),
        );
      }
      cachedBytes += cachedSearchBytes(reader);
    },
  );
  expect(repeated).toBeGreaterThan(100);
  expect(cachedBytes).toBeGreaterThan(100_000);
});

const SEARCHES = 4;

test("2: searches whose parts alternate", () => {
  let switches = 0;
  forAll(
    runs(60, 20),
    crowdedBatches,
    tenant,
    rulesOf,
    fc.array(requests, { minLength: SEARCHES, maxLength: SEARCHES }),
    fc.array(fc.nat(SEARCHES - 1), { minLength: 60, maxLength: 60 }),
    (all, config, ownRules, asked, order) => {
      const one = updatedReader(all);
      for (const readers of [[one], shardedReaders(all, 3)]) {
        const running = asked.map((one) => searchAllParts(readers, one, config, fields, ownRules));
        const answers = new Map<number, unknown>();
        let last = -1;
        // What the order leaves unfinished ends in turns.
        for (let at = 0; answers.size < SEARCHES; at++) {
          const next = order[at] ?? at % SEARCHES;
          if (answers.has(next)) continue;
          const step = running[next].next();
          if (step.done === true) answers.set(next, step.value);
          if (last >= 0 && last !== next) switches++;
          last = next;
        }
        // Facets are counted on demand, so all searches must be over.
        asked.forEach((one, i) => {
          const answer = answers.get(i) as ReturnType<typeof searchAll>;
          expect(wholeExecution(answer)).toEqual(alone(readers, one, config, ownRules));
        });
      }
    },
  );
  expect(switches).toBeGreaterThan(200);
});

test("4: searches after one that had to begin again", () => {
  let ended = 0;
  forAll(
    runs(60, 20),
    crowdedBatches,
    tenant,
    rulesOf,
    requests,
    fc.array(fc.nat(3_000), { minLength: 4, maxLength: 4 }),
    (all, config, ownRules, asked, budgets) => {
      const readers = [updatedReader(all)];
      for (const most of budgets) {
        const first = { steps: most, mostFirst: most };
        try {
          run(work.inParts(searchAllParts(readers, asked, config, fields, ownRules), first));
        } catch (error) {
          if (!(error instanceof MustBeginAgain)) throw error;
          ended++;
        }
      }
      const answer = searchAll(readers, asked, config, fields, ownRules);
      expect(wholeExecution(answer)).toEqual(alone(readers, asked, config, ownRules));
    },
  );
  expect(ended).toBeGreaterThan(20);
});

/** More than a request may keep; nobody reads them. */
const TOO_MANY = new Uint32Array(1_000_001);

afterEach(() => {
  vi.restoreAllMocks();
});

test("3: searches that keep few matches", () => {
  const keep = Object.getOwnPropertyDescriptor(SearchContext.prototype, "keep")?.value as SearchContext["keep"];
  let kept = 0;
  let dropped = 0;
  forAll(
    runs(60, 10),
    crowdedBatches,
    tenant,
    rulesOf,
    requests,
    fc.integer({ min: 0, max: 12 }),
    (all, config, ownRules, asked, most) => {
      const one = updatedReader(all);
      for (const readers of [[one], shardedReaders(all, 3)]) {
        const expected = alone(readers, asked, config, ownRules);
        const rowsOf = new WeakMap<SearchContext, number>();
        vi.spyOn(SearchContext.prototype, "keep").mockImplementation(function limited(
          this: SearchContext,
          ...[search, s, found]: Parameters<SearchContext["keep"]>
        ) {
          const rows = (rowsOf.get(this) ?? 0) + found.matches.rows.length;
          if (rows > most) {
            dropped++;
            keep.call(this, search, s, { ...found, matches: { ...found.matches, rows: TOO_MANY } });
            return;
          }
          kept++;
          rowsOf.set(this, rows);
          keep.call(this, search, s, found);
        });
        const limited = alone(readers, asked, config, ownRules);
        vi.restoreAllMocks();
        expect(limited).toEqual(expected);
      }
    },
  );
  expect(kept).toBeGreaterThan(5);
  expect(dropped).toBeGreaterThan(5);
});
