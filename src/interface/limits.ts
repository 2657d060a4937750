/**
 * Every limit of the service in one table: what it protects, its unit and default, what the caller sees beyond it.
 * The documentation lists this table; code reads the numbers from here and nowhere else.
 */
export interface Limit {
  readonly value: number;
  readonly unit: "bytes" | "count" | "characters" | "ms" | "s";
  readonly protects: string;
  readonly beyond: string;
}

export const LIMITS = {
  indexNameLength: {
    value: 200,
    unit: "characters",
    protects: "object and key names (R2 keys hold at most 1,024 bytes)",
    beyond: "400 invalid_index_name",
  },
  documentIdBytes: {
    value: 512,
    unit: "bytes",
    protects: "the id dictionary of a segment",
    beyond: "the document is dropped (add) or DISMISSED (PUT)",
  },
  documentBytes: {
    value: 1_048_576,
    unit: "bytes",
    protects: "SQLite rows (2 MB) and the memory of one parse",
    beyond: "the document is dropped (add) or DISMISSED (PUT)",
  },
  documentDepth: {
    value: 100,
    unit: "count",
    protects: "the stack: levels of objects and lists inside one document",
    beyond:
      "the document is dropped (add); 400 invalid_body for an update, because its id cannot be read",
  },
  importBufferBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects: "the memory of an import whose session comes after its documents",
    beyond: "413 body_too_large; send the session first",
  },
  importBodyBytes: {
    value: 100_000_000,
    unit: "bytes",
    protects: "the platform's body limit; the body is streamed, never held whole",
    beyond: "413 body_too_large",
  },
  updateBodyBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects: "the write-ahead log: an update is one transaction of one shard",
    beyond: "413 body_too_large; send several updates, or a full import",
  },
  searchBodyBytes: {
    value: 1_048_576,
    unit: "bytes",
    protects: "the parse of an arranged search",
    beyond: "413 body_too_large",
  },
  configurationBytes: {
    value: 1_048_576,
    unit: "bytes",
    protects: "the catalog object; one configuration document or rules text",
    beyond: "413 body_too_large",
  },
  resultWindow: {
    value: 10_000,
    unit: "count",
    protects: "the sort of one answer: offset + limit",
    beyond: "limit is capped; a window beyond it answers 200 without hits and nextLink null",
  },
  queryCharacters: {
    value: 1_000,
    unit: "characters",
    protects: "analysis of the user query",
    beyond: "the rest of q is ignored",
  },
  queryTerms: {
    value: 42,
    unit: "count",
    protects: "postings read by one query",
    beyond: "terms after it are ignored",
  },
  filters: {
    value: 64,
    unit: "count",
    protects: "bitsets of one query",
    beyond: "400 invalid_parameter; parameters that are no fields are ignored and do not count",
  },
  filterValues: {
    value: 1_024,
    unit: "count",
    protects: "value look-ups of one filter",
    beyond: "400 invalid_parameter; parameters that are no fields are ignored and do not count",
  },
  productSets: {
    value: 64,
    unit: "count",
    protects: "an arranged search: each dynamic set is a search",
    beyond: "400 invalid_body",
  },
  productSetIds: {
    value: 10_000,
    unit: "count",
    protects: "id look-ups of one static set",
    beyond: "400 invalid_body",
  },
  facetValuesPerField: {
    value: 100,
    unit: "count",
    protects:
      "the size of an answer; counts stay exact, the entries with the highest counts are shown",
    beyond: "entries after it are not listed (250 for hierarchical facets)",
  },
  hierarchicalFacetValues: {
    value: 250,
    unit: "count",
    protects: "the size of an answer",
    beyond: "entries after it are not listed",
  },
  suggestLimit: {
    value: 100,
    unit: "count",
    protects: "the size of a suggest answer",
    beyond: "limit is capped",
  },
  deleteIds: {
    value: 10_000,
    unit: "count",
    protects: "one update transaction",
    beyond: "400 invalid_parameter",
  },
  shardedSearchMs: {
    value: 5_000,
    unit: "ms",
    protects: "clients of an index of several shards, one of which is slow or gone",
    beyond: "503 index_unavailable with Retry-After; never the answer of the other shards alone",
  },
  segmentCloseBytes: {
    value: 8_388_608,
    unit: "bytes",
    protects:
      "the builder's memory: an import segment closes at this size of index and stored bytes",
    beyond: "nothing to see: the next segment is begun",
  },
  segmentCloseDocuments: {
    value: 10_000,
    unit: "count",
    protects: "the builder's memory",
    beyond: "nothing to see: the next segment is begun",
  },
  shardIndexBytes: {
    value: 41_943_040,
    unit: "bytes",
    protects: "the 128 MB of an isolate, which several objects may share",
    beyond: "the index is cut into more shards",
  },
  sortKeyCharacters: {
    value: 256,
    unit: "characters",
    protects: "the sort dictionary of a segment",
    beyond: "strings that agree in their first 256 characters sort by document id",
  },
  facetValueCharacters: {
    value: 64,
    unit: "characters",
    protects:
      "the value table: longer strings of unconfigured fields are filterable (by hash), not facets",
    beyond: "the value is no facet entry",
  },
} as const satisfies Record<string, Limit>;
