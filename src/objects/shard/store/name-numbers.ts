/**
 * Short numbers for names, for integer keys in another table: `number * size + place`.
 *
 * A row with a blob needs an integer key. For other keys SQLite compares whole rows, so a lookup reads a dozen rows
 * with all their pages; and a separate key would be billed as a second row.
 *
 *   <table>   number -> name
 *
 * The number of a dropped name is not reused until a restart or until all numbers were used, because a running search
 * may still read by it and must find nothing.
 */

/** Keys must stay exact: numbers are multiplied by 2^32 at most. */
const MOST_NUMBERS = 2 ** 20;

export class NameNumbers {
  readonly #sql: SqlStorage;
  readonly #table: string;
  /** Null: must be read. */
  #numbers: Map<string, number> | null = null;
  /** The last assigned number; 0: none. */
  #last = 0;

  constructor(sql: SqlStorage, table: string) {
    this.#sql = sql;
    this.#table = table;
  }

  /** Creates the empty table. */
  begin(): void {
    this.#sql.exec(`DROP TABLE IF EXISTS ${this.#table}`);
    this.#sql.exec(`CREATE TABLE ${this.#table} (number INTEGER PRIMARY KEY, name TEXT NOT NULL)`);
    this.#numbers = null;
  }

  /** SQLite no longer has what was last written: a transaction was rolled back. */
  forget(): void {
    this.#numbers = null;
  }

  /** Undefined: no number. */
  of(name: string): number | undefined {
    return this.#all().get(name);
  }

  /** The name's number; assigns one to a new name. */
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

  /** Call after deleting the rows with its number. */
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
