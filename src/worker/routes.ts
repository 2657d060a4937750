/**
 * Where indexes live and what is configured, remembered per isolate, and the loop that makes it safe to remember
 * (invariant I6).
 *
 *   attempt 1: what is remembered, or fetched where nothing is     --> shard answers       done
 *                                                                  --> shard says STALE    forget, attempt 2, attempt 3, then 503
 *
 * A shard refuses calls that carry another epoch than its own or an older configuration than it has been told of. So
 * memory may be arbitrarily old without an old answer ever leaving the Worker: the price of being wrong is one round
 * trip more.
 *
 * That something does not exist is never remembered, and never concluded from memory alone: before a 404 both have
 * been fetched anew. Only values are kept, no promises: a promise belongs to the request that made it.
 */
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
  isStale,
  type CatalogSnapshot,
  type ObjectsEnv,
  type Route,
  type ShardResult,
} from "../objects/index.ts";
import { isInterruption } from "./platform-errors.ts";
import type { WorkerEnv } from "./settings.ts";

const ATTEMPTS = 3;

/** What one attempt of a request works with. */
export interface Target {
  /** Where the index lives; of a tenant over several, the first. */
  readonly route: Route;
  /** All indexes of the tenant, in the order of its configuration. */
  readonly routes: readonly Route[];
  readonly configurationVersion: number;
  /** The configuration of that version. */
  readonly snapshot: CatalogSnapshot;
}

/** The target of a tenant. */
export interface TenantTarget extends Target {
  readonly tenant: TenantConfig;
}

/** Whether the caller may know that there is such a name, by this configuration; else it is as good as unknown. */
export type Sight = (snapshot: CatalogSnapshot) => Promise<boolean>;

interface Memory {
  snapshot: CatalogSnapshot | null;
  /** Tenants as far as asked for under this snapshot. */
  tenants: Map<string, TenantConfig>;
  readonly routes: Map<string, Route>;
}

/** Keyed by binding, not global: two Workers that share an isolate (as in local development) do not share memory. */
const memories = new WeakMap<object, Memory>();

function memoryOf(env: ObjectsEnv): Memory {
  let memory = memories.get(env.CATALOG);
  if (memory === undefined) {
    memory = { snapshot: null, tenants: new Map(), routes: new Map() };
    memories.set(env.CATALOG, memory);
  }
  return memory;
}

export class Directory {
  readonly #env: WorkerEnv;
  readonly #memory: Memory;

  constructor(env: WorkerEnv) {
    this.#env = env;
    this.#memory = memoryOf(env);
  }

  /** The catalog as it is now; what has not changed is not fetched again. */
  async freshSnapshot(): Promise<CatalogSnapshot> {
    const known = this.#memory.snapshot;
    const catalog = catalogStub(this.#env);
    const now = known === null ? null : await catalog.names();
    if (known !== null && now?.version === known.version) {
      if (isSame(now.indexNames, known.indexNames)) return known;
      return this.#keep({ ...known, indexNames: now.indexNames });
    }
    return this.#keep(await catalog.snapshot());
  }

  #keep(snapshot: CatalogSnapshot): CatalogSnapshot {
    this.#memory.snapshot = snapshot;
    this.#memory.tenants = new Map();
    return snapshot;
  }

  /** After a change of our own: the next request needs no STALE to notice. */
  forgetSnapshot(): void {
    this.#memory.snapshot = null;
  }

  /** The route as it is now; 404 index_not_found. */
  async freshRoute(indexName: string): Promise<Route> {
    this.#memory.routes.delete(indexName);
    const route = unwrap(await indexStub(this.#env, indexName).route());
    this.#memory.routes.set(indexName, route);
    return route;
  }

  /** Notes what a call has answered: the next one needs no look-up. */
  remember(route: Route): void {
    this.#memory.routes.set(route.indexName, route);
  }

  /**
   * Runs a read against the indexes of a tenant. 404 index_not_found for an unknown tenant, or when one of its indexes
   * is missing (an answer from the others would silently be a part of it); 503 index_unavailable when it stays STALE.
   */
  async forTenant<T>(
    name: string,
    isSeen: Sight,
    call: (target: TenantTarget) => Promise<ShardResult<T>>,
  ): Promise<T> {
    const tenantOf = (snapshot: CatalogSnapshot): TenantConfig | null =>
      this.#tenant(snapshot, name);
    return this.#forTenant(name, isSeen, tenantOf, call);
  }

  /** The same of whom suggestions by this name are for, and of the first of its indexes alone. */
  async forSuggestions<T>(
    name: string,
    isSeen: Sight,
    call: (target: TenantTarget) => Promise<ShardResult<T>>,
  ): Promise<T> {
    const tenantOf = (snapshot: CatalogSnapshot): TenantConfig | null => {
      const configuration = storedConfiguration(snapshot);
      const tenant = resolveSuggestTenant(configuration, name, snapshot.indexNames);
      return tenant === null ? null : { ...tenant, indexNames: tenant.indexNames.slice(0, 1) };
    };
    return this.#forTenant(name, isSeen, tenantOf, call);
  }

  async #forTenant<T>(
    name: string,
    isSeen: Sight,
    tenantOf: (snapshot: CatalogSnapshot) => TenantConfig | null,
    call: (target: TenantTarget) => Promise<ShardResult<T>>,
  ): Promise<T> {
    return this.#attempts(name, call, true, async (fresh) => {
      const snapshot = fresh
        ? await this.freshSnapshot()
        : (this.#memory.snapshot ?? (await this.freshSnapshot()));
      if (!(await isSeen(snapshot))) return null;
      const tenant = tenantOf(snapshot);
      if (tenant === null) return null;
      const routes: Route[] = [];
      for (const indexName of new Set(tenant.indexNames)) {
        const route = await this.#route(indexName, snapshot, fresh);
        if (route === null) return null;
        routes.push(route);
      }
      const [route] = routes;
      if (route === undefined) return null;
      return { route, routes, configurationVersion: snapshot.version, snapshot, tenant };
    });
  }

  /**
   * Runs a call against an index by its own name; errors as `forTenant`. `repeatable`: it may be sent again after an
   * interruption that leaves open whether it was carried out. After STALE it was not, so that is repeated anyway.
   */
  async forIndex<T>(
    indexName: string,
    call: (target: Target) => Promise<ShardResult<T>>,
    repeatable = true,
  ): Promise<T> {
    return this.#attempts(indexName, call, repeatable, async (fresh) => {
      const snapshot = fresh
        ? await this.freshSnapshot()
        : (this.#memory.snapshot ?? (await this.freshSnapshot()));
      const route = await this.#route(indexName, snapshot, fresh);
      if (route === null) return null;
      return { route, routes: [route], configurationVersion: snapshot.version, snapshot };
    });
  }

  async #attempts<Found, T>(
    name: string,
    call: (target: Found) => Promise<ShardResult<T>>,
    repeatable: boolean,
    find: (fresh: boolean) => Promise<Found | null>,
  ): Promise<T> {
    let fresh = false;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      let found = await find(fresh);
      // Nothing there as far as memory knows: look again before saying so.
      if (found === null && !fresh) found = await find(true);
      if (found === null) throw indexNotFound(name);
      fresh = true;
      try {
        const answer = await call(found);
        if (!isStale(answer)) return unwrap(answer);
      } catch (error) {
        if (!repeatable || !isInterruption(error) || attempt === ATTEMPTS) throw error;
      }
    }
    throw new ServiceError("index_unavailable", `The index of ${name} is changing; try again.`);
  }

  /** Null when there is no such tenant. */
  #tenant(snapshot: CatalogSnapshot, name: string): TenantConfig | null {
    const known = this.#memory.tenants.get(name);
    if (known !== undefined && this.#memory.snapshot === snapshot) return known;
    const tenant = resolveTenantConfig(storedConfiguration(snapshot), name, snapshot.indexNames);
    if (tenant !== null && this.#memory.snapshot === snapshot) {
      this.#memory.tenants.set(name, tenant);
    }
    return tenant;
  }

  /** An object that is asked exists from then on: the catalog is asked first about a name that nobody may know. */
  async #route(
    indexName: string,
    snapshot: CatalogSnapshot,
    fresh: boolean,
  ): Promise<Route | null> {
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

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, at) => name === b[at]);
}

function indexNotFound(name: string): ServiceError {
  return new ServiceError(
    "index_not_found",
    `There is no index or tenant ${JSON.stringify(name)}.`,
  );
}

/** Read once per snapshot. */
const configurations = new WeakMap<CatalogSnapshot, ConfigurationDocument>();

/** The document was checked before it was stored; one that no longer passes is a defect of ours. */
export function storedConfiguration(snapshot: CatalogSnapshot): ConfigurationDocument {
  const known = configurations.get(snapshot);
  if (known !== undefined) return known;
  const read = readConfiguration(snapshot.document);
  if (read.ok) {
    configurations.set(snapshot, read.value);
    return read.value;
  }
  const [problem] = read.problems;
  throw new Error(
    `the stored configuration is unreadable at ${problem?.path ?? ""}: ${problem?.message ?? ""}`,
  );
}
