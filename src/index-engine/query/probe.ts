/**
 * How many word groups one row of a segment has at most: all that a survey asks of a stage (survey.ts), most often of one that does not hold. No
 * scores, and as few postings as possible.
 *
 *   leads    the rows of the rarest groups, in full. A row with `required` of n groups has one of the n - required + 1 rarest
 *   then     one group after the other, rarest first, is looked for in the rows that can still reach `required`. Short lists are marked as bits,
 *            long ones are asked for these rows alone, by cursors that skip blocks. What stands for several words (a whole) is worked out for
 *            the rows that have no other reason yet. Where one row is enough, the first ends it
 *
 * "sofa lampe" with forty corrections each: 12 rows have a reading of "sofa", and the forty lists of "lampe" are asked for 12 rows.
 *
 * A posting counts where a searched field has the term (Scorer.counts), as in match-words.ts, which finds the same rows with their scores.
 */
import { andInto, emptyBits, hasBit, rowsOf, setBit } from "../bits.ts";
import { prefixRange } from "../expansion/index.ts";
import { NO_MORE_ROWS, type Segment } from "../model.ts";
import type { TermGroup, WholeAlternative } from "../rank/index.ts";
import type { Binding, SearchContext } from "./context.ts";
import { borrowCursor } from "./cursors.ts";
import { MAX_LEADS } from "./match-words.ts";
import { listScratch } from "./scratch.ts";

type Several = Extract<WholeAlternative, { kind: "all" }>;

/** A group in one segment. */
interface Sought {
  /** Posting lists that are not empty. */
  readonly lists: readonly number[];
  readonly severals: readonly { readonly whole: Several; readonly parts: readonly Sought[] }[];
  /** It has no more rows than this; 0: none. */
  readonly mostRows: number;
}

/** What is asked for: the accepted rows, and the fields that are searched. */
type ProbeScope = Omit<Binding, "scale">;

/** A list with so many times more postings than there are rows to look for is asked for each of them. */
const SKIP = 16;
/** Most stages that hold do so among the first rows. */
const FIRST_ROWS = 64;

export class Probe {
  readonly #context: SearchContext;
  readonly #s: number;
  readonly #segment: Segment;
  readonly #scope: ProbeScope;

  /** Of segment `s`. */
  constructor(context: SearchContext, s: number, scope: ProbeScope) {
    this.#context = context;
    this.#s = s;
    this.#segment = context.live(s).segment;
    this.#scope = scope;
  }

  /** Whether an accepted row has `required` of the groups. */
  has(groups: readonly TermGroup[], required: number): boolean {
    const present = this.#present(groups);
    if (required > present.length) return false;
    if (isDense(present.length, required)) return this.#mostOf(present) >= required;
    return this.#reaches(present, required);
  }

  /** The most groups that one accepted row has, or `atLeast` when it is not more. Tries the greatest number first. */
  mostGroups(groups: readonly TermGroup[], atLeast: number): number {
    const present = this.#present(groups);
    for (let required = present.length; required > atLeast; required--) {
      if (isDense(present.length, required)) return Math.max(atLeast, this.#mostOf(present));
      if (this.#reaches(present, required)) return required;
    }
    return atLeast;
  }

  /** Those that the segment may have rows for, the rarest first. */
  #present(groups: readonly TermGroup[]): Sought[] {
    return groups
      .map((group) => this.#sought(group))
      .filter(({ mostRows }) => mostRows > 0)
      .sort((a, b) => a.mostRows - b.mostRows);
  }

  #sought({ alternatives, wholes }: TermGroup): Sought {
    const { terms, postings } = this.#segment;
    const lists: number[] = [];
    let mostRows = 0;
    const addList = (list: number): void => {
      const count = list < 0 ? 0 : postings.count(list);
      if (count === 0) return;
      lists.push(list);
      mostRows += count;
    };
    for (const { term } of alternatives) addList(this.#context.lists(term)[this.#s]);
    const severals: { whole: Several; parts: Sought[] }[] = [];
    for (const whole of wholes ?? []) {
      switch (whole.kind) {
        case "prefix": {
          const [start, end] = prefixRange(terms, whole.prefix);
          for (let list = start; list < end; list++) addList(list);
          break;
        }
        case "all": {
          const parts = this.#present(whole.groups);
          if (parts.length === 0 || parts.length < whole.groups.length) break;
          severals.push({ whole, parts });
          mostRows += parts[0]?.mostRows ?? 0;
          break;
        }
      }
    }
    return { lists, severals, mostRows };
  }

  /** `groups` ascend by `mostRows`. */
  #reaches(groups: readonly Sought[], required: number): boolean {
    if (required === 1) return groups.some((group) => this.#hasAny(group));
    const leads = groups.length - required + 1;
    const led = counted(groups.slice(0, leads).map((group) => this.#rowsOf(group)));
    let end = 0;
    for (let length = FIRST_ROWS; end < led.rows.length; length *= 16) {
      const start = end;
      end = Math.min(start + length, led.rows.length);
      const some = { rows: led.rows.subarray(start, end), counts: led.counts.subarray(start, end) };
      if (this.#oneReaches(some, groups, leads, required)) return true;
    }
    return false;
  }

  /** Whether one of the rows that groups 0..leads-1 have so many times reaches `required`. Writes into the arrays. */
  #oneReaches(
    some: RowCounts,
    groups: readonly Sought[],
    leads: number,
    required: number,
  ): boolean {
    let { rows, counts } = some;
    for (let g = leads; g < groups.length && rows.length > 0; g++) {
      const after = groups.length - 1 - g;
      const flags = this.#flagsOf(rows, groups[g], after === 0);
      let kept = 0;
      for (let i = 0; i < rows.length; i++) {
        const count = counts[i] + flags[i];
        if (count >= required) return true;
        if (count + after < required) continue;
        rows[kept] = rows[i];
        counts[kept++] = count;
      }
      rows = rows.subarray(0, kept);
      counts = counts.subarray(0, kept);
    }
    return counts.some((count) => count >= required);
  }

  #mostOf(groups: readonly Sought[]): number {
    const { counts } = counted(groups.map((group) => this.#rowsOf(group)));
    return counts.reduce((most, count) => Math.max(most, count), 0);
  }

  #hasAny({ lists, severals }: Sought): boolean {
    return (
      lists.some((list) => this.#hasRowIn(list)) ||
      severals.some(({ whole, parts }) => this.#rowsOfAll(whole, parts).length > 0)
    );
  }

  /** Accepted rows that have the group, ascending. */
  #rowsOf({ lists, severals }: Sought): Uint32Array<ArrayBuffer> {
    const { productCount } = this.#segment;
    const [only] = lists;
    if (lists.length === 1 && only !== undefined && severals.length === 0)
      return this.#rowsIn(only);
    const bits = emptyBits(productCount);
    for (const list of lists) this.#mark(list, bits);
    for (const { whole, parts } of severals) {
      for (const row of this.#rowsOfAll(whole, parts)) setBit(bits, row);
    }
    const { accept } = this.#scope;
    if (accept !== null) andInto(bits, accept);
    return rowsOf(bits);
  }

  /** Rows that have all `parts`, in their order where the whole is a phrase. */
  #rowsOfAll(whole: Several, parts: readonly Sought[]): Uint32Array {
    const [rarest, ...others] = parts;
    return rarest === undefined
      ? new Uint32Array(0)
      : this.#havingAll(this.#rowsOf(rarest), whole, others);
  }

  /** Those of the ascending `rows` that have all `parts`. */
  #havingAll(rows: Uint32Array, whole: Several, parts: readonly Sought[]): Uint32Array {
    let left = rows;
    for (const part of parts) {
      if (left.length === 0) return left;
      const flags = this.#flagsOf(left, part, false);
      left = left.filter((_, i) => flags[i] !== 0);
    }
    if (whole.slop === null || left.length === 0) return left;
    const { weights } = this.#scope;
    return left.filter(this.#context.phraseTest(this.#s, whole, whole.slop, weights));
  }

  /**
   * 1 for each of the ascending rows that has the group, else 0.
   * @param isOneEnough it may end with the first
   */
  #flagsOf(rows: Uint32Array, { lists, severals }: Sought, isOneEnough: boolean): Uint8Array {
    const { postings, productCount } = this.#segment;
    const flags = new Uint8Array(rows.length);
    let left = rows.length;
    // One list that is not much longer is walked beside the rows, as a long one is.
    const most = lists.length === 1 ? 0 : rows.length * SKIP;
    const isShort = (list: number): boolean => postings.count(list) <= most;
    const short = lists.filter(isShort);
    if (short.length > 0) {
      const bits = emptyBits(productCount);
      for (const list of short) this.#mark(list, bits);
      for (let i = 0; i < rows.length; i++) {
        if (!hasBit(bits, rows[i])) continue;
        flags[i] = 1;
        left--;
      }
    }
    const isDone = (): boolean => left === 0 || (isOneEnough && left < rows.length);
    for (const list of lists) {
      if (isDone()) return flags;
      if (!isShort(list)) left -= this.#lookUp(list, rows, flags);
    }
    for (const { whole, parts } of severals) {
      if (isDone()) return flags;
      const open = rows.filter((_, i) => flags[i] === 0);
      let at = 0;
      for (const row of this.#havingAll(open, whole, parts)) {
        while (rows[at] !== row) at++;
        flags[at] = 1;
        left--;
      }
    }
    return flags;
  }

  /** Flags those of the rows that have none yet and are in the list; returns how many. */
  #lookUp(list: number, rows: Uint32Array, flags: Uint8Array): number {
    const { scorer } = this.#scope;
    const cursor = borrowCursor(this.#segment.postings, 0);
    cursor.open(list);
    let found = 0;
    for (let i = 0; i < rows.length; i++) {
      if (flags[i] !== 0) continue;
      const row = rows[i];
      const there = cursor.row < row ? cursor.advance(row) : cursor.row;
      if (there === NO_MORE_ROWS) break;
      if (there !== row || !scorer.counts(cursor.code)) continue;
      flags[i] = 1;
      found++;
    }
    return found;
  }

  #hasRowIn(list: number): boolean {
    const { accept, scorer } = this.#scope;
    const cursor = borrowCursor(this.#segment.postings, 0);
    cursor.open(list);
    for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
      if ((accept === null || hasBit(accept, row)) && scorer.counts(cursor.code)) return true;
    }
    return false;
  }

  /** Accepted rows of the list. */
  #rowsIn(list: number): Uint32Array<ArrayBuffer> {
    const { accept, scorer } = this.#scope;
    const { postings } = this.#segment;
    const count = postings.count(list);
    const { rows, codes } = listScratch(0, count);
    postings.decode(list, rows, codes);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      if ((accept === null || hasBit(accept, row)) && scorer.counts(codes[i])) rows[kept++] = row;
    }
    return rows.slice(0, kept);
  }

  /** Sets the bits of the list's rows. */
  #mark(list: number, bits: Uint32Array): void {
    const { scorer } = this.#scope;
    const { postings } = this.#segment;
    const count = postings.count(list);
    const { rows, codes } = listScratch(0, count);
    postings.decode(list, rows, codes);
    for (let i = 0; i < count; i++) {
      if (scorer.counts(codes[i])) setBit(bits, rows[i]);
    }
  }
}

function isDense(groups: number, required: number): boolean {
  return groups - required + 1 > MAX_LEADS;
}

interface RowCounts {
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly counts: Uint8Array<ArrayBuffer>;
}

/** Ascending lists of rows -> the rows of any of them, and in how many each is. */
function counted(lists: readonly Uint32Array<ArrayBuffer>[]): RowCounts {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) {
    return { rows: only, counts: new Uint8Array(only.length).fill(1) };
  }
  let end = 0;
  for (const list of lists) end = Math.max(end, (list.at(-1) ?? -1) + 1);
  const bits = emptyBits(end);
  for (const list of lists) for (const row of list) setBit(bits, row);
  const rows = rowsOf(bits);
  const counts = new Uint8Array(rows.length);
  for (const list of lists) {
    let at = 0;
    for (const row of list) {
      while (rows[at] < row) at++;
      counts[at]++;
    }
  }
  return { rows, counts };
}
