/** MiniSearch over title, brand and description, with filters and facets from typed arrays. */
import MiniSearch, { type Query as MiniQuery, type SearchOptions } from "minisearch";
import type { SyntheticCorpus } from "../synthetic/corpus.ts";
import { filterFor, hasFacets, limitOf, MODES, wordsOf, type Mode, type Query } from "../synthetic/queries.ts";
import { Columns, squaresOf, type FacetCounts } from "./columns.ts";
import type { CoreEngine, EngineFacts } from "./core-engine.ts";

interface Row {
  readonly id: number;
  readonly title: string;
  readonly brand: string;
  readonly description: string;
}

const BOOST = { title: 3, brand: 2, description: 1 };

/** The texts are letters and single spaces, so nothing else needs to be looked for. */
const TOKENS = { tokenize: (text: string): string[] => text.split(" ") };

export class MiniSearchCore implements CoreEngine {
  readonly modes = MODES;
  readonly facts: EngineFacts;
  readonly #corpus: SyntheticCorpus;
  readonly #queries: readonly Query[];
  readonly #columns: Columns;
  readonly #index = new MiniSearch<Row>({
    fields: ["title", "brand", "description"],
    ...TOKENS,
    searchOptions: { boost: BOOST, ...TOKENS },
  });
  #counts: FacetCounts | null = null;
  /** Keeps the pages alive. */
  shown = 0;

  constructor(corpus: SyntheticCorpus, queries: readonly Query[]) {
    this.#corpus = corpus;
    this.#queries = queries;
    const startMs = performance.now();
    for (let id = 0; id < corpus.size; id++) {
      const { title, brand, description } = corpus.product(id);
      this.#index.add({ id, title, brand: corpus.brands[brand], description });
    }
    const buildSeconds = (performance.now() - startMs) / 1_000;
    this.#columns = new Columns(corpus);
    this.facts = { version: "MiniSearch 7.2", buildSeconds, lines: [] };
  }

  run(mode: Mode, query: number): number {
    const asked = this.#queries[query];
    const filter = filterFor(mode, asked);
    const words = wordsOf(mode, asked);
    const text: MiniQuery = words.length === 0 ? MiniSearch.wildcard : words.join(" ");
    const passes = filter === null ? null : this.#columns.passes(filter);
    const found = this.#index.search(text, {
      ...optionsOf(mode),
      ...(passes !== null && { filter: ({ id }: { readonly id: number }) => passes(id) }),
    });
    this.#counts = hasFacets(mode) ? this.#columns.count(found as unknown as readonly { readonly id: number }[]) : null;
    this.shown += found.slice(0, limitOf(mode)).length;
    return found.length;
  }

  countSquares(): readonly number[] | null {
    return this.#counts === null ? null : squaresOf(this.#corpus, this.#counts);
  }
}

function optionsOf(mode: Mode): SearchOptions {
  switch (mode) {
    case "or":
      return { combineWith: "OR" };
    case "prefix":
      return { combineWith: "AND", prefix: (_, at, terms) => at === terms.length - 1 };
    case "fuzzy":
      return { combineWith: "AND", fuzzy: 1 };
    case "and":
    case "facet":
    case "browse":
      return { combineWith: "AND" };
  }
}
