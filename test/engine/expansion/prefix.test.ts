/**
 * 1. prefixRange is the exact terms with the prefix.
 * 2. prefixFrequency is the sum of their live frequencies; sums over shards are that of one reader.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { prefixFrequency, prefixRange } from "../../../src/index-engine/query/expansion/index.ts";
import { STEM_PREFIX } from "../../../src/index-engine/segment/model/index.ts";
import { runs } from "../../support/property.ts";
import { batches } from "../support/catalogue.ts";
import { shardedReaders, updatedReader } from "../support/indexing.ts";
import { dictionaryOf, isStem, liveTerms, sortedTerms } from "./dictionary.ts";

const text = fc.array(fc.constantFrom("a", "b", "ä", "𝒳"), { maxLength: 4 }).map((p) => p.join(""));

test("1: range of a prefix", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          text,
          text.map((each) => STEM_PREFIX + each),
        ),
        { maxLength: 60 },
      ),
      text,
      (list, prefix) => {
        const terms = sortedTerms(list.filter((term) => term !== ""));
        const expected = terms.filter((term) => term.startsWith(prefix) && !isStem(term));
        const [start, end] = prefixRange(dictionaryOf(terms), prefix);
        expect(terms.slice(start, end)).toEqual(expected);
      },
    ),
    { numRuns: runs(300) },
  );
});

const prefix = fc.constantFrom("s", "sh", "sho", "shoe", "r", "ru", "b", "4", "zz", "");

test("2: frequency of a prefix", () => {
  let found = 0;
  fc.assert(
    fc.property(batches, prefix, (list, typed) => {
      const reader = updatedReader(list);
      const expected = liveTerms(list)
        .filter(({ term }) => term.startsWith(typed))
        .reduce((total, { documentFrequency }) => total + documentFrequency, 0);
      const sum = prefixFrequency(reader.segments, typed);
      expect(sum).toBe(expected);
      const parts = shardedReaders(list, 3).map((shard) => prefixFrequency(shard.segments, typed));
      expect(parts.reduce((total, part) => total + part, 0)).toBe(sum);
      found += sum;
    }),
    { numRuns: runs(60) },
  );
  expect(found).toBeGreaterThan(0);
});
