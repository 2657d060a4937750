/** What a document, a segment and an index may contain. */
import type { Limit } from "./limit.ts";

export const DOCUMENT_LIMITS = {
  indexNameLength: {
    value: 200,
    unit: "characters",
    protects: "object and key names (R2 keys have at most 1,024 bytes)",
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
    protects: "the stack: levels of objects and lists in one document",
    beyond: "the document is dropped (add); 400 invalid_body for an update, because its id cannot be read",
  },
  documentFields: {
    value: 2_000,
    unit: "count",
    protects: "the field and term tables of a segment: entries of data and attributes, of a product or a variant",
    beyond: "the document is dropped (add) or DISMISSED (PUT)",
  },
  nameCharacters: {
    value: 500,
    unit: "characters",
    protects:
      "the field table of a segment, and answers, which repeat them: names in data, names and codes of attributes, configured fields",
    beyond: "the document is dropped (add) or DISMISSED (PUT); 400 invalid_configuration",
  },
  indexedCharacters: {
    value: 4_194_304,
    unit: "characters",
    protects:
      "thread and memory: what a document is indexed as, where many fields read the same value; a value counts as 8 more. Small documents have 16,384, and 16 for each byte",
    beyond: "the document is dropped (add) or DISMISSED (PUT)",
  },
  searchFieldNames: {
    value: 65_535,
    unit: "count",
    protects: "the field table of a segment, which numbers searched names in 16 bits",
    beyond: "later names share one field: their values are searchable, but not by their own name and weight",
  },
  categoryLevels: {
    value: 20,
    unit: "count",
    protects: "the value table: each level contains the names of all levels above it",
    beyond: "the document is dropped (add) or DISMISSED (PUT)",
  },
  categoryCharacters: {
    value: 2_000,
    unit: "characters",
    protects: "the same: names and ids of one category path together",
    beyond: "the document is dropped (add) or DISMISSED (PUT)",
  },
  sortKeyCharacters: {
    value: 256,
    unit: "characters",
    protects: "the sort dictionary of a segment",
    beyond: "strings with the same first 256 characters are sorted by document id",
  },
  facetValueCharacters: {
    value: 64,
    unit: "characters",
    protects: "the value table: longer strings of unconfigured fields are filterable (by hash), not facets",
    beyond: "the value is not a facet entry",
  },
  configuredFacetValueCharacters: {
    value: 1_000,
    unit: "characters",
    protects: "the same, and the size of answers: strings of fields with the usage Facet",
    beyond: "the value is not a facet entry, but can be filtered by",
  },
  segmentCloseBytes: {
    value: 8_388_608,
    unit: "bytes",
    protects: "the builder's memory: an import segment closes at this size of index and stored bytes",
    beyond: "no visible effect: the next segment is started",
  },
  segmentCloseDocuments: {
    value: 10_000,
    unit: "count",
    protects: "the builder's memory",
    beyond: "no visible effect: the next segment is started",
  },
  shardIndexBytes: {
    value: 41_943_040,
    unit: "bytes",
    protects: "the 128 MB of an isolate, which several objects may share",
    beyond: "the index is split into more shards",
  },
  indexBytes: {
    value: 2_684_354_560,
    unit: "bytes",
    protects:
      "the maximum of 64 shards of 40 MB each: about 12 million products of 200 bytes of index (stored documents do not count)",
    beyond:
      "413 index_too_large at done, the session stays open; for writes that add data once a shard of one partition has 60 MB",
  },
} as const satisfies Record<string, Limit>;
