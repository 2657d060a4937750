/**
 * The cost of turning one word into another: optimal string alignment (Damerau's four edits, no
 * letter edited twice). Letters are code points.
 *
 *   insert, delete, substitute a letter, transpose two adjacent ones:  1
 *   the same if it affects the first letter of either word:            firstLetter
 *
 * An edit affects the first letter if that letter is deleted, replaced or moved, or another one is
 * inserted before it. "sshoes" costs 1 from "shoes", because its second s counts as inserted.
 *
 * Dynamic programming over a band: every edit costs at least 1, so cells more than `most` off the
 * diagonal do not matter.
 */

const FAR = 1 << 20;

let rows = [new Int32Array(80), new Int32Array(80), new Int32Array(80)] as const;

/**
 * The cost, or `most + 1` if it exceeds `most`.
 * @param toBeginning turn `from` into the prefix of `to` with the lowest cost
 */
export function editCost(
  from: readonly number[],
  to: readonly number[],
  most: number,
  firstLetter: number,
  toBeginning = false,
): number {
  const n = from.length;
  const m = toBeginning ? Math.min(to.length, n + most) : to.length;
  if (n - m > most || m - n > most) return most + 1;
  if (n === 0 || m === 0) {
    const cost = n + m === 0 ? 0 : firstLetter + n + m - 1;
    return cost <= most ? cost : most + 1;
  }
  if (rows[0].length < n + 2) {
    rows = [new Int32Array(2 * n), new Int32Array(2 * n), new Int32Array(2 * n)];
  }
  // Row j: cost of turning from[0..i) into to[0..j), by i; only cells of the band, plus one far
  // cell on each side of it.
  let [before, previous, current] = rows;
  previous[0] = 0;
  const head = Math.min(n, most);
  for (let i = 1; i <= head; i++) previous[i] = firstLetter + i - 1;
  if (head < n) previous[head + 1] = FAR;
  let cheapest = FAR;

  for (let j = 1; j <= m; j++) {
    const letter = to[j - 1];
    const low = j - most;
    const high = Math.min(n, j + most);
    let least = FAR;
    if (low <= 0) {
      current[0] = firstLetter + j - 1;
      least = current[0];
    } else {
      current[low - 1] = FAR;
    }
    for (let i = low > 1 ? low : 1; i <= high; i++) {
      const own = from[i - 1];
      let cost = previous[i - 1];
      if (own !== letter) {
        cost += i === 1 || j === 1 ? firstLetter : 1;
        if (i > 1 && j > 1 && own === to[j - 2] && letter === from[i - 2]) {
          const swapped = before[i - 2] + (i === 2 || j === 2 ? firstLetter : 1);
          if (swapped < cost) cost = swapped;
        }
      }
      const deleted = current[i - 1] + (i === 1 ? firstLetter : 1);
      if (deleted < cost) cost = deleted;
      const inserted = previous[i] + (j === 1 ? firstLetter : 1);
      if (inserted < cost) cost = inserted;
      current[i] = cost;
      if (cost < least) least = cost;
    }
    if (high < n) current[high + 1] = FAR;
    if (least > most) {
      // A transposition spans at most two rows.
      let over = FAR;
      for (let i = low > 0 ? low - 1 : 0; i <= high; i++) if (previous[i] < over) over = previous[i];
      if (over >= most) break;
    }
    if (high === n && (toBeginning || j === m) && current[n] < cheapest) cheapest = current[n];
    [before, previous, current] = [previous, current, before];
  }
  return cheapest <= most ? cheapest : most + 1;
}
