/**
 * All limits of the service in one table: purpose, unit, default, and the answer beyond the limit.
 * The documentation lists this table, and all code reads the numbers from it.
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
  importBufferBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects: "the memory of an import body that sends its session after the documents",
    beyond: "413 body_too_large; send the session first",
  },
  importMemoryBytes: {
    value: 75_497_472,
    unit: "bytes",
    protects:
      "the 128 MB of an isolate: total memory of its bulks, at most four; bulks that wait for their client are not counted",
    beyond: "429 too_many_requests with Retry-After; send the bulk again",
  },
  importBulkMemoryBytes: {
    value: 18_874_368,
    unit: "bytes",
    protects: "the same, per bulk: one segment being built and one being sent, regardless of the body's length",
    beyond: "no visible effect: the body is read as fast as segments are stored",
  },
  importBodyBytes: {
    value: 100_000_000,
    unit: "bytes",
    protects: "the platform's body limit; the body is streamed, never buffered whole",
    beyond: "413 body_too_large",
  },
  uploadStallMs: {
    value: 10_000,
    unit: "ms",
    protects: "memory held by stalled or slow bodies: the time for each 65,536 bytes of a body, or for its rest",
    beyond: "408 request_timeout; nothing was changed",
  },
  importDocuments: {
    value: 300_000,
    unit: "count",
    protects: "the thread: documents of one bulk, valid or not",
    beyond: "413 body_too_large; send several bulks",
  },
  reportEntries: {
    value: 10_000,
    unit: "count",
    protects:
      "the memory of an import, and the size of its report (`report=true`): rejected documents and ignored values",
    beyond: "further entries are not listed; a document lists at most 100 ignored values",
  },
  updateDocuments: {
    value: 100_000,
    unit: "count",
    protects: "the thread, and the size of the answer, which names every document",
    beyond: "413 body_too_large; send several updates, or a full import",
  },
  updateBodyBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects: "the write-ahead log: an update is one transaction of one shard",
    beyond: "413 body_too_large; send several updates, or a full import",
  },
  pendingUpdateBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects: "the memory of a shard: bodies of updates that wait for their turn",
    beyond: "429 too_many_requests with Retry-After; nothing was changed",
  },
  waitingBodyBytes: {
    value: 33_554_432,
    unit: "bytes",
    protects: "the memory of an isolate: bodies of more than 262,144 bytes, except bulks, until they are answered",
    beyond: "bodies that arrive slowly, or else the new one: 429 too_many_requests with Retry-After",
  },
  searchBodyBytes: {
    value: 1_048_576,
    unit: "bytes",
    protects: "the parse of an arranged search",
    beyond: "413 body_too_large",
  },
  searchBodyMembers: {
    value: 4_096,
    unit: "count",
    protects: "the thread: objects in the body of an arranged search and their members together",
    beyond: "400 invalid_body",
  },
  sessionBodyBytes: {
    value: 65_536,
    unit: "bytes",
    protects: "the parse of a session's two names (done, cancel)",
    beyond: "413 body_too_large",
  },
  configurationBytes: {
    value: 1_048_576,
    unit: "bytes",
    protects: "the catalog object; one configuration document or rules text",
    beyond: "413 body_too_large",
  },
  rulesBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects: "the catalog, and the memory of shards whose tenants use them: all rules texts together",
    beyond: "413 body_too_large; stored data is unchanged",
  },
  configurationHistory: {
    value: 20,
    unit: "count",
    protects: "the catalog: past versions of one entry, rules text or list of queries",
    beyond: "the oldest versions are deleted",
  },
  configurationHistoryBytes: {
    value: 67_108_864,
    unit: "bytes",
    protects: "the catalog: past versions of everything together",
    beyond: "the oldest versions are deleted",
  },
  configurationEntries: {
    value: 20_000,
    unit: "count",
    protects: "the check of a configuration: values of all lists and objects together",
    beyond: "400 bad_request",
  },
  configurationLevels: {
    value: 100,
    unit: "count",
    protects: "the stack: levels of objects and lists in one configuration document",
    beyond: "400 bad_request",
  },
  configurationYamlCharacters: {
    value: 262_144,
    unit: "characters",
    protects: "the thread: a configuration in YAML or HOCON, which parse much more slowly than JSON",
    beyond: "413 body_too_large; send JSON",
  },
  configurationDocuments: {
    value: 100,
    unit: "count",
    protects: "the thread: documents of one YAML file, which are merged",
    beyond: "400 bad_request",
  },
  patternInstructions: {
    value: 2_000,
    unit: "count",
    protects: "the cost of a configured regular expression per character of text: its parts, with repetitions expanded",
    beyond: "400 invalid_configuration",
  },
  configurationInstructions: {
    value: 60_000,
    unit: "count",
    protects:
      "the memory and the thread of everything that reads a configuration: the same of all regular expressions of one index or tenant, or of the default entry; 16 characters count as one more",
    beyond: "400 invalid_configuration",
  },
  patternSteps: {
    value: 10_000_000,
    unit: "count",
    protects:
      "the thread: steps of the data processors' regular expressions per document, and as many of those of dynamic fields for its names; 0.1 to 0.3 seconds",
    beyond:
      "the document is dropped (add) or DISMISSED (PUT); for a stored document the remaining processors are skipped, and its remaining names match no expression",
  },
  resultWindow: {
    value: 10_000,
    unit: "count",
    protects: "the sort of one answer: offset + limit",
    beyond: "limit is capped; a page beyond it is a 200 without hits and with nextLink null",
  },
  answerBytes: {
    value: 16_777_216,
    unit: "bytes",
    protects: "the memory of an answer, and the delay of other requests: hits as JSON",
    beyond: "400 answer_too_large, which names a limit that fits",
  },
  answerFrameBytes: {
    value: 14_680_064,
    unit: "bytes",
    protects: "the same: the answer without its hits as JSON, in which every link repeats all filters",
    beyond: "400 answer_too_large; send fewer filter values, or withFacets=false",
  },
  largePagesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the memory of an isolate: pages of more than 100 hits that are being made, up to 16 MB each",
    beyond: "they wait for their turn",
  },
  largePagesWaiting: {
    value: 64,
    unit: "count",
    protects: "the same: such pages that wait",
    beyond: "429 too_many_requests with Retry-After",
  },
  waitingAnswerBytes: {
    value: 50_331_648,
    unit: "bytes",
    protects:
      "the 128 MB of an isolate: answers of more than 256 KB that their clients have not read to the end, together",
    beyond: "429 too_many_requests with Retry-After; one answer alone is always sent",
  },
  answerStallMs: {
    value: 10_000,
    unit: "ms",
    protects: "the same: so long may a client not read anything of such an answer",
    beyond: "the connection is aborted",
  },
  exportsAtOnce: {
    value: 16,
    unit: "count",
    protects: "the memory of shards: exports that an isolate is sending, each with the segments of its beginning",
    beyond: "429 too_many_requests with Retry-After",
  },
  exportStallMs: {
    value: 60_000,
    unit: "ms",
    protects: "the same: so long may a client not read anything of an export",
    beyond: "the connection is aborted",
  },
  explainedHits: {
    value: 100,
    unit: "count",
    protects: "time and memory of explanations (trace=Explain)",
    beyond: "pages with a larger limit are not explained",
  },
  queryCharacters: {
    value: 1_000,
    unit: "characters",
    protects: "analysis of the user query",
    beyond: "the rest of q is ignored and omitted from links",
  },
  searchSteps: {
    value: 25_000_000,
    unit: "count",
    protects: "the thread: postings, values and terms read by a search, or by one of its rounds on a shard",
    beyond: "400 search_too_expensive",
  },
  searchPartSteps: {
    value: 8_000_000,
    unit: "count",
    protects:
      "other searches, which wait for a part of a search: matching it in one segment, or one of its product sets",
    beyond: "400 search_too_expensive",
  },
  expensiveSearchesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the memory of an isolate: searches of more than a million steps, which pause for others",
    beyond: "further ones wait",
  },
  expensiveSearchesWaiting: {
    value: 32,
    unit: "count",
    protects: "the same",
    beyond: "429 too_many_requests",
  },
  expensiveSearchWaitMs: {
    value: 5_000,
    unit: "ms",
    protects: "the thread: searches whose clients have gone meanwhile",
    beyond: "429 too_many_requests",
  },
  queryTerms: {
    value: 42,
    unit: "count",
    protects: "postings read by one query",
    beyond: "further terms are ignored",
  },
  sortCriteria: {
    value: 16,
    unit: "count",
    protects: "the comparisons of a sort",
    beyond: "400 invalid_parameter (in a body invalid_body)",
  },
  sortOptionFields: {
    value: 200,
    unit: "count",
    protects: "the size of answers, which list every sortable field if no sort options are configured",
    beyond: "the first fields by name are in `sortOptions`; the others can still be used to sort",
  },
  sortCharacters: {
    value: 2_000,
    unit: "characters",
    protects: "the size of an answer: its links repeat the sort",
    beyond: "400 invalid_parameter (in a body invalid_body)",
  },
  filterCharacters: {
    value: 32_768,
    unit: "characters",
    protects: "the size of an answer: its links repeat the values of all filters",
    beyond: "400 invalid_parameter; parameters that are not fields are ignored and do not count",
  },
  filters: {
    value: 64,
    unit: "count",
    protects: "bitsets of one query",
    beyond: "400 invalid_parameter; parameters that are not fields are ignored and do not count",
  },
  filterValues: {
    value: 1_024,
    unit: "count",
    protects: "value lookups of one filter",
    beyond: "400 invalid_parameter; parameters that are not fields are ignored and do not count",
  },
  fieldPatterns: {
    value: 500,
    unit: "count",
    protects: "the patterns of `fields` and `highlight`, which are compared with the fields of every hit",
    beyond: "400 invalid_parameter",
  },
  facetQueries: {
    value: 20,
    unit: "count",
    protects: "the cost of `facetQuery`, which reads all values of a facet",
    beyond: "400 invalid_parameter",
  },
  facetQueryValues: {
    value: 1_000,
    unit: "count",
    protects: "the size of an answer; the best matches with the largest counts are shown",
    beyond: "further entries are not listed",
  },
  highlightCharacters: {
    value: 20_000,
    unit: "characters",
    protects: "the analysis of a hit's texts during rendering",
    beyond: "the rest of a text is not highlighted",
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
    protects: "id lookups of one static set",
    beyond: "400 invalid_body",
  },
  facetValuesPerField: {
    value: 100,
    unit: "count",
    protects: "the size of an answer; counts stay exact, the entries with the largest counts are shown",
    beyond: "further entries are not listed (250 for hierarchical facets)",
  },
  hierarchicalFacetValues: {
    value: 250,
    unit: "count",
    protects: "the size of an answer",
    beyond: "further entries are not listed",
  },
  rules: {
    value: 20_000,
    unit: "count",
    protects: "the memory of shards that apply a rules text",
    beyond: "400 invalid_rules",
  },
  ruleWords: {
    value: 32,
    unit: "count",
    protects: "matching of rules: words of one input, synonym or phrase",
    beyond: "400 invalid_rules",
  },
  suggestLimit: {
    value: 100,
    unit: "count",
    protects: "the size of a suggest answer",
    beyond: "limit is capped",
  },
  suggestQueries: {
    value: 10_000,
    unit: "count",
    protects: "the memory of shards: own queries of one index, including sharpened and relaxed lists",
    beyond: "400 invalid_configuration",
  },
  suggestQueriesBytes: {
    value: 4_194_304,
    unit: "bytes",
    protects: "the configuration snapshot that every index receives: own queries of all indexes together",
    beyond: "413 body_too_large; stored data is unchanged",
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
    protects: "clients of an index with several shards, if one is slow or unreachable",
    beyond: "503 index_unavailable with Retry-After; never a partial answer",
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
  openSessions: {
    value: 100,
    unit: "count",
    protects: "the object of an index: import sessions that are open or being published",
    beyond:
      "429 too_many_requests with Retry-After; complete or cancel one (those that are older than an hour are removed)",
  },
  allOpenSessions: {
    value: 1_000,
    unit: "count",
    protects: "the catalog, and the list of sessions: the same of all indexes together",
    beyond: "the same",
  },
  newIndexesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the thread of an isolate: indexes that PUTs are creating, each with three objects",
    beyond: "they wait for their turn",
  },
  newIndexesWaiting: {
    value: 256,
    unit: "count",
    protects: "the same: PUTs that wait to create their index",
    beyond: "429 too_many_requests with Retry-After; nothing was changed",
  },
  configurationChangesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the thread of an isolate: changes of the configuration, each of which reads all of it",
    beyond: "they wait for their turn",
  },
  configurationChangesWaiting: {
    value: 64,
    unit: "count",
    protects: "the same: changes of the configuration that wait",
    beyond: "429 too_many_requests with Retry-After; nothing was changed",
  },
  overviewsAtOnce: {
    value: 2,
    unit: "count",
    protects: "the thread of an isolate: calls for figures of all indexes or imports, each of which asks all of them",
    beyond: "they wait for their turn, and use what is read meanwhile",
  },
  overviewsWaiting: {
    value: 256,
    unit: "count",
    protects: "the same: such calls that wait",
    beyond: "429 too_many_requests with Retry-After",
  },
  importBlocks: {
    value: 60_000,
    unit: "count",
    protects:
      "the list of stored blocks of a generation, one per bulk or per 8 MB of it; segments number them in 16 bits",
    beyond: "413 index_too_large at add, the session stays open; send larger bulks",
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
} as const satisfies Record<string, Limit>;
