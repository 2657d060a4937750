/**
 * What generations are called. Whoever starts an import is told the name of its generation, and so is whoever
 * reindexes; but of a reindex that was never answered nobody knows it. Its generation goes by an alias until something
 * shows the name.
 *
 * An alias stands for a name that nobody was told and that was seen for the first time just now: whatever was seen
 * before belongs to another generation. Within the events between two readings several aliases may stand for one name,
 * in different worlds.
 */

const ALIAS = /^reindex \d+$/;
const NAME = /^ocs-\d+-/;

export function aliasOf(number: number): string {
  return `reindex ${number}`;
}

/** Null: the answer names no generation. */
export function nameIn(answer: string | null): string | null {
  return answer !== null && NAME.test(answer) ? (answer.split(" ")[0] ?? null) : null;
}

export class Names {
  readonly #taken = new Set<string>();
  /** Name -> aliases that stood for it. */
  readonly #aliases = new Map<string, Set<string>>();

  /** An answer named a generation. */
  told(name: string): void {
    this.#taken.add(name);
  }

  /** Whether a generation called `own` may be the one of this name; notes it when `own` is an alias. */
  fits(own: string, name: string): boolean {
    if (own === name) return true;
    if (!ALIAS.test(own) || !NAME.test(name) || this.#taken.has(name)) return false;
    const aliases = this.#aliases.get(name);
    if (aliases === undefined) this.#aliases.set(name, new Set([own]));
    else aliases.add(own);
    return true;
  }

  /** What was seen is known from now on: in every world left, the generation has its name. */
  settled(): void {
    for (const name of this.#aliases.keys()) this.#taken.add(name);
  }

  /** All aliases that may have stood for this name. */
  aliasesOf(name: string): readonly string[] {
    return [...(this.#aliases.get(name) ?? [])];
  }

  /** How many generations that nobody was told of were seen. */
  get seen(): number {
    return this.#aliases.size;
  }
}
