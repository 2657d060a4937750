/**
 * Phrases: words in a given order, next to each other.
 *
 * A phrase has places 0, 1, ... n-1 with one word each; a word may have several places. It matches a text if every
 * place j can be assigned a term at a position p(j) of the text, all of them distinct, such that
 *
 *   max over j of (p(j) - j)  -  min over j of (p(j) - j)  <=  slop
 *
 * Slop 0 requires the exact phrase. A word in between costs 1, two adjacent words in the wrong order cost 2 (as in
 * Lucene's sloppy phrase).
 *
 * **Fields without positions**: only titles have a word order, unless their row is not whole (writer.ts). In other
 * fields, all words of the phrase must be in the same field, for any slop. A word that is still being typed (a range of
 * terms) only matches in titles. A phrase never spans two fields.
 */
import type { PostingCursor, Segment, TitleCursor, Titles } from "../model/index.ts";
import { titleWord, wordHas, type QueryWord, type TitleWord } from "./words.ts";

/** Unknown: not in the stored titles, but the row is not whole. */
type TitleAnswer = "yes" | "no" | "unknown";

/** One phrase in the titles of one segment. */
export class TitlePhrase {
  readonly #cursor: TitleCursor;
  readonly #places: readonly TitleWord[];
  readonly #slop: number;
  readonly #searched: readonly boolean[];
  readonly #needsMatching: boolean;

  /** @param searched by ordinal of Titles.fields */
  constructor(titles: Titles, places: readonly TitleWord[], slop: number, searched: readonly boolean[]) {
    this.#cursor = titles.cursor();
    this.#places = places;
    this.#slop = slop;
    this.#searched = searched;
    this.#needsMatching = slop > 0 && someOverlap(places);
  }

  inTitle(row: number): TitleAnswer {
    const cursor = this.#cursor;
    cursor.open(row);
    while (cursor.next()) {
      if (this.#searched[cursor.field] && this.#isIn(cursor.codes, cursor.length)) return "yes";
    }
    return cursor.isWhole ? "no" : "unknown";
  }

  #isIn(codes: Uint32Array, length: number): boolean {
    const places = this.#places;
    if (places.length === 0 || places.length > length) return false;
    // It matches if, for some base, every place j is within [base + j, base + j + slop].
    const slop = Math.min(this.#slop, length + places.length);
    for (let base = 1 - places.length - slop; base < length; base++) {
      if (this.#needsMatching) {
        if (canPlaceAll(places, codes, length, base, slop)) return true;
        continue;
      }
      let j = 0;
      while (j < places.length && hasWithin(places[j], codes, length, base + j, slop)) j++;
      if (j === places.length) return true;
    }
    return false;
  }
}

function hasWithin(word: TitleWord, codes: Uint32Array, length: number, from: number, slop: number): boolean {
  const end = Math.min(length - 1, from + slop);
  for (let i = Math.max(0, from); i <= end; i++) if (wordHas(word, codes[i])) return true;
  return false;
}

/** Whether a term can match two places. Otherwise positions are always distinct. */
function someOverlap(places: readonly TitleWord[]): boolean {
  for (let a = 0; a < places.length; a++) {
    for (let b = a + 1; b < places.length; b++) {
      if (places[a].ranges.length + places[b].ranges.length > 0) return true;
      if (places[a].codes.some((code) => places[b].codes.includes(code))) return true;
    }
  }
  return false;
}

/** Whether places can have distinct positions: bipartite matching by augmenting paths (Kuhn). */
function canPlaceAll(
  places: readonly TitleWord[],
  codes: Uint32Array,
  length: number,
  base: number,
  slop: number,
): boolean {
  const placeAt = new Int32Array(length).fill(-1);
  const triedFor = new Int32Array(length).fill(-1);
  const place = (j: number, round: number): boolean => {
    const end = Math.min(length - 1, base + j + slop);
    for (let i = Math.max(0, base + j); i <= end; i++) {
      if (triedFor[i] === round || !wordHas(places[j], codes[i])) continue;
      triedFor[i] = round;
      if (placeAt[i] < 0 || place(placeAt[i], round)) {
        placeAt[i] = j;
        return true;
      }
    }
    return false;
  };
  for (let j = 0; j < places.length; j++) if (!place(j, j)) return false;
  return true;
}

/** A phrase of a query, bound to one segment. */
interface Phrase {
  /** Alternative readings ("head phones", "headphones") with one word per place. One of them must match. */
  readonly readings: readonly (readonly QueryWord[])[];
  readonly slop: number;
}

/** Tests whether rows have a phrase in a searched field. Rows must be tested in ascending order. */
export class PhraseTest {
  readonly #inTitles: readonly TitlePhrase[];
  readonly #inFields: readonly SameField[];

  constructor(segment: Segment, phrase: Phrase, searched: (fieldName: string) => boolean) {
    const { titles } = segment;
    // A reading cannot match if the segment lacks one of its words.
    const possible = phrase.readings.filter(
      (places) => places.length > 0 && places.every(({ lists, ranges }) => lists.length + ranges.length > 0),
    );
    const isSearched = titles.fields.map(searched);
    this.#inTitles = possible.map((places) => {
      const words = places.map((word) => titleWord(titles, word));
      return new TitlePhrase(titles, words, phrase.slop, isSearched);
    });
    this.#inFields = possible
      .map((places) => places.map(({ lists }) => lists))
      .filter((places) => places.every(({ length }) => length > 0))
      .map((places) => new SameField(segment, places, searched));
  }

  matches(row: number): boolean {
    let isWhole = true;
    for (const phrase of this.#inTitles) {
      const answer = phrase.inTitle(row);
      if (answer === "yes") return true;
      isWhole = answer === "no";
    }
    for (const fields of this.#inFields) if (fields.holdsAll(row, !isWhole)) return true;
    return false;
  }
}

/** Tests whether all words are in one field, using the signatures of their postings. */
class SameField {
  readonly #segment: Segment;
  readonly #cursors: readonly (readonly PostingCursor[])[];
  readonly #isSearched: Uint8Array;
  readonly #isTitle: Uint8Array;
  /** By field: how many of the first words it has in the current row, plus #round. */
  readonly #words: Float64Array;
  #round = 0;

  constructor(segment: Segment, places: readonly (readonly number[])[], searched: (fieldName: string) => boolean) {
    this.#segment = segment;
    const { searchFields, titles } = segment;
    this.#isSearched = Uint8Array.from(searchFields, (field) => (searched(field) ? 1 : 0));
    const ofTitles = new Set(titles.fields);
    this.#isTitle = Uint8Array.from(searchFields, (field) => (ofTitles.has(field) ? 1 : 0));
    this.#words = new Float64Array(searchFields.length);
    // A word at several places is looked up once.
    const distinct = new Map(places.map((lists) => [lists.join(), lists]));
    this.#cursors = [...distinct.values()].map((lists) =>
      lists.map((list) => {
        const cursor = segment.postings.cursor();
        cursor.open(list);
        return cursor;
      }),
    );
  }

  /** @param withTitles whether title fields count too */
  holdsAll(row: number, withTitles: boolean): boolean {
    const { starts, fields } = this.#segment.signatures;
    const words = this.#words;
    const count = this.#cursors.length;
    const round = this.#round;
    this.#round += count + 1;
    for (let w = 0; w < count; w++) {
      let isLeft = false;
      for (const cursor of this.#cursors[w]) {
        const there = cursor.row < row ? cursor.advance(row) : cursor.row;
        if (there !== row) continue;
        for (let e = starts[cursor.code]; e < starts[cursor.code + 1]; e++) {
          const field = fields[e];
          if (this.#isSearched[field] === 0) continue;
          if (this.#isTitle[field] === 1 && !withTitles) continue;
          if (w > 0 && words[field] < round + w) continue;
          words[field] = round + w + 1;
          isLeft = true;
        }
      }
      if (!isLeft) return false;
    }
    return true;
  }
}
