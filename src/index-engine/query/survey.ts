/**
 * What only the data knows about a plan, per reader; and the sum over readers.
 *
 * Filters and sorts mean the same on every shard only if every shard knows the kinds of the asked names on all of them. A survey
 * is made with what is known: this reader's own kinds, or (second try, when surveys turned out to differ) those of all.
 */
import { resolveFilters, type PlannedFilter } from "../filter/index.ts";
import { hasBit } from "../bits.ts";
import {
  FACET_KINDS,
  NO_MORE_ROWS,
  type FacetKind,
  type LiveSegment,
  type PostingCursor,
} from "../model.ts";
import type { ColumnKind } from "../rank/index.ts";
import type { SearchContext } from "./context.ts";
import { hasLiveNumber, hasLiveString } from "./live-columns.ts";
import { mostOfStage } from "./match-stage.ts";
import type { KnownFields, QueryPlan, SearchPlan, StageSurvey, Survey } from "./plan.ts";
import { expandStage } from "./stages/expand.ts";
import {
  explorationNeeds,
  explore,
  ExploredSource,
  frequencyOfLists,
  mergeExplorations,
  type Explored,
} from "./stages/explore.ts";
import type { ExpansionSource } from "./stages/source.ts";
import { isPlain } from "./stages/stage.ts";

/** Of a reader that searches alone: its own dictionary is all there is, and is asked where a stage needs it. */
export function surveyAlone(context: SearchContext, plan: QueryPlan): Survey {
  const known = knownFields(context, plan);
  return {
    ...shared(context, plan, known),
    stages: plan.searches.map((search) =>
      surveyStages(context, search, known, context.explorer, () => true),
    ),
    exploration: null,
  };
}

/**
 * Of one of several shards.
 * @param known the kinds on all shards, when an earlier round found them
 * @param source what all shards know of the words; null: nothing is known yet, so only the leading plain stages are tried, and where
 * they find nothing this shard's own knowledge is sent along
 */
export function survey(
  context: SearchContext,
  plan: QueryPlan,
  known: KnownFields = knownFields(context, plan),
  source: ExpansionSource | null = null,
): Survey {
  if (source !== null) {
    return {
      ...shared(context, plan, known),
      stages: plan.searches.map((search) =>
        surveyStages(context, search, known, source, () => true),
      ),
      exploration: null,
    };
  }
  const { analyzer } = context.fields;
  const nothing = new ExploredSource({ exploration: null, frequencies: [] }, analyzer);
  const stages = plan.searches.map((search) =>
    surveyStages(context, search, known, nothing, (stage) => stage < leadingPlain(search)),
  );
  const open = plan.searches.flatMap(({ query }, i) =>
    query.kind === "words" &&
    stages[i].stage < 0 &&
    leadingPlain(plan.searches[i]) < query.stages.length
      ? [query]
      : [],
  );
  return {
    ...shared(context, plan, known),
    stages,
    exploration:
      open.length === 0
        ? null
        : explore(context.reader.segments, explorationNeeds(open, analyzer), (term) =>
            context.lists(term),
          ),
  };
}

function shared(
  context: SearchContext,
  plan: QueryPlan,
  known: KnownFields,
): Omit<Survey, "stages" | "exploration"> {
  return {
    known,
    consistent: true,
    statistics: context.statistics,
    documentFrequencies: plan.terms.map((term) =>
      frequencyOfLists(context.reader.segments, context.lists(term)),
    ),
  };
}

/** How many stages at the front need no dictionary. */
function leadingPlain({ query }: SearchPlan): number {
  if (query.kind !== "words") return 0;
  const first = query.stages.findIndex((stage) => !isPlain(stage));
  return first < 0 ? query.stages.length : first;
}

/** Whether a search has stages left that need to know the words of all shards. */
export function needsExploration(plan: QueryPlan, merged: Survey): boolean {
  return plan.searches.some(
    (search, i) =>
      search.query.kind === "words" &&
      merged.stages[i].stage < 0 &&
      leadingPlain(search) < search.query.stages.length,
  );
}

/** What all shards of an index know, from their merged surveys. */
export function exploredOf(plan: QueryPlan, merged: Survey): Explored {
  return {
    exploration: merged.exploration,
    frequencies: plan.terms.map((term, i) => [term, merged.documentFrequencies[i] ?? 0]),
  };
}

/** Of the shards of one index. */
export function mergeSurveys(surveys: readonly Survey[]): Survey {
  const [first] = surveys;
  if (first === undefined) throw new Error("no survey to merge");
  if (surveys.length === 1) return first;
  const sum = (values: (one: Survey) => readonly number[]): number[] =>
    values(first).map((_, i) => surveys.reduce((total, one) => total + values(one)[i], 0));
  return {
    ...uniteKnown(surveys),
    statistics: {
      productCount: surveys.reduce((total, one) => total + one.statistics.productCount, 0),
      lengthSums: sum((one) => one.statistics.lengthSums),
    },
    documentFrequencies: sum((one) => one.documentFrequencies),
    stages: first.stages.map((_, i) => mergeStages(surveys.map((one) => one.stages[i]))),
    exploration: mergeExplorations(surveys.map((one) => one.exploration)),
  };
}

/** The first stage that holds anywhere, with the most groups that it matches anywhere. */
export function mergeStages(stages: readonly StageSurvey[]): StageSurvey {
  const held = stages.filter(({ stage }) => stage >= 0).map(({ stage }) => stage);
  if (held.length === 0) return { stage: -1, mostGroups: 0 };
  const stage = Math.min(...held);
  const most = stages.filter((one) => one.stage === stage).map(({ mostGroups }) => mostGroups);
  return { stage, mostGroups: Math.max(...most) };
}

/** Of the shards of any indexes. */
export function uniteKnown(surveys: readonly Survey[]): Pick<Survey, "known" | "consistent"> {
  const filters = unite(
    surveys.map((one) => one.known.filters),
    FACET_KINDS,
  );
  const columns = unite<ColumnKind>(
    surveys.map((one) => one.known.columns),
    ["number", "string"],
  );
  const sortFacets = unite(
    surveys.map((one) => one.known.sortFacets),
    FACET_KINDS,
  );
  return {
    // What is sorted by is decided once for all, so surveys may differ in it.
    known: { filters, columns, sortFacets },
    // A reader without products has nothing to misunderstand.
    consistent: surveys.every(
      (one) =>
        one.statistics.productCount === 0 ||
        (isSame(one.known.filters, filters) && isSame(one.known.columns, columns)),
    ),
  };
}

/** The filters of a search, as every step understands them; those of rules come last. */
export function filtersOfSearch(
  search: SearchPlan,
  known: KnownFields,
): { readonly filters: PlannedFilter[]; readonly ofRules: number } {
  const kinds = (field: string): readonly FacetKind[] => known.filters.get(field) ?? [];
  const { postFields, sensitiveTrees, rangesBut } = search;
  const own = resolveFilters(search.filters, kinds, (field) => {
    const isOnly = (kind: FacetKind): boolean => kinds(field).every((one) => one === kind);
    return (
      postFields.includes(field) ||
      (sensitiveTrees !== null && !sensitiveTrees.includes(field) && isOnly("path")) ||
      (rangesBut !== undefined && !rangesBut.includes(field) && isOnly("number"))
    );
  });
  const induced = resolveFilters(search.inducedFilters, kinds, () => false);
  return { filters: [...own, ...induced], ofRules: induced.length };
}

function knownFields(context: SearchContext, plan: QueryPlan): KnownFields {
  const filters = new Map<string, readonly FacetKind[]>();
  const columns = new Map<string, readonly ColumnKind[]>();
  const { segments } = context.reader;
  for (const [name, configured] of plan.filterFields) {
    filters.set(
      name,
      FACET_KINDS.filter(
        (kind) =>
          configured.includes(kind) ||
          segments.some((live) => hasLiveValue(live, name, kind, false)),
      ),
    );
  }
  for (const name of plan.sortFields) {
    const kinds: ColumnKind[] = [];
    if (segments.some((live) => hasLiveNumber(live, name))) kinds.push("number");
    if (segments.some((live) => hasLiveString(live, name))) kinds.push("string");
    columns.set(name, kinds);
  }
  const sortFacets = new Map<string, readonly FacetKind[]>();
  for (const name of plan.sortFacets) {
    sortFacets.set(
      name,
      FACET_KINDS.filter((kind) => segments.some((live) => hasLiveValue(live, name, kind, true))),
    );
  }
  return { filters, columns, sortFacets };
}

/**
 * Whether a live product has a value of the field. A segment goes on naming fields of deleted products until it is merged, and
 * answers must not depend on that (invariant I4).
 * @param isListed whether only values count that are facet entries
 */
export function hasLiveValue(
  live: LiveSegment,
  name: string,
  kind: FacetKind,
  isListed: boolean,
): boolean {
  const { facets, hasVariants, productOfVariantRow } = live.segment;
  const field = facets.field(name, kind);
  if (field === null || (isListed && !field.facet)) return false;
  const { deleted } = live;
  if (deleted === null || live.deletedCount === 0) return true;
  const cursors: { readonly cursor: PostingCursor; readonly ofVariants: boolean }[] = [];
  if (field.onProducts)
    cursors.push({ cursor: facets.productPostings.cursor(), ofVariants: false });
  if (field.onVariants && facets.variantPostings !== null) {
    cursors.push({ cursor: facets.variantPostings.cursor(), ofVariants: hasVariants });
  }
  for (const { cursor, ofVariants } of cursors) {
    for (let ordinal = field.start; ordinal < field.end; ordinal++) {
      if (isListed && facets.unlisted !== null && hasBit(facets.unlisted, ordinal)) continue;
      cursor.open(ordinal);
      for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
        if (!hasBit(deleted, ofVariants ? productOfVariantRow[row] : row)) return true;
      }
    }
  }
  return false;
}

/** The first stage that finds something here, of those that `isTried`. */
function surveyStages(
  context: SearchContext,
  search: SearchPlan,
  known: KnownFields,
  source: ExpansionSource,
  isTried: (stage: number) => boolean,
): StageSurvey {
  const { query } = search;
  // Without words there is one stage; where nothing is left of what was asked, none of them holds.
  if (query.kind === "none") return { stage: -1, mostGroups: 0 };
  if (query.kind !== "words") return { stage: 0, mostGroups: 1 };
  const { filters } = filtersOfSearch(search, known);
  const { stages, firstStage } = query;
  for (let stage = firstStage; stage < stages.length && isTried(stage); stage++) {
    const startMs = context.nowMs();
    const { analyzer } = context.fields;
    const asked = expandStage(query.words, stages[stage], stage, source, analyzer, true);
    let most = 0;
    for (let s = 0; s < context.reader.segments.length; s++) {
      const accept = context.passing(s, filters).products;
      most = mostOfStage(context, s, query.words, asked, accept, most);
      if (most >= asked.required) break;
    }
    context.noteStage(search, stage, startMs);
    if (most > 0) return { stage, mostGroups: most };
  }
  return { stage: -1, mostGroups: 0 };
}

function unite<Kind extends string>(
  maps: readonly ReadonlyMap<string, readonly Kind[]>[],
  order: readonly Kind[],
): Map<string, readonly Kind[]> {
  const united = new Map<string, readonly Kind[]>();
  for (const name of new Set(maps.flatMap((map) => [...map.keys()]))) {
    united.set(
      name,
      order.filter((kind) => maps.some((map) => map.get(name)?.includes(kind) === true)),
    );
  }
  return united;
}

function isSame<Kind extends string>(
  a: ReadonlyMap<string, readonly Kind[]>,
  b: ReadonlyMap<string, readonly Kind[]>,
): boolean {
  for (const [name, kinds] of b) if ((a.get(name) ?? []).length !== kinds.length) return false;
  return true;
}
