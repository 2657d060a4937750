/**
 * Products with one word of the query in their brand and another one in their leaf category come before products that
 * have its words elsewhere, however rare those words are:
 *
 *   puma shoe chartreuse   shoes of Puma, then the only chartreuse mug
 *
 * Only where products lack a word, and only in queries whose brands and kinds are boosted (role-boosts.ts). Without
 * stages, products with all words are in the first group, too, and the query has three words: in a longer one, another
 * product may have more of them ("amusement park lego set": an amusement park of Lego before other sets of Lego). With
 * stages that relax, all products have equally many. The shop has the last word: nothing of this applies beside UP and
 * DOWN of its rules, nor where its scoring functions replace the text score.
 */
import { scratch } from "./core/scratch.ts";
import { NO_MATCH } from "./core/scorer.ts";
import type { Matches } from "./core/match.ts";
import type { SearchContext } from "./context.ts";
import { subset } from "./matching.ts";
import type { QueryPlan, ScoreBoost, Settlement, WordsAsked } from "./plan.ts";
import { BRAND_FIELD, KIND_FIELD } from "./role-boosts.ts";
import type { Statistics } from "./rank/index.ts";
import { ALL_WORDS } from "./relevance/policy.ts";
import { SegmentScorers } from "./segment-scorers.ts";

/** The words of a product in one role: none, the number of the only one + 1, or several. */
const NONE = 0;
const SEVERAL = 255;

/** A brand, a kind and one more. */
const WORDS = 3;

/** Whether brand and kind may decide the order of a search without stages. */
export function mayBeByBrandAndKind(asked: WordsAsked): boolean {
  return asked.groups.length === WORDS && hasRoles(asked);
}

function hasRoles({ boosts }: WordsAsked): boolean {
  return boosts.length > 0 && boosts.every(({ line }) => line === null);
}

/** Whether they decide the order of a search. @param settlement null: with stages */
export function isByBrandAndKind(plan: QueryPlan, asked: WordsAsked, settlement: Settlement | null): boolean {
  if (plan.scoring?.boostMode === "replace") return false;
  if (settlement !== null) return settlement.isBrandAndKindFirst;
  return asked.requirement === "most" && asked.required < asked.groups.length && hasRoles(asked);
}

/**
 * The matches that come first, and the others.
 * @param settlement null: with stages
 */
export function splitByBrandAndKind(
  context: SearchContext,
  s: number,
  asked: WordsAsked,
  settlement: Settlement | null,
  statistics: Statistics,
  matches: Matches,
): readonly [first: Matches, others: Matches] {
  const { rows, weights } = matches;
  const hasBoth = brandsAndKinds(context, s, asked, statistics, rows);
  const isFirst = (i: number): boolean =>
    hasBoth?.[i] === 1 || (settlement !== null && (weights === null || weights[i] === ALL_WORDS));
  const first: number[] = [];
  const others: number[] = [];
  for (let i = 0; i < rows.length; i++) (isFirst(i) ? first : others).push(i);
  return [subset(matches, first), subset(matches, others)];
}

/**
 * 1 for each of these rows that has a word in its brand and another one in its leaf category; null: none has.
 * @param rows ascend
 */
export function brandsAndKinds(
  context: SearchContext,
  s: number,
  asked: WordsAsked,
  statistics: Statistics,
  rows: Uint32Array,
): Uint8Array | null {
  if (rows.length === 0) return null;
  const scorers = new SegmentScorers(context, s, statistics);
  const mark = scratch.mark();
  try {
    const scores = scratch.scores(rows.length);
    const inRole = (field: string, some: Uint32Array): Uint8Array => {
      const words = new Uint8Array(some.length);
      const boosts = asked.boosts.filter((boost) => fieldOf(boost) === field);
      boosts.forEach(({ groups: [group], weights }, word) => {
        const scorer = scorers.word(group, weights ?? asked.weights);
        if (scorer.mostRows === 0) return;
        scorer.score(some, some.length, scores);
        for (let i = 0; i < some.length; i++) {
          if (scores[i] !== NO_MATCH) words[i] = words[i] === NONE ? Math.min(word + 1, SEVERAL) : SEVERAL;
        }
      });
      return words;
    };
    const brands = inRole(BRAND_FIELD, rows);
    const positions: number[] = [];
    for (let i = 0; i < rows.length; i++) if (brands[i] !== NONE) positions.push(i);
    if (positions.length === 0) return null;
    const kinds = inRole(
      KIND_FIELD,
      Uint32Array.from(positions, (i) => rows[i]),
    );
    let hasBoth: Uint8Array | null = null;
    positions.forEach((i, at) => {
      const kind = kinds[at];
      if (kind === NONE || (kind === brands[i] && kind !== SEVERAL)) return;
      hasBoth ??= new Uint8Array(rows.length);
      hasBoth[i] = 1;
    });
    return hasBoth;
  } finally {
    scratch.release(mark);
  }
}

/** The field of a role's boost; null: a rule's. */
function fieldOf({ line, weights }: ScoreBoost): string | null {
  return line === null ? (weights?.entries[0]?.field ?? null) : null;
}
