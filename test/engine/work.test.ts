// The budget of work (work.ts):
// 1. what is spent beyond it is an error, and the next work has a whole budget again;
// 2. work within work has the budget of the outer one;
// 3. outside of any, spending costs nothing.
import { expect, test } from "vitest";
import { work } from "../../src/index-engine/base/work.ts";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";

const most = LIMITS.searchSteps.value;

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
