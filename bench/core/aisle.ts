/**
 * Aisle's search alone: `search` of a request that was parsed before, without rendering.
 *
 * Three tenants with the same five facets, whose own filter cuts their counts, too:
 *
 *   aisle     one configured stage that does what the other engines do
 *   plain     no stages; fill, corrections of known words and category feedback are off. It reads words in more ways, so it may find more
 *   default   no stages, and nothing is off
 *
 * Without stages the last word of `prefix` is said to be still typed.
 *
 * Aisle caches what it found for a text. So that a pass does not measure the cache, each one asks with another
 * number of spaces behind the words; the words themselves are known, as they soon are in a shop. With `isRepeated`
 * (the engines named `-again`) the text stays the same.
 */
import { Reader } from "../../src/index-engine/index/reader.ts";
import { search } from "../../src/index-engine/search.ts";
import { openSegment } from "../../src/index-engine/segment/index.ts";
import {
  builtInTenantConfig,
  DEFAULT_NUMBER_FACET,
  DEFAULT_TERM_FACET,
  type FacetConfig,
  type SearchRequest,
  type TenantConfig,
} from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import type { SyntheticCorpus } from "../synthetic/corpus.ts";
import {
  FACET_FIELDS,
  MODES,
  PRICE_STEP_CENTS,
  queriesOf,
  queryAddress,
  type Mode,
  type Query,
} from "../synthetic/queries.ts";
import { syntheticSegment, type SyntheticSegment } from "./aisle-segment.ts";
import { priceStep } from "./columns.ts";
import { sumOfSquares, type CoreEngine, type EngineFacts } from "./core-engine.ts";

export type Tenant = "configured" | "plain" | "default";

/** With 1,000 queries, more different texts than the cache has room for. */
const MOST_SPACES = 100;

/** Queries after whose first answer in a freshly opened segment a median is taken. */
const FRESH_SEGMENTS = 15;

interface Settings {
  readonly tenant: Tenant;
  readonly isRepeated: boolean;
  readonly rebuild: boolean;
}

type Execution = ReturnType<typeof search>;

export class AisleCore implements CoreEngine {
  readonly modes: readonly Mode[];
  readonly facts: EngineFacts;
  readonly #corpus: SyntheticCorpus;
  readonly #segment: SyntheticSegment;
  readonly #reader: Reader;
  readonly #tenants: Readonly<Record<Mode, TenantConfig>>;
  readonly #requests: Readonly<Record<Mode, readonly SearchRequest[]>>;
  readonly #countsLikeOthers: boolean;
  readonly #isRepeated: boolean;
  /** By query: how often it was asked. */
  readonly #asked: Uint32Array;
  #last: Execution | null = null;
  /** Keeps the pages alive. */
  shown = 0;

  constructor(corpus: SyntheticCorpus, queries: readonly Query[], settings: Settings) {
    this.#corpus = corpus;
    // Nobody can ask an unconfigured tenant for any of the words: it does so by itself where nothing has them all.
    this.modes = settings.tenant === "configured" ? MODES : MODES.filter((mode) => mode !== "or");
    this.#countsLikeOthers = settings.tenant === "configured";
    this.#isRepeated = settings.isRepeated;
    this.#asked = new Uint32Array(queries.length);
    this.#segment = syntheticSegment(corpus, settings.rebuild);
    const { bytes, buildSeconds } = this.#segment;
    this.#tenants = byMode((mode) => tenantFor(mode, settings.tenant));
    this.#requests = byMode((mode) =>
      queries.map((query) => ({
        ...parseSearchParameters(queryAddress(this.#corpus, mode, query)),
        ...(mode === "prefix" && settings.tenant !== "configured" && { isTyping: true }),
      })),
    );
    const startMs = performance.now();
    const segment = openSegment(bytes);
    this.#reader = Reader.of([segment]);
    const openedMs = performance.now();
    this.run("facet", 0);
    const answeredMs = performance.now();
    this.facts = {
      version: `Node ${process.versions.node}`,
      buildSeconds,
      lines: [
        `new process: opened in ${(openedMs - startMs).toFixed(1)} ms, ` +
          `first facet query ${(answeredMs - openedMs).toFixed(1)} ms`,
        ...(settings.tenant === "configured" && !settings.isRepeated
          ? sectionLines(segment.sizeBytes, segment.bytesBySection, corpus.size)
          : []),
      ],
    };
  }

  run(mode: Mode, query: number): number {
    return this.#search(this.#reader, mode, query);
  }

  #search(reader: Reader, mode: Mode, query: number): number {
    const known = this.#requests[mode][query];
    const spaces = this.#isRepeated ? 0 : this.#asked[query]++ % MOST_SPACES;
    const request = spaces === 0 ? known : { ...known, q: known.q + " ".repeat(spaces) };
    const execution = search(reader, request, this.#tenants[mode], this.#segment.plan);
    // The sum of the counts of each field: nothing is left to be counted later.
    if (execution.facets !== null) this.shown += execution.facets.fields().length;
    this.#last = execution;
    return execution.matchCount;
  }

  /** Whether too few products have all words, so that others are added (docs/query-core.md, "Fill"). */
  isFilled(mode: Mode, query: number): boolean {
    this.run(mode, query);
    return this.#last?.meta["query_filled"] === true;
  }

  countSquares(): readonly number[] | null {
    const facets = this.#last?.facets ?? null;
    if (facets === null || !this.#countsLikeOthers) return null;
    return FACET_FIELDS.map((field) => {
      if (field !== "price") {
        const values = facets.field(field, field === "category" ? "path" : "term")?.values() ?? [];
        return sumOfSquares(values.map(({ count }) => count));
      }
      const steps = new Map<number, number>();
      const numbers = facets.field("price", "number")?.numbers();
      numbers?.values.forEach((price, at) => {
        const step = priceStep(Math.round(price * 100));
        steps.set(step, (steps.get(step) ?? 0) + numbers.counts[at]);
      });
      return sumOfSquares(steps.values());
    });
  }

  /** The first query of each of several freshly opened segments, in a warm process: us, median. */
  firstQueryUs(mode: Mode, queries: readonly Query[]): { openUs: number; queryUs: number } {
    const asked = queriesOf(mode, queries).slice(0, FRESH_SEGMENTS);
    const times = asked.map((query) => {
      const startMs = performance.now();
      const reader = Reader.of([openSegment(this.#segment.bytes)]);
      const openedMs = performance.now();
      this.#search(reader, mode, query);
      return { open: openedMs - startMs, query: performance.now() - openedMs };
    });
    const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] * 1_000;
    return {
      openUs: middle(times.map(({ open }) => open)),
      queryUs: middle(times.map(({ query }) => query)),
    };
  }
}

function byMode<Value>(make: (mode: Mode) => Value): Record<Mode, Value> {
  return Object.fromEntries(MODES.map((mode) => [mode, make(mode)])) as Record<Mode, Value>;
}

/** The stage accepts finding nothing, so no other is tried. */
export function tenantFor(mode: Mode, tenant: Tenant): TenantConfig {
  const ignored = { kind: "ignore" } as const;
  const builtIn = builtInTenantConfig("bench", ["bench"]);
  const stages =
    tenant !== "configured"
      ? null
      : [
          {
            name: mode,
            strategy: "ConfigurableQuery",
            condition: {
              minTermCount: 1,
              maxTermCount: null,
              maxQueryLength: null,
              matchingRegex: null,
            },
            settings: {
              operator: mode === "or" ? "OR" : "AND",
              analyzer: "whitespace",
              acceptNoResult: "true",
              allowParallelSpellcheck: "false",
              ...(mode === "prefix" && { multimatch_type: "bool_prefix" }),
              ...(mode === "fuzzy" && { fuzziness: "1" }),
            },
            weightedFields: { title: 3, brand: 2, description: 1 },
          },
        ];
  return {
    ...builtIn,
    stages,
    ...(tenant === "plain" && {
      relevance: {
        ...builtIn.relevance,
        fill: false,
        correctKnownWords: false,
        categoryFeedback: false,
      },
    }),
    facets: {
      maxFacets: FACET_FIELDS.length,
      defaultTermFacet: { ...DEFAULT_TERM_FACET, type: ignored },
      defaultNumberFacet: { ...DEFAULT_NUMBER_FACET, type: ignored },
      facets: FACET_FIELDS.map((field): FacetConfig => ({
        ...DEFAULT_TERM_FACET,
        sourceField: field,
        label: field,
        filterSensitive: true,
        ...(field === "price" && { type: { kind: "interval", width: PRICE_STEP_CENTS / 100 } }),
      })),
    },
  };
}

function sectionLines(bytes: number, bySection: Readonly<Record<string, number>>, products: number): string[] {
  const each = (size: number): string => (size / products).toFixed(1);
  const sections = Object.entries(bySection)
    .sort((a, b) => b[1] - a[1])
    .map(([name, size]) => `${name} ${each(size)}`);
  return [`${each(bytes)} bytes a product: ${sections.join(", ")}`];
}
