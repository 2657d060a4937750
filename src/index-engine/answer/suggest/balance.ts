/**
 * Distributes the places among suggestions if the shop has not configured it. The order is: the
 * shop's own queries, brands and categories, then phrases, then titles.
 *
 *   eight places     5 brands and categories, 30 phrases, 9 titles    ->   5 and 3 phrases
 *                    9 brands and categories, 30 phrases              ->   4 and 4 phrases
 *                    1 brand, 2 phrases, 9 titles                     ->   1, 2 phrases, 2 titles
 *                    9 titles and nothing else                        ->   8 titles
 *
 * Phrases get half of the places even if others could fill more. Titles come last and get at most a
 * quarter, unless there is nothing else: a title stands for one product, but a shopper who has
 * typed a letter or two is looking for a kind of product.
 */
import { withoutRepeated } from "./groups.ts";
import { KEYWORD, TITLE, type Match } from "./label.ts";

/**
 * Labels of a kind to look at per place. Some are dropped because others have the same words. With fewer, places stay
 * empty; more cost time with every letter typed.
 */
export const LABELS_PER_PLACE = 2;

const SHARE_OF_TITLES = 0.25;

const OWN = "own";
const BRAND = "brand";
const ORDER = [OWN, BRAND, "category", KEYWORD, TITLE] as const;

function kindOf({ label }: Match): string {
  return label.payload === undefined ? label.field : OWN;
}

const ONCE = {
  deduplicate: true,
  group: { key: null, shareConf: [], cutoffConf: [], deduplicationOrder: ORDER },
};

/**
 * The first labels of each kind that differ in more than case and the forms of their words: "Brake Discs" but not
 * "brake disc". Brands are names, so each of them is kept: "Hunter" and "Hunters".
 * @param matches best first
 * @param stemsOf equal for texts that differ in the forms of their words only
 */
export function distinctLabels(matches: readonly Match[], limit: number, stemsOf: (text: string) => string): Match[] {
  const counts = new Map<string, number>();
  const first = withoutRepeated(matches, ({ label }) => label.text, kindOf, ONCE).filter((match) => {
    const count = (counts.get(kindOf(match)) ?? 0) + 1;
    counts.set(kindOf(match), count);
    return count <= limit * LABELS_PER_PLACE;
  });
  const kept = new Set(withoutRepeated(first, ({ label }) => stemsOf(label.text), kindOf, ONCE));
  return first.filter((match) => kept.has(match) || kindOf(match) === BRAND);
}

/** @param distinct best first */
export function balanced(distinct: readonly Match[], limit: number): Match[] {
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

/** Those of `others` that have a different text than all `matches`. */
export function withoutThoseOf(matches: readonly Match[], others: readonly Match[]): Match[] {
  const known = new Set(matches.map(({ label }) => label.text.toLowerCase()));
  return others.filter(({ label }) => !known.has(label.text.toLowerCase()));
}
