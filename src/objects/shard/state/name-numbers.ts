/**
 * Short numbers for names, so that rows of another table can have one integer as their key: `name * size + place`.
 *
 * A row with a blob needs such a key. By any other key SQLite compares whole rows, so looking one up reads a dozen
 * others with all their pages; and a key beside the row would be a second row to pay for.
 *
 *   <table>   number -> name. Numbers of names that were dropped are given again
 */
export class NameNumbers {
  readonly #sql: SqlStorage;
  readonly #table: string;
  /** Null: to be read. */
  #numbers: Map<string, number> | null = null;

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
    const { number } = this.#sql
      .exec<{ number: number }>(
        `INSERT INTO ${this.#table} (name) VALUES (?) RETURNING number`,
        name,
      )
      .one();
    this.#all().set(name, number);
    return number;
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
    this.#numbers ??= new Map(
      this.#sql
        .exec<{ number: number; name: string }>(`SELECT number, name FROM ${this.#table}`)
        .toArray()
        .map(({ number, name }) => [name, number]),
    );
    return this.#numbers;
  }
}
