/** The keys of an answer's `meta` (docs/search.md), which DECORATE must not use. */
export const META_KEYS = [
  // the request
  "noQuery",
  "includeMainResult",
  "error",
  "preprocessedQuery",
  "analyzedQuery",
  "query_filters",
  "query_boostings",
  // the execution
  "query_executed",
  "query_strategy",
  "query_stage",
  "query_corrected",
  "query_correction",
  "query_ignored",
  "query_unwanted",
  "query_filled",
  "query_complete",
  // rules
  "redirect",
  "searchhub_redirect_url",
  "decorations",
  // requested by `trace`
  "trace",
  "elasticsearch_query",
] as const;

type MetaKey = (typeof META_KEYS)[number];

/** The entries written by the service. Rules add their own keys. */
export type OwnMeta = Partial<Record<MetaKey, unknown>>;
