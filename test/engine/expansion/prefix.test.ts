/**
 * 1. prefixRange is the exact terms with the prefix.
 * 2. prefixFrequency is the sum of their live frequencies; sums over shards are that of one reader.
 * 3. unionOf finds the rows of those terms, and the best score of each, that walking every posting of every term finds; twice the same.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { prefixFrequency, prefixRange } from "../../../src/index-engine/expansion/index.ts";
import { unionOf } from "../../../src/index-engine/query/wholes.ts";
import { bitsOf, hasBit } from "../../../src/index-engine/bits.ts";
import { STEM_PREFIX } from "../../../src/index-engine/model.ts";
import { fieldWeights, Scorer, signatureWeights } from "../../../src/index-engine/rank/index.ts";
import { runs } from "../../support/property.ts";
import { batches, fields, IDS, product } from "../support/catalogue.ts";
import { buildSegment, shardedReaders, updatedReader } from "../support/indexing.ts";
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

test("3: rows of a prefix", () => {
  let found = 0;
  fc.assert(
    fc.property(
      fc
        .uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 20 })
        .chain((ids) => fc.tuple(...ids.map((id) => product(id)))),
      prefix,
      fc.option(fc.array(fc.nat(19))),
      fc.constantFrom("title", "*", "brand"),
      (products, typed, allowed, searched) => {
        const segment = buildSegment(products);
        const weights = fieldWeights([{ field: searched, weight: 2 }], new Map());
        const table = signatureWeights(segment, weights, (field) => fields.normGroup(field));
        const { productCount, lengthSums, terms, postings } = segment;
        const scorer = new Scorer(segment, table, { productCount, lengthSums });
        const accept =
          allowed === null
            ? null
            : bitsOf(
                allowed.filter((row) => row < productCount),
                productCount,
              );
        const expected = new Map<number, number>();
        for (let term = 0; term < terms.size; term++) {
          if (isStem(terms.get(term)) || !terms.get(term).startsWith(typed)) continue;
          const rows = new Uint32Array(postings.count(term));
          const codes = new Uint32Array(rows.length);
          postings.decode(term, rows, codes);
          rows.forEach((row, i) => {
            const score = scorer.score(5_000, row, codes[i]);
            if (score === 0 || (accept !== null && !hasBit(accept, row))) return;
            expected.set(row, Math.max(score, expected.get(row) ?? 0));
          });
        }
        const sorted = [...expected].sort(([a], [b]) => a - b);
        const [start, end] = prefixRange(terms, typed);
        const lists = Array.from({ length: end - start }, (_, i) => ({
          list: start + i,
          scale: 5_000,
        }));
        for (let time = 0; time < 2; time++) {
          const { rows, scores } = unionOf(segment, lists, accept, scorer);
          expect([...rows].map((row, i) => [row, scores[i]])).toEqual(sorted);
        }
        found += sorted.length;
      },
    ),
    { numRuns: runs(150) },
  );
  expect(found).toBeGreaterThan(0);
});
