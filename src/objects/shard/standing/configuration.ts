/**
 * The shard's view of the configuration (I6): the newest known version, and the snapshot it works with.
 *
 * It is kept in memory only. The first request of a new incarnation, or of a generation that just went live, reads the
 * catalog. From then on the index counts this shard as live, and every change is pushed to it before the change is
 * answered.
 *
 * The shard fetches only the rules texts that tenants of this index name, and the shop's own queries for suggestions.
 * Rules are compiled when a search first needs them; an unchanged text is not compiled again. Only the snapshot tells
 * which texts are needed, so it is requested together with the texts that the last one named. If it names others, they
 * are fetched separately. If these have another version, the configuration changed in between, and both are read again.
 */
import type { Analyzer } from "../../../index-engine/analysis/index.ts";
import { storedQueries, type OwnQueries } from "../../../index-engine/answer/suggest/index.ts";
import { compileRules, parseRules, type CompiledRules } from "../../../index-engine/query/rules/index.ts";
import { listTenants, readConfiguration, resolveTenantConfig } from "../../../interface/configuration-resolve.ts";
import { resolveSuggestConfig } from "../../../interface/configuration-suggest-resolve.ts";
import type { ConfigurationDocument } from "../../../interface/configuration-schema.ts";
import { rulesNames, ServiceError, type SuggestConfig, type TenantConfig } from "../../../interface/index.ts";
import { repeated } from "../../calls.ts";
import type { CatalogSnapshot, ConfiguredCall, TenantCall, TextNames } from "../../protocol/index.ts";
import { catalogStub, type ObjectsEnv } from "../../stubs.ts";
import { tenantTag } from "../../tenant-tag.ts";

interface Tenant {
  readonly config: TenantConfig;
  readonly tag: string;
}

interface Known {
  readonly version: number;
  readonly indexNames: readonly string[];
  readonly document: ConfigurationDocument;
  readonly tenants: Map<string, Tenant | null>;
  /** Those of earlier versions: a tenant that has not changed stays the same object, which answers are cached by. */
  readonly former: ReadonlyMap<string, Tenant>;
  /** Tenant -> its rules text, if it has one. */
  readonly rulesTexts: ReadonlyMap<string, string>;
  /** The shop's own queries for suggestions of this index, as stored. */
  readonly queriesText: string | undefined;
}

/** What of a call decides whether it can be answered. */
export type JudgedCall = ConfiguredCall & Partial<Pick<TenantCall, "tenantTag">> & { readonly tenant?: string | null };

export type Verdict = "current" | "stale" | "read";

export class ShardConfiguration {
  readonly #env: ObjectsEnv;
  readonly #indexName: string;
  #known: Known | null = null;
  /** Newest known version. */
  #version = 0;
  #reading: Promise<void> | null = null;
  /** The texts that the last snapshot named. */
  #asked: TextNames;
  /** By text: compiled rules and the analyzer's language. Null: the text is invalid. */
  readonly #compiled = new Map<string, { language: string; rules: CompiledRules | null }>();

  #queries: { readonly text: string | undefined; readonly own: OwnQueries | null } | null = null;

  constructor(env: ObjectsEnv, indexName: string) {
    this.#env = env;
    this.#indexName = indexName;
    this.#asked = { rules: [], suggestQueries: [indexName] };
  }

  /** Notes a pushed version, or one that a request has. Returns the newest. */
  heardOf(version: number): number {
    if (version > this.#version) this.#version = version;
    return this.#version;
  }

  /** Discards the snapshot, because changes may have been missed. */
  forget(): void {
    this.#known = null;
    // A read under way may have started before the change.
    this.#reading = null;
  }

  /**
   * Whether a request can be answered. "read": call `read` first.
   *
   * @param needed the newest version known when the request arrived; it need not see later changes
   */
  judge(call: JudgedCall, needed: number): Verdict {
    if (this.#known === null || this.#known.version < needed) return "read";
    if (call.configurationVersion >= this.#known.version) return "current";
    const { tenant, tenantTag } = call;
    if (typeof tenant !== "string" || tenantTag === undefined) return "stale";
    return this.#tenant(tenant)?.tag === tenantTag ? "current" : "stale";
  }

  /** Reads the catalog's current snapshot; concurrent calls share one read. */
  async read(): Promise<void> {
    if (this.#reading === null) {
      const reading: Promise<void> = this.#fetch(() => this.#reading === reading).finally(() => {
        if (this.#reading === reading) this.#reading = null;
      });
      this.#reading = reading;
    }
    await this.#reading;
  }

  /** Null: the tenant does not exist, or belongs to another index. */
  tenant(name: string): TenantConfig | null {
    return this.#tenant(name)?.config ?? null;
  }

  /** The version that requests are answered by. */
  get version(): number {
    return this.#current().version;
  }

  #tenant(name: string): Tenant | null {
    const known = this.#current();
    const found = known.tenants.get(name);
    if (found !== undefined) return found;
    const config = this.#resolve(known.document, known.indexNames, name);
    let tenant: Tenant | null = null;
    if (config !== null) {
      const tag = tenantTag(known.document, config);
      const former = known.former.get(name);
      tenant = former?.tag === tag ? former : { config, tag };
    }
    known.tenants.set(name, tenant);
    return tenant;
  }

  /**
   * The compiled rules of a tenant for this analyzer; null if there are none. Texts are validated when they are stored.
   * One that is invalid all the same (stored by another release) is ignored and logged.
   */
  rules(tenant: string, analyzer: Analyzer): CompiledRules | null {
    const text = this.#current().rulesTexts.get(tenant);
    if (text === undefined) return null;
    const { language } = analyzer;
    const known = this.#compiled.get(text);
    if (known?.language === language) return known.rules;
    const read = parseRules(text);
    if (!read.ok) {
      console.error(JSON.stringify({ event: "rules_unreadable", tenant, problems: read.problems.slice(0, 3) }));
    }
    const rules = read.ok ? compileRules(read.value, analyzer) : null;
    this.#compiled.set(text, { language, rules });
    return rules;
  }

  /** Estimated memory of the compiled rules. */
  get rulesBytes(): number {
    let bytes = 0;
    for (const { rules } of this.#compiled.values()) bytes += rules?.memoryBytes ?? 0;
    return bytes;
  }

  suggest(): SuggestConfig {
    return resolveSuggestConfig(this.#current().document, this.#indexName);
  }

  /** The shop's own queries, analysed with this analyzer; rebuilt when they change. */
  ownQueries(analyzer: Analyzer): OwnQueries | null {
    const text = this.#current().queriesText;
    if (this.#queries !== null && this.#queries.text === text) return this.#queries.own;
    const own = storedQueries(text, analyzer);
    this.#queries = { text, own };
    if (text !== undefined && own === null) {
      const index = this.#indexName;
      console.error(JSON.stringify({ event: "suggest_queries_unreadable", index }));
    }
    return own;
  }

  #current(): Known {
    if (this.#known === null) throw new Error("the configuration was not read");
    return this.#known;
  }

  /** @param isWanted false: discard the result */
  async #fetch(isWanted: () => boolean): Promise<void> {
    const wanted = this.#version;
    const { snapshot, document, rulesTexts, queriesText } = await this.#readWhole();
    if (snapshot.version < wanted) {
      throw new Error(`the catalog is at version ${snapshot.version}, but ${wanted} was heard of`);
    }
    this.heardOf(snapshot.version);
    if (!isWanted()) return;
    const texts = new Set(rulesTexts.values());
    for (const text of this.#compiled.keys()) if (!texts.has(text)) this.#compiled.delete(text);
    const former = this.#former(document, snapshot);
    this.#known = {
      version: snapshot.version,
      indexNames: snapshot.indexNames,
      document,
      tenants: new Map(),
      former,
      rulesTexts,
      queriesText,
    };
  }

  /** The last version's tenants that still exist. */
  #former(document: ConfigurationDocument, { indexNames }: CatalogSnapshot): Map<string, Tenant> {
    const former = new Map(this.#known?.former);
    for (const [name, tenant] of this.#known?.tenants ?? []) if (tenant !== null) former.set(name, tenant);
    const names = new Set(listTenants(document, [...indexNames, this.#indexName]));
    for (const name of former.keys()) if (!names.has(name)) former.delete(name);
    return former;
  }

  #resolve(document: ConfigurationDocument, indexNames: readonly string[], name: string): TenantConfig | null {
    // This index is live, although the snapshot may be older.
    const tenant = resolveTenantConfig(document, name, [...indexNames, this.#indexName]);
    return tenant?.indexNames.includes(this.#indexName) === true ? tenant : null;
  }

  /** A snapshot, and the texts of the same version. */
  async #readWhole(): Promise<{
    readonly snapshot: CatalogSnapshot;
    readonly document: ConfigurationDocument;
    readonly rulesTexts: ReadonlyMap<string, string>;
    readonly queriesText: string | undefined;
  }> {
    for (let attempt = 0; attempt < MOST_READS; attempt++) {
      const asked = this.#asked;
      const snapshot = await repeated(() => catalogStub(this.#env).snapshot(asked));
      const read = readConfiguration(snapshot.document);
      if (!read.ok) throw new Error(`the stored configuration is unreadable: ${JSON.stringify(read.problems)}`);
      const document = read.value;
      const named = this.#rulesNames(document, snapshot);
      const wanted = {
        rules: [...new Set([...named.values()].flat())],
        suggestQueries: [this.#indexName],
      };
      this.#asked = wanted;
      const hasAll = wanted.rules.every((name) => asked.rules.includes(name));
      const texts =
        (hasAll ? snapshot.texts : undefined) ?? (await repeated(() => catalogStub(this.#env).texts(wanted)));
      if (texts.version !== snapshot.version) continue;
      const rulesTexts = new Map<string, string>();
      for (const [tenant, names] of named) {
        const text = names.map((name) => texts.rules.get(name)).find((one) => one !== undefined);
        if (text !== undefined) rulesTexts.set(tenant, text);
      }
      const queriesText = texts.suggestQueries.get(this.#indexName);
      return { snapshot, document, rulesTexts, queriesText };
    }
    throw new ServiceError("index_unavailable", "The configuration is changing too fast; try again.");
  }

  /** Tenant of this index -> possible names of its rules text, best first. */
  #rulesNames(document: ConfigurationDocument, { indexNames }: CatalogSnapshot): Map<string, readonly string[]> {
    const named = new Map<string, readonly string[]>();
    for (const name of listTenants(document, [...indexNames, this.#indexName])) {
      const tenant = this.#resolve(document, indexNames, name);
      const names = tenant === null ? [] : rulesNames(tenant);
      if (names.length > 0) named.set(name, names);
    }
    return named;
  }
}

/** Attempts to read a snapshot and texts of one version. */
const MOST_READS = 5;
