/**
 * The documents of a world, of the live and the kept generation and of the sessions, as far as they are known: a
 * product of *factors*. A factor says of some slots (a place and an id) which documents they have together, one of a
 * few alternatives; what it says does not depend on other factors. Three updates of different documents that were not
 * answered are three factors of two alternatives, not eight worlds. A document that is certain is a factor of its own.
 * After a reindex the slots of both generations are in the same factors: what is learned of one holds of the other.
 *
 * Nothing is lost by that: a factor is only divided where each part occurs with each other one, and alternatives go
 * when an answer contradicts.
 *
 * What depends on each other multiplies all the same, by a union or a count, and some histories would fill any memory.
 * So a factor has only as many alternatives as a `Limit` says. Beyond that a factor is divided although its parts
 * depend on each other: what that allows is more than what is possible, never less, so the model misses an error
 * rather than finds one that is none. The limit counts how often that was.
 */
import {
  connected,
  factored,
  idIn,
  ofSum,
  placeOf,
  slotOf,
  slotsIn,
  sums,
  union,
  unionById,
  type Documents,
  type Factor,
} from "./factors.ts";
import type { Product } from "./product.ts";

type Change = (id: string, before: Product | undefined) => Product | undefined;
type Condition = (id: string, document: Product | undefined) => boolean;

/** How much is told exactly. */
export class Limit {
  /** Alternatives of a factor. */
  readonly most: number;
  /** How often it was reached. */
  exceeded = 0;

  constructor(most = 2_000) {
    this.most = most;
  }
}

export class Contents {
  static readonly NONE = new Contents([]);
  readonly #factors: readonly Factor[];
  /** The same for the same factors. */
  readonly key: string;

  private constructor(factors: readonly Factor[]) {
    this.#factors = factors;
    this.key = factors
      .map((one) => one.key)
      .sort()
      .join("/");
  }

  /** After the documents in these slots were replaced by what `change` makes of them; undefined: none. */
  with(slots: readonly string[], change: Change): Contents {
    const left = new Set(slots);
    const factors = this.#factors.flatMap((factor) => {
      const own = factor.slots.filter((slot) => left.delete(slot));
      if (own.length === 0) return [factor];
      return factored(
        factor.slots,
        factor.alternatives.map((documents) => changed(documents, own, change)),
      );
    });
    const added = [...left].flatMap((slot) =>
      factored([slot], [changed(new Map(), [slot], change)]),
    );
    return new Contents([...factors, ...added]);
  }

  /** Where `fits` holds of the documents in these slots; null: nowhere. */
  where(asked: Iterable<string>, fits: Condition): Contents | null {
    const left = new Set(asked);
    const factors: Factor[] = [];
    for (const factor of this.#factors) {
      const own = factor.slots.filter((slot) => left.delete(slot));
      const right = factor.alternatives.filter((documents) =>
        own.every((slot) => fits(idIn(slot), documents.get(slot))),
      );
      if (right.length === 0) return null;
      if (right.length === factor.alternatives.length) factors.push(factor);
      else factors.push(...factored(factor.slots, right));
    }
    for (const slot of left) if (!fits(idIn(slot), undefined)) return null;
    return new Contents(factors);
  }

  /** Where this place has as many documents; null: nowhere. Beyond the limit: where each factor alone allows it. */
  ofSize(place: string, size: number, limit: Limit): Contents | null {
    const sizeOf = (documents: Documents): number =>
      [...documents.keys()].filter((slot) => placeOf(slot) === place).length;
    const sizes = this.#factors.map(
      (factor) => new Set(factor.alternatives.map((documents) => sizeOf(documents))),
    );
    const before = sums(sizes);
    const behind = sums(sizes.toReversed()).reverse();
    const fixed: Factor[] = [];
    const open: Factor[] = [];
    // First those go with which no choice of the others has that many: often that leaves nothing open.
    for (const [i, factor] of this.#factors.entries()) {
      const fits = (own: number): boolean =>
        [...(before[i] ?? [])].some((sum) => behind[i + 1]?.has(size - own - sum) === true);
      const right = factor.alternatives.filter((documents) => fits(sizeOf(documents)));
      if (right.length === 0) return null;
      const isAll = right.length === factor.alternatives.length;
      const isFixed = new Set(right.map(sizeOf)).size === 1;
      (isFixed ? fixed : open).push(...(isAll ? [factor] : factored(factor.slots, right)));
    }
    if (before.at(-1)?.has(size) !== true) return null;
    if (open.length === 0) return new Contents(fixed);
    const taken = fixed.reduce(
      (sum, { alternatives: [one] }) => sum + (one === undefined ? 0 : sizeOf(one)),
      0,
    );
    const together = ofSum(open, sizeOf, size - taken, limit.most);
    if (together !== null) return new Contents([...fixed, ...factored(slotsIn(open), together)]);
    limit.exceeded++;
    return new Contents([...fixed, ...open]);
  }

  /** What one or another of these says. Beyond the limit: less of what depends on each other. */
  static anyOf(several: readonly Contents[], limit: Limit): Contents {
    const counts = new Map<string, number>();
    for (const { key } of several.flatMap((one) => one.#factors)) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const isCommon = ({ key }: Factor): boolean => counts.get(key) === several.length;
    const [first = Contents.NONE] = several;
    const common = first.#factors.filter(isCommon);
    const sides = several.map((one) => one.#factors.filter((factor) => !isCommon(factor)));
    const slots = [...new Set(sides.flatMap(slotsIn))];
    const exact = union(slots, sides, limit.most);
    if (exact !== null) return new Contents([...common, ...exact]);
    limit.exceeded++;
    return new Contents([
      ...common,
      ...connected(sides.flat()).flatMap(
        (some) => union(some, sides, limit.most) ?? unionById(some, sides, limit.most),
      ),
    ]);
  }

  /** With the documents of each place in those that `to` names instead; none: they are gone. */
  moved(to: (place: string) => readonly string[]): Contents {
    return new Contents(
      this.#factors.flatMap((factor) => {
        const { slots, alternatives } = factor;
        const targets = new Map(
          slots.map((slot) => [slot, to(placeOf(slot)).map((place) => slotOf(place, idIn(slot)))]),
        );
        if (slots.every((slot) => targets.get(slot)?.join() === slot)) return [factor];
        return factored(
          [...targets.values()].flat(),
          alternatives.map(
            (documents) =>
              new Map(
                [...documents].flatMap(([slot, document]) =>
                  (targets.get(slot) ?? []).map((target) => [target, document] as const),
                ),
              ),
          ),
        );
      }),
    );
  }

  /** Where something may be. */
  slotsOf(place: string): readonly string[] {
    return slotsIn(this.#factors).filter((slot) => placeOf(slot) === place);
  }

  /** One of what is possible. */
  first(place: string): readonly Product[] {
    return this.#factors.flatMap(({ alternatives: [one] }) =>
      [...(one ?? [])].filter(([slot]) => placeOf(slot) === place).map(([, document]) => document),
    );
  }

  describe(): string {
    const list = (documents: Documents): string =>
      [...documents].map(([slot, { data }]) => `${slot}:${data["stamp"] ?? ""}`).join(" ");
    return this.#factors
      .map(({ alternatives }) => alternatives.map(list).join(" | "))
      .map((text) => (text.includes("|") ? `(${text})` : text))
      .sort()
      .join(" ");
  }
}

function changed(documents: Documents, slots: readonly string[], change: Change): Documents {
  const after = new Map(documents);
  for (const slot of slots) {
    const document = change(idIn(slot), documents.get(slot));
    if (document === undefined) after.delete(slot);
    else after.set(slot, document);
  }
  return after;
}
