/**
 * Measures the cost of expanding a typed word: typos, splits, joins, prefixes.
 *
 *   node bench/expansion.ts [data set]...
 *
 * Per data set (default: scale and icecat), on one merged segment. Typed words: words of the set's
 * queries that the dictionary has, each with one seeded edit (with two from 8 letters). Times of a
 * single call in us, the median of 5 rounds per word; p50, p95 and the slowest over the words. The
 * first call on a dictionary, which reads the terms of that first letter, is measured separately.
 */
import {
  fieldWeights,
  signatureWeights,
  Similarity,
} from "../src/index-engine/query/rank/index.ts";
import {
  autoFuzziness,
  joinsOf,
  numberForms,
  prefixFrequency,
  prefixRange,
  splitLookups,
  splitsOf,
  typoBudget,
} from "../src/index-engine/query/expansion/index.ts";
import { expansionBytes } from "../src/index-engine/query/expansion/letters.ts";
import { ngramTerms } from "../src/index-engine/query/expansion/ngrams.ts";
import { fuzzyTerms, similarTerms } from "../src/index-engine/query/expansion/typos.ts";
import type { FieldPlan } from "../src/index-engine/documents/index.ts";
import { listsScorer } from "../src/index-engine/query/core/list-scorers.ts";
import { scratch } from "../src/index-engine/query/core/scratch.ts";
import type { Reader } from "../src/index-engine/index/reader.ts";
import { mulberry32 } from "../test/support/mulberry32.ts";
import { DATASET_NAMES, loadDataset, type DatasetName } from "./datasets.ts";
import { indexDataset } from "./index-set.ts";
import { describeLoad, machineLoad, median, percentile } from "./measure.ts";

const ROUNDS = 5;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** The same words on every machine. */
function randomFrom(seed: number): (below: number) => number {
  const random = mulberry32(seed);
  return (below) => Math.floor(random() * below);
}

function misspelt(word: string, random: (below: number) => number): string {
  const at = 1 + random(word.length - 1);
  const letter = ALPHABET.charAt(random(ALPHABET.length));
  switch (random(4)) {
    case 0:
      return word.slice(0, at) + letter + word.slice(at);
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + letter + word.slice(at + 1);
    default:
      return (
        word.slice(0, at) +
        word
          .slice(at, at + 2)
          .split("")
          .toReversed()
          .join("") +
        word.slice(at + 2)
      );
  }
}

function report(name: string, cases: readonly (() => number)[]): void {
  const times: number[] = [];
  const results: number[] = [];
  for (const one of cases) {
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const startMs = performance.now();
      const found = one();
      if (round > 0) rounds.push((performance.now() - startMs) * 1_000);
      else results.push(found);
    }
    times.push(median(rounds));
  }
  const us = (share: number): string => percentile(times, share).toFixed(0).padStart(6);
  console.log(
    `  ${name.padEnd(48)} ${us(0.5)} ${us(0.95)} ${us(1)}   ${percentile(results, 0.5)} / ${percentile(results, 0.95)}`,
  );
}

function bench(reader: Reader, plan: FieldPlan, queries: readonly string[]): void {
  const [{ segment }] = reader.segments;
  const dictionary = segment.terms;
  const known = new Set(
    queries
      .flatMap((query) => plan.analyzer.terms(query))
      .filter((word) => dictionary.find(word) >= 0),
  );
  const words = [...known].filter((word) => /^[a-z]{4,}$/.test(word)).slice(0, 600);
  const random = randomFrom(1);
  const typed = words.map((word) => {
    const once = misspelt(word, random);
    return typoBudget(once) === 2 ? misspelt(once, random) : once;
  });

  const startMs = performance.now();
  similarTerms("samsng", 1)(dictionary);
  console.log(`  first call ${(performance.now() - startMs).toFixed(1)} ms`);
  const similar = (word: string) => () =>
    similarTerms(word, typoBudget(word) === 2 ? 2 : 1)(dictionary).length;
  const short = typed.filter((word) => typoBudget(word) === 1);
  const long = typed.filter((word) => typoBudget(word) === 2);
  report(`typos, 4-7 letters (${short.length})`, short.map(similar));
  report(`typos, 8 letters and more (${long.length})`, long.map(similar));
  report("typos, all", typed.map(similar));
  console.log(`  kept by now ${(expansionBytes(dictionary) / 1024).toFixed(0)} KB`);
  report(
    "fuzziness AUTO",
    typed.map(
      (word) => () => fuzzyTerms(word, autoFuzziness(word) === 2 ? 2 : 1)(dictionary).length,
    ),
  );
  report(
    "n-grams, 70 %",
    typed.map((word) => () => ngramTerms(dictionary, word, 0.7).length),
  );
  console.log(`  kept by now ${(expansionBytes(dictionary) / 1024).toFixed(0)} KB`);

  // Like a caller, look up every candidate.
  const frequencyOf = (term: string): number => {
    const list = dictionary.find(term);
    return list < 0 ? 0 : segment.postings.count(list);
  };
  // The data sets are English.
  const compounds = null;
  const neighbours = words.slice(1).map((word, i) => [words[i], word]);
  report(
    "splits, with look-ups (words written together)",
    neighbours.map((pair) => () => {
      const found = new Map(
        splitLookups(pair.join(""), compounds).map((term) => [term, frequencyOf(term)]),
      );
      return splitsOf(pair.join(""), (term) => found.get(term) ?? 0, compounds).length;
    }),
  );
  report(
    "joins and number forms, with look-ups (queries)",
    queries.slice(0, 600).map((query) => () => {
      const terms = plan.analyzer.terms(query);
      let found = 0;
      for (const { term } of joinsOf(terms, compounds)) if (frequencyOf(term) > 0) found++;
      for (const { alternatives } of numberForms(terms)) {
        for (const each of alternatives) if (each.every((term) => frequencyOf(term) > 0)) found++;
      }
      return found;
    }),
  );

  const { productCount, lengthSums } = reader;
  const table = signatureWeights(
    segment,
    fieldWeights([{ field: "*", weight: 1 }], new Map()),
    (field) => plan.normGroup(field),
  );
  const similarity = new Similarity(segment, table, { productCount, lengthSums });
  for (const letters of [1, 2, 3, 4]) {
    const prefixes = [...new Set(words.map((word) => word.slice(0, letters)))];
    report(
      `prefix of ${letters}: rows and scores (${prefixes.length})`,
      prefixes.map((prefix) => () => {
        const [start, end] = prefixRange(dictionary, prefix);
        const lists = Array.from({ length: end - start }, (_, i) => ({
          list: start + i,
          scale: 50_000,
        }));
        const mark = scratch.mark();
        const { count } = listsScorer(segment, similarity, lists).collect(null);
        scratch.release(mark);
        return count;
      }),
    );
    report(
      `prefix of ${letters}: sum of frequencies`,
      prefixes.map((prefix) => () => prefixFrequency(reader.segments, prefix)),
    );
  }
}

const named = process.argv.slice(2);
const sets = DATASET_NAMES.filter((name) =>
  named.length === 0 ? name === "icecat" || name === "scale" : named.includes(name),
);
for (const name of sets satisfies readonly DatasetName[]) {
  const dataset = loadDataset(name);
  if (dataset === null) {
    console.log(`${name}: not on this machine`);
    continue;
  }
  const { plan, reader } = indexDataset(dataset);
  const { size } = reader.segments[0].segment.terms;
  console.log(
    `${name}: ${reader.productCount} products, ${size} terms; ${describeLoad(machineLoad())}`,
  );
  console.log(
    `  ${"us per call".padEnd(48)} ${"p50".padStart(6)} ${"p95".padStart(6)} ${"max".padStart(6)}   found p50 / p95`,
  );
  bench(reader, plan, dataset.queries);
}
