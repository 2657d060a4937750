/**
 * Which suggestions share the places where the shop has not said so: queries of its own, brands and
 * categories, then phrases, then titles.
 *
 *   eight places     5 brands and categories, 30 phrases, 9 titles    ->   5 and 3 phrases
 *                    9 brands and categories, 30 phrases              ->   4 and 4 phrases
 *                    1 brand, 2 phrases, 9 titles                     ->   1, 2 phrases, 2 titles
 *                    9 titles and nothing else                        ->   8 titles
 *
 * Half of the places are for phrases where others would fill more; titles fill a quarter at most,
 * behind the others, unless there is nothing else. A product title says one product; a shopper who
 * has typed a letter or two is looking for a kind.
 */
import { withoutRepeated } from "./groups.ts";
import { KEYWORD, TITLE, type Match } from "./label.ts";

/** Phrases that are looked for: some are dropped because a brand or a category says the same. */
export const PHRASES_PER_PLACE = 2;

const SHARE_OF_TITLES = 0.25;

const OWN = "own";
const ORDER = [OWN, "brand", "category", KEYWORD, TITLE] as const;

function kindOf({ label }: Match): string {
  return label.payload === undefined ? label.field : OWN;
}

/** Each text once, whatever its case. */
export function onePerPhrase(matches: readonly Match[]): Match[] {
  return withoutRepeated(matches, ({ label }) => label.text, kindOf, {
    deduplicate: true,
    group: { key: null, shareConf: [], cutoffConf: [], deduplicationOrder: ORDER },
  });
}

/**
 * @param matches best first
 */
export function balanced(matches: readonly Match[], limit: number): Match[] {
  const distinct = onePerPhrase(matches);
  const ofKind = (kind: string): Match[] => distinct.filter((match) => kindOf(match) === kind);
  const [phrases, titles] = [ofKind(KEYWORD), ofKind(TITLE)];
  const isPlain = new Set([...phrases, ...titles]);
  const named = distinct.filter((match) => !isPlain.has(match));
  const placed = phrases.slice(0, Math.max(limit - named.length, Math.floor(limit / 2)));
  placed.push(...named.slice(0, limit - placed.length));
  const inOrder = distinct.filter((match) => placed.includes(match));
  const mostTitles = inOrder.length === 0 ? limit : Math.ceil(limit * SHARE_OF_TITLES);
  return [...inOrder, ...titles.slice(0, mostTitles)].slice(0, limit);
}

/** Those of `others` whose text none of `matches` has. */
export function withoutThoseOf(matches: readonly Match[], others: readonly Match[]): Match[] {
  const known = new Set(matches.map(({ label }) => label.text.toLowerCase()));
  return others.filter(({ label }) => !known.has(label.text.toLowerCase()));
}
