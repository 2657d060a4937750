/**
 * The keys of an answer's `meta`: one list for those who write them, and for rules, whose DECORATE
 * may not take them. What each means stands in docs/search.md.
 */
export const META_KEYS = [
  // what was asked
  "noQuery",
  "includeMainResult",
  "error",
  "preprocessedQuery",
  "analyzedQuery",
  "query_filters",
  "query_boostings",
  // what ran
  "query_executed",
  "query_strategy",
  "query_stage",
  "query_corrected",
  "query_correction",
  "query_ignored",
  "query_unwanted",
  "query_filled",
  "query_complete",
  // what rules say
  "redirect",
  "searchhub_redirect_url",
  "decorations",
  // what was asked for by `trace`
  "trace",
  "elasticsearch_query",
] as const;

type MetaKey = (typeof META_KEYS)[number];

/** What the service itself writes; rules add their own keys. */
export type OwnMeta = Partial<Record<MetaKey, unknown>>;
