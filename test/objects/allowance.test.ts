// An allowance (src/objects/allowance.ts):
// 1. is used up when all of it has been taken, and may be overdrawn;
// 2. comes back with time, up to the whole of it, whatever was taken too much first;
// 3. does not mind a clock that goes back.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Allowance } from "../../src/objects/allowance.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function later(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

test("1: used up", () => {
  const allowance = new Allowance(1_000, 10);
  allowance.take(999);
  expect(allowance.isUsedUp()).toBe(false);
  allowance.take(1);
  expect(allowance.isUsedUp()).toBe(true);
});

test("2: comes back", () => {
  const allowance = new Allowance(1_000, 10);
  allowance.take(1_500);
  later(50);
  expect(allowance.isUsedUp()).toBe(true);
  later(1);
  expect(allowance.isUsedUp()).toBe(false);
  later(100_000);
  expect(allowance.isUsedUp()).toBe(false);
  allowance.take(1_000);
  expect(allowance.isUsedUp()).toBe(true);
});

test("3: a clock that goes back", () => {
  const allowance = new Allowance(1_000, 10);
  allowance.take(1_000);
  later(-5_000);
  expect(allowance.isUsedUp()).toBe(true);
  later(1);
  expect(allowance.isUsedUp()).toBe(false);
});
