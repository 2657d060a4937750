/**
 * A shop's own queries, indexed by their words, and the lists of queries that replace the input.
 * Built once from what the shop has sent (interface/suggest-queries.ts) and cached. They do not
 * depend on products, so they are the same on all shards.
 */
import {
  readSuggestQueries,
  type OwnQuery,
  type SuggestQueries,
  type SuggestRequest,
} from "../../../interface/index.ts";
import { run } from "../../base/index.ts";
import { sortKey, type Analyzer } from "../../analysis/index.ts";
import { LabelWords } from "./label-words.ts";
import { KEYWORD, type Label } from "./label.ts";
import type { TypedWords } from "./words.ts";

/** Reads the stored queries, which were validated when sent. Null: unreadable (stored by another release), ignored. */
export function storedQueries(text: string | undefined, analyzer: Analyzer): OwnQueries | null {
  if (text === undefined) return null;
  const read = readSuggestQueries(JSON.parse(text));
  return read.ok ? new OwnQueries(read.value, analyzer) : null;
}

export class OwnQueries {
  readonly #analyzer: Analyzer;
  readonly #queries: readonly OwnQuery[];
  readonly #words: LabelWords;
  readonly #sharpened: ReadonlyMap<string, readonly string[]>;
  readonly #relaxed: ReadonlyMap<string, readonly string[]>;

  constructor({ queries, sharpened, relaxed }: SuggestQueries, analyzer: Analyzer) {
    this.#analyzer = analyzer;
    this.#queries = queries;
    this.#words = run(LabelWords.of(queries.length, (label) => analyzer.terms(queries[label].phrase)));
    this.#sharpened = this.#lists(sharpened);
    this.#relaxed = this.#lists(relaxed);
  }

  /** Queries that match. With a filter, only those with one of its names as type or tag. */
  find(typed: TypedWords, maxEdits: number, { filter }: SuggestRequest): Label[] {
    const labels: Label[] = [];
    for (const label of this.#words.find(typed, maxEdits)) {
      const { phrase, type, weight, payload, tags } = this.#queries[label];
      if (filter.length > 0 && ![type, ...tags].some((name) => filter.includes(name))) continue;
      labels.push({ ...this.#label(phrase, type, weight), payload });
    }
    return labels;
  }

  /** Better queries than the input, in the order sent. */
  sharpened(request: SuggestRequest): Label[] {
    return this.#ofList(this.#sharpened, request);
  }

  /** Queries that find something when the input may not. */
  relaxed(request: SuggestRequest): Label[] {
    return this.#ofList(this.#relaxed, request);
  }

  #ofList(lists: ReadonlyMap<string, readonly string[]>, { userQuery, filter }: SuggestRequest): Label[] {
    if (filter.length > 0 && !filter.includes(KEYWORD)) return [];
    const phrases = lists.get(this.#key(userQuery)) ?? [];
    return phrases.map((phrase) => ({ ...this.#label(phrase, KEYWORD, 0), payload: {} }));
  }

  #lists(lists: Readonly<Record<string, readonly string[]>>): Map<string, readonly string[]> {
    const byKey = new Map<string, readonly string[]>();
    for (const [query, phrases] of Object.entries(lists)) {
      const key = this.#key(query);
      byKey.set(key, [...(byKey.get(key) ?? []), ...phrases]);
    }
    return byKey;
  }

  /** Ignores case, accents and the characters between words. */
  #key(query: string): string {
    return this.#analyzer.terms(query).join(" ");
  }

  #label(phrase: string, type: string, weight: number): Label {
    return {
      field: type,
      text: phrase,
      sortKey: sortKey(phrase, this.#analyzer.language),
      weight,
      id: null,
      parentPath: null,
    };
  }
}
