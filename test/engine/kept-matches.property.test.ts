// Matches that a search does not keep, because there are too many of them (MOST_KEPT_ROWS), are matched again: whatever
// is kept, the answer is the same; with one segment and several, on one reader and on three shards, with rules, stages
// and product sets.
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { SearchContext } from "../../src/index-engine/query/context.ts";
import { searchAll } from "../../src/index-engine/search.ts";
import { runs } from "../support/property.ts";
import { compiled } from "./rules/support.ts";
import { wholeExecution } from "./support/answers.ts";
import { crowdedBatches, fields, request, rules, tenant, wordsRequest } from "./support/catalogue.ts";
import { shardedReaders, updatedReader } from "./support/indexing.ts";

/** More than a request may keep; nobody reads them. */
const TOO_MANY = new Uint32Array(1_000_001);

afterEach(() => {
  vi.restoreAllMocks();
});

test("searches that keep few matches", () => {
  const keep = Object.getOwnPropertyDescriptor(SearchContext.prototype, "keep")?.value as SearchContext["keep"];
  let kept = 0;
  let dropped = 0;
  fc.assert(
    fc.property(
      crowdedBatches,
      tenant,
      rules,
      fc.oneof(request, wordsRequest),
      fc.integer({ min: 0, max: 12 }),
      (all, config, rulesText, asked, most) => {
        const rulesOf = rulesText === null ? null : compiled(rulesText);
        const one = updatedReader(all);
        for (const readers of [[one], shardedReaders(all, 3)]) {
          // Nothing of the first search is cached for the second one.
          const answer = (): unknown => {
            const fresh = readers.map(({ segments }) => Reader.ofDisjoint(segments));
            return wholeExecution(searchAll(fresh, asked, { ...config }, fields, rulesOf));
          };
          const expected = answer();
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
          const limited = answer();
          vi.restoreAllMocks();
          expect(limited).toEqual(expected);
        }
      },
    ),
    { numRuns: runs(60, 10) },
  );
  expect(kept).toBeGreaterThan(5);
  expect(dropped).toBeGreaterThan(5);
});
