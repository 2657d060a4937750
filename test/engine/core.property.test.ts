// The query core on one segment of many lists, short ones and long ones, against maps from row to score.
//
// 1. Every scorer (one list, several merged or scattered, whose fields add up or not, prefixes, several words for one
//    with and without a phrase, all words, clauses, everything) collects the rows, with the scores, that adding up every
//    posting finds; it scores any rows like that; its bounds hold.
// 2. match() finds the rows, scores and match weights that adding up words row by row finds, whatever is required: so
//    much weight, as many words as any row has, or a share of the best cut value; for accepted rows, under
//    restrictions.
// 3. Memory of a union grows with the rows.
// 4. The kept union of a beginning follows weights and statistics, and stays within its budget.
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf, hasBit } from "../../src/index-engine/base/bits.ts";
import { STEM_PREFIX } from "../../src/index-engine/segment/model/index.ts";
import { ClausesScorer, everything, type Clause } from "../../src/index-engine/query/core/clause-scorers.ts";
import { match, matchOrFill, type Requirement } from "../../src/index-engine/query/core/match.ts";
import { AtLeast, Cut, Most } from "../../src/index-engine/query/core/requirements.ts";
import { NO_MATCH, type Scorer } from "../../src/index-engine/query/core/scorer.ts";
import { scratch } from "../../src/index-engine/query/core/scratch.ts";
import { prefixUnionBytes, SearchContext } from "../../src/index-engine/query/index.ts";
import type { Expression } from "../../src/index-engine/query/plan.ts";
import { SegmentScorers } from "../../src/index-engine/query/segment-scorers.ts";
import {
  fieldWeights,
  scaleOf,
  type FieldWeights,
  type Statistics,
  type TermGroup,
  type SubQuery,
} from "../../src/index-engine/query/rank/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { mulberry32 } from "../support/mulberry32.ts";
import { forAll, runs } from "../support/property.ts";
import { fields } from "./support/catalogue.ts";
import { documentSegment } from "./support/indexing.ts";

/** The first is in nearly every product, the last in hardly one. */
const WORDS = Array.from({ length: 24 }, (_, i) => `${"abc"[i % 3]}${"klmn"[i % 4]}o${i}x`);
const PRODUCTS = 2_000;

const random = mulberry32(7);
const chosen = (): string[] => WORDS.filter((_, i) => random() < 1.1 / (1 + i * i * 0.4));
const segment = documentSegment(
  Array.from({ length: PRODUCTS }, (_, i) => ({
    id: `p${i}`,
    data: { title: chosen().join(" "), description: chosen().reverse().join(" ") },
  })),
  fields,
);
const context = new SearchContext(Reader.of([segment]), fields);
const scorers = new SegmentScorers(context, 0, context.statistics);
const TERMS = Array.from({ length: segment.terms.size }, (_, i) => segment.terms.get(i));

// ---- queries

const word = fc.constantFrom(...WORDS, "missing");
const simple: fc.Arbitrary<TermGroup> = fc
  .record({
    terms: fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
    idf: fc.option(fc.double({ min: 0.01, max: 8, noNaN: true }), { nil: undefined }),
    factors: fc.array(fc.constantFrom(1, 0.8, 0.4), { minLength: 12, maxLength: 12 }),
  })
  .map(({ terms, idf, factors }) => ({
    word: terms[0],
    alternatives: terms.map((term, i) => ({ term, factor: factors[i] })),
    ...(idf !== undefined && { idf }),
  }));
const whole: fc.Arbitrary<SubQuery> = fc.oneof(
  fc.constantFrom("a", "ak", "bl", "zz").map((prefix) => ({ kind: "prefix" as const, prefix, factor: 0.7 })),
  fc.record({
    kind: fc.constant("all" as const),
    groups: fc.array(simple, { minLength: 1, maxLength: 3 }),
    factor: fc.constant(0.9),
    slop: fc.constantFrom(null, 0, 1),
    origin: fc.constantFrom("split" as const, "synonym" as const),
  }),
);
const group: fc.Arbitrary<TermGroup> = fc
  .tuple(simple, fc.array(whole, { maxLength: 2 }), fc.boolean())
  .map(([one, subQueries, isBare]) =>
    subQueries.length === 0 ? one : { ...one, alternatives: isBare ? [] : one.alternatives, subQueries },
  );
const boost = fc.constantFrom(1, 2, 0.5);
const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 2 },
    boost.map((own) => ({ kind: "everything" as const, boost: own })),
    fc.record({
      kind: fc.constant("words" as const),
      groups: fc.array(group, { maxLength: 3 }),
      weights: fc.constant(null),
      boost,
    }),
    fc.record({
      kind: fc.constant("clauses" as const),
      clauses: fc.array(
        fc.record({
          occur: fc.constantFrom("must" as const, "should" as const, "not" as const),
          expression: tie("expression"),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      boost,
    }),
  ),
}));
const searched = fc.constantFrom(["title"], ["description"], ["title", "description"]).map((names) =>
  fieldWeights(
    names.map((field) => ({ field, weight: 2 })),
    new Map(),
  ),
);
const someRows = fc
  .array(fc.nat(PRODUCTS - 1), { maxLength: 500 })
  .map((rows) => [...new Set(rows)].sort((a, b) => a - b));
const accepted = fc.option(someRows).map((rows) => rows && bitsOf(rows, PRODUCTS));

// ---- maps

type Scores = ReadonlyMap<number, number>;
const ROWS = Array.from({ length: PRODUCTS }, (_, row) => row);

function union(all: readonly Scores[]): Scores {
  const best = new Map<number, number>();
  for (const [row, score] of all.flatMap((one) => [...one])) {
    best.set(row, Math.max(score, best.get(row) ?? 0));
  }
  return best;
}

function together(all: readonly Scores[], worth: (sum: number) => number): Scores {
  const rows = ROWS.filter((row) => all.every((one) => one.has(row)));
  return new Map(rows.map((row) => [row, worth(all.reduce((sum, one) => sum + (one.get(row) ?? 0), 0))]));
}

function ofTerm(
  term: string,
  scale: number,
  weights: FieldWeights,
  statistics: Statistics = context.statistics,
): Scores {
  const list = segment.terms.find(term);
  const count = list < 0 ? 0 : segment.postings.count(list);
  const rows = new Uint32Array(count);
  const codes = new Uint32Array(count);
  if (list >= 0) segment.postings.decode(list, rows, codes);
  const similarity = context.similarity(0, weights, statistics);
  const scored = Array.from(rows, (row, i): [number, number] => [row, similarity.score(scale, row, codes[i])]);
  return new Map(scored.filter(([, score]) => score > 0));
}

/** The score of rows with several alternatives: titles and texts by the best of them each, added up. */
function ofSums({ alternatives, idf }: TermGroup, weights: FieldWeights): Scores {
  const isTitle = (field: string): boolean => fields.normGroup(field) === "title";
  const parts = [isTitle, (field: string) => !isTitle(field)].map((isIn) => {
    const own = weights.entries.filter(({ field }) => isIn(field));
    const of = { ...fieldWeights(own, new Map()), key: `${isIn === isTitle} ${weights.key}` };
    const similarity = context.similarity(0, of, context.statistics);
    return alternatives.map(({ term, factor }) => {
      const list = segment.terms.find(term);
      const count = list < 0 ? 0 : segment.postings.count(list);
      const [rows, codes] = [new Uint32Array(count), new Uint32Array(count)];
      if (list >= 0) segment.postings.decode(list, rows, codes);
      return { factor, found: new Map(Array.from(rows, (row, i) => [row, similarity.frequency(row, codes[i])])) };
    });
  });
  const sums = new Map<number, number>();
  for (const row of ROWS) {
    const has = alternatives.filter((_, i) => parts.some((part) => (part[i].found.get(row) ?? 0) > 0));
    if (has.length < 2) continue;
    let frequency = 0;
    let counted = 0;
    for (const part of parts) {
      const [best] = part
        .map(({ factor, found }) => ({ factor, own: found.get(row) ?? 0 }))
        .toSorted((a, b) => b.factor * b.own - a.factor * a.own);
      if (best === undefined) continue;
      frequency += best.own;
      counted += best.factor * best.own;
    }
    const scale = idf === undefined ? 1 : scaleOf(1, idf);
    if (frequency > 0) sums.set(row, Math.round((scale * counted) / (1.2 + frequency)));
  }
  return sums;
}

function ofGroup(one: TermGroup, weights: FieldWeights, addsUp = false): Scores {
  const scale = (factor: number): number => (one.idf === undefined ? 1 : scaleOf(factor, one.idf));
  return union([
    ...(addsUp ? [ofSums(one, weights)] : []),
    ...one.alternatives.map(({ term, factor }) => ofTerm(term, scale(factor), weights)),
    ...(one.subQueries ?? []).flatMap((own) => {
      if (own.kind === "prefix") {
        return TERMS.filter((term) => !term.startsWith(STEM_PREFIX) && term.startsWith(own.prefix)).map((term) =>
          ofTerm(term, scale(own.factor), weights),
        );
      }
      const { groups, factor, slop } = own;
      const all = together(
        groups.map((part) => ofGroup(part, weights)),
        (sum) => Math.max(1, Math.round(sum * (factor / groups.length))),
      );
      const isPhrase = slop === null ? () => true : context.phraseTest(0, own, slop, weights);
      return [new Map([...all].filter(([row]) => isPhrase(row)))];
    }),
  ]);
}

function ofExpression(one: Expression, weights: FieldWeights): Scores {
  const boosted = (sum: number): number => sum * one.boost;
  switch (one.kind) {
    case "everything":
      return new Map(ROWS.map((row) => [row, 0]));
    case "words":
      if (one.groups.length === 0) return new Map();
      return together(
        one.groups.map((own) => ofGroup(own, weights)),
        boosted,
      );
    case "clauses": {
      const clauses = one.clauses.map(({ occur, expression: inner }) => ({
        occur,
        scores: ofExpression(inner, weights),
      }));
      const has = (row: number, occur: string): boolean[] =>
        clauses.filter((clause) => clause.occur === occur).map(({ scores }) => scores.has(row));
      const isMatch = (row: number): boolean =>
        !has(row, "must").includes(false) &&
        !has(row, "not").includes(true) &&
        (has(row, "must").length > 0 || has(row, "should").length === 0 || has(row, "should").includes(true));
      const sum = (row: number): number => clauses.reduce((total, { scores }) => total + (scores.get(row) ?? 0), 0);
      return new Map(ROWS.filter(isMatch).map((row) => [row, boosted(sum(row))]));
    }
  }
}

// ---- 1

function checkScorer(scorer: Scorer, expected: Scores, accept: Uint32Array | null, asked: readonly number[]): void {
  const mark = scratch.mark();
  const inOrder = [...expected].sort(([a], [b]) => a - b);
  const allowed = inOrder.filter(([row]) => accept === null || hasBit(accept, row));
  // Twice: nothing of the first time is left in shared memory.
  for (let time = 0; time < 2; time++) {
    const { rows, scores, count } = scorer.collect(accept);
    expect(Array.from(rows.subarray(0, count), (row, i) => [row, scores[i]])).toEqual(allowed);
  }
  expect(scorer.mostRows).toBeGreaterThanOrEqual(expected.size);
  expect(scorer.mostScore).toBeGreaterThanOrEqual(Math.max(0, ...expected.values()));
  const scores = new Float64Array(asked.length);
  scorer.score(Uint32Array.from(asked), asked.length, scores);
  expect([...scores]).toEqual(asked.map((row) => expected.get(row) ?? NO_MATCH));
  if (scorer.collectCodes !== undefined) {
    const { rows, codes, count } = scorer.collectCodes(accept);
    const own = new Float64Array(count);
    scorer.scoreCodes?.(rows, codes, count, own);
    const found = Array.from(rows.subarray(0, count), (row, i) => [row, own[i]]);
    expect(found.filter(([, score]) => score !== NO_MATCH)).toEqual(allowed);
  }
  scratch.release(mark);
}

test("1: scorers", () => {
  forAll(
    runs(200, 100),
    fc.oneof(
      group.map((one) => ({ one, own: null })),
      expression.map((own) => ({ one: null, own })),
    ),
    searched,
    accepted,
    fc.oneof(
      someRows,
      fc.constant(ROWS),
      someRows.map((rows) => rows.slice(0, 9)),
    ),
    fc.boolean(),
    ({ one, own }, weights, accept, asked, addsUp) => {
      if (one !== null) checkScorer(scorers.word(one, weights, addsUp), ofGroup(one, weights, addsUp), accept, asked);
      if (own === null) return;
      checkScorer(scorers.expression(own, weights), ofExpression(own, weights), accept, asked);
    },
  );
});

// ---- 2

/** A requirement, and whether a row of this match weight and score matches. */
interface Required {
  readonly requirement: Requirement;
  readonly isMatch: (row: { readonly weight: number; readonly score: number }) => boolean;
}

test("2: what must match", () => {
  const kinds = new Map<string, number>();
  forAll(
    runs(250, 100),
    fc.record({
      asked: fc.array(fc.tuple(group, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 6 }),
      kind: fc.constantFrom("all", "least", "most", "cut"),
      share: fc.constantFrom(0, 0.2, 0.5, 0.9, 1),
      before: fc.constantFrom(0, 0.5, 1.5),
      weights: searched,
      accept: accepted,
      restrictions: fc.array(fc.tuple(expression, fc.boolean()), { maxLength: 2 }),
    }),
    ({ asked, kind, share, before, weights, accept, restrictions }) => {
      const words = asked.map(([one, weight]) => ({
        scores: ofGroup(one, weights),
        scorer: scorers.word(one, weights),
        weight: kind === "most" ? 1 : weight,
      }));
      const total = words.reduce((sum, { weight }) => sum + weight, 0);
      const limits = restrictions.map(([own, negated]) => ({
        rows: ofExpression(own, weights),
        scorer: scorers.expression(own, weights),
        negated,
      }));
      const rows = ROWS.map((row) => {
        const own = words.filter(({ scores }) => scores.has(row));
        return {
          row,
          weight: own.reduce((sum, { weight }) => sum + weight, 0),
          score: own.reduce((sum, { scores }) => sum + (scores.get(row) ?? 0), 0),
        };
      }).filter(
        ({ row, weight }) =>
          weight > 0 &&
          (accept === null || hasBit(accept, row)) &&
          limits.every(({ rows: own, negated }) => own.has(row) !== negated),
      );
      const most = Math.max(0, ...rows.map(({ weight }) => weight));
      const best = Math.max(0, ...rows.map(({ weight, score }) => weight * score));
      const known = Math.round(best * before);
      const least = kind === "all" ? total : Math.max(1, Math.round(share * total));
      const required: Record<string, Required> = {
        all: { requirement: new AtLeast(total), isMatch: ({ weight }) => weight === total },
        least: { requirement: new AtLeast(least), isMatch: ({ weight }) => weight >= least },
        most: {
          requirement: Object.assign(new Most(), { least }),
          isMatch: ({ weight }) => weight >= Math.max(least, most),
        },
        cut: {
          requirement: new Cut(total, share * 1_000, known),
          isMatch: ({ weight, score }) => weight === total || weight * score >= share * Math.max(best, known),
        },
      };
      const { requirement, isMatch } = required[kind];
      const expected = rows.filter(isMatch);
      const scope = { productCount: PRODUCTS, accept, restrictions: limits };
      const found = match({ words, ...scope }, requirement);
      const shown = Array.from(found.rows, (row, i) => ({
        row,
        weight: found.weights === null ? total : found.weights[i],
        score: found.scores[i],
      }));
      expect(shown).toEqual(expected);
      if (requirement instanceof Most) expect(requirement.least).toBe(Math.max(least, most));
      if (requirement instanceof Cut) expect(requirement.best).toBe(Math.max(best, known));
      if (expected.length > 0 && expected.length < rows.length) {
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    },
  );
  expect([...kinds.keys()].sort()).toEqual(["all", "cut", "least", "most"]);
});

test("2: a fill, or only rows with all words if there are enough", () => {
  forAll(
    runs(120, 60),
    fc.array(fc.tuple(simple, searched), { minLength: 2, maxLength: 4 }),
    fc.constantFrom(1, 5, 50, 500),
    accepted,
    (asked, enough, accept) => {
      const words = asked.map(([one, weights]) => ({ scorer: scorers.word(one, weights), weight: 1_000 }));
      const total = words.length * 1_000;
      const scope = { productCount: PRODUCTS, accept, restrictions: [] };
      const complete = match({ words, ...scope }, new AtLeast(total));
      const { found, completeCount } = matchOrFill([{ words, ...scope }], new Cut(total, 200), enough);
      expect(completeCount).toBe(complete.rows.length);
      const isEnough = completeCount >= enough;
      expect(found).toEqual([isEnough ? complete : match({ words, ...scope }, new Cut(total, 200))]);
    },
  );
});

// ---- 3

test("3: memory of a union grows with the rows, not with the clauses", () => {
  const clause: Clause = { occur: "should", scorer: everything(5_000) };
  const all = new ClausesScorer(Array<Clause>(100).fill(clause), 1, 5_000);
  const mark = scratch.mark();
  const { rows, scores, count } = all.collect(null);
  scratch.release(mark);
  expect([count, rows.length, scores.length]).toEqual([5_000, 8_192, 8_192]);
});

// ---- 4

test("4: cached unions of prefixes", () => {
  const statistics = fc.constantFrom(0.1, 1, 30).map((factor): Statistics => {
    const { productCount, lengthSums } = context.statistics;
    return { productCount, lengthSums: lengthSums.map((sum) => Math.round(sum * factor)) };
  });
  const prefixes = fc.constantFrom("a", "b", "c");
  forAll(
    runs(30, 12),
    fc.array(fc.tuple(prefixes, searched, statistics), { minLength: 1, maxLength: 6 }),
    accepted,
    someRows,
    (searches, accept, asked) => {
      for (const [prefix, weights, own] of searches) {
        const one = { word: prefix, alternatives: [], idf: 2, subQueries: [wholeOf(prefix)] };
        const terms = TERMS.filter((term) => term.startsWith(prefix));
        const lists = terms.map((term) => ofTerm(term, scaleOf(0.7, 2), weights, own));
        const scorer = new SegmentScorers(context, 0, own).word(one, weights);
        checkScorer(scorer, union(lists), accept, asked);
        expect(prefixUnionBytes(segment)).toBeGreaterThan(PRODUCTS);
        expect(prefixUnionBytes(segment)).toBeLessThanOrEqual(64 * PRODUCTS);
      }
    },
  );
});

test("4: without a union, a few rows are looked up in the lists", () => {
  const own = documentSegment(
    ROWS.map((row) => ({ id: `p${row}`, data: { title: chosen().join(" ") } })),
    fields,
  );
  const fresh = new SearchContext(Reader.of([own]), fields);
  const weights = fieldWeights([{ field: "title", weight: 1 }], new Map());
  const one = { word: "a", alternatives: [], idf: 2, subQueries: [wholeOf("a")] };
  const scored = (rows: Uint32Array): Float64Array => {
    const scores = new Float64Array(rows.length);
    const scorer = new SegmentScorers(fresh, 0, fresh.statistics).word(one, weights);
    scorer.score(rows, rows.length, scores);
    return scores;
  };
  const few = [0, 1, 2, 3, 500, 1_000, 1_999].map((row) => Uint32Array.of(row));
  const lookedUp = few.map(scored);
  expect(prefixUnionBytes(own)).toBe(0);
  expect(lookedUp.some(([score]) => score !== NO_MATCH)).toBe(true);
  const all = scored(Uint32Array.from(ROWS));
  expect(prefixUnionBytes(own)).toBeGreaterThan(PRODUCTS);
  expect(lookedUp.map(([score]) => score)).toEqual(few.map(([row]) => all[row]));
});

function wholeOf(prefix: string): SubQuery {
  return { kind: "prefix", prefix, factor: 0.7 };
}
