/**
 * Caches routes of indexes and the configuration per isolate, with the retry loop that makes the cache safe
 * (invariant I6).
 *
 *   attempt 1: cached, or fetched                  --> shard answers       done
 *                                                  --> shard says STALE    fetch anew, attempt 2; pause, attempt 3, ...
 *                                                                          and at last 503
 *
 * A shard refuses calls with another epoch than its own or with a configuration older than it knows, unless their
 * tenant is the same in both. So the cache may be arbitrarily old without ever causing an outdated answer; a miss costs
 * one extra round trip.
 *
 * Absence is never cached, and never concluded from the cache: before a 404 both are
 * fetched again. Only values are cached, not promises, which belong to the request that created them. While one
 * request fetches a snapshot, others that need it poll until it arrives, because snapshots may be large.
 */
import { getOrInsert } from "../index-engine/base/index.ts";
import {
  ServiceError,
  readConfiguration,
  resolveSuggestTenant,
  resolveTenantConfig,
  unwrap,
  type ConfigurationDocument,
  type TenantConfig,
} from "../interface/index.ts";
import {
  catalogStub,
  indexStub,
  isInterruption,
  isStale,
  tenantTag,
  type CatalogSnapshot,
  type ObjectsEnv,
  type Route,
  type ShardResult,
} from "../objects/index.ts";
import type { WorkerEnv } from "./settings.ts";

/** Calls that the platform interrupts. */
const ATTEMPTS = 3;
/**
 * Answers STALE: each attempt fetches what has changed. Several in a row come from a storm of changes, or from a
 * deploy, during which shards may not understand each other's rounds.
 */
const STALE_ATTEMPTS = 10;
/** Before the third attempt; doubled for each further one. */
const PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 40;

const LOOK_AGAIN_MS = 5;
/**
 * Usually a fetch takes less. After that, the request that began it may be gone: one of those that wait begins
 * another.
 */
const FETCH_LAPSES_AFTER_MS = 1_000;
/** After waiting this long, a request fetches for itself. */
const LONGEST_WAIT_MS = 5_000;

/** Input of one attempt. */
export interface Target {
  /** Route of the index; for a tenant with several, of the first. */
  readonly route: Route;
  /** All indexes of the tenant, in the order of its configuration. */
  readonly routes: readonly Route[];
  readonly configurationVersion: number;
  /** The configuration of that version. */
  readonly snapshot: CatalogSnapshot;
}

interface Tenant {
  readonly config: TenantConfig;
  readonly tag: string;
}

/** The target of a tenant. */
export interface TenantTarget extends Target {
  readonly tenant: TenantConfig;
}

/** The same, with the tag of its tenant (TenantCall). */
export interface TaggedTarget extends TenantTarget {
  readonly tenantTag: string;
}

/** Whether the caller may see this name in this configuration; otherwise it is treated as unknown. */
export type Sight = (snapshot: CatalogSnapshot) => Promise<boolean>;

interface Memory {
  snapshot: CatalogSnapshot | null;
  /** Tenants resolved with this snapshot so far. */
  tenants: Map<string, Tenant>;
  readonly routes: Map<string, Route>;
  /** Fetches of snapshots are numbered: the last that began, and the last of those that have ended. */
  begun: number;
  ended: number;
  /** The last that may lack our own last change. */
  outdated: number;
  /** When those began that are under way, by number. */
  readonly fetches: Map<number, number>;
}

/** Keyed by binding, so that Workers that share an isolate (as in local development) do not share caches. */
const memories = new WeakMap<object, Memory>();

function memoryOf(env: ObjectsEnv): Memory {
  return getOrInsert(memories, env.CATALOG, () => ({
    snapshot: null,
    tenants: new Map(),
    routes: new Map(),
    begun: 0,
    ended: 0,
    outdated: 0,
    fetches: new Map(),
  }));
}

/** The name of the tenant or of one of its indexes. */
interface Missing {
  readonly missing: string;
}

export class Directory {
  readonly #env: WorkerEnv;
  readonly #memory: Memory;

  constructor(env: WorkerEnv) {
    this.#env = env;
    this.#memory = memoryOf(env);
  }

  /** The current catalog; unchanged parts are not fetched again. */
  async freshSnapshot(): Promise<CatalogSnapshot> {
    const memory = this.#memory;
    const number = ++memory.begun;
    memory.fetches.set(number, Date.now());
    try {
      const snapshot = await this.#fetch(memory.snapshot);
      if (number > memory.ended) this.#keep(snapshot, number);
      return snapshot;
    } finally {
      memory.fetches.delete(number);
    }
  }

  async #fetch(known: CatalogSnapshot | null): Promise<CatalogSnapshot> {
    const catalog = catalogStub(this.#env);
    const now = known === null ? null : await catalog.names();
    if (known === null || now?.version !== known.version) return catalog.snapshot();
    return isSame(now.indexNames, known.indexNames) ? known : { ...known, indexNames: now.indexNames };
  }

  #keep(snapshot: CatalogSnapshot, number: number): void {
    const memory = this.#memory;
    memory.ended = number;
    if (memory.snapshot === snapshot) return;
    memory.snapshot = snapshot;
    memory.tenants = new Map();
  }

  /** The result of a fetch with a higher number. Waits for one that is under way instead of beginning another. */
  async #snapshotAfter(number: number): Promise<CatalogSnapshot> {
    const memory = this.#memory;
    const askedMs = Date.now();
    while (memory.ended <= number && this.#isFetching() && Date.now() <= askedMs + LONGEST_WAIT_MS) {
      await scheduler.wait(LOOK_AGAIN_MS);
    }
    return memory.snapshot !== null && memory.ended > number ? memory.snapshot : this.freshSnapshot();
  }

  /** Whether a fetch is under way that can still be expected to end, with something new. */
  #isFetching(): boolean {
    const { fetches, ended } = this.#memory;
    const lapsedMs = Date.now() - FETCH_LAPSES_AFTER_MS;
    for (const [number, begunMs] of fetches) if (number <= ended || begunMs < lapsedMs) fetches.delete(number);
    return fetches.size > 0;
  }

  /** The catalog as it is now or later: requests that come at once share a call. */
  async snapshotOfNow(): Promise<CatalogSnapshot> {
    return this.#snapshotAfter(this.#memory.begun);
  }

  /** @param after null: the cached one will do */
  async #snapshot(after: number | null): Promise<CatalogSnapshot> {
    const { snapshot, ended, outdated } = this.#memory;
    if (after === null && snapshot !== null && ended > outdated) return snapshot;
    return this.#snapshotAfter(Math.max(after ?? 0, outdated));
  }

  /** Called after our own change, so that the next request does not need a STALE. */
  forgetSnapshot(): void {
    this.#memory.outdated = this.#memory.begun;
  }

  /** The current route. Throws 404 index_not_found. */
  async freshRoute(indexName: string): Promise<Route> {
    this.#memory.routes.delete(indexName);
    const route = unwrap(await indexStub(this.#env, indexName).route());
    this.#memory.routes.set(indexName, route);
    return route;
  }

  /** Caches a route from an answer, so that the next call needs no lookup. */
  remember(route: Route): void {
    this.#memory.routes.set(route.indexName, route);
  }

  /**
   * Runs a read against the indexes of a tenant. 404 index_not_found for an unknown tenant, or when one of its indexes
   * is missing (an answer from the others would be silently incomplete); 503 index_unavailable if it stays STALE.
   */
  async forTenant<T>(name: string, isSeen: Sight, call: (target: TaggedTarget) => Promise<ShardResult<T>>): Promise<T> {
    return this.#attempts(name, call, true, async (after) => {
      const snapshot = await this.#snapshot(after);
      const tenant = (await isSeen(snapshot)) ? this.#tenant(snapshot, name) : null;
      if (tenant === null) return { missing: name };
      const target = await this.#target(snapshot, tenant.config, after !== null);
      return "missing" in target ? target : { ...target, tenantTag: tenant.tag };
    });
  }

  /** Like `forTenant`, for suggestions, on the first index of the tenant only. */
  async forSuggestions<T>(
    name: string,
    isSeen: Sight,
    call: (target: TenantTarget) => Promise<ShardResult<T>>,
  ): Promise<T> {
    return this.#attempts(name, call, true, async (after) => {
      const snapshot = await this.#snapshot(after);
      if (!(await isSeen(snapshot))) return { missing: name };
      const tenant = resolveSuggestTenant(storedConfiguration(snapshot), name, snapshot.indexNames);
      if (tenant === null) return { missing: name };
      const ofFirst = { ...tenant, indexNames: tenant.indexNames.slice(0, 1) };
      return this.#target(snapshot, ofFirst, after !== null);
    });
  }

  async #target(snapshot: CatalogSnapshot, tenant: TenantConfig, fresh: boolean): Promise<TenantTarget | Missing> {
    const routes: Route[] = [];
    for (const indexName of new Set(tenant.indexNames)) {
      const route = await this.#route(indexName, snapshot, fresh);
      if (route === null) return { missing: indexName };
      routes.push(route);
    }
    const [route] = routes;
    if (route === undefined) return { missing: tenant.name };
    return { route, routes, configurationVersion: snapshot.version, snapshot, tenant };
  }

  /**
   * Runs a call against an index by its own name; errors as in `forTenant`. `repeatable`: may be sent again after an
   * interruption, when it may have been executed. After STALE it was not executed and is always repeated.
   */
  async forIndex<T>(
    indexName: string,
    call: (target: Target) => Promise<ShardResult<T>>,
    repeatable = true,
  ): Promise<T> {
    return this.#attempts(indexName, call, repeatable, async (after) => {
      const snapshot = await this.#snapshot(after);
      const route = await this.#route(indexName, snapshot, after !== null);
      if (route === null) return { missing: indexName };
      return { route, routes: [route], configurationVersion: snapshot.version, snapshot };
    });
  }

  /** @param find gets the number of a fetch, and only uses what was fetched later; null: the cache will do */
  async #attempts<Found extends object, T>(
    name: string,
    call: (target: Found) => Promise<ShardResult<T>>,
    repeatable: boolean,
    find: (after: number | null) => Promise<Found | Missing>,
  ): Promise<T> {
    const arrived = this.#memory.begun;
    let interruptions = 0;
    for (let attempt = 0; attempt < STALE_ATTEMPTS; attempt++) {
      if (attempt >= 2) await scheduler.wait(pauseMs(attempt - 2));
      // A fetch that is under way was most likely begun by a request that was refused for the same reason.
      const after = attempt === 0 ? null : this.#memory.ended;
      let found = await find(after);
      // A 404 needs a snapshot that was fetched after this request arrived.
      if ("missing" in found) found = await find(arrived);
      if ("missing" in found) throw indexNotFound(found.missing, name);
      try {
        const answer = await call(found);
        if (!isStale(answer)) return unwrap(answer);
      } catch (error) {
        if (!repeatable || !isInterruption(error) || ++interruptions === ATTEMPTS) throw error;
      }
    }
    throw new ServiceError("index_unavailable", `The index of ${name} is changing; try again.`);
  }

  /** Null if there is no such tenant. */
  #tenant(snapshot: CatalogSnapshot, name: string): Tenant | null {
    const known = this.#memory.tenants.get(name);
    if (known !== undefined && this.#memory.snapshot === snapshot) return known;
    const configuration = storedConfiguration(snapshot);
    const config = resolveTenantConfig(configuration, name, snapshot.indexNames);
    if (config === null) return null;
    const tenant = { config, tag: tenantTag(configuration, config) };
    if (this.#memory.snapshot === snapshot) this.#memory.tenants.set(name, tenant);
    return tenant;
  }

  /** Calling an object creates it, so an unknown name is first looked up in the catalog. */
  async #route(indexName: string, snapshot: CatalogSnapshot, fresh: boolean): Promise<Route | null> {
    const known = this.#memory.routes.get(indexName);
    if (!fresh && known !== undefined) return known;
    this.#memory.routes.delete(indexName);
    const isListed = snapshot.indexNames.includes(indexName);
    if (!isListed && !(await catalogStub(this.#env).knows(indexName))) return null;
    const answer = await indexStub(this.#env, indexName).route();
    if (!answer.ok && answer.error.type === "index_not_found") return null;
    const route = unwrap(answer);
    this.#memory.routes.set(indexName, route);
    return route;
  }
}

function pauseMs(doublings: number): number {
  return Math.min(PAUSE_MS * 2 ** doublings, LONGEST_PAUSE_MS) * (0.5 + Math.random());
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

/** @param tenant for a search; its index may have another name */
function indexNotFound(name: string, tenant: string): ServiceError {
  const use = name === tenant ? "" : `, which the tenant ${tenant} searches`;
  return new ServiceError("index_not_found", `Index ${name} not found${use}`);
}

/** Parsed once per snapshot. */
const configurations = new WeakMap<CatalogSnapshot, ConfigurationDocument>();

/** Stored documents were checked, so a failing one is our defect. */
export function storedConfiguration(snapshot: CatalogSnapshot): ConfigurationDocument {
  return getOrInsert(configurations, snapshot, ({ document }) => {
    const read = readConfiguration(document);
    if (read.ok) return read.value;
    const [problem] = read.problems;
    throw new Error(`the stored configuration is unreadable at ${problem?.path ?? ""}: ${problem?.message ?? ""}`);
  });
}
