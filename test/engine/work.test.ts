// The budget of work (work.ts):
// 1. what a part spends beyond it is an error, and the next one has a whole budget again;
// 2. work within work has the budget of the outer one;
// 3. outside of any, spending costs nothing;
// 4. parts share the budget of their search, also if those of several searches alternate;
// 5. a search yields about every million steps, and not at all if it takes less;
// 6. work for all later searches counts for that, but not for the budget;
// 7. a first run ends within a part, or after one, if it takes more steps than it may; later ones do not.
import { expect, test } from "vitest";
import { MustBeginAgain, run, work, type Parts } from "../../src/index-engine/base/index.ts";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";

const most = LIMITS.searchPartSteps.value;
const mostOfAll = LIMITS.searchSteps.value;

function typeOf(body: () => void): string {
  try {
    body();
  } catch (error) {
    return error instanceof ServiceError ? error.type : String(error);
  }
  return "none";
}

test("1: spent beyond", () => {
  const all = (): void => work.within(() => work.spend(most));
  const more = (): void =>
    work.within(() => {
      work.spend(most);
      work.spend(1);
    });
  expect([all, more, all].map(typeOf)).toEqual(["none", "search_too_expensive", "none"]);
});

test("2: work within work", () => {
  const nested = (): void =>
    work.within(() => {
      work.within(() => work.spend(most));
      work.spend(1);
    });
  expect(typeOf(nested)).toBe("search_too_expensive");
});

test("3: outside", () => {
  expect(typeOf(() => work.spend(2 * most))).toBe("none");
  expect(typeOf(() => work.within(() => work.spend(most)))).toBe("none");
});

function* partsOf(count: number, steps: number): Parts<string> {
  for (let i = 0; i < count; i++) {
    work.spend(steps);
    yield;
  }
  return "done";
}

test("4: parts of a search", () => {
  const count = 10;
  const fitting = mostOfAll / count;
  const running = (parts: number, steps: number) => (): void => void run(work.inParts(partsOf(parts, steps)));
  expect(typeOf(running(count, fitting))).toBe("none");
  expect(typeOf(running(count, fitting + 1))).toBe("search_too_expensive");
  expect(typeOf(running(1, most))).toBe("none");
  expect(typeOf(running(1, most + 1))).toBe("search_too_expensive");
  const limitOf = (parts: number, steps: number): unknown => {
    try {
      running(parts, steps)();
    } catch (error) {
      return error instanceof ServiceError ? error.details : error;
    }
    return null;
  };
  expect(limitOf(count, fitting + 1)).toEqual({ limit: "searchSteps", value: mostOfAll });
  expect(limitOf(1, most + 1)).toEqual({ limit: "searchPartSteps", value: most });
  const several = [0, 1, 2].map(() => work.inParts(partsOf(count, fitting)));
  for (let i = 0; i < count; i++) for (const one of several) one.next();
  expect(several.map((one) => one.next().value)).toEqual(["done", "done", "done"]);
  expect(typeOf(() => work.spend(2 * mostOfAll))).toBe("none");
});

test("5: yields", () => {
  const yieldsOf = (parts: number, steps: number): number => [...work.inParts(partsOf(parts, steps))].length;
  expect(yieldsOf(9, 100_000)).toBe(0);
  expect(yieldsOf(100, 100_000)).toBe(10);
  expect(yieldsOf(3, 5_000_000)).toBe(3);
});

test("6: work on what is cached", () => {
  function* reading(): Parts<string> {
    for (let i = 0; i < 100; i++) {
      work.onCached(1_000_000, () => {});
      yield;
    }
    work.spend(most);
    return "done";
  }
  expect([...work.inParts(reading())].length).toBe(100);
  expect(run(work.inParts(reading()))).toBe("done");

  // What it spends itself is the same, and never ends it half-way.
  function* spending(): Parts<string> {
    for (let i = 0; i < 10; i++) {
      work.onCached(0, () => work.spend(most + 1));
      yield;
    }
    work.spend(most);
    return "done";
  }
  expect([...work.inParts(spending())].length).toBe(10);
  expect(run(work.inParts(spending()))).toBe("done");
  expect(typeOf(() => work.within(() => work.onCached(0, () => work.spend(most + 1))))).toBe("none");
});

test("7: a first run that takes too much", () => {
  const mostFirst = 1_000;
  const ends = (parts: Parts<string>): unknown => {
    const begun = work.inParts(parts, { steps: mostFirst, mostFirst });
    try {
      return begun.next().done;
    } catch (error) {
      return error instanceof MustBeginAgain ? "must begin again" : error;
    }
  };
  expect(ends(partsOf(9, 100))).toBe(true);
  expect(ends(partsOf(9, 1_001))).toBe("must begin again");
  expect(ends(partsOf(9, 600))).toBe("must begin again");
  // It yields when all is spent, and goes on with the whole budget.
  const later = work.inParts(partsOf(9, 500), { steps: mostFirst, mostFirst });
  expect([later.next().done, later.next()]).toEqual([false, { done: true, value: "done" }]);
  const cached = function* cached(): Parts<string> {
    work.onCached(mostFirst + 1, () => {});
    yield;
    return "done";
  };
  expect(ends(cached())).toBe("must begin again");
});
