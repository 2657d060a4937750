/**
 * 1. Metrics of small answers, by hand: NDCG, recall, and the bootstrap interval of a difference.
 * 2. The baseline scores a catalogue of two products as its formula says.
 * 3. Damage is the same for the same seed, and what its name says.
 * 4. On both judged catalogues the engine keeps its floors. Skipped where a catalogue is not on this machine.
 */
import { describe, expect, test } from "vitest";
import { loadDataset } from "../../bench/datasets.ts";
import { indexDataset } from "../../bench/index-set.ts";
import { Aisle } from "../../bench/relevance/aisle.ts";
import { Bm25f, singular } from "../../bench/relevance/bm25f.ts";
import { pairedDifference } from "../../bench/relevance/bootstrap.ts";
import type { ProductTexts } from "../../bench/relevance/contestant.ts";
import { damage, DAMAGE_KINDS, otherNumber, type DamageKind } from "../../bench/relevance/damage.ts";
import { evaluateAllDamage, evaluateClean } from "../../bench/relevance/evaluate.ts";
import { JUDGED_NAMES, loadJudged, type JudgedName } from "../../bench/relevance/judged.ts";
import { judgedOnly, ndcg, recall } from "../../bench/relevance/metrics.ts";
import { long } from "../support/property.ts";

interface Floors {
  readonly ndcg: number;
  readonly ndcgJudged: number;
  readonly recall: number;
  /** Share of queries without any hit, at most. */
  readonly zeroResults: number;
  /** Share of the clean NDCG@10 that is left after damage. */
  readonly kept: Readonly<Record<DamageKind, number>>;
}

/** A little under what `npm run bench:relevance -- --only Aisle --draws 1` measures. */
const FLOORS: Readonly<Record<JudgedName, Floors>> = {
  icecat: {
    // Below the floor of unjudged = 0 that stages had: filled pages show more that nobody judged.
    ndcg: 0.78,
    ndcgJudged: 0.86,
    recall: 0.89,
    zeroResults: 0,
    kept: {
      transposition: 0.95,
      deletion: 0.9,
      substitution: 0.96,
      insertion: 0.97,
      // Corrections keep the first letter where they can.
      firstLetter: 0.77,
      joined: 0.96,
      split: 0.96,
      plural: 0.97,
    },
  },
  esci: {
    ndcg: 0.745,
    ndcgJudged: 0.775,
    recall: 0.77,
    zeroResults: 0,
    kept: {
      transposition: 0.95,
      deletion: 0.94,
      substitution: 0.95,
      insertion: 0.94,
      firstLetter: 0.88,
      joined: 0.96,
      split: 0.95,
      plural: 0.97,
    },
  },
};

const SEED = 1;
const DRAWS = 1;

describe("metrics", () => {
  const grades = new Map([
    ["a", 3],
    ["b", 1],
    ["c", 0],
  ]);
  /** Gains are 7, 1 and 0; the second position is discounted by log2(3). */
  const best = 7 + 1 / Math.log2(3);

  test("the best order is 1, an unjudged product has no gain", () => {
    expect(ndcg(["a", "b", "c"], grades, 10)).toBe(1);
    expect(ndcg(["a", "b"], grades, 10)).toBe(1);
    expect(ndcg([], grades, 10)).toBe(0);
    expect(ndcg(["b", "a"], grades, 10)).toBeCloseTo((1 + 7 / Math.log2(3)) / best, 12);
    expect(ndcg(["x", "a"], grades, 10)).toBeCloseTo(7 / Math.log2(3) / best, 12);
    expect(ndcg(["x", "a"], grades, 1)).toBe(0);
  });

  test("judged only removes the unjudged", () => {
    expect(judgedOnly(["x", "b", "y", "c", "a"], grades)).toEqual(["b", "c", "a"]);
  });

  test("recall counts positive grades", () => {
    expect(recall(["a", "x"], grades, 100)).toBe(0.5);
    expect(recall(["x", "a", "b"], grades, 2)).toBe(0.5);
    expect(recall(["b", "a"], grades, 2)).toBe(1);
  });
});

describe("paired bootstrap", () => {
  test("two queries, one of which gains 1: means of resamples are 0, 0.5 and 1", () => {
    expect(pairedDifference([1, 0], [0, 0])).toEqual({ mean: 0.5, low: 0, high: 1 });
  });

  test("the width of many queries is that of the normal distribution", () => {
    // 400 differences of 0 or 1, half each: standard error 0.5 / 20, interval 0.5 +- 1.96 x 0.025.
    const own = Array.from({ length: 400 }, (_, at) => at % 2);
    const { low, high } = pairedDifference(
      own,
      own.map(() => 0),
    );
    expect(low).toBeCloseTo(0.451, 2);
    expect(high).toBeCloseTo(0.549, 2);
  });
});

describe("BM25F", () => {
  const product = (id: string, texts: Partial<ProductTexts>): ProductTexts => ({
    id,
    title: "",
    brand: "",
    category: "",
    attributes: "",
    description: "",
    ...texts,
  });
  const bm25f = new Bm25f([
    product("a", { title: "Red shoes", brand: "Acme" }),
    product("b", { title: "Shoe, shoes: blue" }),
  ]);
  /** The contribution of one word: `tf` is the weighted frequency, `n` of 2 products have the word. */
  const score = (tf: number, n: number): number => (Math.log(1 + (2 - n + 0.5) / (n + 0.5)) * tf * 2.2) / (tf + 1.2);

  test("title weight 3, lengths 2 and 3 of 2.5 words on average, plurals and singulars alike", () => {
    const tf = { a: 3 / (0.25 + 0.75 * 0.8), b: (3 * 2) / (0.25 + 0.75 * 1.2) };
    const scored = bm25f.scored("shoes shoe");
    expect(scored.map(({ id }) => id)).toEqual(["b", "a"]);
    expect(scored[0].score).toBeCloseTo(score(tf.b, 2), 12);
    expect(scored[1].score).toBeCloseTo(score(tf.a, 2), 12);
  });

  test("any word matches, the words' scores add up; brand weight 2, 0.5 words on average", () => {
    const brand = score(2 / (0.25 + 0.75 * 2), 1);
    const title = score(3 / (0.25 + 0.75 * 0.8), 1);
    expect(bm25f.scored("acme red sandals")).toEqual([{ id: "a", score: expect.closeTo(brand + title, 12) }]);
  });

  test("an answer is cut to the limit, its matchCount is not", () => {
    expect(bm25f.search("shoe", 1)).toEqual({ ids: ["b"], matchCount: 2 });
    expect(bm25f.search("sandals", 10)).toEqual({ ids: [], matchCount: 0 });
  });

  test.each([
    ["batteries", "battery"],
    ["cases", "case"],
    ["shoes", "shoe"],
    ["tvs", "tv"],
    ["glass", "glass"],
    ["bus", "bus"],
    ["is", "is"],
  ])("%s -> %s", (word, stripped) => {
    expect(singular(word)).toBe(stripped);
  });
});

describe("damage", () => {
  test.each(DAMAGE_KINDS)("%s: by its seed alone, and never the query itself", (kind) => {
    for (let seed = 0; seed < 50; seed++) {
      const damaged = damage("wireless gaming mouse", kind, seed);
      expect(damaged).toBe(damage("wireless gaming mouse", kind, seed));
      expect(damaged).not.toBe("wireless gaming mouse");
    }
  });

  test("queries that it does not fit stay out", () => {
    expect(damage("tv", "deletion", 1)).toBeNull();
    expect(damage("ps4", "substitution", 1)).toBeNull();
    expect(damage("headphones", "joined", 1)).toBeNull();
    expect(damage("iphone 7", "joined", 1)).toBe("iphone7");
  });

  test.each([
    ["laptop", "laptops"],
    ["battery", "batteries"],
    ["switch", "switches"],
    ["mouse", "mouses"],
    ["glass", "glasses"],
  ])("%s and %s are each other's number", (singularForm, plural) => {
    expect(otherNumber(singularForm)).toBe(plural);
    expect(otherNumber(plural)).toBe(singularForm);
  });
});

describe("the engine on judged queries", () => {
  // Of judged queries a short run takes one set.
  const names = long ? JUDGED_NAMES : (["esci"] as const);
  test.for(names)("%s: holds its floors", { timeout: 120_000 }, (name, { skip }) => {
    const dataset = loadDataset(name);
    const judged = loadJudged(name);
    if (dataset === null || judged === null) return skip(`no data set ${name} beside the project`);
    const floors = FLOORS[name];
    const aisle = new Aisle(indexDataset(dataset));
    const clean = evaluateClean(aisle, judged);
    const damaged = evaluateAllDamage(aisle, clean.outcomes, SEED, DRAWS);
    const below = DAMAGE_KINDS.filter((kind) => damaged[kind].kept < floors.kept[kind]);

    expect(clean.ndcg).toBeGreaterThanOrEqual(floors.ndcg);
    expect(clean.ndcgJudged).toBeGreaterThanOrEqual(floors.ndcgJudged);
    expect(clean.recall).toBeGreaterThanOrEqual(floors.recall);
    expect(clean.zeroResults).toBeLessThanOrEqual(floors.zeroResults);
    expect(below.map((kind) => `${kind} keeps ${damaged[kind].kept}`)).toEqual([]);
  });
});
