/**
 * Short numbers for names, so that rows of another table can have one integer as their key: `name * size + place`.
 *
 * A row with a blob needs such a key. By any other key SQLite compares whole rows, so looking one up reads a dozen
 * others with all their pages; and a key beside the row would be a second row to pay for.
 *
 *   <table>   number -> name
 *
 * The number of a name that was dropped is given to no other one while the object lives: a search that goes on may read
 * by it, and must find nothing. Only after a restart, or when all numbers have been used.
 */

/** Keys must stay exact: numbers are multiplied by 2^32 at most. */
const MOST_NUMBERS = 2 ** 20;

export class NameNumbers {
  readonly #sql: SqlStorage;
  readonly #table: string;
  /** Null: to be read. */
  #numbers: Map<string, number> | null = null;
  /** The last number given; 0: none. */
  #last = 0;

  constructor(sql: SqlStorage, table: string) {
    this.#sql = sql;
    this.#table = table;
  }

  /** The table, empty. */
  begin(): void {
    this.#sql.exec(`DROP TABLE IF EXISTS ${this.#table}`);
    this.#sql.exec(`CREATE TABLE ${this.#table} (number INTEGER PRIMARY KEY, name TEXT NOT NULL)`);
    this.#numbers = null;
  }

  /** What is in SQLite is not what was written last: a transaction was taken back. */
  forget(): void {
    this.#numbers = null;
  }

  /** Undefined: nothing of it is here. */
  of(name: string): number | undefined {
    return this.#all().get(name);
  }

  /** The number it has, or gets now. */
  add(name: string): number {
    const known = this.of(name);
    if (known !== undefined) return known;
    const numbers = this.#all();
    const used = new Set(numbers.values());
    if (used.size === MOST_NUMBERS) throw new Error(`${this.#table}: too many names`);
    do this.#last = (this.#last % MOST_NUMBERS) + 1;
    while (used.has(this.#last));
    this.#sql.exec(`INSERT INTO ${this.#table} (number, name) VALUES (?, ?)`, this.#last, name);
    numbers.set(name, this.#last);
    return this.#last;
  }

  /** Rows with its number are gone. */
  drop(name: string): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE name = ?`, name);
    this.#all().delete(name);
  }

  names(): string[] {
    return [...this.#all().keys()];
  }

  #all(): Map<string, number> {
    if (this.#numbers === null) {
      const rows = this.#sql
        .exec<{ number: number; name: string }>(`SELECT number, name FROM ${this.#table}`)
        .toArray();
      this.#numbers = new Map(rows.map(({ number, name }) => [name, number]));
      for (const { number } of rows) this.#last = Math.max(this.#last, number);
    }
    return this.#numbers;
  }
}
