/**
 * SQLite FTS5 in memory: a contentless full-text table, a table of products and one each for colours and
 * sizes. It ranks by bm25 with the field weights of the others and has no fuzzy search.
 *
 * `CROSS JOIN` keeps the order of the joins: hits first. Left to choose, SQLite may begin with the filter,
 * which takes many times as long.
 */
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SyntheticCorpus } from "../synthetic/corpus.ts";
import { filterFor, limitOf, wordsOf, type Filter, type Mode, type Query } from "../synthetic/queries.ts";
import { priceStep, squaresOf, type FacetCounts } from "./columns.ts";
import type { CoreEngine, EngineFacts } from "./core-engine.ts";

const MODES: readonly Mode[] = ["and", "or", "prefix", "facet", "browse"];

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA temp_store = MEMORY;
  CREATE VIRTUAL TABLE fts USING fts5(title, brand, description, content='', prefix='2 3', tokenize='ascii');
  INSERT INTO fts(fts, rank) VALUES ('rank', 'bm25(3, 2, 1)');
  CREATE TABLE product(id INTEGER PRIMARY KEY, brand INT, leaf INT, cents INT, step INT);
  CREATE TABLE colour(product INT, value INT, PRIMARY KEY (product, value)) WITHOUT ROWID;
  CREATE TABLE size(product INT, value INT, PRIMARY KEY (product, value)) WITHOUT ROWID;
  CREATE TEMP TABLE hits(id INTEGER PRIMARY KEY, score REAL);`;
const INDEXES = `
  INSERT INTO fts(fts) VALUES ('optimize');
  CREATE INDEX product_brand ON product(brand);
  CREATE INDEX product_leaf ON product(leaf);
  CREATE INDEX product_cents ON product(cents);
  ANALYZE;`;

const CONDITIONS: Readonly<Record<Filter["field"], string>> = {
  brand: "p.brand BETWEEN ? AND ?",
  category: "p.leaf BETWEEN ? AND ?",
  price: "p.cents BETWEEN ? AND ?",
};

const COUNTED = {
  brands: "SELECT p.brand, count(*) FROM hits CROSS JOIN product p ON p.id = hits.id GROUP BY 1",
  leaves: "SELECT p.leaf, count(*) FROM hits CROSS JOIN product p ON p.id = hits.id GROUP BY 1",
  colours: "SELECT c.value, count(*) FROM hits CROSS JOIN colour c ON c.product = hits.id GROUP BY 1",
  sizes: "SELECT s.value, count(*) FROM hits CROSS JOIN size s ON s.product = hits.id GROUP BY 1",
  prices: "SELECT p.step, count(*) FROM hits CROSS JOIN product p ON p.id = hits.id GROUP BY 1",
} as const;
type Counted = keyof typeof COUNTED;
type Counts = Readonly<Record<Counted, readonly unknown[]>>;

export class SqliteCore implements CoreEngine {
  readonly modes = MODES;
  readonly facts: EngineFacts;
  readonly #corpus: SyntheticCorpus;
  readonly #queries: readonly Query[];
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements = new Map<string, StatementSync>();
  #counts: Counts | null = null;
  /** Keeps the pages alive. */
  shown = 0;

  constructor(corpus: SyntheticCorpus, queries: readonly Query[]) {
    this.#corpus = corpus;
    this.#queries = queries;
    const startMs = performance.now();
    this.#build();
    const buildSeconds = (performance.now() - startMs) / 1_000;
    const { version } = this.#all("SELECT sqlite_version() AS version")[0] as { version: string };
    const { pages } = this.#all("SELECT page_count AS pages FROM pragma_page_count")[0] as {
      pages: number;
    };
    this.facts = {
      version: `SQLite ${version}`,
      buildSeconds,
      lines: [`${((pages * 4096) / corpus.size).toFixed(0)} bytes a product in pages`],
    };
  }

  #build(): void {
    this.#database.exec(SCHEMA);
    this.#database.exec("BEGIN");
    const text = this.#statement("INSERT INTO fts(rowid, title, brand, description) VALUES (?, ?, ?, ?)");
    const product = this.#statement("INSERT INTO product VALUES (?, ?, ?, ?, ?)");
    const colour = this.#statement("INSERT OR IGNORE INTO colour VALUES (?, ?)");
    const size = this.#statement("INSERT OR IGNORE INTO size VALUES (?, ?)");
    for (let id = 0; id < this.#corpus.size; id++) {
      const { title, description, brand, leaf, cents, looks } = this.#corpus.product(id);
      text.run(id, title, this.#corpus.brands[brand], description);
      product.run(id, brand, leaf, cents, priceStep(cents));
      for (const look of looks) {
        colour.run(id, look.colour);
        size.run(id, look.size);
      }
    }
    this.#database.exec("COMMIT");
    this.#database.exec(INDEXES);
  }

  run(mode: Mode, query: number): number {
    this.#counts = null;
    const asked = this.#queries[query];
    const match = matchOf(mode, wordsOf(mode, asked));
    if (mode === "facet" || mode === "browse") {
      return this.#withFacets(match, filterFor(mode, asked), limitOf(mode));
    }
    const hits = this.#all(
      "SELECT rowid, rank, count(*) OVER () AS total FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT ?",
      match,
      limitOf(mode),
    ) as { total: number }[];
    this.shown += hits.length;
    return hits.length === 0 ? 0 : hits[0].total;
  }

  #withFacets(match: string, filter: Filter | null, limit: number): number {
    const bounds = filter === null ? [] : boundsOf(filter);
    const condition = filter === null ? "" : CONDITIONS[filter.field];
    this.#statement("DELETE FROM hits").run();
    const inserted =
      match === ""
        ? this.#statement(`INSERT INTO hits SELECT p.id, 0 FROM product p WHERE ${condition} ORDER BY 1`).run(...bounds)
        : filter === null
          ? this.#statement("INSERT INTO hits SELECT rowid, rank FROM fts WHERE fts MATCH ?").run(match)
          : this.#statement(
              "INSERT INTO hits SELECT fts.rowid, fts.rank FROM fts CROSS JOIN product p ON p.id = fts.rowid " +
                `WHERE fts MATCH ? AND ${condition}`,
            ).run(match, ...bounds);
    const hits = this.#all("SELECT id, score FROM hits ORDER BY score LIMIT ?", limit);
    this.shown += hits.length;
    const count = (field: Counted): readonly unknown[] => this.#all(COUNTED[field]);
    this.#counts = {
      brands: count("brands"),
      leaves: count("leaves"),
      colours: count("colours"),
      sizes: count("sizes"),
      prices: count("prices"),
    };
    return Number(inserted.changes);
  }

  countSquares(): readonly number[] | null {
    const counts = this.#counts;
    if (counts === null) return null;
    const column = (field: Counted): Uint32Array => {
      const values = new Uint32Array(1_024);
      for (const row of counts[field]) {
        const [value, count] = Object.values(row as Record<string, number>);
        values[value] = count;
      }
      return values;
    };
    const all: FacetCounts = {
      brands: column("brands"),
      leaves: column("leaves").subarray(0, this.#corpus.categories.length),
      colours: column("colours"),
      sizes: column("sizes"),
      prices: column("prices"),
    };
    return squaresOf(this.#corpus, all);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #all(sql: string, ...parameters: (string | number)[]): unknown[] {
    return this.#statement(sql).all(...parameters);
  }
}

function matchOf(mode: Mode, words: readonly string[]): string {
  const text = words.map((word) => `"${word}"`).join(mode === "or" ? " OR " : " ");
  return mode === "prefix" ? `${text}*` : text;
}

/** Both included. */
function boundsOf(filter: Filter): [number, number] {
  switch (filter.field) {
    case "brand":
      return [filter.brand, filter.brand];
    case "category": {
      const { from, to } = filter.path[filter.path.length - 1];
      return [from, to - 1];
    }
    case "price":
      return [filter.lower, filter.upper];
  }
}
