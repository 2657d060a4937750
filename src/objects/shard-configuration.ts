/**
 * What a shard knows of the configuration (I6): the newest version it has heard of, and the snapshot it works with.
 *
 * Nothing of it is stored. A new incarnation knows nothing, so its first request makes it read the catalog; and so does a generation that
 * has just gone live (a kept one slept through the changes of its absence). From then on every change is pushed before it answers, as
 * the index counts this shard among the live ones.
 */
import {
  readConfiguration,
  resolveSuggestConfig,
  resolveTenantConfig,
} from "../interface/configuration-resolve.ts";
import type { ConfigurationDocument } from "../interface/configuration-schema.ts";
import type { SuggestConfig, TenantConfig } from "../interface/index.ts";
import { repeated } from "./calls.ts";
import type { CatalogSnapshot } from "./protocol.ts";
import { catalogStub, type ObjectsEnv } from "./stubs.ts";

interface Known {
  readonly version: number;
  readonly indexNames: readonly string[];
  readonly document: ConfigurationDocument;
  readonly tenants: Map<string, TenantConfig | null>;
}

export type Verdict = "current" | "stale" | "read";

export class ShardConfiguration {
  readonly #env: ObjectsEnv;
  readonly #indexName: string;
  #known: Known | null = null;
  /** Newest version heard of. */
  #version = 0;
  #reading: Promise<void> | null = null;

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
      // This index is live, or nobody would ask; the snapshot may be from before.
      const live = [...known.indexNames, this.#indexName];
      tenant = resolveTenantConfig(known.document, name, live);
      if (tenant !== null && !tenant.indexNames.includes(this.#indexName)) tenant = null;
      known.tenants.set(name, tenant);
    }
    return tenant;
  }

  suggest(): SuggestConfig {
    return resolveSuggestConfig(this.#current().document, this.#indexName);
  }

  #current(): Known {
    if (this.#known === null) throw new Error("the configuration was not read");
    return this.#known;
  }

  /** `isWanted`: whether what is read now may still be taken. */
  async #fetch(isWanted: () => boolean): Promise<void> {
    const wanted = this.#version;
    const snapshot: CatalogSnapshot = await repeated(() => catalogStub(this.#env).snapshot());
    if (snapshot.version < wanted) {
      throw new Error(`the catalog is at version ${snapshot.version}, but ${wanted} was heard of`);
    }
    const read = readConfiguration(snapshot.document);
    if (!read.ok)
      throw new Error(`the stored configuration is unreadable: ${JSON.stringify(read.problems)}`);
    this.heardOf(snapshot.version);
    if (!isWanted()) return;
    this.#known = {
      version: snapshot.version,
      indexNames: snapshot.indexNames,
      document: read.value,
      tenants: new Map(),
    };
  }
}
