// Bounds of what waits in memory, in the real runtime.
// 1. A bulk is read as a stream: what it holds at once stays below LIMITS.importBulkMemoryBytes. Four at once all go
//    through, and hold no more than LIMITS.importMemoryBytes together. Each has 20 MB, which is more than it may hold,
//    and 40 MB in a long run.
// 2. More bulks at once wait, and are taken when others have ended. Who waits too long is refused with 429 and
//    Retry-After.
// 3. Updates beyond LIMITS.pendingUpdateBytes that wait for a shard are refused with 429 and Retry-After, and not
//    carried out; all others are. So are those of several shards, for the first of them.
// 4. The runtime goes on with a bulk, and with a search that has a body, until it has ended, also where its client has
//    disconnected: only then is its room free.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, test, vi } from "vitest";
import { LIMITS, type ImportSession } from "../../src/interface/index.ts";
import { BulkMemory, importMemory } from "../../src/worker/import-memory.ts";
import worker from "../../src/worker/index.ts";
import type { WorkerEnv } from "../../src/worker/settings.ts";
import { long } from "../support/property.ts";
import { routeOf, withSettings } from "../objects/support/index.ts";
import { call, callWith, errorOf, freshName, HOST, publish, send } from "./support.ts";

// Bulks that tests of other files broke off in this isolate count for two minutes: forgotten at a later time.
beforeEach(async () => {
  const laterMs = Date.now() + 180_000;
  vi.spyOn(Date, "now").mockReturnValue(laterMs);
  (await BulkMemory.reserve()).release();
  vi.restoreAllMocks();
});

const encoder = new TextEncoder();
/** Shown, but not searched: bytes without much work. */
const PADDING = `https://images.example/${"x".repeat(100_000)}`;

const BULK_BYTES = long ? 40_000_000 : 20_000_000;

async function started(name: string): Promise<ImportSession> {
  const response = await callWith({ ENVIRONMENT: "development" }, `/indexer-api/v1/full/start/${name}?locale=en`);
  return response.json();
}

function gated(body: string, gate: Promise<void>): ReadableStream {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await gate;
      controller.enqueue(encoder.encode(body));
      controller.close();
    },
  });
}

/** `{"session": ..., "documents": [...]}` of about `sizeBytes`, piece by piece; waits for `gate` before its end. */
function bulk(session: ImportSession, prefix: string, sizeBytes: number, gate?: Promise<void>): ReadableStream {
  let sent = 0;
  let number = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (number === 0) {
        controller.enqueue(encoder.encode(`{"session":${JSON.stringify(session)},"documents":[`));
      }
      const document = { id: `${prefix}${number}`, data: { title: `shoe ${number}`, imageUrl: PADDING } };
      const bytes = encoder.encode(`${number === 0 ? "" : ","}${JSON.stringify(document)}`);
      number++;
      sent += bytes.length;
      controller.enqueue(bytes);
      if (sent < sizeBytes) return;
      await gate;
      controller.enqueue(encoder.encode("]}"));
      controller.close();
    },
  });
}

function add(body: ReadableStream): Promise<Response> {
  return callWith({ ENVIRONMENT: "development" }, "/indexer-api/v1/full/add", {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
}

describe("backpressure", () => {
  test("a large bulk, and four at once, hold little (1)", { timeout: 120_000 }, async ({ expect }) => {
    const session = await started(freshName("large"));
    const one = await add(bulk(session, "one-", BULK_BYTES));
    expect(one.status).toBe(200);
    expect(await one.json()).toBeGreaterThan(BULK_BYTES / 102_000);
    const alone = importMemory();
    expect(alone.peakOfOneBytes).toBeGreaterThan(1_000_000);
    expect(alone.peakOfOneBytes).toBeLessThanOrEqual(LIMITS.importBulkMemoryBytes.value);
    const four = await Promise.all(["a", "b", "c", "d"].map((prefix) => add(bulk(session, prefix, BULK_BYTES))));
    expect(four.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const together = importMemory();
    expect(together.peakOfOneBytes).toBeLessThanOrEqual(LIMITS.importBulkMemoryBytes.value);
    expect(together.peakBytes).toBeLessThanOrEqual(LIMITS.importMemoryBytes.value);
    if (long) console.log(`Memory of bulks: ${JSON.stringify({ alone, together })}`);
  });

  test("twelve bulks at once (2)", { timeout: 60_000 }, async ({ expect }) => {
    const session = await started(freshName("twelve"));
    const gate = Promise.withResolvers<void>();
    const open = ["a", "b", "c", "d"].map((prefix) => add(bulk(session, prefix, 200_000, gate.promise)));
    const others = Array.from({ length: 8 }, (_, i) => add(bulk(session, `e${i}-`, 1_000_000)));
    gate.resolve();
    for (const response of await Promise.all([...open, ...others])) expect(response.status).toBe(200);
    expect(importMemory().peakBytes).toBeLessThanOrEqual(LIMITS.importMemoryBytes.value);
  });

  test("a bulk that waits too long (2)", async ({ expect }) => {
    const session = await started(freshName("late"));
    const held = await Promise.all(["a", "b", "c", "d"].map(() => BulkMemory.reserve()));
    let isAnswered = false;
    const late = add(bulk(session, "e", 200_000)).finally(() => {
      isAnswered = true;
    });
    let passedMs = 0;
    const realNow = Date.now.bind(Date);
    vi.spyOn(Date, "now").mockImplementation(() => realNow() + passedMs);
    const muchLater = async (): Promise<void> => {
      passedMs += LIMITS.bulkWaitMs.value / 4;
      for (const one of held) await one.hold(0);
      expect(isAnswered).toBe(true);
    };
    await vi.waitFor(muchLater, { timeout: 30_000 });
    const refused = await late;
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect((await errorOf(refused)).type).toBe("too_many_requests");
    vi.restoreAllMocks();
    for (const one of held) one.release();
    expect((await add(bulk(session, "f", 200_000))).status).toBe(200);
  });

  test.for(["bulk", "search"])("a %s goes on without its client (4)", async (what, { expect }) => {
    const session = await started(freshName("disconnected"));
    const gate = Promise.withResolvers<void>();
    const awaited = Promise.withResolvers<{ readonly work: Promise<unknown> }>();
    const context = Object.assign(createExecutionContext(), {
      waitUntil: (work: Promise<unknown>) => awaited.resolve({ work }),
    });
    const [path, body, status] =
      what === "bulk"
        ? (["indexer-api/v1/full/add", bulk(session, "a", 200_000, gate.promise), 200] as const)
        : (["search-api/v1/search/arranged/none", gated('{"q":"shoe"}', gate.promise), 404] as const);
    const request = new Request(`${HOST}/${path}`, { method: "POST", body });
    const answering = Promise.resolve(worker.fetch(request, { ...env, LOG: "off" } as WorkerEnv, context));
    gate.resolve();
    const kept = await Promise.race([awaited.promise, answering.then(() => null)]);
    expect(kept).not.toBeNull();
    await kept?.work;
    expect((await answering).status).toBe(status);
  });

  test.for([1, 4])("updates that wait for the first of %i shards (3)", async (shards, { expect }) => {
    const name = freshName("pending");
    await publish(name, [{ id: "first", data: { title: "sock" } }], shards);
    const [shard] = (await routeOf(name)).shards;
    await withSettings(env.SHARD.getByName(shard), { PENDING_UPDATE_BYTES: 1_000 });
    // The Worker knows the way, so that all arrive at once.
    await (await callWith({ ENVIRONMENT: "development" }, `/search-api/v1/search/${name}`)).text();
    const ids = Array.from({ length: 40 }, (_, i) => `d${i}`);
    const answers = await Promise.all(
      ids.map((id) =>
        callWith(
          { ENVIRONMENT: "development" },
          `/indexer-api/v1/update/${name}`,
          send(
            "PUT",
            [id, `${id}-a`, `${id}-b`, `${id}-c`].map((each) => ({ id: each, data: { title: "shoe ".repeat(10) } })),
          ),
        ),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(ids.length);
    for (const response of refused) expect(response.headers.get("retry-after")).toBe("1");
    const later = await call(`/indexer-api/v1/update/${name}`, send("PUT", [{ id: "later", data: { title: "x" } }]));
    expect(later.status).toBe(200);
    for (const [i, { status }] of answers.entries()) {
      expect([200, 429]).toContain(status);
      for (const id of [ids[i], `${ids[i]}-c`]) {
        const found = await callWith({ ENVIRONMENT: "development" }, `/search-api/v1/doc/${name}/${id}`);
        expect(found.status).toBe(status === 200 ? 200 : 404);
      }
    }
  });
});
