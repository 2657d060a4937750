/**
 * Terms that have a beginning within some edits of a word that is still being typed.
 *
 * Walks the front-coded terms in order, with one row of the matrix of edits.ts per letter. A term takes over the rows
 * of the letters that it shares with the one before. Where no cell of a row is within `most`, no longer beginning is,
 * so all terms that share these letters are passed over:
 *
 *   word mirror, 2 edits   mirr ..     m i r r: rows of 4 letters
 *                          mirza       takes over 3 rows, adds 2
 *                          mixtape     takes over 2 rows; none of "mixta" is near enough
 *                          mixtapes    nothing to do
 */
import { type FrontCodedTable, STRING_BLOCK, StringScan } from "../../segment/strings/index.ts";

const FAR = 1 << 20;

/** Calls `found` with the terms [start, end), all exact, in order. Every edit costs 1, also of the first letter. */
export function eachBeginning(
  table: FrontCodedTable,
  [start, end]: readonly [start: number, end: number],
  letters: readonly number[],
  most: number,
  found: (ordinal: number, edits: number) => void,
): void {
  const n = letters.length;
  const width = n + 1;
  const deepest = n + most;
  // Row j: cost of turning letters[0..i) into the first j letters of the term, at j * width + i. Cells outside of the
  // band stay far.
  const rows = new Int32Array((deepest + 1) * width).fill(FAR);
  for (let i = 0; i <= Math.min(n, most); i++) rows[i] = i;
  /** By number of letters: bytes, the last letter, and the least cost of the whole word so far. */
  const bytesAt = new Int32Array(deepest + 1);
  const letterAt = new Int32Array(deepest + 1);
  const costAt = new Int32Array(deepest + 1);
  costAt[0] = n <= most ? n : FAR;
  let depth = 0;
  /** Number of letters from which on no beginning is within `most`. */
  let dead = Infinity;

  const scan = new StringScan();
  scan.reset(table, start - (start % STRING_BLOCK));
  while (scan.ordinal + 1 < end && scan.next()) {
    const { bytes, length, shared } = scan;
    while (bytesAt[depth] > shared) depth--;
    if (depth < dead) dead = Infinity;
    for (let at = bytesAt[depth]; at < length && depth < deepest && depth < dead;) {
      let letter = bytes[at++];
      if (letter >= 128) {
        const following = letter < 0xe0 ? 1 : letter < 0xf0 ? 2 : 3;
        letter &= 0x3f >>> following;
        for (let i = 0; i < following; i++) letter = (letter << 6) | (bytes[at++] & 0x3f);
      }
      const j = ++depth;
      bytesAt[j] = at;
      letterAt[j] = letter;
      const row = j * width;
      const low = Math.max(0, j - most);
      const high = Math.min(n, j + most);
      let least = FAR;
      for (let i = low; i <= high; i++) {
        let cost = rows[row - width + i] + 1;
        if (i > 0) {
          const own = letters[i - 1];
          const deleted = rows[row + i - 1] + 1;
          if (deleted < cost) cost = deleted;
          const replaced = rows[row - width + i - 1] + (own === letter ? 0 : 1);
          if (replaced < cost) cost = replaced;
          if (i > 1 && j > 1 && own === letterAt[j - 1] && letter === letters[i - 2]) {
            const swapped = rows[row - 2 * width + i - 2] + 1;
            if (swapped < cost) cost = swapped;
          }
        }
        rows[row + i] = cost;
        if (cost < least) least = cost;
      }
      costAt[j] = high === n ? Math.min(costAt[j - 1], rows[row + n]) : costAt[j - 1];
      if (least > most) dead = j;
    }
    if (scan.ordinal >= start && costAt[depth] <= most) found(scan.ordinal, costAt[depth]);
  }
}
