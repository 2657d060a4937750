// A shop whose hits are rendered: answers as they are sent.
import { compileFieldPlan, type FieldPlan } from "../../../src/index-engine/documents/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { sortableFields } from "../../../src/index-engine/answer/render/index.ts";
import { renderParsed } from "../support/answers.ts";
import { search } from "../../../src/index-engine/search.ts";
import {
  builtInTenantConfig,
  BUILT_IN_INDEX_CONFIG,
  SearchResultSchema,
  type Highlight,
  type ResultHit,
  type SearchRequest,
  type SearchResult,
  type TenantConfig,
} from "../../../src/interface/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { compiled } from "../rules/support.ts";
import { documentSegment } from "../support/indexing.ts";
import { searchClones } from "../support/sharding.ts";

export type Source = Readonly<Record<string, unknown>> & { readonly id: string };

export interface AnsweringShop {
  /** @param query as in an address, or the request itself */
  answer(query: string | SearchRequest): SearchResult;
  /** The same over so many shards; the text as it is sent. */
  sharded(query: string | SearchRequest, shards: number): Promise<string>;
  /** The hit of this id. */
  hit(query: string, id: string): ResultHit;
  /** Its marks. */
  highlights(query: string, id: string): Record<string, Highlight[]>;
}

export function answeringShop(
  documents: readonly Source[],
  settings: { readonly locale?: string; readonly tenant?: TenantConfig; readonly rules?: string } = {},
): AnsweringShop {
  const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, settings.locale ?? "en");
  const tenant = settings.tenant ?? builtInTenantConfig("shop", ["shop"]);
  const rules = settings.rules === undefined ? null : compiled(settings.rules, settings.locale ?? "en");
  const reader = readerOf(documents, fields);
  const sources = new Map(documents.map((one): [string, unknown] => [one.id, one]));
  const requestOf = (query: string | SearchRequest): SearchRequest =>
    typeof query === "string" ? parseSearchParameters(query) : query;

  const answer = (query: string | SearchRequest): SearchResult => {
    const request = requestOf(query);
    const execution = search(reader, request, tenant, fields, rules);
    const result = renderParsed({
      execution,
      request,
      tenant,
      plan: fields,
      indexName: () => "ocs-1-shop-en",
      sources: execution.hits.map(({ id }) => sources.get(id)),
      sortable: sortableFields(reader.segments, fields),
      tookInMillis: 0,
    });
    // JSON as it is sent, in the form the contract names.
    SearchResultSchema.parse(result);
    return result;
  };
  const hit = (query: string, id: string): ResultHit => {
    const found = answer(query)
      .slices.flatMap(({ hits }) => hits)
      .find(({ document }) => document.id === id);
    if (found === undefined) throw new Error(`${query} does not find ${id}`);
    return found;
  };
  return {
    answer,
    hit,
    highlights: (query, id) => hit(query, id).metaData?.["highlights"] as Record<string, Highlight[]>,
    async sharded(query, shards) {
      const parts = Array.from({ length: shards }, (_, shard) => documents.filter((__, i) => i % shards === shard));
      const { json } = await searchClones(
        parts.map((part) => ({ reader: readerOf(part, fields), fields, sources, physicalName: "ocs-1-shop-en" })),
        requestOf(query),
        tenant,
      );
      return json;
    },
  };
}

function readerOf(documents: readonly Source[], fields: FieldPlan): Reader {
  return documents.length === 0 ? Reader.empty : Reader.of([documentSegment(documents, fields)]);
}
