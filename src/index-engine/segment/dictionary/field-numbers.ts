/**
 * Numbers search fields in the order of their first use. Signatures have 16 bits for a field, so names beyond
 * LIMITS.searchFieldNames share the last number. Their content is searched without its own name and weight.
 */
import { LIMITS } from "../../../interface/index.ts";

export class FieldNumbers {
  /** By number. */
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #most: number;

  constructor(most: number = LIMITS.searchFieldNames.value) {
    this.#most = most;
  }

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const wellFormed = name.toWellFormed();
    let number = this.#numbers.get(wellFormed);
    if (number === undefined) {
      number = Math.min(this.names.length, this.#most - 1);
      if (number === this.names.length) this.names.push(wellFormed);
      this.#numbers.set(wellFormed, number);
    }
    this.#numbers.set(name, number);
    return number;
  }
}
