/** Choices that follow from a text alone. */
import { mulberry32 } from "../../test/support/mulberry32.ts";

export class Draw {
  readonly #random: () => number;

  /** FNV-1a of the text seeds mulberry32. */
  constructor(seed: string) {
    let hash = 2_166_136_261;
    for (const letter of seed) {
      hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
    }
    this.#random = mulberry32(hash);
  }

  /** 0 <= n < end. */
  below(end: number): number {
    return Math.floor(this.#random() * end);
  }

  /** True in `share` of all draws. */
  chance(share: number): boolean {
    return this.#random() < share;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  some<T>(list: readonly T[], count: number): T[] {
    return Array.from({ length: list.length === 0 ? 0 : count }, () => this.of(list));
  }

  /** One of the names, with the chance that its weight has among all. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
    const names = Object.keys(weights) as Name[];
    let left = this.#random() * names.reduce((sum, name) => sum + weights[name], 0);
    for (const name of names) {
      left -= weights[name];
      if (left < 0) return name;
    }
    return names[names.length - 1];
  }
}
