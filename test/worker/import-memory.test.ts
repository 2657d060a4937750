// Room for bulks that nobody gives back: where a client goes away, the runtime may drop its request, and `finally`
// does not run.
//
// 1. Four bulks have room, a fifth waits until one is released, and those behind it wait for theirs.
// 2. Who has not said for two minutes what it holds has lapsed: there is room for another. Who has said it has not.
// 3. Who goes on after it has lapsed counts again.
// 4. Who has waited for its client for more than a second has given up its room but for what it holds; when it goes on
//    and there is no room, it waits, and comes before those that hold nothing.
// 5. Who waits too long, or behind too many, is 429 with Retry-After; so is a bulk that needs more than it has reserved.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { BulkMemory } from "../../src/worker/import-memory.ts";

const LAPSES_AFTER_MS = 120_000;
let all: Promise<BulkMemory>[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  // Bulks of other tests in this isolate have lapsed by then.
  later(2 * LAPSES_AFTER_MS);
});

afterEach(async () => {
  for (const reserved of all) {
    const bulk = await reserved.catch(() => null);
    bulk?.release();
  }
  all = [];
  vi.useRealTimers();
});

function reserve(): Promise<BulkMemory> {
  const bulk = BulkMemory.reserve();
  all.push(bulk);
  return bulk;
}

function four(): Promise<[BulkMemory, BulkMemory, BulkMemory, BulkMemory]> {
  return Promise.all([reserve(), reserve(), reserve(), reserve()]);
}

/** Who has to wait looks again after some milliseconds. */
async function waits(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settle = (): void => void (isSettled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return !isSettled;
}

function later(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

test("1: four, and no fifth until one is released", async () => {
  const [first, second] = await four();
  const fifth = reserve();
  const sixth = reserve();
  expect(await waits(fifth)).toBe(true);
  first.release();
  (await fifth).release();
  await sixth;
  const seventh = reserve();
  expect(await waits(seventh)).toBe(true);
  second.release();
  await seventh;
});

test("2: who says nothing any more lapses", async () => {
  const [lost, living] = await four();
  later(LAPSES_AFTER_MS);
  const fifth = reserve();
  expect(await waits(fifth)).toBe(true);
  expect(lost.hasLapsed(Date.now())).toBe(false);
  await living.hold(1_000);
  later(1);
  expect(lost.hasLapsed(Date.now())).toBe(true);
  expect(living.hasLapsed(Date.now())).toBe(false);
  // Three have lapsed.
  await Promise.all([fifth, reserve(), reserve()]);
  const next = reserve();
  expect(await waits(next)).toBe(true);
  living.release();
  await next;
});

test("3: who goes on counts again", async () => {
  const [slow] = await four();
  later(LAPSES_AFTER_MS + 1);
  await Promise.all([reserve(), reserve(), reserve()]);
  await slow.hold(1_000);
  const next = reserve();
  expect(await waits(next)).toBe(true);
  slow.release();
  (await next).release();
});

test("4: who waits for its client takes no room", async () => {
  const [slow, other] = await four();
  slow.awaitsClient(0);
  other.awaitsClient(0);
  later(1_000);
  const fifth = reserve();
  expect(await waits(fifth)).toBe(true);
  later(1);
  const reading = await fifth;
  expect(await slow.hold(2_000)).toBe(false);
  const sixth = reserve();
  const goingOn = other.hold(2_000);
  expect(await waits(sixth)).toBe(true);
  expect(await waits(goingOn)).toBe(true);
  expect(other.claimedBytes(Date.now())).toBe(2_000);
  reading.release();
  expect(await goingOn).toBe(true);
  expect(other.claimedBytes(Date.now())).toBe(LIMITS.importBulkMemoryBytes.value);
  expect(await waits(sixth)).toBe(true);
  other.release();
  await sixth;
});

test("5: too long, too many, too much", async () => {
  const [first] = await four();
  const refused = (limit: string): object => ({ type: "too_many_requests", retryAfterS: 2, details: { limit } });
  const late = reserve();
  expect(await waits(late)).toBe(true);
  later(LIMITS.bulkWaitMs.value + 1);
  await expect(late).rejects.toMatchObject(refused("bulkWaitMs"));
  const waiting = Array.from({ length: LIMITS.bulksWaiting.value }, () => reserve());
  await expect(reserve()).rejects.toMatchObject(refused("bulksWaiting"));
  await expect(first.hold(LIMITS.importBulkMemoryBytes.value + 1)).rejects.toMatchObject({
    type: "too_many_requests",
    retryAfterS: 2,
  });
  later(LIMITS.bulkWaitMs.value + 1);
  for (const one of waiting) await expect(one).rejects.toMatchObject(refused("bulkWaitMs"));
});
