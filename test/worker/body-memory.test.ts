// The memory of bodies that are read whole (src/worker/body-memory.ts):
// 1. they claim what they hold until they are answered, and one alone always has room;
// 2. who finds no room is 429;
// 3. except that those who send slowly make room, and are 429 when they go on;
// 4. what is never answered lapses, however long it took to arrive;
// 5. over HTTP: beside two bodies of the largest size a third is 429 with Retry-After and changes nothing, while small
//    bodies and searches go on; it finds room when they are answered;
// 6. small bodies are counted from the 33rd that is read at once.
import { afterEach, beforeEach, describe, test, vi } from "vitest";
import { LIMITS, ServiceError, type SearchResult } from "../../src/interface/index.ts";
import { BodyClaim, releaseBody, waitingBodyBytes } from "../../src/worker/body-memory.ts";
import { bodyBytes } from "../../src/worker/body.ts";
import { HOST, call, errorOf, freshName, ok, publish, send } from "./support.ts";

const MOST = LIMITS.waitingBodyBytes.value;
const HALF = new Uint8Array(MOST / 2);
const MEGABYTE = new Uint8Array(1_048_576);

let requests: Request[] = [];

function claim(): BodyClaim {
  const request = new Request(HOST);
  requests.push(request);
  return BodyClaim.of(request);
}

function typeOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.type;
    throw error;
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});

afterEach(() => {
  vi.useRealTimers();
  for (const request of requests) releaseBody(request);
  requests = [];
});

describe("claims", () => {
  test("last until the answer; one alone has room (1)", ({ expect }) => {
    const large = claim();
    for (let i = 0; i < 3; i++) large.add(HALF);
    expect(large.whole()).toHaveLength(3 * HALF.length);
    expect(waitingBodyBytes()).toBe(3 * HALF.length);
    releaseBody(requests[0]);
    expect(waitingBodyBytes()).toBe(0);
  });

  test("without room are 429, and hold nothing (2)", ({ expect }) => {
    const [first, second, third] = [claim(), claim(), claim()];
    first.add(HALF);
    second.add(HALF);
    expect(typeOf(() => third.add(MEGABYTE))).toBe("too_many_requests");
    expect(typeOf(() => third.add(MEGABYTE))).toBe("too_many_requests");
    expect(waitingBodyBytes()).toBe(MOST);
    releaseBody(requests[0]);
    claim().add(MEGABYTE);
    expect(first.sizeBytes).toBe(0);
  });

  test("of slow bodies make room, the slowest first; whole ones do not (3)", ({ expect }) => {
    const whole = claim();
    whole.add(HALF);
    whole.whole();
    const slow = Array.from({ length: 16 }, claim);
    for (const one of slow) one.add(MEGABYTE.subarray(0, one === slow[7] ? 1_000 : undefined));
    vi.advanceTimersByTime(60_000);
    const fast = claim();
    for (let i = 0; i < 4; i++) fast.add(MEGABYTE);
    expect(slow[7].sizeBytes).toBe(0);
    expect(typeOf(() => slow[7].add(MEGABYTE))).toBe("too_many_requests");
    expect(typeOf(() => slow[7].whole())).toBe("too_many_requests");
    expect(slow.filter(({ sizeBytes }) => sizeBytes > 0)).toHaveLength(12);
    expect([fast.sizeBytes, whole.sizeBytes]).toEqual([4 * MEGABYTE.length, HALF.length]);
    expect(waitingBodyBytes()).toBeLessThanOrEqual(MOST);
  });

  test("lapse two minutes after they are whole (4)", ({ expect }) => {
    const slow = claim();
    slow.add(HALF);
    vi.advanceTimersByTime(180_000);
    slow.add(MEGABYTE);
    slow.whole();
    vi.advanceTimersByTime(110_000);
    expect(waitingBodyBytes()).toBe(HALF.length + MEGABYTE.length);
    vi.advanceTimersByTime(20_000);
    expect(waitingBodyBytes()).toBe(0);
  });
});

test("a hundred bodies that do not end hold no more, and a PUT finds room (3)", async ({ expect }) => {
  vi.useRealTimers();
  const name = freshName("body-memory");
  await publish(name, []);
  const trickling = Array.from({ length: 100 }, () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const request = new Request(HOST, { method: "POST", body: readable });
    requests.push(request);
    const writer = writable.getWriter();
    const read = bodyBytes(request, "searchBodyBytes").then(
      () => "whole",
      (error: unknown) => (error instanceof ServiceError ? error.type : "failed"),
    );
    const sent = (async () => {
      for (let i = 0; i < 12; i++) await writer.write(MEGABYTE.slice(0, 65_536));
    })().catch(() => undefined);
    return { writer, read, sent };
  });
  await Promise.race([Promise.all(trickling.map(({ sent }) => sent)), scheduler.wait(200)]);
  expect(waitingBodyBytes()).toBeLessThanOrEqual(MOST);
  expect(waitingBodyBytes()).toBeGreaterThan(MOST / 2);
  // All of them are slow by now.
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + 5_000);
  const put = await call(
    `/indexer-api/v1/update/${name}`,
    send("PUT", [{ id: "1", data: { title: "shoe", text: "x ".repeat(150_000) } }]),
  );
  expect(await (await ok(put)).json()).toEqual({ 1: "CREATED" });
  for (const { writer } of trickling) await writer.close().catch(() => undefined);
  const ends = await Promise.all(trickling.map(({ read }) => read));
  expect(new Set(ends)).toEqual(new Set(["whole", "too_many_requests"]));
});

test("many small bodies that do not end are counted, too (6)", async ({ expect }) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const arrived: Promise<unknown>[] = [];
  const reads = Array.from({ length: 64 }, () => {
    const sent = Promise.withResolvers<void>();
    arrived.push(sent.promise);
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(MEGABYTE.slice(0, 262_143)),
      pull: () => {
        sent.resolve();
        return new Promise<void>(() => {});
      },
    });
    const request = new Request(HOST, { method: "POST", body, headers: { "content-length": "262144" } });
    requests.push(request);
    return bodyBytes(request, "searchBodyBytes").catch((error: unknown) => (error as ServiceError).type);
  });
  await Promise.all(arrived);
  // Who reads a chunk claims it some turns later.
  for (let turn = 0; turn < 100 && waitingBodyBytes() < 32 * 262_143; turn++) await Promise.resolve();
  // Half of them are read at once, and the others chunk by chunk.
  expect(waitingBodyBytes()).toBe(32 * 262_143);
  await vi.advanceTimersByTimeAsync(LIMITS.uploadStallMs.value);
  expect(new Set(await Promise.all(reads))).toEqual(new Set(["request_timeout"]));
});

test("two bodies of the largest size, and a third (5)", async ({ expect }) => {
  vi.useRealTimers();
  const name = freshName("body-third");
  await publish(name, []);
  const update = `/indexer-api/v1/update/${name}`;
  const spaces = new TextEncoder().encode(" ".repeat(MEGABYTE.length));
  const sizeMegabytes = LIMITS.updateBodyBytes.value / MEGABYTE.length;
  const large = [1, 2].map((id) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const answer = call(update, { ...send("PUT", ""), body: readable });
    const writer = writable.getWriter();
    const sent = (async () => {
      for (let i = 1; i < sizeMegabytes; i++) await writer.write(spaces);
      await writer.write(spaces.subarray(0, -100));
    })();
    const end = async (): Promise<unknown> => {
      await writer.write(new TextEncoder().encode(`[{"id":"${id}","data":{"title":"shoe"}}]`));
      await writer.close();
      return (await ok(await answer)).json();
    };
    return { sent, end };
  });
  await Promise.all(large.map(({ sent }) => sent));
  await vi.waitFor(() => expect(waitingBodyBytes()).toBeGreaterThan(MOST - MEGABYTE.length));
  const third = send("PUT", [{ id: "3", data: { title: "shoe", text: "x ".repeat(500_000) } }]);
  const refused = await call(update, third);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await errorOf(refused)).toMatchObject({ type: "too_many_requests", details: { limit: "waitingBodyBytes" } });
  const small = await call(update, send("PUT", [{ id: "4", data: { title: "shoe" } }]));
  expect(await (await ok(small)).json()).toEqual({ 4: "CREATED" });
  const found = await (await ok(await call(`/search-api/v1/search/${name}?q=shoe`))).json<SearchResult>();
  expect(found.slices[0]?.hits.map(({ document }) => document.id)).toEqual(["4"]);
  expect(await Promise.all(large.map(({ end }) => end()))).toEqual([{ 1: "CREATED" }, { 2: "CREATED" }]);
  expect(await (await ok(await call(update, third))).json()).toEqual({ 3: "CREATED" });
});
