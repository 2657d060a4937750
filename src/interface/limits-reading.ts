/** Searches, suggestions, exports and overviews: what is asked for, the work, and the answers. */
import type { Limit } from "./limit.ts";

export const READING_LIMITS = {
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
  exportBytesPerSecond: {
    value: 16_384,
    unit: "bytes",
    protects:
      "the same: so much must a client read of an export on average; pauses of up to `exportStallMs` are allowed",
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
    protects:
      "the thread: postings, values and terms read by a search or suggestion, or by one of its rounds on a shard",
    beyond: "400 search_too_expensive",
  },
  searchPartSteps: {
    value: 8_000_000,
    unit: "count",
    protects: "other searches, which wait for a part of one: a segment, a product set, a source of suggestions",
    beyond: "400 search_too_expensive",
  },
  expensiveSearchesAtOnce: {
    value: 2,
    unit: "count",
    protects: "the memory of an isolate: searches and suggestions of more than a million steps, which pause for others",
    beyond: "further ones wait",
  },
  expensiveSearchesWaiting: {
    value: 256,
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
  suggestLimit: {
    value: 100,
    unit: "count",
    protects: "the size of a suggest answer",
    beyond: "limit is capped",
  },
  shardedSearchMs: {
    value: 5_000,
    unit: "ms",
    protects: "clients of an index with several shards, if one is slow or unreachable",
    beyond: "503 index_unavailable with Retry-After; never a partial answer",
  },
  searchesInRounds: {
    value: 256,
    unit: "count",
    protects:
      "the memory of a shard: searches over several shards, and as many suggestions, which it keeps between their rounds",
    beyond:
      "one that no call is using starts over, the one that was used least recently; 429 too_many_requests with Retry-After if calls are using all",
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
} as const satisfies Record<string, Limit>;
