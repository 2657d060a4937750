// Room for bulks that nobody gives back: where a client goes away, the runtime may drop its request, and `finally`
// does not run.
//
// 1. Four bulks have room, a fifth is refused until one is released.
// 2. Who has not said for two minutes what it holds has lapsed: there is room for another. Who has said it has not.
// 3. Who goes on after it has lapsed counts again.
// 4. Who has waited for its client for more than a second has given up its room but for what it holds; when it goes on
//    and there is no room, it is refused.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServiceError } from "../../src/interface/index.ts";
import { BulkMemory } from "../../src/worker/import-memory.ts";

const LAPSES_AFTER_MS = 120_000;
let reserved: BulkMemory[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // Bulks of other tests in this isolate have lapsed by then.
  later(2 * LAPSES_AFTER_MS);
});

afterEach(() => {
  for (const bulk of reserved) bulk.release();
  reserved = [];
  vi.useRealTimers();
});

function reserve(): BulkMemory {
  const bulk = BulkMemory.reserve();
  reserved.push(bulk);
  return bulk;
}

function expectRefused(): void {
  let refusal: unknown = null;
  try {
    reserve();
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(ServiceError);
  expect((refusal as ServiceError).type).toBe("too_many_requests");
}

function later(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

test("1: four, and no fifth until one is released", () => {
  const [first] = [reserve(), reserve(), reserve(), reserve()];
  expectRefused();
  first.release();
  reserve();
  expectRefused();
});

test("2: who says nothing any more lapses", () => {
  const [lost, living] = [reserve(), reserve(), reserve(), reserve()];
  later(LAPSES_AFTER_MS);
  expectRefused();
  expect(lost.hasLapsed(Date.now())).toBe(false);
  living.hold(1_000);
  later(1);
  expect(lost.hasLapsed(Date.now())).toBe(true);
  expect(living.hasLapsed(Date.now())).toBe(false);
  // Three have lapsed.
  reserve();
  reserve();
  reserve();
  expectRefused();
});

test("3: who goes on counts again", () => {
  const [slow] = [reserve(), reserve(), reserve(), reserve()];
  later(LAPSES_AFTER_MS + 1);
  reserve();
  reserve();
  reserve();
  slow.hold(1_000);
  expectRefused();
  slow.release();
  reserve();
  expectRefused();
});

test("4: who waits for its client takes no room", () => {
  const [slow, other] = [reserve(), reserve(), reserve(), reserve()];
  slow.awaitsClient(0);
  other.awaitsClient(0);
  later(1_000);
  expectRefused();
  later(1);
  reserve();
  slow.hold(2_000);
  expectRefused();
  expect(() => other.hold(2_000)).toThrow("Too many bulks");
  other.release();
  expectRefused();
});
