/**
 * The documents of a world, of the live and the kept generation and of the sessions, as far as they are known: a product of *factors*. A factor
 * says of some slots (a place and an id) which documents they have together, one of a few alternatives; what it says does not depend on other
 * factors. Three updates of different documents that were not answered are three factors of two alternatives, not eight worlds. A document that
 * is certain is a factor of its own. After a reindex the slots of both generations are in the same factors: what is learned of one holds of the other.
 *
 * Nothing is lost by that: a factor is only divided where each part occurs with each other one, and alternatives go when an answer contradicts.
 */
import { numberOf, type Product } from "./product.ts";

/** By slot; what is not there is missing. */
type Documents = ReadonlyMap<string, Product>;

interface Factor {
  readonly slots: readonly string[];
  /** Different, and none of them has other slots. */
  readonly alternatives: readonly Documents[];
  readonly key: string;
}

/** A union that would multiply out to more is left alone. */
const MOST_ALTERNATIVES = 2_000;

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

  /** Where this place has as many documents; null: nowhere. */
  ofSize(place: string, size: number): Contents | null {
    const sizeOf = (documents: Documents): number =>
      [...documents.keys()].filter((slot) => placeOf(slot) === place).length;
    const fixed = this.#factors.filter(
      (factor) => new Set(factor.alternatives.map(sizeOf)).size < 2,
    );
    const others = this.#factors.filter((factor) => !fixed.includes(factor));
    const rest = fixed.reduce(
      (sum, { alternatives: [one] }) => sum - (one === undefined ? 0 : sizeOf(one)),
      size,
    );
    if (others.length === 0) return rest === 0 ? this : null;
    const left = product(others).filter((documents) => sizeOf(documents) === rest);
    if (left.length === 0) return null;
    return new Contents([...fixed, ...factored(slotsIn(others), left)]);
  }

  /** What this or `other` says. Null: too much to tell as one. */
  or(other: Contents): Contents | null {
    const common = new Set(other.#factors.map(({ key }) => key));
    const both = this.#factors.filter(({ key }) => common.has(key));
    const keys = new Set(both.map(({ key }) => key));
    const mine = this.#factors.filter(({ key }) => !keys.has(key));
    const others = other.#factors.filter(({ key }) => !keys.has(key));
    if (countOf(mine) + countOf(others) > MOST_ALTERNATIVES) return null;
    const slots = [...new Set([...slotsIn(mine), ...slotsIn(others)])];
    return new Contents([...both, ...factored(slots, [...product(mine), ...product(others)])]);
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

type Change = (id: string, before: Product | undefined) => Product | undefined;
type Condition = (id: string, document: Product | undefined) => boolean;

export function slotOf(place: string, id: string): string {
  return `${place} ${id}`;
}

function placeOf(slot: string): string {
  return slot.slice(0, slot.indexOf(" "));
}

function idIn(slot: string): string {
  return slot.slice(slot.indexOf(" ") + 1);
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

/** Divided into as many factors as possible. */
function factored(slots: readonly string[], alternatives: readonly Documents[]): readonly Factor[] {
  const [first] = alternatives;
  if (first !== undefined && alternatives.length === 1) return certain(first);
  const all = distinct(slots, alternatives);
  const count = (some: readonly string[]): number =>
    new Set(alternatives.map((documents) => keyOf(some, documents))).size;
  const counts = new Map(slots.map((slot) => [slot, count([slot])]));
  const groups: string[][] = [];
  for (const slot of slots) {
    const own = counts.get(slot) ?? 1;
    // Together with those of which it depends.
    const joined = groups.filter((group) =>
      group.some((other) => own > 1 && count([slot, other]) < own * (counts.get(other) ?? 1)),
    );
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), slot].sort());
  }
  const size = groups.reduce((total, group) => total * count(group), 1);
  // Each two of three may occur together, and not all three.
  const parts = size === all.length ? groups : dividedByCertainty(slots, counts);
  return parts.flatMap((part) => {
    const different = distinct(
      part,
      all.map((documents) => only(part, documents)),
    );
    const [one] = different;
    if (one !== undefined && different.length === 1) return certain(one);
    const key = different.map((documents) => keyOf(part, documents)).sort();
    return [{ slots: part, alternatives: different, key: `${part.join()}:${key.join(" or ")}` }];
  });
}

function certain(documents: Documents): readonly Factor[] {
  return [...documents].map(([slot, document]) => ({
    slots: [slot],
    alternatives: [new Map([[slot, document]])],
    key: `${slot}:${numberOf(document)}`,
  }));
}

function dividedByCertainty(
  slots: readonly string[],
  counts: ReadonlyMap<string, number>,
): readonly (readonly string[])[] {
  const open = slots.filter((slot) => counts.get(slot) !== 1).sort();
  return [open, ...slots.filter((slot) => counts.get(slot) === 1).map((slot) => [slot])];
}

function only(slots: readonly string[], documents: Documents): Documents {
  return new Map([...documents].filter(([slot]) => slots.includes(slot)));
}

function distinct(slots: readonly string[], alternatives: readonly Documents[]): Documents[] {
  return [...new Map(alternatives.map((one) => [keyOf(slots, one), one])).values()];
}

function keyOf(slots: readonly string[], documents: Documents): string {
  return slots
    .map((slot) => {
      const document = documents.get(slot);
      return document === undefined ? "-" : numberOf(document);
    })
    .join();
}

/** Every alternative with every one of the other factors. */
function product(factors: readonly Factor[]): readonly Documents[] {
  return factors.reduce<readonly Documents[]>(
    (found, { alternatives }) =>
      found.flatMap((one) => alternatives.map((other) => new Map([...one, ...other]))),
    [new Map()],
  );
}

function countOf(factors: readonly Factor[]): number {
  return factors.reduce((total, { alternatives }) => total * alternatives.length, 1);
}

function slotsIn(factors: readonly Factor[]): readonly string[] {
  return factors.flatMap(({ slots }) => slots);
}
