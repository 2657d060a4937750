/** The stages of the reference's preset (section 5.5 of its description). */
const MAIN_FIELDS = {
  title: 3,
  "title.standard": 2.5,
  brand: 2,
  "brand.standard": 1.5,
  category_leaf: 2,
  "category_leaf.standard": 1.7,
};

export const REFERENCE_STAGES = {
  "ean-search": {
    strategy: "ConfigurableQuery",
    condition: { matchingRegex: "\\s*(\\d{13}\\s*)+", maxTermCount: 42 },
    settings: { operator: "OR", analyzer: "whitespace", acceptNoResult: true },
    "weighted-fields": { ean: 1 },
  },
  "art-nr-search": {
    strategy: "ConfigurableQuery",
    condition: { matchingRegex: "\\s*(\\d+\\w?\\d+\\s*)+", maxTermCount: 42 },
    settings: { operator: "OR", analyzer: "whitespace", acceptNoResult: true },
    "weighted-fields": { artNr: 2, masterNr: 1.5 },
  },
  "default-query": {
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 1, maxTermCount: 10 },
    settings: {
      operator: "AND",
      tieBreaker: 0.7,
      multimatch_type: "cross_fields",
      analyzer: "standard",
      quoteAnalyzer: "minimal",
      isQueryWithShingles: true,
    },
    "weighted-fields": MAIN_FIELDS,
  },
  "relaxed-query": {
    strategy: "RelaxedQuery",
    condition: { minTermCount: 2, maxTermCount: 10 },
    settings: { analyzer: "standard", tieBreaker: 0.2, fallbackQuery: "relaxed-ngram-query" },
    "weighted-fields": { ...MAIN_FIELDS, category_leaf: 1.8 },
  },
  "one-term-fuzzy-search": {
    strategy: "ConfigurableQuery",
    condition: { maxTermCount: 1 },
    settings: { tieBreaker: 0.7, fuzziness: "AUTO" },
    "weighted-fields": { title: 3, "title.standard": 2.5, brand: 2 },
  },
  "relaxed-ngram-query": {
    strategy: "NgramQuery",
    condition: { maxTermCount: 10 },
    settings: { minShouldMatch: "80%", tieBreaker: 0.2 },
    "weighted-fields": { title: 3, brand: 2 },
  },
  "dismax-query": {
    strategy: "DisMaxQuery",
    condition: { minTermCount: 3, matchingRegex: ".*\\s\\S{1,4}" },
    "weighted-fields": { title: 1, brand: 1 },
  },
  "fallback-search": {
    strategy: "ConfigurableQuery",
    condition: { minTermCount: 10 },
    settings: { analyzer: "standard", minShouldMatch: "75%" },
    "weighted-fields": MAIN_FIELDS,
  },
};
