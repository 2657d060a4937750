/** Where labels come from: the segments of one reader, or what several shards have told (merged-labels.ts). */
import { sortKey, type Analyzer } from "../../analysis/index.ts";
import type { LiveSegment } from "../../segment/model/index.ts";
import { findColumnLabels, type LabelOrder } from "./column-labels.ts";
import { findFacetLabels, type FacetSource } from "./facet-labels.ts";
import {
  oneOfEachStem,
  spellingsOf,
  topWords,
  wordParts,
  type WordCounts,
  type WordSpelling,
} from "./keywords.ts";
import { KEYWORD, TITLE, type Label } from "./label.ts";
import type { FieldPlan } from "../../documents/index.ts";
import { partOf, type Part, type TypedWords } from "./words.ts";

export type SuggestFieldPlan = Pick<FieldPlan, "language" | "analyzer" | "field">;

/** `words`: phrases from titles, which the name `keyword` stands for where no field has it. */
export const SOURCE_KINDS = ["path", "term", "column", "words"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface LabelSource {
  readonly field: string;
  readonly kind: SourceKind;
}

/** What labels are to answer: the query or a part of it (null: all of it), within so many edits. */
export interface Asked {
  readonly part: Part | null;
  readonly maxEdits: number;
}

export interface LabelFinder {
  /** The first of SOURCE_KINDS that the index has of the field; null: none. */
  kindOf(field: string): SourceKind | null;
  /** Facet values that answer by their name, or (`secondary`) by the path above it. In no order. */
  facets(source: FacetSource, asked: Asked, secondary: boolean): Label[];
  /** The first `limit` titles that answer. */
  titles(field: string, asked: Asked, order: LabelOrder, limit: number): Label[];
  /** The words that complete what was typed in the most titles; one of each stem, `limit` at most, in order. */
  phrases(asked: Asked, limit: number): Label[];
}

/** Which kinds of a field the segments have. */
export function sourceKinds(
  segments: readonly LiveSegment[],
  field: string,
): readonly SourceKind[] {
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

/** So many words are looked at for each phrase that is wanted: of some with one stem all but one are left out. */
const WORDS_PER_PHRASE = 3;

/**
 * Phrases of the most frequent completions.
 * @param top so many words, or null while they are not known
 * @param spell the words as titles write them
 */
export function phraseLabels(
  typed: TypedWords,
  analyzer: Analyzer,
  limit: number,
  top: (size: number) => WordCounts | null,
  spell: (words: readonly string[]) => readonly (WordSpelling | null)[],
): Label[] {
  const counted = top(limit * WORDS_PER_PHRASE);
  if (counted === null) return [];
  const best = oneOfEachStem(counted, analyzer).slice(0, limit);
  if (best.length === 0) return [];
  const before = typed.words.slice(0, -1).map(({ text }) => text);
  const words = [...before, ...best.map(({ word }) => word)];
  const written = spell(words).map((own, i) => own?.spelling ?? words[i]);
  return best.map(({ count }, i) => {
    const text = [...written.slice(0, before.length), written[before.length + i]].join(" ");
    const key = sortKey(text, analyzer.language);
    return { field: KEYWORD, text, sortKey: key, weight: count, id: null, parentPath: null };
  });
}

export function isSearched(plan: SuggestFieldPlan, field: string): boolean {
  return plan.field(field)?.usages.includes("Search") ?? false;
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

  facets(source: FacetSource, { part, maxEdits }: Asked, secondary: boolean): Label[] {
    const { analyzer } = this.#plan;
    const typed = partOf(this.#typed, part);
    return findFacetLabels(this.#segments, source, typed, maxEdits, analyzer, secondary);
  }

  titles(field: string, { part, maxEdits }: Asked, order: LabelOrder, limit: number): Label[] {
    return findColumnLabels(
      this.#segments,
      { field, isSearched: isSearched(this.#plan, field) },
      partOf(this.#typed, part),
      maxEdits,
      this.#plan.analyzer,
      order,
      limit,
    );
  }

  phrases({ part, maxEdits }: Asked, limit: number): Label[] {
    const { analyzer } = this.#plan;
    const typed = partOf(this.#typed, part);
    const parts = wordParts(this.#segments, analyzer, typed, maxEdits);
    return phraseLabels(
      typed,
      analyzer,
      limit,
      (size) => topWords(parts, size),
      (words) => spellingsOf(this.#segments, words, analyzer),
    );
  }
}
