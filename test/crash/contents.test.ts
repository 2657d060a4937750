// What is possible of documents, compared with the plain list of all possibilities:
//
// 1. nothing possible is excluded, whatever the limit
// 2. within the limit nothing else is allowed
// 3. beyond it as much is told as can be: what no choice of the others allows, of each document alone, of each number of documents
// 4. however much depends on each other, it takes neither time nor memory; and it is counted that it was too much
import fc from "fast-check";
import { describe, test } from "vitest";
import { runs, seed } from "../support/property.ts";
import { Contents, Limit } from "./contents.ts";
import { slotOf } from "./factors.ts";
import type { Product } from "./product.ts";

const PLACES = ["live", "kept"] as const;
const IDS = ["a", "b", "c"] as const;
const SLOTS = PLACES.flatMap((place) => IDS.map((id) => slotOf(place, id)));
const STAMPS = ["v1", "v2"] as const;

/** Slot -> stamp. */
type Stamps = ReadonlyMap<string, string>;

const EVERYTHING: readonly Stamps[] = SLOTS.reduce<readonly Stamps[]>(
  (found, slot) =>
    found.flatMap((one) => [one, ...STAMPS.map((stamp) => new Map([...one, [slot, stamp]]))]),
  [new Map()],
);

function idIn(slot: string): string {
  return slot.slice(slot.indexOf(" ") + 1);
}

function documentOf(slot: string, stamp: string | undefined): Product | undefined {
  return stamp === undefined ? undefined : { id: idIn(slot), data: { stamp } };
}

function stampOf(document: Product | undefined): string | undefined {
  return document === undefined ? undefined : String(document.data["stamp"]);
}

function keyOf(world: Stamps): string {
  return SLOTS.map((slot) => world.get(slot) ?? "-").join();
}

function where(contents: Contents, slot: string, stamp: string | undefined): Contents | null {
  return contents.where([slot], (_, document) => stampOf(document) === stamp);
}

function allows(contents: Contents, world: Stamps): boolean {
  return (
    SLOTS.reduce<Contents | null>(
      (left, slot) => left && where(left, slot, world.get(slot)),
      contents,
    ) !== null
  );
}

/** The same, as what it says and as a list. */
class Pair {
  contents = Contents.NONE;
  worlds: readonly Stamps[] = [new Map()];
  readonly limit: Limit;

  constructor(most: number) {
    this.limit = new Limit(most);
  }

  /** Several changes, of which one has happened, or none where one of them has no slots. */
  change(changes: readonly { slots: readonly string[]; stamp: string | undefined }[]): void {
    const { contents, worlds, limit } = this;
    const several = changes.map(({ slots, stamp }) =>
      contents.with(slots, (id) => documentOf(` ${id}`, stamp)),
    );
    const [only] = several;
    this.contents =
      several.length === 1 && only !== undefined ? only : Contents.anyOf(several, limit);
    const found = changes.flatMap(({ slots, stamp }) =>
      worlds.map((world) => {
        const after = new Map(world);
        for (const slot of slots) {
          if (stamp === undefined) after.delete(slot);
          else after.set(slot, stamp);
        }
        return after;
      }),
    );
    this.worlds = [...new Map(found.map((world) => [keyOf(world), world])).values()];
  }

  /** As after a reindex. */
  copy(): void {
    this.contents = this.contents.moved((place) => (place === "live" ? [...PLACES] : []));
    this.worlds = this.worlds.map(
      (world) =>
        new Map(
          IDS.flatMap((id) => {
            const stamp = world.get(slotOf("live", id));
            return stamp === undefined
              ? []
              : PLACES.map((place) => [slotOf(place, id), stamp] as const);
          }),
        ),
    );
  }

  /** False: nothing is left. */
  learn(contents: Contents | null, fits: (world: Stamps) => boolean): boolean {
    this.worlds = this.worlds.filter(fits);
    this.contents = contents ?? Contents.NONE;
    return contents !== null;
  }
}

const draws = fc.array(fc.tuple(fc.nat(9), fc.nat(63), fc.nat(63), fc.nat(5)), {
  minLength: 4,
  maxLength: 14,
  size: "max",
});

/** How often the limit was reached. */
function compared(most: number, commands: readonly (readonly number[])[]): number {
  const pair = new Pair(most);
  const { limit } = pair;
  for (const [what = 0, one = 0, other = 0, value = 0] of commands) {
    const changeOf = (mask: number, i: number) => ({
      slots: SLOTS.filter((_, at) => ((mask >> at) & 1) !== 0),
      stamp: [...STAMPS, undefined][i % 3],
    });
    let isLeft = true;
    if (what < 5) {
      pair.change([changeOf(one, value), changeOf(what < 3 ? 0 : other, value + 1)]);
    } else if (what < 6) {
      pair.change([changeOf(0, 0), changeOf(one, value), changeOf(other, value + 1)]);
    } else if (what < 7) {
      pair.change([changeOf(one, value)]);
    } else if (what < 8) {
      pair.copy();
    } else if (what < 9) {
      const slot = SLOTS[one % SLOTS.length] ?? "";
      const { stamp } = changeOf(0, value);
      isLeft = pair.learn(where(pair.contents, slot, stamp), (world) => world.get(slot) === stamp);
    } else {
      const place = PLACES[one % 2] ?? "live";
      const size = other % 4;
      isLeft = pair.learn(
        pair.contents.ofSize(place, size, limit),
        (world) => IDS.filter((id) => world.has(slotOf(place, id))).length === size,
      );
    }
    if (!isLeft) {
      if (pair.worlds.length > 0) throw new Error("there is a possibility that was excluded");
      break;
    }
    for (const world of pair.worlds) {
      if (!allows(pair.contents, world)) throw new Error(`${keyOf(world)} is possible`);
    }
    if (limit.exceeded > 0) continue;
    const possible = new Set(pair.worlds.map(keyOf));
    for (const world of EVERYTHING) {
      if (!possible.has(keyOf(world)) && allows(pair.contents, world)) {
        throw new Error(`${keyOf(world)} is not possible`);
      }
    }
  }
  return limit.exceeded;
}

describe("compared with the list of all possibilities", () => {
  test("1, 2. it is the same within the limit", ({ expect }) => {
    fc.assert(
      fc.property(draws, (commands) => {
        expect(compared(2_000, commands)).toBe(0);
      }),
      { numRuns: runs(100), seed },
    );
  });

  test("1. it excludes none of them beyond the limit", ({ expect }) => {
    let exceeded = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), draws, (most, commands) => {
        exceeded += compared(most, commands);
      }),
      { numRuns: runs(200), seed },
    );
    expect(exceeded).toBeGreaterThan(100);
  });
});

/** Each of these groups is there, whole, or not. */
function perhaps(groups: readonly (readonly string[])[]): Contents {
  return groups.reduce((contents, ids) => {
    const slots = ids.map((id) => slotOf("live", id));
    const after = contents.with(slots, (id) => ({ id, data: { stamp: "v1" } }));
    return Contents.anyOf([contents, after], new Limit());
  }, Contents.NONE);
}

describe("forty groups of documents that are there or not", () => {
  const names = Array.from({ length: 40 }, (_, i) => `p${i}`);
  const [first, second] = [slotOf("live", "p0"), slotOf("live", "p1")];
  const single = perhaps(names.map((name) => [name]));
  const double = perhaps(names.map((name) => [name, `${name}+`]));

  test("3, 4. all of them, none, more than all, all but one", ({ expect }) => {
    const limit = new Limit();
    const all = single.ofSize("live", 40, limit);
    expect(all?.slotsOf("live").length).toBe(40);
    expect(all && where(all, first, undefined)).toBeNull();
    const none = single.ofSize("live", 0, limit);
    expect(none?.slotsOf("live")).toEqual([]);
    expect(single.ofSize("live", 41, limit)).toBeNull();
    expect(double.ofSize("live", 39, limit)).toBeNull();
    const allButOne = single.ofSize("live", 39, limit);
    const withoutFirst = allButOne && where(allButOne, first, undefined);
    expect(withoutFirst).not.toBeNull();
    expect(withoutFirst && where(withoutFirst, second, undefined)).toBeNull();
    expect(limit.exceeded).toBe(0);
  });

  test("3, 4. half of them: more than can be told", ({ expect }) => {
    const limit = new Limit();
    const half = single.ofSize("live", 20, limit);
    expect(limit.exceeded).toBe(1);
    for (const name of names) {
      for (const stamp of ["v1", undefined]) {
        expect(half && where(half, slotOf("live", name), stamp)).not.toBeNull();
      }
    }
    // What is learned of them later counts again.
    const others = names.slice(0, 20).map((name) => slotOf("live", name));
    const left = half?.where(others, (_, document) => document !== undefined) ?? null;
    const exact = left?.ofSize("live", 20, limit) ?? null;
    expect(exact?.slotsOf("live").length).toBe(20);
    expect(limit.exceeded).toBe(1);
  });
});

test("3. beyond the limit a document is still the same in both generations", ({ expect }) => {
  const limit = new Limit(2);
  const make = (id: string): Product => ({ id, data: { stamp: "v1" } });
  const both = (ids: readonly string[]): Contents =>
    Contents.NONE.with(
      ids.map((id) => slotOf("live", id)),
      make,
    ).moved(() => [...PLACES]);
  const contents = Contents.anyOf([both(["a"]), both(["b"]), both(["c"])], limit);
  expect(limit.exceeded).toBe(1);
  const isThere = where(contents, slotOf("live", "a"), "v1");
  expect(isThere && where(isThere, slotOf("kept", "a"), undefined)).toBeNull();
  // That there is one of three is more than is told.
  expect(isThere && where(isThere, slotOf("kept", "b"), "v1")).not.toBeNull();
  expect(where(contents, slotOf("live", "a"), "v2")).toBeNull();
});
