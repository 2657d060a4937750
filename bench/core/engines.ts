/** The engines of the core benchmark, by name. */
import { SyntheticCorpus } from "../synthetic/corpus.ts";
import { makeQueries, type Query } from "../synthetic/queries.ts";
import { AisleCore } from "./aisle.ts";
import type { CoreEngine } from "./core-engine.ts";
import { MiniSearchCore } from "./mini-search.ts";
import { SqliteCore } from "./sqlite.ts";

export const ENGINE_NAMES = [
  "aisle",
  "plain",
  "default",
  "aisle-again",
  "plain-again",
  "default-again",
  "minisearch",
  "sqlite",
] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** These find the same, except in `fuzzy`. */
export const EXACT_ENGINES: ReadonlySet<EngineName> = new Set(["aisle", "minisearch", "sqlite"]);

export interface Workload {
  readonly products: number;
  readonly queries: number;
  readonly seed: number;
  readonly rebuild: boolean;
}

export interface Loaded {
  readonly engine: CoreEngine;
  readonly queries: readonly Query[];
}

export function loadEngine(name: EngineName, workload: Workload): Loaded {
  const corpus = new SyntheticCorpus(workload.products, workload.seed);
  const queries = makeQueries(corpus, workload.queries);
  return { engine: make(name, corpus, queries, workload.rebuild), queries };
}

const REPEATED = { isRepeated: true, rebuild: false };

function make(name: EngineName, corpus: SyntheticCorpus, queries: readonly Query[], rebuild: boolean): CoreEngine {
  switch (name) {
    case "aisle":
      return new AisleCore(corpus, queries, { tenant: "configured", isRepeated: false, rebuild });
    case "plain":
    case "default":
      return new AisleCore(corpus, queries, { tenant: name, isRepeated: false, rebuild: false });
    case "aisle-again":
      return new AisleCore(corpus, queries, { ...REPEATED, tenant: "configured" });
    case "plain-again":
      return new AisleCore(corpus, queries, { ...REPEATED, tenant: "plain" });
    case "default-again":
      return new AisleCore(corpus, queries, { ...REPEATED, tenant: "default" });
    case "minisearch":
      return new MiniSearchCore(corpus, queries);
    case "sqlite":
      return new SqliteCore(corpus, queries);
  }
}

export function readEngineName(text: string): EngineName {
  const name = ENGINE_NAMES.find((one) => one === text);
  if (name === undefined) throw new TypeError(`engine ${text}: one of ${ENGINE_NAMES.join(", ")}`);
  return name;
}
