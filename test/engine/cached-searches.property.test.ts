// A repeated search answers what a first one does (query/cached-searches.ts, query/read-text.ts): texts, tenants,
// rules, filters, sets, pages and sorts are mixed over one reader, and every answer is compared with that of a reader
// that knows nothing.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { cachedSearchBytes } from "../../src/index-engine/query/index.ts";
import { search } from "../../src/index-engine/search.ts";
import type { SearchRequest } from "../../src/interface/index.ts";
import { runs } from "../support/property.ts";
import { compiled } from "./rules/support.ts";
import { wholeExecution } from "./support/answers.ts";
import { crowdedBatches, fields, IDS, request, rules, tenant, wordsRequest } from "./support/catalogue.ts";
import { updatedReader } from "./support/indexing.ts";

const requests = fc.oneof(request, wordsRequest);

/** Which of two tenants, whether with rules, and from which stage on. */
const asker = fc.record({
  tenant: fc.nat(1),
  withRules: fc.boolean(),
  stage: fc.constantFrom(0, 0, 1),
});

/** Names all products, which then do not count as found by a stage. */
const EVERYTHING_NAMED: SearchRequest["arranged"] = {
  sets: [{ type: "static", name: "All", ids: [...IDS], asSeparateSlice: false, variantBoostTerms: null }],
  includeMainResult: true,
};

test("a repeated search answers what the first one did", () => {
  let repeated = 0;
  let cachedBytes = 0;
  fc.assert(
    fc.property(
      crowdedBatches,
      fc.array(tenant, { minLength: 2, maxLength: 2 }),
      rules,
      fc.array(requests, { minLength: 4, maxLength: 4 }),
      fc.array(fc.tuple(fc.nat(1), fc.nat(3), asker), { minLength: 12, maxLength: 12 }),
      (all, tenants, rulesText, asked, mixes) => {
        const reader = updatedReader(all, fields);
        const compiledRules = rulesText === null ? null : compiled(rulesText, "en");
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
          // Texts are cached by tenant, what is found by reader.
          const fresh = Reader.ofDisjoint(reader.segments);
          expect(wholeExecution(search(reader, one, config, fields, ownRules))).toEqual(
            wholeExecution(search(fresh, one, { ...config }, fields, ownRules)),
          );
        }
        cachedBytes += cachedSearchBytes(reader);
      },
    ),
    { numRuns: runs(100, 40) },
  );
  expect(repeated).toBeGreaterThan(100);
  expect(cachedBytes).toBeGreaterThan(100_000);
});
