/** Sources of labels: the segments of one reader, or the data sent by several shards (merged-labels.ts). */
import { sortKey } from "../../analysis/index.ts";
import type { LiveSegment } from "../../segment/model/index.ts";
import type { Parts } from "../../base/index.ts";
import { findColumnLabels, readColumnLabels, type ColumnSource, type LabelOrder } from "./column-labels.ts";
import { findFacetLabels, readFacetLabels, type FacetSource } from "./facet-labels.ts";
import { followerParts } from "./followers.ts";
import { oneOfEachStem, spellingsOf, topWords, wordParts, type WordCounts, type WordSpelling } from "./keywords.ts";
import { KEYWORD, TITLE, type Label } from "./label.ts";
import type { FieldPlan } from "../../documents/index.ts";
import { partOf, type Lookup, type Part, type TypedWords } from "./words.ts";

export type SuggestFieldPlan = Pick<FieldPlan, "analyzer" | "field">;

/** `words` are phrases from titles. The name `keyword` stands for them if there is no such field. */
export const SOURCE_KINDS = ["path", "term", "column", "words"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface LabelSource {
  readonly field: string;
  readonly kind: SourceKind;
}

/** What labels must match: the query or a part of it (null: all of it), within `maxEdits`. */
export interface Asked {
  readonly part: Part | null;
  readonly maxEdits: number;
}

export interface LabelFinder {
  /** The first of SOURCE_KINDS that the index has for the field; null: none. */
  kindOf(field: string): SourceKind | null;
  /** Reads what a search for labels of the source needs, in parts. */
  read(source: LabelSource, secondary: boolean): Parts<void>;
  /** Facet values whose name matches, or with `secondary` their parent path. Unsorted. */
  facets(source: FacetSource, asked: Asked, secondary: boolean): Label[];
  /** The first `limit` titles that match. */
  titles(field: string, asked: Asked, order: LabelOrder, limit: number): Label[];
  /**
   * At most `limit` phrases, best first (keywords.ts). They use the words that complete the input in the most titles.
   */
  phrases(asked: Asked, limit: number): Label[];
}

export function sourceKinds(segments: readonly LiveSegment[], field: string): readonly SourceKind[] {
  return SOURCE_KINDS.filter((kind) =>
    segments.some(({ segment }) => {
      switch (kind) {
        case "column":
          return segment.stringColumns.has(field);
        case "words":
          return field === KEYWORD && segment.searchFields.includes(TITLE);
        case "path":
        case "term":
          return segment.facets.field(field, kind)?.facet ?? false;
      }
    }),
  );
}

/** Number of words fetched per phrase. Some are dropped because another word has the same stem. */
const WORDS_PER_PHRASE = 3;

/** For a single typed word: the number of best completions to extend, and the number of following words for each. */
export const FOLLOWED_WORDS = 4;
const FOLLOWERS = 3;

/** The words that phrases consist of. Null means not known yet; then they are requested. */
interface PhraseWords {
  /** The most frequent completions of the input. */
  top(size: number): WordCounts | null;
  /** The most frequent words that directly follow `word`. */
  behind(word: string, size: number): WordCounts | null;
  spell(words: readonly string[]): readonly (WordSpelling | null)[];
}

/** Phrases from the most frequent completions, alone and with the words that follow them. */
export function phraseLabels({ words: typed, analyzer }: TypedWords, limit: number, words: PhraseWords): Label[] {
  const counted = words.top(limit * WORDS_PER_PHRASE);
  if (counted === null) return [];
  const best = oneOfEachStem(counted, analyzer).slice(0, limit);
  const before = typed.slice(0, -1).map(({ text }) => text);
  const phrases = best.map(({ word, count }) => ({ words: [...before, word], count }));
  if (before.length === 0) {
    for (const { word } of best.slice(0, FOLLOWED_WORDS)) {
      const behind = words.behind(word, FOLLOWERS * WORDS_PER_PHRASE);
      if (behind === null) continue;
      const stem = analyzer.stem(word);
      const others = oneOfEachStem(behind, analyzer).filter((own) => analyzer.stem(own.word) !== stem);
      for (const own of others.slice(0, FOLLOWERS)) phrases.push({ words: [word, own.word], count: own.count });
    }
  }
  // The sort is stable: with equal counts, single words come first.
  const placed = phrases.sort((a, b) => b.count - a.count).slice(0, limit);
  const all = [...new Set(placed.flatMap((phrase) => phrase.words))];
  const written = new Map(words.spell(all).map((own, i) => [all[i], own?.spelling ?? all[i]]));
  return placed.map((phrase) => {
    const text = phrase.words.map((word) => written.get(word) ?? word).join(" ");
    const key = sortKey(text, analyzer.language);
    const weight = phrase.count;
    return { field: KEYWORD, text, sortKey: key, weight, id: null, parentPath: null };
  });
}

export function columnSource(plan: SuggestFieldPlan, field: string): ColumnSource {
  return { field, isSearched: plan.field(field)?.usages.includes("Search") ?? false };
}

export class LocalLabels implements LabelFinder {
  readonly #segments: readonly LiveSegment[];
  readonly #plan: SuggestFieldPlan;
  readonly #typed: TypedWords;

  constructor(segments: readonly LiveSegment[], plan: SuggestFieldPlan, typed: TypedWords) {
    this.#segments = segments;
    this.#plan = plan;
    this.#typed = typed;
  }

  kindOf(field: string): SourceKind | null {
    return sourceKinds(this.#segments, field)[0] ?? null;
  }

  #lookup({ part, maxEdits }: Asked): Lookup {
    return { typed: partOf(this.#typed, part), maxEdits };
  }

  *read({ field, kind }: LabelSource, secondary: boolean): Parts<void> {
    const { analyzer } = this.#typed;
    switch (kind) {
      case "path":
      case "term":
        yield* readFacetLabels(this.#segments, { field, kind }, analyzer, secondary);
        break;
      case "column":
        if (!secondary) yield* readColumnLabels(this.#segments, columnSource(this.#plan, field), analyzer);
        break;
      case "words":
        break;
    }
  }

  facets(source: FacetSource, asked: Asked, secondary: boolean): Label[] {
    return findFacetLabels(this.#segments, source, this.#lookup(asked), secondary);
  }

  titles(field: string, asked: Asked, order: LabelOrder, limit: number): Label[] {
    const source = columnSource(this.#plan, field);
    return findColumnLabels(this.#segments, source, this.#lookup(asked), order, limit);
  }

  phrases(asked: Asked, limit: number): Label[] {
    const lookup = this.#lookup(asked);
    const { typed } = lookup;
    const parts = wordParts(this.#segments, lookup);
    return phraseLabels(typed, limit, {
      top: (size) => topWords(parts, size),
      behind: (word, size) => topWords(followerParts(this.#segments, typed.analyzer, word), size),
      spell: (words) => spellingsOf(this.#segments, words, typed.analyzer),
    });
  }
}
