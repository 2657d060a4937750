/**
 * Expands the words of a plan in the dictionaries of several shards or indexes.
 *
 * A reader that searches alone uses its own dictionary word by word. With several shards every
 * shard sends the frequencies of all words of the plan with its statistics, and everything else that a
 * search without stages or a stage may need. The sums then serve as dictionary (`ExpandedTerms`),
 * so that all shards expand words equally (invariant I4).
 */
import type { Analyzer, CompoundData } from "../../analysis/index.ts";
import {
  mergeSimilar,
  MOST_SIMILAR,
  prefixFrequency,
  similarTo,
  splitLookups,
  type Likeness,
  type SimilarTerm,
} from "../expansion/index.ts";
import type { SearchContext } from "../context.ts";
import { work, type Parts } from "../../base/index.ts";
import { EVIDENCE } from "../relevance/policy.ts";
import { KnownWords, similarKey, STEPS_OF_PART, STEPS_OF_SIMILAR, type ExpansionSource } from "./dictionary.ts";

/** Plain data. */
export interface TermExpansions {
  /** Live products per looked-up term; without zeros. */
  readonly frequencies: ReadonlyMap<string, number>;
  /** By `similarKey`; truncated when read. */
  readonly similar: ReadonlyMap<string, readonly SimilarTerm[]>;
  /** Sums of frequencies per prefix. */
  readonly prefixes: ReadonlyMap<string, number>;
}

export const NO_EXPANSIONS: TermExpansions = {
  frequencies: new Map(),
  similar: new Map(),
  prefixes: new Map(),
};

/** About a millisecond. */
const LOOKUPS_PER_PART = 4_096;

/**
 * Asks one reader for all lookups of `read`, which reads words with the given source.
 * @param corrected words that are corrected only if few products have them
 */
export function* expandTerms(
  { dictionary, reader: { segments }, fields: { analyzer } }: SearchContext,
  read: (source: ExpansionSource) => Parts<void>,
  corrected: ReadonlySet<string>,
): Parts<TermExpansions> {
  // What is looked up depends on which words are known, so every word is read once as known and
  // once as unknown. The lookups must not depend on this shard: sums need those of all shards.
  const recorders = [new RecordingSource(analyzer, 1), new RecordingSource(analyzer, 0)];
  const frequencies = new Map<string, number>();
  const similar = new Map<string, readonly SimilarTerm[]>();
  const prefixes = new Map<string, number>();
  const frequent = new Set([...corrected].filter((word) => dictionary.frequencyOf(word) >= EVIDENCE.meant));
  for (const source of recorders) {
    yield* read(source);
    let count = 0;
    for (const term of source.terms) {
      if (++count % LOOKUPS_PER_PART === 0) yield;
      // Unknown terms are not cached: most are parts of words.
      const frequency = dictionary.mayOccur(term) ? dictionary.frequencyOf(term) : 0;
      if (frequency > 0) frequencies.set(term, frequency);
    }
    for (const [key, [word, likeness]] of source.similar) {
      // A word that is frequent on one shard is frequent, and is not corrected.
      const isCorrection = likeness.kind === "typos" || likeness.kind === "firstLetter";
      if (similar.has(key) || (isCorrection && frequent.has(word))) continue;
      work.spend(STEPS_OF_SIMILAR);
      similar.set(key, similarTo(segments, word, likeness));
      yield;
    }
    for (const prefix of source.prefixes) prefixes.set(prefix, prefixFrequency(segments, prefix));
  }
  return { frequencies, similar, prefixes };
}

/** Records lookups. Every term has the same frequency. */
class RecordingSource extends KnownWords {
  readonly terms = new Set<string>();
  readonly similar = new Map<string, readonly [string, Likeness]>();
  readonly prefixes = new Set<string>();
  readonly #compounds: CompoundData | null;
  readonly #frequency: 0 | 1;

  constructor(analyzer: Analyzer, frequency: 0 | 1) {
    super(analyzer);
    this.#compounds = analyzer.data.compounds;
    this.#frequency = frequency;
  }

  frequencyOf(term: string): number {
    this.terms.add(term);
    return this.#frequency;
  }

  mayOccur(): boolean {
    return true;
  }

  override splitsOf(word: string): readonly (readonly string[])[] {
    for (const part of splitLookups(word, this.#compounds)) {
      work.spend(STEPS_OF_PART);
      this.knownIn(part);
    }
    return [];
  }

  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[] {
    this.similar.set(similarKey(word, likeness), [word, likeness]);
    return [];
  }

  prefixFrequency(prefix: string): number {
    this.prefixes.add(prefix);
    return 0;
  }
}

/** Merges expansions of shards or indexes. */
export function mergeExpansions(parts: readonly TermExpansions[]): TermExpansions {
  const add = (a: number, b: number): number => a + b;
  return {
    frequencies: merged(
      parts.map(({ frequencies }) => frequencies),
      add,
    ),
    similar: merged(
      parts.map(({ similar }) => similar),
      (a, b) => mergeSimilar([a, b]),
    ),
    prefixes: merged(
      parts.map(({ prefixes }) => prefixes),
      add,
    ),
  };
}

function merged<T>(maps: readonly ReadonlyMap<string, T>[], merge: (a: T, b: T) => T): Map<string, T> {
  const all = new Map<string, T>();
  for (const map of maps) {
    for (const [key, value] of map) {
      const known = all.get(key);
      all.set(key, known === undefined ? value : merge(known, value));
    }
  }
  return all;
}

/** The merged expansions as a source. */
export class ExpandedTerms extends KnownWords {
  readonly #frequencies: Map<string, number>;
  readonly #expansions: TermExpansions;

  constructor(expansions: TermExpansions, analyzer: Analyzer) {
    super(analyzer);
    this.#expansions = expansions;
    // A list of similar words that some shards have left out has only a part of each sum.
    this.#frequencies = new Map(expansions.frequencies);
    for (const { term, documentFrequency } of [...expansions.similar.values()].flat()) {
      this.#frequencies.set(term, Math.max(documentFrequency, this.#frequencies.get(term) ?? 0));
    }
  }

  frequencyOf(term: string): number {
    return this.#frequencies.get(term) ?? 0;
  }

  mayOccur(term: string): boolean {
    return this.#frequencies.has(term);
  }

  similarTo(word: string, likeness: Likeness): readonly SimilarTerm[] {
    const found = this.#expansions.similar.get(similarKey(word, likeness)) ?? [];
    return found.slice(0, MOST_SIMILAR[likeness.kind]);
  }

  prefixFrequency(prefix: string): number {
    return this.#expansions.prefixes.get(prefix) ?? 0;
  }
}
