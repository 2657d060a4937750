/**
 * The words that directly follow a word in titles, by number of products: laptop -> bag 40, stand 12.
 *
 * They are counted when a suggestion first asks for the word and cached with the (immutable) segment: 8 bytes per
 * pair. Deleted products are subtracted.
 *
 * Titles of variants are not read.
 */
import type { Analyzer } from "../../analysis/index.ts";
import { ByteCache, hasBit, rowsOf, work, getOrInsert } from "../../base/index.ts";
import { KeptWithSegments, type LiveSegment, type Segment, type TitleCursor } from "../../segment/model/index.ts";
import { firstWords, type WordCounts, type WordPart } from "./keywords.ts";
import { TITLE } from "./label.ts";
import { LOOKUP_COST, titleCounts, type TitleCounts } from "./title-counts.ts";

/** Of a segment. */
const MOST_CACHED_BYTES = 2_097_152;
/** Cost of reading the title of a row, in rows of a list. */
const TITLE_COST = 4;

/** The terms that follow one term, by number of products, descending; ties in dictionary order. */
interface Followers {
  readonly terms: Uint32Array;
  readonly counts: Uint32Array;
}

/** Segment -> term -> followers. */
const cache = new KeptWithSegments<ByteCache<Followers, number>>("suggest", ({ bytes }) => bytes);

/** The parts of a reader that count what follows a word. */
export function followerParts(segments: readonly LiveSegment[], analyzer: Analyzer, word: string): WordPart[] {
  return segments.flatMap((live) => {
    const titles = titleCounts(live.segment);
    const term = live.segment.terms.find(word);
    if (titles === null || term === -1) return [];
    return [new SegmentFollowers(live, liveFollowers(live, titles, term), analyzer)];
  });
}

class SegmentFollowers implements WordPart {
  readonly isOrdered = true;
  readonly #live: LiveSegment;
  readonly #followers: Followers;
  readonly #analyzer: Analyzer;

  constructor(live: LiveSegment, followers: Followers, analyzer: Analyzer) {
    this.#live = live;
    this.#followers = followers;
    this.#analyzer = analyzer;
  }

  top(size: number): WordCounts {
    return firstWords(this.#live.segment, this.#followers, this.#analyzer, size);
  }

  countsOf(words: readonly string[]): number[] {
    const { terms, counts } = this.#followers;
    return words.map((word) => {
      const at = terms.indexOf(this.#live.segment.terms.find(word));
      return at === -1 ? 0 : counts[at];
    });
  }
}

function liveFollowers(live: LiveSegment, titles: TitleCounts, term: number): Followers {
  const { segment, deleted, deletedCount } = live;
  if (deleted === null) return cachedFollowers(segment, titles, term);
  const pairs = new Pairs(segment, term);
  if (deletedCount * LOOKUP_COST > segment.postings.count(term)) {
    titles.eachRow(term, (row) => {
      if (!hasBit(deleted, row)) pairs.add(row, 1);
    });
    return pairs.finish();
  }
  pairs.addAll(cachedFollowers(segment, titles, term));
  const cursor = segment.postings.cursor();
  cursor.open(term);
  work.spend(deletedCount);
  for (const row of rowsOf(deleted)) if (cursor.advance(row) === row) pairs.add(row, -1);
  return pairs.finish();
}

function cachedFollowers({ base }: Segment, titles: TitleCounts, term: number): Followers {
  const own = getOrInsert(
    cache,
    base,
    () => new ByteCache<Followers, number>(MOST_CACHED_BYTES, ({ terms }) => terms.byteLength * 2),
  );
  return own.get(term, () => {
    const pairs = new Pairs(base, term);
    titles.eachRow(term, (row) => pairs.add(row, 1));
    return pairs.finish();
  });
}

/** Counts the terms that follow one term in the titles of rows. */
class Pairs {
  readonly #counts = new Map<number, number>();
  readonly #inRow = new Set<number>();
  readonly #segment: Segment;
  readonly #cursor: TitleCursor;
  readonly #field: number;
  readonly #code: number;

  constructor(segment: Segment, term: number) {
    const { titles } = segment;
    this.#segment = segment;
    this.#cursor = titles.cursor();
    this.#field = titles.fields.indexOf(TITLE);
    this.#code = titles.codesOf(term)[0] ?? -1;
  }

  /** A pair that a product has twice counts once. */
  add(row: number, sign: 1 | -1): void {
    const cursor = this.#cursor;
    work.spend(TITLE_COST);
    const inRow = this.#inRow;
    inRow.clear();
    cursor.open(row);
    while (cursor.next()) {
      if (cursor.field !== this.#field) continue;
      const { codes, length } = cursor;
      for (let at = 1; at < length; at++)
        if (codes[at - 1] === this.#code && codes[at] !== this.#code) inRow.add(codes[at]);
    }
    for (const code of inRow) this.#counts.set(code, (this.#counts.get(code) ?? 0) + sign);
  }

  addAll({ terms, counts }: Followers): void {
    const { titles } = this.#segment;
    terms.forEach((term, i) => this.#counts.set(titles.codesOf(term)[0], counts[i]));
  }

  finish(): Followers {
    const { titles } = this.#segment;
    const sorted = [...this.#counts]
      .filter(([, count]) => count > 0)
      .map(([code, count]) => ({ term: titles.term(code), count }))
      .sort((a, b) => b.count - a.count || a.term - b.term);
    return {
      terms: Uint32Array.from(sorted, ({ term }) => term),
      counts: Uint32Array.from(sorted, ({ count }) => count),
    };
  }
}
