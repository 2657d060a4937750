/**
 * One shard's side of one search over several shards (messages.ts). Holds the reader of its first round.
 *
 * After `execute` it keeps reader, plan, bitsets of filters, the best hits and the facet counts. Counts can take a
 * megabyte. The caller may drop them; they are then counted again on demand.
 *
 * Rounds run in parts (base/work.ts).
 */
import type { SearchRequest, TenantConfig } from "../../interface/index.ts";
import {
  answerFacetFollowUps,
  countFacets,
  EAGERNESS,
  facetPartial,
  facetQueryPartial,
  type Eagerness,
  type FacetAnswer,
  type FacetFollowUp,
  type FacetPartial,
  type LocalFacetCounts,
} from "../answer/facets/index.ts";
import type { FieldPlan } from "../documents/index.ts";
import {
  type EngineHit,
  answer,
  askedGroups,
  execute,
  ExpandedTerms,
  fetchHits,
  prepare,
  resolveSets,
  SearchContext,
  shownFilters,
  gatherStatistics,
  unfetchedHit,
  type Answers,
  type Decision,
  type Partial,
  type QueryPlan,
  type SetsPartial,
} from "../query/index.ts";
import type { StoredRef } from "../segment/model/index.ts";
import type { Reader } from "../index/index.ts";
import type { CompiledRules } from "../query/rules/index.ts";
import { work, type Parts } from "../base/index.ts";
import {
  hitViewOf,
  keptHit,
  renderHit,
  renderHitInParts,
  sortableFields,
  type HitInput,
  type HitView,
  type JsonPieces,
} from "../answer/render/index.ts";
import {
  EAGER_WINDOW,
  type DecideStep,
  type ExecuteStep,
  type ShardStatistics,
  type SetsStep,
  type StatisticsStep,
} from "./messages.ts";

interface Executed {
  readonly step: ExecuteStep;
  readonly partial: Partial;
  /** How hits are shown. */
  readonly view: HitView | null;
  /** Null without facets, or if they were dropped. */
  counts: LocalFacetCounts | null;
}

/** Hits of this shard, ready to be rendered once their sources are read. */
export interface ShardHits {
  readonly hits: readonly EngineHit[];
  readonly refs: readonly StoredRef[];
}

export class ShardSearch {
  readonly #context: SearchContext;
  readonly #plan: QueryPlan;
  readonly #request: SearchRequest;
  readonly #tenant: TenantConfig;
  readonly #physicalName: string;
  readonly #eagerness: Eagerness;
  readonly #eagerWindow: number;
  #executed: Executed | null = null;

  constructor(
    reader: Reader,
    fields: FieldPlan,
    search: {
      readonly request: SearchRequest;
      readonly tenant: TenantConfig;
      readonly rules?: CompiledRules | null;
      readonly physicalName: string;
      readonly eagerness?: Eagerness;
      readonly eagerWindow?: number;
    },
  ) {
    this.#context = new SearchContext(reader, fields);
    this.#plan = work.within(() => prepare(search.request, search.tenant, fields, search.rules ?? null));
    this.#request = search.request;
    this.#tenant = search.tenant;
    this.#physicalName = search.physicalName;
    this.#eagerness = search.eagerness ?? EAGERNESS;
    this.#eagerWindow = search.eagerWindow ?? EAGER_WINDOW;
  }

  /** Frees what it has matched. Later steps match again. */
  forgetMatches(): void {
    this.#context.forgetMatches();
  }

  /** Of the facet counts. */
  get countedBytes(): number {
    return this.#executed?.counts?.sizeBytes ?? 0;
  }

  forgetCounts(): void {
    if (this.#executed !== null) this.#executed.counts = null;
  }

  *statistics({ known, withPlan, expansions }: StatisticsStep): Parts<ShardStatistics> {
    const { reader, fields } = this.#context;
    const source = expansions === null ? null : new ExpandedTerms(expansions, fields.analyzer);
    return {
      plan: withPlan ? this.#plan : null,
      globals: yield* gatherStatistics(this.#context, this.#plan, known ?? undefined, source),
      physicalName: this.#physicalName,
      language: fields.language,
      sortable: sortableFields(reader.segments, fields, this.#tenant.sortOptions),
    };
  }

  decide({ ask }: DecideStep): Parts<Answers> {
    return answer(this.#context, ask);
  }

  sets({ decision }: SetsStep): Parts<SetsPartial> {
    return resolveSets(this.#context, this.#plan, decision);
  }

  /** `eagerHits` are the positions of hits to send with the answer. Null if they are requested later. */
  *execute(step: ExecuteStep): Parts<{
    readonly partial: Partial;
    readonly facets: FacetPartial | null;
    readonly eagerHits: readonly number[] | null;
  }> {
    const { decision } = step;
    const { partial, counts } = yield* this.#counted(step);
    const view = hitViewOf(this.#request, askedGroups(decision), this.#context.fields.analyzer);
    this.#executed = { step, partial, view, counts };
    this.#context.forgetMatches();
    yield;
    const { offset, limit } = this.#plan;
    return {
      partial,
      facets: counts === null ? null : yield* this.#facetPartial(counts, decision, partial),
      eagerHits: offset + limit <= this.#eagerWindow ? partial.hits.map((_, i) => i) : null,
    };
  }

  *#counted({ decision, arranged }: ExecuteStep): Parts<{
    readonly partial: Partial;
    readonly counts: LocalFacetCounts | null;
  }> {
    const { countInputs, ...partial } = yield* execute(this.#context, this.#plan, decision, arranged);
    yield;
    return { partial, counts: countInputs === null ? null : yield* countFacets(countInputs) };
  }

  *#facetPartial(
    counts: LocalFacetCounts,
    decision: Decision,
    { matchCount }: Pick<Partial, "matchCount">,
  ): Parts<FacetPartial> {
    const execution = { matchCount, filters: shownFilters(decision) };
    const { fields: plan } = this.#context;
    const context = { counts, execution, tenant: this.#tenant, plan, request: this.#request };
    return this.#request.facetQueries === undefined
      ? yield* facetPartial(context, this.#eagerness)
      : yield* facetQueryPartial(context);
  }

  /** @param positions positions in the hits of the partial */
  *hits(positions: readonly number[]): Parts<ShardHits> {
    const { decision } = this.#afterExecute().step;
    const unfetched = positions.map((position) => unfetchedHit(decision, this.#hit(position)));
    return { hits: yield* fetchHits(this.#context, this.#plan, decision, unfetched), refs: this.refs(positions) };
  }

  /** Places of the hits' sources. */
  refs(positions: readonly number[]): StoredRef[] {
    return positions.map((position) => {
      const { segment, row } = this.#hit(position);
      return this.#context.live(segment).segment.storedRef(row);
    });
  }

  #hit(position: number): Partial["hits"][number] {
    const hit = this.#afterExecute().partial.hits[position];
    if (hit === undefined) throw new RangeError(`there is no hit ${position}`);
    return hit;
  }

  /** The JSON of a hit. With `ref`, the place of its source, the result is cached. */
  render(hit: EngineHit, source: Uint8Array, ref: StoredRef | null = null): JsonPieces {
    return renderHit(hit, source, this.#hitInput(), ref);
  }

  /** The same; in parts if the document is not shown as it is. */
  renderInParts(hit: EngineHit, source: Uint8Array, ref: StoredRef): JsonPieces | Parts<JsonPieces> {
    return renderHitInParts(hit, source, this.#hitInput(), ref);
  }

  /** JSON and size of a hit whose document is cached; null if its source is needed. */
  kept(hit: EngineHit, ref: StoredRef): ReturnType<typeof keptHit> {
    return keptHit(hit, ref, this.#hitInput());
  }

  #hitInput(): HitInput {
    const { view } = this.#afterExecute();
    const { fields: plan } = this.#context;
    return { request: this.#request, plan, view, indexName: this.#physicalName };
  }

  *facets(followUps: readonly FacetFollowUp[]): Parts<FacetAnswer[]> {
    if (followUps.length === 0) return [];
    const executed = this.#afterExecute();
    executed.counts ??= (yield* this.#counted(executed.step)).counts;
    const { counts } = executed;
    if (counts === null) throw new Error("facets were requested from a search without facets");
    return answerFacetFollowUps({ counts, tenant: this.#tenant }, followUps, this.#eagerness);
  }

  #afterExecute(): Executed {
    if (this.#executed === null) throw new Error("`more` was requested before `execute`");
    return this.#executed;
  }
}
