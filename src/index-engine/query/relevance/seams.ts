/**
 * Pairs of characters across two words that are written together, in scripts without spaces. The analysis does not
 * know words, so a query for 무선이어폰 (wireless earphones) asks for four pairs:
 *
 *   무선 180 products    선이 12    이어 170    어폰 170        선이 need not match
 *   家庭 200 products    庭靴 1                                 靴 (shoes) is enough for 庭靴
 *
 * A pair within a word is in all products with the word, a pair across two words only where they are written together.
 * So a pair that is rarer than its neighbours is taken for a seam. If the neighbours have both of its characters, it
 * is optional. At the end of a run, the character that no neighbour has may stand for the pair.
 */
import { isUnspaced } from "../../analysis/index.ts";
import type { WordQuery } from "../plan.ts";
import type { ExpansionSource } from "../stages/dictionary.ts";
import { SEAM } from "./policy.ts";

export interface Seams {
  /** Numbers of optional terms. */
  readonly optional: ReadonlySet<number>;
  /** By number of a term: the characters that may stand for it, all of which must match. */
  readonly characters: ReadonlyMap<number, readonly string[]>;
}

/** Whatever the frequencies are, the same terms are looked up: a shard does not know those of the others. */
export function seamsOf({ terms, sequence }: WordQuery, source: ExpansionSource): Seams {
  const optional = new Set<number>();
  const characters = new Map<number, readonly string[]>();
  const pairs = sequence.map((at) => pairOf(terms[at]));
  for (const [i, pair] of pairs.entries()) {
    if (pair === null) continue;
    const at = sequence[i];
    const isJoinedBefore = i > 0 && pairs[i - 1]?.[1] === pair[0];
    const isJoinedAfter = pairs[i + 1]?.[0] === pair[1];
    const neighbours = [...(isJoinedBefore ? [sequence[i - 1]] : []), ...(isJoinedAfter ? [sequence[i + 1]] : [])];
    const own = [...(isJoinedBefore ? [] : [pair[0]]), ...(isJoinedAfter ? [] : [pair[1]])];
    const known = own.filter((character) => source.knownIn(character) > 0);
    const least = Math.min(...neighbours.map((one) => source.frequencyOf(terms[one])));
    const frequency = source.frequencyOf(terms[at]);
    if (neighbours.length === 0 ? frequency > 0 : frequency * SEAM >= least) continue;
    if (own.length === 0) {
      if (!optional.has(neighbours[0])) optional.add(at);
    } else if (known.length === own.length) characters.set(at, own);
  }
  return { optional, characters };
}

/** Thai. */
const FIRST_UNSPACED = 0x0e00;
const PAIR = /^(\P{M}\p{M}*)(\P{M}\p{M}*)$/u;

/** The characters of a pair of a script without spaces; null: another term. */
function pairOf(term: string): readonly [string, string] | null {
  if (term.charCodeAt(0) < FIRST_UNSPACED) return null;
  const [, first = "", second = ""] = PAIR.exec(term) ?? [];
  return second !== "" && isUnspaced(first) && isUnspaced(second) ? [first, second] : null;
}
