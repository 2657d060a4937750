/** Values by row -> posting lists of rows by value. */
import { release } from "../../base/index.ts";
import type { SectionWriter } from "../format/index.ts";
import { PostingsWriter } from "./writer.ts";

/** Row r has the distinct values[starts[a] .. starts[a + 1]), where a = order[r]. */
interface ValuesOfRows {
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
  readonly values: Uint32Array;
  /** Rows between two steps. */
  readonly perStep: number;
}

/** Between two steps. */
const POSTINGS_PER_STEP = 4_096;
/** Cost of a list in addition to its postings. */
const POSTINGS_PER_LIST = 4;

/** How often each value occurs in the rows. */
export function* countValues(
  { order, starts, values, perStep }: ValuesOfRows,
  size: number,
): Generator<void, Uint32Array, void> {
  const counts = new Uint32Array(size);
  for (let row = 0; row < order.length; row++) {
    if (row % perStep === perStep - 1) yield;
    const place = order[row];
    for (let i = starts[place]; i < starts[place + 1]; i++) counts[values[i]]++;
  }
  yield;
  return counts;
}

/**
 * Writes the posting lists of values in the order of `lists`. Counting sort by value: rows are visited in order, so
 * those of each list ascend.
 * @param counts of `countValues`
 * @param coded the code of the posting at place i is codes[of[i]]; null: no codes
 */
export function* writeInverted(
  sections: SectionWriter,
  base: number,
  { order, starts, values, perStep }: ValuesOfRows,
  counts: Uint32Array,
  lists: ArrayLike<number>,
  coded: { readonly of: Uint32Array; readonly codes: Uint32Array } | null,
): Generator<void, void, void> {
  /** Where the list of a value starts; later, where it ends. */
  const placed = new Uint32Array(counts.length);
  let total = 0;
  for (let list = 0; list < lists.length; list++) {
    const value = lists[list];
    placed[value] = total;
    total += counts[value];
  }
  const inverted = new Uint32Array(total);
  const codes = coded === null ? null : new Uint32Array(total);
  yield;
  for (let row = 0; row < order.length; row++) {
    if (row % perStep === perStep - 1) yield;
    const place = order[row];
    for (let i = starts[place]; i < starts[place + 1]; i++) {
      const at = placed[values[i]]++;
      inverted[at] = row;
      if (coded !== null && codes !== null) codes[at] = coded.codes[coded.of[i]];
    }
  }
  const postings = new PostingsWriter(order.length);
  let written = 0;
  for (let list = 0; list < lists.length; list++) {
    const value = lists[list];
    postings.add(inverted, codes, placed[value] - counts[value], placed[value]);
    written += counts[value] + POSTINGS_PER_LIST;
    if (written <= POSTINGS_PER_STEP) continue;
    written = 0;
    yield;
  }
  postings.finish(sections, base);
  release(inverted);
  if (codes !== null) release(codes);
}
