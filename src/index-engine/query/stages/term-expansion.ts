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
import { KnownWords, similarKey, STEPS_OF_PART, STEPS_OF_SIMILAR } from "./dictionary.ts";
import type { ExpansionSource } from "./source.ts";

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

/** Asks one reader for all lookups of `read`, which reads words with the given source. */
export function* expandTerms(
  { dictionary, reader: { segments }, fields: { analyzer } }: SearchContext,
  read: (source: ExpansionSource) => Parts<void>,
): Parts<TermExpansions> {
  // Unknown terms are not cached: most are parts of words.
  const own = (term: string): number => (dictionary.mayOccur(term) ? dictionary.frequencyOf(term) : 0);
  // What is looked up depends on which words are known and frequent. A word that is so here is so on all shards; others
  // may be. So every word is read once as frequent, and once as it is here.
  const recorders = [new RecordingSource(analyzer, () => EVIDENCE.meant), new RecordingSource(analyzer, own)];
  const frequencies = new Map<string, number>();
  const similar = new Map<string, readonly SimilarTerm[]>();
  const prefixes = new Map<string, number>();
  for (const source of recorders) {
    yield* read(source);
    let count = 0;
    for (const term of source.terms) {
      if (++count % LOOKUPS_PER_PART === 0) yield;
      const frequency = own(term);
      if (frequency > 0) frequencies.set(term, frequency);
    }
    for (const [key, [word, likeness]] of source.similar) {
      if (similar.has(key)) continue;
      work.spend(STEPS_OF_SIMILAR);
      similar.set(key, similarTo(segments, word, likeness));
      yield;
    }
    for (const prefix of source.prefixes) prefixes.set(prefix, prefixFrequency(segments, prefix));
  }
  return { frequencies, similar, prefixes };
}

/** Records lookups. */
class RecordingSource extends KnownWords implements ExpansionSource {
  readonly terms = new Set<string>();
  readonly similar = new Map<string, readonly [string, Likeness]>();
  readonly prefixes = new Set<string>();
  readonly #compounds: CompoundData | null;
  readonly #frequencyOf: (term: string) => number;

  constructor(analyzer: Analyzer, frequencyOf: (term: string) => number) {
    super(analyzer);
    this.#compounds = analyzer.data.compounds;
    this.#frequencyOf = frequencyOf;
  }

  frequencyOf(term: string): number {
    this.terms.add(term);
    return this.#frequencyOf(term);
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

/** An expansions as a source. */
export class ExpandedTerms extends KnownWords implements ExpansionSource {
  readonly #frequencies: Map<string, number>;
  readonly #expansions: TermExpansions;

  constructor(expansions: TermExpansions, analyzer: Analyzer) {
    super(analyzer);
    this.#expansions = expansions;
    const found = [...expansions.similar.values()].flat();
    this.#frequencies = new Map(found.map((one) => [one.term, one.documentFrequency]));
    for (const [term, frequency] of expansions.frequencies) this.#frequencies.set(term, frequency);
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
