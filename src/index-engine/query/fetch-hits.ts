/**
 * The last step of a search: adds variants and sort values to the hits of the page. Runs on the reader of each hit.
 */
import { getOrInsert, type Parts } from "../base/index.ts";
import type { EngineHit } from "./execution.ts";
import {
  STOCK_FIELD,
  bindSort,
  inStockOf,
  inStockOfVariant,
  signatureWeights,
  type BoundCriterion,
  type TermGroup,
} from "./rank/index.ts";
import { VariantPicker, type NamedVariants } from "./variants/index.ts";
import type { SearchContext } from "./context.ts";
import { areHitsExplained, explainHit } from "./explain/index.ts";
import { MAIN_SEARCH, type Decision, type QueryPlan } from "./plan.ts";

/**
 * In parts (base/work.ts): a product may have thousands of variants.
 * @param hits hits of this reader
 */
export function* fetchHits<Hit extends EngineHit>(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  hits: readonly Hit[],
): Parts<Hit[]> {
  const segments = new Map<number, BoundSegment>();
  const isExplained = areHitsExplained(plan);
  const fetched: Hit[] = [];
  for (const hit of hits) {
    const bound = getOrInsert(segments, hit.segment, (s) => bindSegment(context, plan, decision, s));
    const { segment } = context.live(hit.segment);
    const hasVariants = segment.variantsOf(hit.row) > 0;
    const picked = hasVariants ? bound.picker().pick(hit.row) : null;
    const { code } = plan.variants;
    const named = hasVariants && code !== null ? bound.picker().named(hit.row) : [];
    fetched.push({
      ...hit,
      variant: picked?.variant ?? null,
      ...(plan.isScorePrivate && { score: null }),
      variantScore: plan.isScorePrivate ? null : (picked?.score ?? null),
      isSoldOut: hasVariants && picked === null && !bound.isInStock(hit.row),
      sortValues: bound.sort.map((criterion) => criterion.shown(hit.row)),
      sortedFields: sortedFields(context, decision, hit),
      ...(code !== null && named.length > 0 && { named: namedVariants(plan, code, named) }),
      ...(isExplained && {
        explanation: explainHit(context, plan, decision, hit, bound.picker().explain(hit.row)),
      }),
    });
    // Explanations of all variants of a page take memory, too, so together they are limited as one part.
    if (hasVariants && !isExplained) yield;
  }
  return fetched;
}

function namedVariants({ isScorePrivate }: QueryPlan, code: string, named: NamedVariants["variants"]): NamedVariants {
  return { code, variants: named.map(({ variant, score }) => ({ variant, score: isScorePrivate ? null : score })) };
}

interface BoundSegment {
  /** Created for the first hit with variants. */
  picker(): VariantPicker;
  readonly sort: readonly BoundCriterion[];
  readonly isInStock: (row: number) => boolean;
}

function bindSegment(context: SearchContext, plan: QueryPlan, decision: Decision, s: number): BoundSegment {
  const { segment } = context.live(s);
  const sort = bindSort(segment, decision.searches[MAIN_SEARCH].criteria);
  let made: VariantPicker | null = null;
  const picker = (): VariantPicker => (made ??= pickerOf(context, plan, decision, s, sort));
  const isInStock = context.fields.isPrivate(STOCK_FIELD) ? () => true : inStockOf(segment);
  return { picker, sort, isInStock };
}

function pickerOf(
  context: SearchContext,
  plan: QueryPlan,
  decision: Decision,
  s: number,
  sort: readonly BoundCriterion[],
): VariantPicker {
  const { segment } = context.live(s);
  const { filters, query } = decision.searches[MAIN_SEARCH];
  const { strategy, boosts, preferringFields } = plan.variants;
  const isPreferred = filters.some(({ shown }) => preferringFields.includes(shown.field));
  const weights = query?.weights ?? plan.searches[MAIN_SEARCH].weights;
  return new VariantPicker({
    segment,
    strategy: isPreferred ? "pickAlways" : strategy,
    groups: query === null ? [] : [...query.groups, ...query.optional].flatMap(plainGroups),
    boosts,
    strengths: signatureWeights(segment, weights, (field) => context.fields.normGroup(field)).strengths,
    passing: context.filterBitset(s, filters).variants,
    criteria: sort,
    // An order by a private stock would tell it.
    isInStock: context.fields.isPrivate(STOCK_FIELD) ? () => true : inStockOfVariant(segment),
    scoring: plan.scoring,
    listOf: (term) => context.lists(term)[s],
  });
}

/** The number columns with several values of the product: the hit shows the one that sorts (docs/behaviour.md 3.9). */
function sortedFields(context: SearchContext, decision: Decision, hit: EngineHit): EngineHit["sortedFields"] {
  const { segment } = context.live(hit.segment);
  const fields: { field: string; value: number; prefix: string }[] = [];
  for (const { field, kind, descending, facet } of decision.searches[MAIN_SEARCH].criteria) {
    const column = kind === "number" && facet === null ? segment.numberColumns.get(field) : undefined;
    if (column === undefined) continue;
    const smallest = column.min(hit.row);
    const largest = column.max(hit.row);
    // A missing value is NaN, which is never smaller.
    if (!(smallest < largest) || fields.some((known) => known.field === field)) continue;
    fields.push({
      field,
      value: descending ? largest : smallest,
      prefix: descending ? "{to}" : "{from}",
    });
  }
  return fields;
}

/** The words that rank variants, each separately; parts of joined words count separately too. */
function plainGroups(group: TermGroup): TermGroup[] {
  const parts = (group.subQueries ?? []).flatMap((sub) => (sub.kind === "all" ? sub.groups.flatMap(plainGroups) : []));
  return group.alternatives.length === 0 ? parts : [group, ...parts];
}
