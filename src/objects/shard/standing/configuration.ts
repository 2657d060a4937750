/**
 * What a shard knows of the configuration (I6): the newest version it has heard of, and the snapshot it works with.
 *
 * Nothing of it is stored. A new incarnation knows nothing, so its first request makes it read the catalog; and so
 * does a generation that has just gone live (a kept one slept through the changes of its absence). From then on every
 * change is pushed before it answers, as the index counts this shard among the live ones.
 *
 * Of the rules texts only those are fetched that a tenant of this index names, with the shop's own queries for its
 * suggestions, and they are compiled when a search first asks. A text that did not change is not compiled again with the next version. Texts of another version than the
 * snapshot's mean that it has changed in between: both are read again.
 */
import type { Analyzer } from "../../../index-engine/analysis/index.ts";
import { storedQueries, type OwnQueries } from "../../../index-engine/answer/suggest/index.ts";
import {
  compileRules,
  parseRules,
  type CompiledRules,
} from "../../../index-engine/query/rules/index.ts";
import {
  listTenants,
  readConfiguration,
  resolveTenantConfig,
} from "../../../interface/configuration-resolve.ts";
import { resolveSuggestConfig } from "../../../interface/configuration-suggest-resolve.ts";
import type { ConfigurationDocument } from "../../../interface/configuration-schema.ts";
import {
  rulesNames,
  ServiceError,
  type SuggestConfig,
  type TenantConfig,
} from "../../../interface/index.ts";
import { repeated } from "../../calls.ts";
import type { CatalogSnapshot } from "../../protocol/index.ts";
import { catalogStub, type ObjectsEnv } from "../../stubs.ts";

interface Known {
  readonly version: number;
  readonly indexNames: readonly string[];
  readonly document: ConfigurationDocument;
  readonly tenants: Map<string, TenantConfig | null>;
  /** Tenant -> its rules text; tenants without are not there. */
  readonly rulesTexts: ReadonlyMap<string, string>;
  /** The shop's own queries for suggestions of this index, as stored. */
  readonly queriesText: string | undefined;
}

export type Verdict = "current" | "stale" | "read";

export class ShardConfiguration {
  readonly #env: ObjectsEnv;
  readonly #indexName: string;
  #known: Known | null = null;
  /** Newest version heard of. */
  #version = 0;
  #reading: Promise<void> | null = null;
  /** By text: what was compiled for the analyzer's language. Null: the text is broken. */
  readonly #compiled = new Map<string, { language: string; rules: CompiledRules | null }>();

  #queries: { readonly text: string | undefined; readonly own: OwnQueries | null } | null = null;

  constructor(env: ObjectsEnv, indexName: string) {
    this.#env = env;
    this.#indexName = indexName;
  }

  /** A push, or a request that knows more than we do. */
  heardOf(version: number): void {
    if (version > this.#version) this.#version = version;
  }

  /** Whatever is known may have changed unheard. */
  forget(): void {
    this.#known = null;
    // A read that is under way may have read before the change.
    this.#reading = null;
  }

  /** Whether a request with this version can be answered now. "read": after `read`. */
  judge(version: number): Verdict {
    this.heardOf(version);
    if (this.#known === null || this.#known.version < this.#version) return "read";
    return version < this.#known.version ? "stale" : "current";
  }

  /** Brings the catalog's current snapshot; concurrent calls share one. */
  async read(): Promise<void> {
    if (this.#reading === null) {
      const reading: Promise<void> = this.#fetch(() => this.#reading === reading).finally(() => {
        if (this.#reading === reading) this.#reading = null;
      });
      this.#reading = reading;
    }
    await this.#reading;
  }

  /** Null: no such tenant, or of another index. */
  tenant(name: string): TenantConfig | null {
    const known = this.#current();
    let tenant = known.tenants.get(name);
    if (tenant === undefined) {
      tenant = this.#resolve(known.document, known.indexNames, name);
      known.tenants.set(name, tenant);
    }
    return tenant;
  }

  /**
   * The rules of a tenant for the words of this analyzer; null when it names no rules text that exists, or its
   * analyzer applies none. Texts are checked when they are written; one that cannot be read all the same (stored by
   * another release) is as good as none, and the log says so.
   */
  rules(tenant: string, analyzer: Analyzer): CompiledRules | null {
    const text = this.#current().rulesTexts.get(tenant);
    if (text === undefined) return null;
    const { language } = analyzer;
    const known = this.#compiled.get(text);
    if (known?.language === language) return known.rules;
    const read = parseRules(text);
    if (!read.ok) {
      console.error(
        JSON.stringify({ event: "rules_unreadable", tenant, problems: read.problems.slice(0, 3) }),
      );
    }
    const rules = read.ok ? compileRules(read.value, analyzer) : null;
    this.#compiled.set(text, { language, rules });
    return rules;
  }

  /** What the compiled rules hold in memory, an estimate. */
  get rulesBytes(): number {
    let bytes = 0;
    for (const { rules } of this.#compiled.values()) bytes += rules?.memoryBytes ?? 0;
    return bytes;
  }

  suggest(): SuggestConfig {
    return resolveSuggestConfig(this.#current().document, this.#indexName);
  }

  /** The shop's own queries, by the words of this analyzer; made again when they change. */
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

  /** `isWanted`: whether what is read now may still be taken. */
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
    this.#known = {
      version: snapshot.version,
      indexNames: snapshot.indexNames,
      document,
      tenants: new Map(),
      rulesTexts,
      queriesText,
    };
  }

  #resolve(
    document: ConfigurationDocument,
    indexNames: readonly string[],
    name: string,
  ): TenantConfig | null {
    // This index is live, or nobody would ask; the snapshot may be from before.
    const tenant = resolveTenantConfig(document, name, [...indexNames, this.#indexName]);
    return tenant?.indexNames.includes(this.#indexName) === true ? tenant : null;
  }

  /** A snapshot and the texts of the same version. */
  async #readWhole(): Promise<{
    readonly snapshot: CatalogSnapshot;
    readonly document: ConfigurationDocument;
    readonly rulesTexts: ReadonlyMap<string, string>;
    readonly queriesText: string | undefined;
  }> {
    for (let attempt = 0; attempt < MOST_READS; attempt++) {
      const snapshot: CatalogSnapshot = await repeated(() => catalogStub(this.#env).snapshot());
      const read = readConfiguration(snapshot.document);
      if (!read.ok)
        throw new Error(`the stored configuration is unreadable: ${JSON.stringify(read.problems)}`);
      const document = read.value;
      const named = this.#rulesNames(document, snapshot);
      const asked = {
        rules: [...new Set([...named.values()].flat())],
        suggestQueries: [this.#indexName],
      };
      const texts = await repeated(() => catalogStub(this.#env).texts(asked));
      if (texts.version !== snapshot.version) continue;
      const rulesTexts = new Map<string, string>();
      for (const [tenant, names] of named) {
        const text = names.map((name) => texts.rules.get(name)).find((one) => one !== undefined);
        if (text !== undefined) rulesTexts.set(tenant, text);
      }
      const queriesText = texts.suggestQueries.get(this.#indexName);
      return { snapshot, document, rulesTexts, queriesText };
    }
    throw new ServiceError("index_unavailable", "The configuration changes too fast; try again.");
  }

  /** Tenant of this index -> names that its rules text may have, the best first; tenants without are not there. */
  #rulesNames(
    document: ConfigurationDocument,
    { indexNames }: CatalogSnapshot,
  ): Map<string, readonly string[]> {
    const named = new Map<string, readonly string[]>();
    for (const name of listTenants(document, [...indexNames, this.#indexName])) {
      const tenant = this.#resolve(document, indexNames, name);
      const names = tenant === null ? [] : rulesNames(tenant);
      if (names.length > 0) named.set(name, names);
    }
    return named;
  }
}

/** Changes of the configuration that may come between a snapshot and its texts. */
const MOST_READS = 5;
