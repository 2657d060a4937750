// A small shop for tests of what words find: documents as a shop sends them, read by the built-in preset or a
// configuration.
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { Execution } from "../../../src/index-engine/query/execution.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig, type TenantConfig } from "../../../src/interface/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { compiled } from "../rules/support.ts";
import { documentSegment } from "../support/indexing.ts";

export interface Shop {
  /** @param query as in an address: `q=...&brand=...` */
  search(query: string): Execution;
  /** Ids in order. */
  ids(q: string): string[];
}

export interface ShopSettings {
  readonly locale?: string;
  readonly tenant?: TenantConfig;
  readonly rules?: string;
}

/** @param documents id -> data, or a title */
export function shopOf(
  documents: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>,
  settings: ShopSettings = {},
): Shop {
  const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, settings.locale ?? "en");
  const products = Object.entries(documents).map(([id, data]) => ({
    id,
    data: typeof data === "string" ? { title: data } : data,
  }));
  const reader = Reader.of([documentSegment(products, fields)]);
  const tenant = settings.tenant ?? builtInTenantConfig("shop", ["shop"]);
  const rules = settings.rules === undefined ? null : compiled(settings.rules, settings.locale ?? "en");
  const run = (query: string): Execution => search(reader, parseSearchParameters(query), tenant, fields, rules);
  return {
    search: run,
    ids: (q) => run(new URLSearchParams({ q, limit: "50", withFacets: "false" }).toString()).hits.map(({ id }) => id),
  };
}
