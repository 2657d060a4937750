/**
 * One checkout of this repository, loaded into the process under test.
 *
 * Node keeps one module per file, so `search` of one folder and `search` of another share no state. The tool calls the
 * entries that the service and the other benches call. A checkout may change anything behind them, including its index
 * format.
 */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as engine from "../../src/index-engine/index.ts";
import type * as rules from "../../src/index-engine/query/rules/index.ts";
import type * as configuration from "../../src/interface/configuration-resolve.ts";
import type { SearchRequest, TenantConfig } from "../../src/interface/index.ts";
import type * as parameters from "../../src/worker/parameters.ts";
import type { IndexedSet } from "../index-set.ts";

/** What bench/index-set.ts reads of a data set. */
export interface Sources {
  readonly locale: string;
  readonly sources: readonly Uint8Array[];
}

interface Modules {
  readonly engine: typeof engine;
  readonly rules: typeof rules;
  readonly configuration: typeof configuration;
  readonly parameters: typeof parameters;
  readonly indexSet: { indexDataset(dataset: Sources): IndexedSet };
}

/** Where each module lies in a checkout. A row that a future layout moves is changed here. */
const PATHS: Readonly<Record<keyof Modules, string>> = {
  engine: "src/index-engine/index.ts",
  rules: "src/index-engine/query/rules/index.ts",
  configuration: "src/interface/configuration-resolve.ts",
  parameters: "src/worker/parameters.ts",
  indexSet: "bench/index-set.ts",
};

/** A request before a side has parsed it. */
export type Input =
  | { readonly kind: "address"; readonly query: string }
  | { readonly kind: "body"; readonly json: string };

export class Side {
  readonly root: string;
  readonly modules: Modules;

  private constructor(root: string, modules: Modules) {
    this.root = root;
    this.modules = modules;
  }

  static async load(folder: string): Promise<Side> {
    const root = resolve(folder);
    const loaded = await Promise.all(
      Object.entries(PATHS).map(async ([name, path]): Promise<[string, unknown]> => [
        name,
        await import(pathToFileURL(join(root, path)).href),
      ]),
    );
    // The one cast: the other checkout is assumed to have the types of this one. Where it does not, its calls throw,
    // and that is reported as a difference.
    return new Side(root, Object.fromEntries(loaded) as unknown as Modules);
  }

  parse(input: Input): SearchRequest {
    const { parseArrangedSearch, parseSearchParameters } = this.modules.parameters;
    return input.kind === "address"
      ? parseSearchParameters(input.query)
      : parseArrangedSearch(JSON.parse(input.json));
  }

  /** @param section a tenant entry, as in a configuration file */
  tenant(section: unknown): TenantConfig {
    const { readConfiguration, resolveTenantConfig } = this.modules.configuration;
    const read = readConfiguration({ ocs: { "default-tenant-config": section } });
    if (!read.ok) throw new Error(`${this.root}: ${JSON.stringify(read.problems)}`);
    const tenant = resolveTenantConfig(read.value, "shop", ["shop"]);
    if (tenant === null) throw new Error(`${this.root}: no tenant`);
    return tenant;
  }

  rules(text: string, analyzer: engine.FieldPlan["analyzer"]): rules.CompiledRules {
    const { compileRules, parseRules } = this.modules.rules;
    const read = parseRules(text);
    if (!read.ok) throw new Error(`${this.root}: ${JSON.stringify(read.problems)}`);
    return compileRules(read.value, analyzer);
  }
}
