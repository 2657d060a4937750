/** The tenants that search: their stages, rules, scoring functions, query analyzers and variant picking strategies. */
import { STAGES } from "./stages.ts";

export interface Configuration {
  readonly name: string;
  /** A tenant entry of a configuration file. */
  readonly section: Readonly<Record<string, unknown>>;
  /** Rules text; null: none. */
  readonly rules: string | null;
}

/** Multi-select, ranges and variants, so that filters act before and after counting. */
const FACETS = {
  "max-facets": 8,
  facets: [
    { "source-field": "category", type: "hierarchical" },
    { "source-field": "brand", "multi-select": true },
    { "source-field": "price", type: "range", "show-unselected-options": true },
    { "source-field": "color", "multi-select": true, "prefer-variant-on-filter": true },
    { "source-field": "size" },
    { "source-field": "Product colour", "multi-select": true },
    { "source-field": "Weight", type: "interval_500", "show-unselected-options": true },
    { "source-field": "Type", "filter-sensitive": true },
  ],
};

/** The built-in fields do not let `price` score, so its function is ignored. */
const FUNCTIONS = {
  "boost-mode": "multiply",
  "score-mode": "sum",
  "score-functions": [
    { field: "stock", type: "field_value_factor", weight: 2.5, options: { modifier: "log1p" } },
    {
      field: "popularity",
      type: "field_value_factor",
      options: { modifier: "ln2p", factor: 0.1, missing: 1 },
    },
    { field: "price", type: "field_value_factor", options: { modifier: "sqrt" } },
  ],
};

const MORE_FUNCTIONS = {
  "boost-mode": "avg",
  "score-mode": "avg",
  "score-functions": [
    {
      field: "stock",
      type: "field_value_factor",
      weight: 3,
      options: { modifier: "ln1p", "use-for-variants": true },
    },
    { field: "popularity", type: "decay_gauss", options: { origin: 20000, scale: 5000 } },
    { type: "random_score", weight: 2, options: { "random-seed": 7 } },
    {
      type: "script_score",
      options: { "script-code": "doc['stock'].value > 20 ? saturation(_score, 4) * 3 : 1" },
    },
  ],
};

/** Inputs are words that many recorded queries have. */
const RULES = `
phone =>
  SYNONYM(0.8): smartphone
  UP(2): samsung

phones =>
  SYNONYM: smartphones
  SYNONYM(0.5): cell phone

cell phone =>
  SYNONYM: smartphone
  DOWN(0.4): case

tv AND NOT (stand OR mount OR mounts) =>
  FILTER: -stand
  DOWN(5): mount

tv =>
  SYNONYM(0.9): television
  UP(1.5): * brand:Samsung

laptop* =>
  SYNONYM: notebook
  UP(0.5): hp

cases =>
  SYNONYM: cover
  FILTER: * -brand:HP

accessories =>
  DELETE

all =>
  DELETE: all

apple =>
  FILTER: * price:5,2500

iphone =>
  UP(3): apple
  DOWN(0.3): * brand:Belkin

camera =>
  UP: digital
  FILTER: * -(printer OR "ink cartridge")

cables =>
  DELETE: cables
  SYNONYM(0.7): cable

gaming AND (mouse OR keyboard OR headset) =>
  UP(2): rgb
  FILTER: * price:10-300

speaker* =>
  SYNONYM: loudspeaker
  UP(1.2): * title:bluetooth

"headphones" =>
  REDIRECT: /headphones
  UP(2): wireless

chair =>
  SYNONYM(0.6): seat
  DOWN(4): * title:cover

table =>
  SYNONYM: desk
  FILTER: -cloth

jacket =>
  SYNONYM: coat
  UP: * category:Men

pants =>
  SYNONYM(0.9): trousers
  FILTER: * -color:Red

*book =>
  UP(1.1): $1
  DECORATE(shelf): $1

memory card =>
  SYNONYM: sd card
  UP(2): "micro sd"

black =>
  UP(2): * color:Black

with =>
  DELETE
`;

/** Texts that one rule or another acts on. */
export const RULE_INPUTS: readonly string[] = [
  "phone",
  "phones",
  "cell phone",
  "tv",
  "tv mount",
  "laptop",
  "notebook case",
  "cases",
  "accessories",
  "all",
  "apple",
  "iphone",
  "camera",
  "cables",
  "gaming mouse",
  "speakers",
  "headphones",
  "chair",
  "table",
  "jacket",
  "pants",
  "macbook",
  "memory card",
  "black",
  "shirt with",
];

const RULES_READER = {
  "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
  "plugin-configuration": { "[QuerqyQueryExpander]": { common_rules_url: "rules" } },
};

const VARIANT_STRATEGIES = [
  "pickIfBestScored",
  "pickAlways",
  "pickIfDrilledDown",
  "pickIfSingleHit",
];
const READERS = [
  {},
  { "user-query-analyzer": "WhitespaceWithShingles" },
  {
    "user-query-analyzer": "NonAlphanumericWordSplitAnalyzer",
    "user-query-preprocessors": ["AsciifyUserQueryPreprocessor"],
  },
];

/** One per stage chain. Query analyzers and variant picking strategies take turns. */
const STAGE_CONFIGURATIONS = Object.entries(STAGES).map(([name, stages], at): Configuration => {
  const section = {
    "query-configuration": stages,
    "facet-configuration": FACETS,
    "variant-picking-strategy": VARIANT_STRATEGIES[at % VARIANT_STRATEGIES.length],
    "query-processing": READERS[at % READERS.length],
  };
  return { name, section, rules: null };
});

export const CONFIGURATIONS: readonly Configuration[] = [
  ...STAGE_CONFIGURATIONS,
  {
    name: "functions",
    section: {
      "query-configuration": STAGES.default,
      "scoring-configuration": FUNCTIONS,
      "facet-configuration": FACETS,
    },
    rules: null,
  },
  {
    name: "chainFunctions",
    section: {
      "query-configuration": STAGES.chain,
      "scoring-configuration": MORE_FUNCTIONS,
      "variant-picking-strategy": "pickAlways",
    },
    rules: null,
  },
  {
    name: "rules",
    section: { ...RULES_READER, "query-configuration": STAGES.default },
    rules: RULES,
  },
  {
    name: "rulesRelaxed",
    section: {
      ...RULES_READER,
      "query-configuration": STAGES.relaxed,
      "facet-configuration": FACETS,
    },
    rules: RULES,
  },
  {
    name: "rulesChainFunctions",
    section: {
      ...RULES_READER,
      "query-configuration": STAGES.chain,
      "scoring-configuration": FUNCTIONS,
    },
    rules: RULES,
  },
  { name: "relevance", section: { "facet-configuration": FACETS }, rules: null },
  { name: "relevanceRules", section: RULES_READER, rules: RULES },
  {
    name: "relevanceFunctions",
    section: { "scoring-configuration": MORE_FUNCTIONS, "facet-configuration": FACETS },
    rules: null,
  },
];
