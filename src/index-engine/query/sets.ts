/**
 * Arranged searches: the products of each set (docs/behaviour.md 5.9).
 *
 * Sets are filled in order, and a product belongs to the first set that names it. A searching set requests as many
 * additional products as earlier sets could take from it, so that it still reaches its limit. A set's own filters
 * select its products; the request's filters apply later (execute.ts), as for every product.
 */
import { exactTerm } from "./rank/index.ts";
import { work, type Parts } from "../base/index.ts";
import type { SearchContext } from "./context.ts";
import { scratch } from "./core/scratch.ts";
import type { ArrangedSets, Decision, QueryPlan, SetCandidate, SetPlan, SetsPartial } from "./plan.ts";
import { compareRanked } from "./ranking.ts";
import { SegmentScorers } from "./segment-scorers.ts";
import { SegmentSearch } from "./segment-search.ts";

/** Maximum number of products of a looked-up set (docs/behaviour.md 5.9). */
const MAX_LOOKUP_PRODUCTS = 1_000;

/** A product that was looked up: its id is read and sorted. */
const STEPS_OF_LOOKUP = 30;

export function* resolveSets(context: SearchContext, plan: QueryPlan, decision: Decision): Parts<SetsPartial> {
  // Later sets skip products of earlier sets; those of this reader are among its own candidates.
  let earlier = 0;
  const candidates: (readonly SetCandidate[])[] = [];
  for (const set of plan.sets ?? []) {
    const found = candidatesOf(context, plan, decision, set, earlier);
    earlier += Math.min(capacityOf(set), found.length);
    candidates.push(found);
    yield;
  }
  return { candidates };
}

/**
 * The products of each set by index: equal ids in two indexes are different products.
 * @param indexOf the index of each partial: 0, 1, ...; ascending
 */
export function mergeSets(
  plan: QueryPlan,
  decision: Decision,
  partials: readonly SetsPartial[],
  indexOf: readonly number[],
): ArrangedSets[] {
  const indexes = Math.max(...indexOf) + 1;
  const used = Array.from({ length: indexes }, () => new Set<string>());
  const arranged = used.map(() => ({ ids: [] as string[][], positions: [] as number[][] }));
  (plan.sets ?? []).forEach((set, i) => {
    const order = orderOf(set, decision);
    const candidates = partials
      .flatMap((partial, p) => partial.candidates[i].map((candidate) => ({ candidate, index: indexOf[p] })))
      .sort((a, b) => order(a.candidate, b.candidate));
    for (const { ids, positions } of arranged) {
      ids.push([]);
      positions.push([]);
    }
    // An id may name a product in every index.
    const limit = set.kind === "ids" ? Infinity : capacityOf(set);
    let position = 0;
    for (const { candidate, index } of candidates) {
      if (position >= limit) break;
      if (used[index].has(candidate.id)) continue;
      used[index].add(candidate.id);
      arranged[index].ids[i].push(candidate.id);
      arranged[index].positions[i].push(position++);
    }
  });
  return arranged;
}

function capacityOf(set: SetPlan): number {
  switch (set.kind) {
    case "ids":
      return set.ids.length;
    case "lookup":
      return MAX_LOOKUP_PRODUCTS;
    case "search":
      return set.limit;
    case "nothing":
      return 0;
  }
}

function orderOf(set: SetPlan, decision: Decision): (a: SetCandidate, b: SetCandidate) => number {
  const criteria = set.kind === "search" ? decision.searches[set.search].criteria : [];
  return (a, b) => a.position - b.position || compareRanked(criteria, a, b);
}

function candidatesOf(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  set: SetPlan,
  earlier: number,
): readonly SetCandidate[] {
  switch (set.kind) {
    case "nothing":
      return [];
    case "ids":
      return set.ids.flatMap((id, at) => (context.reader.find(id) === null ? [] : [unranked(id, at)]));
    case "lookup": {
      const found: SetCandidate[] = [];
      set.words.forEach((words, at) => {
        if (found.length >= MAX_LOOKUP_PRODUCTS) return;
        const groups = words.map(exactTerm);
        context.reader.segments.forEach(({ segment }, s) => {
          const scorer = new SegmentScorers(context, s, decision.statistics).words(groups, set.weights);
          const mark = scratch.mark();
          try {
            const { rows, count } = scorer.collect(context.filterBitset(s, []).products);
            work.spend(count * STEPS_OF_LOOKUP);
            for (let i = 0; i < count; i++) found.push(unranked(segment.ids.get(rows[i]), at));
          } finally {
            scratch.release(mark);
          }
        });
      });
      return found.sort(orderOf(set, decision)).slice(0, MAX_LOOKUP_PRODUCTS);
    }
    case "search": {
      const { filters } = decision.searches[set.search];
      const k = set.limit + earlier;
      const found: SetCandidate[] = [];
      context.reader.segments.forEach((_, s) => {
        const search = new SegmentSearch(context, plan, decision, set.search, s);
        const matched = search.matches(context.filterBitset(s, filters));
        for (const one of search.best(search.ranked(matched), matched, k, null)) {
          const { id, keys, score, rank, isPartial } = one;
          found.push({ id, keys, score, rank, isPartial, position: 0 });
        }
      });
      return found.sort(orderOf(set, decision)).slice(0, k);
    }
  }
}

function unranked(id: string, position: number): SetCandidate {
  return { id, position, keys: [], score: 0, rank: 0, isPartial: false };
}
