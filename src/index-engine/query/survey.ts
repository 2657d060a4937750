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
import { liveFrequency } from "../reader.ts";
import type { ColumnKind } from "../rank/index.ts";
import { unitScale, type SearchContext } from "./context.ts";
import { matchesAny, mostGroups } from "./match-words.ts";
import type { KnownFields, QueryPlan, SearchPlan, StageSurvey, Survey } from "./plan.ts";

/** @param known the kinds on all shards, when an earlier round found them */
export function survey(
  context: SearchContext,
  plan: QueryPlan,
  known: KnownFields = knownFields(context, plan),
): Survey {
  return {
    known,
    consistent: true,
    statistics: context.statistics,
    documentFrequencies: plan.terms.map((term) => documentFrequency(context, term)),
    stages: plan.searches.map((search) => surveyStage(context, search, known)),
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
    stages: first.stages.map((_, i) => ({
      mostGroups: Math.max(...surveys.map((one) => one.stages[i].mostGroups)),
    })),
  };
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
  return {
    known: { filters, columns },
    // A reader without products has nothing to misunderstand.
    consistent: surveys.every(
      (one) =>
        one.statistics.productCount === 0 ||
        (isSame(one.known.filters, filters) && isSame(one.known.columns, columns)),
    ),
  };
}

/** The filters of a search, as every step understands them. */
export function filtersOfSearch(search: SearchPlan, known: KnownFields): PlannedFilter[] {
  return resolveFilters(
    search.filters,
    (field) => known.filters.get(field) ?? [],
    (field) => search.postFields.includes(field),
  );
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
          configured.includes(kind) || segments.some((live) => hasLiveValue(live, name, kind)),
      ),
    );
  }
  for (const name of plan.sortFields) {
    const kinds: ColumnKind[] = [];
    if (segments.some((live) => hasLiveNumber(live, name))) kinds.push("number");
    if (segments.some((live) => hasLiveString(live, name))) kinds.push("string");
    columns.set(name, kinds);
  }
  return { filters, columns };
}

/**
 * Whether a live product has a value of the field. A segment goes on naming fields of deleted products until it is merged, and
 * answers must not depend on that (invariant I4).
 */
function hasLiveValue(live: LiveSegment, name: string, kind: FacetKind): boolean {
  const { facets, hasVariants, productOfVariantRow } = live.segment;
  const field = facets.field(name, kind);
  if (field === null) return false;
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
      cursor.open(ordinal);
      for (let row = cursor.row; row !== NO_MORE_ROWS; row = cursor.next()) {
        if (!hasBit(deleted, ofVariants ? productOfVariantRow[row] : row)) return true;
      }
    }
  }
  return false;
}

/** Whether a live product has a number in the column. */
export function hasLiveNumber(live: LiveSegment, name: string): boolean {
  const column = live.segment.numberColumns.get(name);
  return column !== undefined && someLiveRow(live, (row) => !Number.isNaN(column.min(row)));
}

export function hasLiveString(live: LiveSegment, name: string): boolean {
  const column = live.segment.stringColumns.get(name);
  return column !== undefined && someLiveRow(live, (row) => column.min(row) >= 0);
}

/** Without deletions a column has a value somewhere, or it would not be there. */
function someLiveRow(live: LiveSegment, accept: (row: number) => boolean): boolean {
  const { segment, deleted, deletedCount } = live;
  if (deleted === null || deletedCount === 0) return true;
  for (let row = 0; row < segment.productCount; row++) {
    if (!hasBit(deleted, row) && accept(row)) return true;
  }
  return false;
}

function documentFrequency(context: SearchContext, term: string): number {
  const lists = context.lists(term);
  let frequency = 0;
  for (let s = 0; s < lists.length; s++) {
    if (lists[s] >= 0) frequency += liveFrequency(context.live(s), lists[s]);
  }
  return frequency;
}

function surveyStage(context: SearchContext, search: SearchPlan, known: KnownFields): StageSurvey {
  const { query } = search;
  // With one word there is no second stage: nothing to find out.
  if (query.kind !== "groups" || query.groups.length === 1) return { mostGroups: 1 };
  const filters = filtersOfSearch(search, known);
  const { statistics } = context;
  const segments = context.reader.segments.map(({ segment }, s) => ({
    segment,
    groups: context.bind(s, query.groups, unitScale),
    accept: context.passing(s, filters).products,
    scorer: context.scorer(s, search.weights, statistics),
  }));
  // Words that no product has cannot decide anything: mostly some product matches all the others, which is quickly found.
  const present = query.groups
    .map((_, g) => g)
    .filter((g) => segments.some(({ groups }) => groups[g].postings > 0));
  for (const { segment, groups, accept, scorer } of segments) {
    const some = present.length === groups.length ? groups : present.map((g) => groups[g]);
    if (matchesAny(segment, some, accept, scorer)) return { mostGroups: present.length };
  }
  let most = 0;
  for (const { segment, groups, accept, scorer } of segments) {
    most = mostGroups(segment, groups, most, accept, scorer);
  }
  return { mostGroups: most };
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
