/**
 * Calls that change nothing: searches and suggestions, whole or in rounds over several shards
 * (protocol/search-rounds.ts), documents, statistics, the export. Each uses the reader of the moment it was admitted;
 * only the export sees later writes (export.ts).
 */
import { decodeUtf8, utf8Of } from "../../../index-engine/base/index.ts";
import { parseVerbatim, type FieldPlan } from "../../../index-engine/documents/index.ts";
import { keepDocument, keptDocument } from "../../../index-engine/answer/render/index.ts";
import { suggestPartial, suggestParts } from "../../../index-engine/answer/suggest/index.ts";
import type { Reader } from "../../../index-engine/index/index.ts";
import { ShardSearch } from "../../../index-engine/shards/index.ts";
import { ServiceError, type SuggestConfig, type TenantConfig } from "../../../interface/index.ts";
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import type { ShardStore } from "../store/index.ts";
import {
  isStale,
  ROUNDS_VERSION,
  STALE,
  type BeginSearchCall,
  type BegunSearch,
  type ContinueSearchCall,
  type DocumentCall,
  type ExportCall,
  type SearchAnswer,
  type SearchCall,
  type SearchRoundAnswer,
  type ShardCall,
  type ShardResult,
  type ShardStats,
  type Stale,
  type SuggestAnswer,
  type SuggestCall,
  type SuggestPart,
  type SuggestPartCall,
  type Unchanged,
} from "../../protocol/index.ts";
import { inTurns, suggestInTurns, type RunParts } from "../../expensive-searches.ts";
import { fail, ok, type Failure } from "../../results.ts";
import type { Admission, ShardConfiguration, ShardMemory } from "../standing/index.ts";
import { liveIds, ndjsonOf, PAGE_BYTES, type Page } from "./export.ts";
import { Pinned } from "./pinned.ts";
import { PinnedSearches } from "./pinned-searches.ts";
import { answerRound } from "./rounds.ts";
import { answerSearch } from "./search.ts";
import { shardStats } from "./stats.ts";

/** What all rounds of a suggestion use. */
interface SuggestedFrom {
  readonly reader: Reader;
  readonly plan: FieldPlan;
  readonly config: SuggestConfig;
  readonly logPosition: number;
}

export class Reading {
  readonly #store: ShardStore;
  readonly #memory: ShardMemory;
  readonly #admission: Admission;
  readonly #searches: PinnedSearches;
  readonly #suggestions: Pinned<SuggestedFrom>;
  readonly #searchMs: number;

  /** @param searchMs time limit of a search over several shards */
  constructor(store: ShardStore, memory: ShardMemory, admission: Admission, searchMs: number) {
    this.#store = store;
    this.#memory = memory;
    this.#admission = admission;
    this.#searchMs = searchMs;
    this.#searches = new PinnedSearches(searchMs);
    this.#suggestions = new Pinned(searchMs);
  }

  /** Call when the shard begins a new life. Searches and suggestions between rounds start over. */
  forget(): void {
    this.#searches.clear();
    this.#suggestions.clear();
  }

  // ---- one shard

  async search(call: SearchCall): Promise<ShardResult<SearchAnswer>> {
    return inTurns((run) => this.#search(call, run));
  }

  async #search(call: SearchCall, run: RunParts): Promise<ShardResult<SearchAnswer>> {
    const admitted = await this.#admission.admitConfigured(call);
    if (isStale(admitted)) return admitted;
    const { shard, configuration } = admitted;
    const tenant = configuration.tenant(call.tenant);
    if (tenant === null) return noTenant(call.tenant);
    const logPosition = this.#logPosition();
    const sources = this.#memory.sources(shard);
    const rules = configuration.rules(call.tenant, shard.plan.analyzer);
    const reader = shard.seenThrough(tenant.filters);
    const answer = await answerSearch({ shard, reader }, sources, tenant, rules, call, run);
    return answer === null ? STALE : ok({ ...answer, logPosition });
  }

  async suggest(call: SuggestCall): Promise<ShardResult<SuggestAnswer>> {
    return suggestInTurns((run) => this.#suggest(call, run));
  }

  async #suggest(call: SuggestCall, run: RunParts): Promise<ShardResult<SuggestAnswer>> {
    const admitted = await this.#admission.admitConfigured(call);
    if (isStale(admitted)) return admitted;
    const { shard, configuration } = admitted;
    const filters = filtersOf(configuration, call.tenant);
    if (filters === null) return noTenant(call.tenant ?? undefined);
    const own = configuration.ownQueries(shard.plan.analyzer);
    const reader = shard.seenThrough(filters);
    const logPosition = this.#logPosition();
    const suggestions = await run(suggestParts(reader, shard.plan, configuration.suggest(), call.request, own));
    return ok({ suggestions, logPosition });
  }

  async document(call: DocumentCall): Promise<ShardResult<string>> {
    const admitted = await this.#admission.admitConfigured(call);
    if (isStale(admitted)) return admitted;
    const { shard, configuration } = admitted;
    const filters = filtersOf(configuration, call.tenant);
    if (filters === null) return noTenant(call.tenant ?? undefined);
    const { plan } = shard;
    const ref = shard.place(call.id, filters);
    if (ref === null) return noDocument(call.id);
    const kept = keptDocument(plan, ref, "whole");
    if (kept !== null) return ok(decodeUtf8(kept.json, 0, kept.json.length));
    const [source = null] = this.#memory.sources(shard).several([ref]);
    if (source !== null) {
      const json = wholeJson(plan, source);
      keepDocument(plan, ref, "whole", { json: utf8Of(json), sourceBytes: source.byteLength });
      return ok(json);
    }
    const page = await this.#sourcesNow(call, [call.id], filters);
    if (isStale(page)) return page;
    const [fetched] = page.sources;
    return fetched === undefined ? noDocument(call.id) : ok(wholeJson(plan, fetched));
  }

  async stats(call: ShardCall): Promise<ShardResult<ShardStats>> {
    const shard = await this.#admission.admit(call);
    if (isStale(shard)) return shard;
    const state = this.#store.state();
    return state === null ? STALE : ok(shardStats(this.#store, state, shard, this.#admission.rulesBytes));
  }

  // ---- several shards

  async beginSearch(call: BeginSearchCall): Promise<ShardResult<BegunSearch | Unchanged>> {
    if (call.roundsVersion !== ROUNDS_VERSION) return STALE;
    const untilMs = Date.now() + this.#searchMs;
    // After a longer wait the Worker has answered 503.
    return inTurns(async (run) => (Date.now() > untilMs ? STALE : this.#beginSearch(call, run)));
  }

  async #beginSearch(call: BeginSearchCall, run: RunParts): Promise<ShardResult<BegunSearch | Unchanged>> {
    const admitted = await this.#admission.admitConfigured(call);
    if (isStale(admitted)) return admitted;
    const { shard, configuration } = admitted;
    const tenant = configuration.tenant(call.tenant);
    if (tenant === null) return noTenant(call.tenant);
    const logPosition = this.#logPosition();
    const { version: configurationVersion } = configuration;
    const { request, step, unlessIn } = call;
    if (unlessIn?.logPosition === logPosition && unlessIn.configurationVersion === configurationVersion) {
      return ok({ unchanged: true });
    }
    const { physicalName } = shard.manifest;
    const rules = configuration.rules(call.tenant, shard.plan.analyzer);
    const reader = shard.seenThrough(tenant.filters);
    const search = new ShardSearch(reader, shard.plan, {
      request,
      tenant,
      rules,
      physicalName,
    });
    const statistics = await run(search.statistics(step));
    const token = this.#searches.add(search, call);
    return ok({
      roundsVersion: ROUNDS_VERSION,
      configurationVersion,
      token,
      statistics,
      logPosition,
    });
  }

  async continueSearch(call: ContinueSearchCall): Promise<ShardResult<SearchRoundAnswer>> {
    return this.#searches.using(call.token, () => inTurns((run) => this.#continueSearch(call, run)));
  }

  async #continueSearch(call: ContinueSearchCall, run: RunParts): Promise<ShardResult<SearchRoundAnswer>> {
    const shard = await this.#admission.admit(call);
    if (isStale(shard)) return shard;
    const pinned = this.#searches.find(call.token, call);
    if (pinned === null) return STALE;
    try {
      const answer = await answerRound(pinned, this.#memory.sources(shard), call.round, run);
      return answer === null ? STALE : ok(answer);
    } catch (error) {
      // It may wait for its turn now, and many others with it.
      pinned.search.forgetMatches();
      throw error;
    }
  }

  async suggestPart(call: SuggestPartCall): Promise<ShardResult<SuggestPart>> {
    const untilMs = Date.now() + this.#searchMs;
    const { token } = call;
    // After a longer wait the Worker has answered 503.
    const answer = (): Promise<ShardResult<SuggestPart>> =>
      suggestInTurns(async (run) => (Date.now() > untilMs ? STALE : this.#suggestPart(call, run)));
    return token === undefined ? answer() : this.#suggestions.using(token, answer);
  }

  async #suggestPart(call: SuggestPartCall, run: RunParts): Promise<ShardResult<SuggestPart>> {
    const { request, followUps } = call;
    const from = call.token === undefined ? await this.#suggestFrom(call) : this.#suggestions.find(call.token, call);
    if (from === null) return STALE;
    if (!("reader" in from)) return from;
    const { reader, plan, config, logPosition } = from;
    const partial = await run(suggestPartial(reader, plan, config, request, followUps));
    return ok({ partial, logPosition, token: call.token ?? this.#suggestions.add(from, call) });
  }

  /** What a suggestion begins with. */
  async #suggestFrom(call: SuggestPartCall): Promise<SuggestedFrom | Stale | Failure> {
    const admitted = await this.#admission.admitConfigured(call);
    if (isStale(admitted)) return admitted;
    const { shard, configuration } = admitted;
    const filters = filtersOf(configuration, call.tenant);
    if (filters === null) return noTenant(call.tenant ?? undefined);
    const reader = shard.seenThrough(filters);
    return { reader, plan: shard.plan, config: configuration.suggest(), logPosition: this.#logPosition() };
  }

  // ---- the export

  /** NDJSON of the documents that pass the filters. Fails when another generation goes live meanwhile. */
  async documents(call: ExportCall): Promise<ReadableStream<Uint8Array> | Stale> {
    const { filters, withPrivate } = call;
    const shard = await this.#admission.admit(call);
    if (isStale(shard)) return shard;
    const { plan } = shard;
    return ndjsonOf(liveIds(shard.seenThrough(filters)), async (ids) => {
      const page = await this.#sourcesNow(call, ids, filters);
      // Another generation is live, so the export must not look complete.
      if (isStale(page)) throw new ServiceError("index_unavailable", "The index was replaced.");
      const { sources, count } = page;
      return withPrivate || !plan.hasPrivate
        ? page
        : { sources: sources.map((source) => encoder.encode(publicJson(plan, source))), count };
    });
  }

  /**
   * The sources of the first of these documents, without those that are deleted or hidden by `filters`. If a write or a
   * checkpoint moves a source meanwhile, they are looked up again in another turn.
   */
  async #sourcesNow(call: ShardCall, ids: readonly string[], filters: TenantConfig["filters"]): Promise<Page | Stale> {
    for (let attempt = 0; attempt < MOST_LOOK_UPS; attempt++) {
      if (attempt > 0) await scheduler.wait(0);
      const shard = await this.#admission.admit(call);
      if (isStale(shard)) return shard;
      const sources = this.#memory.sources(shard);
      const found: (Uint8Array | StoredRef)[] = [];
      const missing: StoredRef[] = [];
      const chunks = new Set<string>();
      let count = 0;
      let sizeBytes = 0;
      for (const id of ids) {
        if (sizeBytes >= PAGE_BYTES) break;
        count++;
        const ref = shard.place(id, filters);
        if (ref === null) continue;
        const source = sources.get(ref);
        found.push(source ?? ref);
        if (source === null) missing.push(ref);
        const chunk = `${ref.block}/${ref.chunk}`;
        if (source !== null) sizeBytes += source.byteLength;
        else if (!chunks.has(chunk)) sizeBytes += sources.chunkBytes(ref);
        chunks.add(chunk);
      }
      if (!missing.every((ref) => sources.isPublished(ref))) continue;
      if (missing.length > 0) await sources.fetch(missing);
      const all = found.map((one) => (one instanceof Uint8Array ? one : sources.get(one)));
      const there = all.filter((source) => source !== null);
      if (there.length === all.length) return { sources: there, count };
    }
    throw new ServiceError("index_unavailable", "The documents are changing too fast; try again.");
  }

  #logPosition(): number {
    return this.#store.serving()?.logPosition ?? 0;
  }
}

/** No filters for the index as a whole (no `tenant`); null: this index has no such tenant. */
function filtersOf(configuration: ShardConfiguration, tenant: string | null = null): TenantConfig["filters"] | null {
  return tenant === null ? {} : (configuration.tenant(tenant)?.filters ?? null);
}

function noTenant(name = ""): Failure {
  return fail("index_not_found", `Index ${name} not found`);
}

function noDocument(id: string): Failure {
  return fail("document_not_found", `Document ${id} not found`);
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

function wholeJson(plan: FieldPlan, source: Uint8Array): string {
  return JSON.stringify(plan.whole(parseVerbatim(decoder.decode(source))));
}

function publicJson(plan: FieldPlan, source: Uint8Array): string {
  return JSON.stringify(plan.public(parseVerbatim(decoder.decode(source))));
}

/** Attempts to look up the documents of a page. */
const MOST_LOOK_UPS = 8;
