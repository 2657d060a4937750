/** What contents.ts is made of: factors, how alternatives are divided into them and multiplied out again. */
import { numberOf, type Product } from "./product.ts";

/** By slot; what is not there is missing. */
export type Documents = ReadonlyMap<string, Product>;

export interface Factor {
  readonly slots: readonly string[];
  /** Different, and none of them has other slots. */
  readonly alternatives: readonly Documents[];
  readonly key: string;
}

export function slotOf(place: string, id: string): string {
  return `${place} ${id}`;
}

export function placeOf(slot: string): string {
  return slot.slice(0, slot.indexOf(" "));
}

export function idIn(slot: string): string {
  return slot.slice(slot.indexOf(" ") + 1);
}

/** Divided into as many factors as possible. */
export function factored(
  slots: readonly string[],
  alternatives: readonly Documents[],
): readonly Factor[] {
  const all = distinct(slots, alternatives);
  const [first] = all;
  if (first !== undefined && all.length === 1) return certain(first);
  const columns = new Map(slots.map((slot) => [slot, all.map((one) => codeIn(slot, one))]));
  const counts = new Map([...columns].map(([slot, codes]) => [slot, new Set(codes).size]));
  const count = (some: readonly string[]): number =>
    new Set(all.map((documents) => keyOf(some, documents))).size;
  const depend = (slot: string, other: string): boolean => {
    const most = (counts.get(slot) ?? 1) * (counts.get(other) ?? 1);
    return !isProduct(columns.get(slot) ?? [], columns.get(other) ?? [], most);
  };
  const groups: string[][] = [];
  for (const slot of slots) {
    const own = counts.get(slot) ?? 1;
    // Together with those of which it depends.
    const joined = groups.filter((group) =>
      group.some((other) => own > 1 && (counts.get(other) ?? 1) > 1 && depend(slot, other)),
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

/** Of two columns: whether each value of one occurs with each of the other. */
function isProduct(some: readonly number[], others: readonly number[], most: number): boolean {
  const found = new Set<number>();
  for (const [i, code] of some.entries()) {
    found.add(code * 2 ** 26 + (others[i] ?? 0));
    if (found.size === most) return true;
  }
  return false;
}

function codeIn(slot: string, documents: Documents): number {
  const document = documents.get(slot);
  return document === undefined ? 0 : 1 + numberOf(document);
}

function only(slots: readonly string[], documents: Documents): Documents {
  const found = new Map<string, Product>();
  for (const slot of slots) {
    const document = documents.get(slot);
    if (document !== undefined) found.set(slot, document);
  }
  return found;
}

function distinct(slots: readonly string[], alternatives: readonly Documents[]): Documents[] {
  return [...new Map(alternatives.map((one) => [keyOf(slots, one), one])).values()];
}

function keyOf(slots: readonly string[], documents: Documents): string {
  return slots.map((slot) => codeIn(slot, documents)).join();
}

// ---- factors together

/** What one of these sides or another says of these slots; null: it is more than `most`. */
export function union(
  slots: readonly string[],
  sides: readonly (readonly Factor[])[],
  most: number,
): readonly Factor[] | null {
  const asked = new Set(slots);
  const found = new Map<string, Documents>();
  for (const side of sides) {
    const parts = side.flatMap((factor) => {
      const own = factor.slots.filter((slot) => asked.has(slot));
      if (own.length === 0) return [];
      if (own.length === factor.slots.length) return [factor.alternatives];
      const { alternatives } = factor;
      return [
        distinct(
          own,
          alternatives.map((one) => only(own, one)),
        ),
      ];
    });
    if (parts.reduce((total, { length }) => total * length, 1) > most) return null;
    for (const documents of product(parts)) found.set(keyOf(slots, documents), documents);
    if (found.size > most) return null;
  }
  return factored(slots, [...found.values()]);
}

/**
 * At least what is known of each document, also of its versions in several places, is told; only where that is too
 * much, of each slot alone.
 */
export function unionById(
  slots: readonly string[],
  sides: readonly (readonly Factor[])[],
  most: number,
): readonly Factor[] {
  return [...Map.groupBy(slots, idIn).values()].flatMap(
    (own) => union(own, sides, most) ?? own.flatMap((slot) => union([slot], sides, Infinity) ?? []),
  );
}

/**
 * The slots of these factors, those together that are in one factor or have the same document's versions, and so on.
 */
export function connected(factors: readonly Factor[]): readonly (readonly string[])[] {
  const byId = new Map<string, readonly string[]>();
  for (const { slots } of factors) {
    const joined = [...new Set(slots.flatMap((slot) => [slot, ...(byId.get(idIn(slot)) ?? [])]))];
    for (const slot of joined) byId.set(idIn(slot), joined);
  }
  return [...new Set(byId.values())];
}

/** Every alternative of each with every one of the others. */
function product(parts: readonly (readonly Documents[])[]): readonly Documents[] {
  return parts.reduce<readonly Documents[]>(
    (found, alternatives) =>
      found.flatMap((one) => alternatives.map((other) => new Map([...one, ...other]))),
    [new Map()],
  );
}

/** The alternatives of all of these whose sizes add up to `sum`; null: there are more than `most`. */
export function ofSum(
  factors: readonly Factor[],
  sizeOf: (documents: Documents) => number,
  sum: number,
  most: number,
): readonly Documents[] | null {
  const sizes = factors.map(({ alternatives }) => new Set(alternatives.map(sizeOf)));
  const behind = sums(sizes.toReversed()).reverse();
  let found: readonly { readonly documents: Documents; readonly left: number }[] = [
    { documents: new Map(), left: sum },
  ];
  for (const [i, { alternatives }] of factors.entries()) {
    // Each that is begun can be completed: so they never are more than in the end.
    found = found.flatMap(({ documents, left }) =>
      alternatives
        .map((other) => ({ other, left: left - sizeOf(other) }))
        .filter((next) => behind[i + 1]?.has(next.left))
        .map((next) => ({ documents: new Map([...documents, ...next.other]), left: next.left })),
    );
    if (found.length > most) return null;
  }
  return found.map(({ documents }) => documents);
}

/** What the first none, one, two, ... of these can add up to. */
export function sums(sizes: readonly ReadonlySet<number>[]): ReadonlySet<number>[] {
  let last: ReadonlySet<number> = new Set([0]);
  return [
    last,
    ...sizes.map((own) => {
      last = new Set([...last].flatMap((sum) => [...own].map((size) => sum + size)));
      return last;
    }),
  ];
}

export function slotsIn(factors: readonly Factor[]): readonly string[] {
  return factors.flatMap(({ slots }) => slots);
}
