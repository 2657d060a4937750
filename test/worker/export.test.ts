/**
 * `GET /admin-api/v1/indexes/{name}/documents`.
 *
 * 1. Every live document comes once, as it was sent, one a line: published ones, updated ones, none that was deleted.
 * 2. What comes can be imported again and answers the same.
 * 3. A document with line breaks between its tokens is one line.
 * 4. An index that is not there is 404; the call needs the role read.
 * 5. Large documents are exported page by page: no page is larger than a document and LIMITS.documentBytes together,
 *    whether they are in the cache or only in R2.
 * 6. Who reads nothing for LIMITS.exportStallMs is cut off, and who reads less than LIMITS.exportBytesPerSecond: a pause
 *    uses up what was left, reading earns it back. The time that shards take does not count.
 * 7. Beyond LIMITS.exportsAtOnce another export is 429; what is read or given up makes room. A HEAD takes none.
 * 8. A shard is told that its documents are not wanted, also if nothing was read: refused, or given up at once.
 * 9. An export of several shards ends under the configuration it began with, whatever is configured meanwhile.
 */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { PAGE_BYTES } from "../../src/objects/shard/reading/export.ts";
import { exportStream, runningExports } from "../../src/worker/export-stream.ts";
import worker from "../../src/worker/index.ts";
import type { WorkerEnv } from "../../src/worker/settings.ts";
import { wipeCache } from "../objects/support/maintenance.ts";
import { call, callWith, errorOf, freshName, HOST, ok, publish, refusal, send } from "./support.ts";

interface Sent {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function product(id: string, title: string): Sent {
  return { id, data: { title, price: 1 } };
}

async function exported(index: string): Promise<Sent[]> {
  const response = await call(`/admin-api/v1/indexes/${index}/documents`);
  // Not text(): the runtime warns of text whose content type does not begin with "text/".
  return documentsOf(new TextDecoder().decode(await response.bytes()));
}

function documentsOf(ndjson: string): Sent[] {
  return ndjson
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Sent);
}

/** As a stream whose client is the test. */
function begun(name: string, kind: "indexes" | "tenants" = "indexes"): Promise<Response> {
  const own = { ...env, LOG: "off" } as WorkerEnv;
  const request = new Request(`${HOST}/admin-api/v1/${kind}/${name}/documents`);
  return Promise.resolve(worker.fetch(request, own, createExecutionContext()));
}

function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (body === null) throw new Error("an export without a body");
  return body.getReader();
}

describe("export", () => {
  test("1, 2: every live document, and back again", async ({ expect }) => {
    const index = freshName("export");
    const sent = Array.from({ length: 600 }, (_, i) => product(`p${i}`, `shoe number ${i}`));
    await publish(index, sent);
    await call(`/indexer-api/v1/update/${index}`, send("PUT", [product("p7", "sock"), product("new", "hat")]));
    await call(`/indexer-api/v1/update/${index}?id=p8,p9`, { method: "DELETE" });

    const expected = new Map(sent.map((document) => [document.id, document]));
    expected.set("p7", product("p7", "sock"));
    expected.set("new", product("new", "hat"));
    expected.delete("p8");
    expected.delete("p9");
    const documents = await exported(index);
    expect(documents.length).toBe(expected.size);
    expect(new Map(documents.map((document) => [document.id, document]))).toEqual(expected);

    const copy = freshName("export-copy");
    await publish(copy, documents);
    const answers = await Promise.all(
      [index, copy].map(async (name) => {
        const response = await call(`/search-api/v1/search/${name}?q=shoe&sort=title&limit=1000`);
        const { slices }: { slices: { matchCount: number; hits: { document: unknown }[] }[] } = await response.json();
        return slices.map(({ matchCount, hits }) => [matchCount, hits.map(({ document }) => document)]);
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test("3: one line a document, however it was written", async ({ expect }) => {
    const index = freshName("export-lines");
    await publish(index, []);
    const text = '{\n  "id": "a",\r\n  "data": {"title": "two\\nlines"}\n}';
    await call(`/indexer-api/v1/update/${index}?langCode=en`, send("PUT", text));
    expect(await exported(index)).toEqual([{ id: "a", data: { title: "two\nlines" } }]);
  });

  test("4: refused", async ({ expect }) => {
    expect(await refusal(call(`/admin-api/v1/indexes/${freshName("none")}/documents`))).toBe("404 index_not_found");
    const stranger = await callWith({}, "/admin-api/v1/indexes/x/documents");
    expect(stranger.status).toBe(401);
  });

  test("5: large documents", async ({ expect }) => {
    const index = freshName("export-large");
    const small = Array.from({ length: 300 }, (_, i) => product(`s${i}`, "shoe"));
    const image = `https://example.com/${"x".repeat(900_000)}`;
    const large = Array.from({ length: 6 }, (_, i) => ({ id: `l${i}`, data: { title: "boot", image } }));
    await publish(index, [...small, ...large, product("last", "hat")]);
    for (const isCached of [true, false]) {
      if (!isCached) await wipeCache(index);
      const reader = readerOf(await begun(index));
      let lines = 0;
      let largest = 0;
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        lines += value.filter((byte) => byte === 10).length;
        largest = Math.max(largest, value.length);
      }
      expect(lines).toBe(307);
      expect(largest).toBeLessThan(PAGE_BYTES + LIMITS.documentBytes.value);
    }
  });
});

describe.for(["indexes", "tenants"] as const)("9: a change of the configuration, %s", (kind) => {
  test("between two shards", async ({ expect }) => {
    const index = freshName("export-changed");
    const tenant = freshName("export-tenant");
    const sent = Array.from({ length: 40 }, (_, i) => ({
      id: `p${i}`,
      data: { title: "shoe", brand: i % 2 === 0 ? "Acme" : "Bolt" },
    }));
    const path = `/admin-api/v1/config/tenant/${tenant}`;
    const configured = async (filters: object): Promise<void> => {
      await ok(await call(path, send("PUT", { "index-name": index, filters })));
    };
    await publish(index, sent, 4);
    await configured({ brand: "Acme" });

    const reader = readerOf(await begun(kind === "indexes" ? index : tenant, kind));
    const chunks: Uint8Array[] = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      // Concerns the tenant.
      if (chunks.length === 0) await configured({ brand: "Bolt" });
      chunks.push(value);
    }
    expect(chunks.length).toBeGreaterThan(1);
    const text = chunks.map((chunk) => new TextDecoder().decode(chunk)).join("");
    const expected = kind === "indexes" ? sent : sent.filter(({ data }) => data.brand === "Acme");
    const ids = documentsOf(text).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  });
});

describe("clients that stop reading", () => {
  const index = freshName("export-slow");
  beforeAll(async () => {
    const text = "x".repeat(20_000);
    await publish(
      index,
      Array.from({ length: 300 }, (_, i) => product(`p${i}`, `${text} ${i}`)),
    );
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const STALL_MS = LIMITS.exportStallMs.value;

  /** Reads chunk by chunk, with pauses. Returns how long all of it took. */
  async function readWithPauses(of: Response, pauseMs: (chunk: Uint8Array, number: number) => number): Promise<number> {
    const reader = readerOf(of);
    const startMs = Date.now();
    for (let number = 0; ; number++) {
      const { done, value } = await reader.read();
      if (done) return Date.now() - startMs;
      await scheduler.wait(0);
      vi.advanceTimersByTime(pauseMs(value, number));
    }
  }

  /** At exactly the lowest rate. */
  function lowestMs(chunk: Uint8Array): number {
    return Math.floor((chunk.length * 1_000) / LIMITS.exportBytesPerSecond.value);
  }

  test("6: are cut off after a while", async ({ expect }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const longest = readWithPauses(await begun(index), (_, number) => (number === 0 ? STALL_MS - 1 : 0));
    expect(await longest).toBeGreaterThanOrEqual(STALL_MS - 1);
    const longer = readWithPauses(await begun(index), () => STALL_MS);
    await expect(longer).rejects.toThrow("too slowly");
    expect(runningExports()).toBe(0);
  });

  test("6: are cut off if they always do", async ({ expect }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const slow = readWithPauses(await begun(index), lowestMs);
    expect(await slow).toBeGreaterThan(3 * STALL_MS);
    // After two pauses the time of the first is still lacking.
    let reads = 0;
    const slower = readWithPauses(await begun(index), () => (++reads, STALL_MS - 1));
    await expect(slower).rejects.toThrow("too slowly");
    expect(reads).toBe(2);
    // As long a pause again, when it was earned.
    const apart = (chunk: Uint8Array, number: number): number =>
      number % 40 === 0 ? STALL_MS - 1 : lowestMs(chunk) / 2;
    expect(await readWithPauses(await begun(index), apart)).toBeGreaterThan(2 * STALL_MS);
    expect(runningExports()).toBe(0);
  });

  test("6: shards that take long do not count", async ({ expect }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    let left = 3;
    const part = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        vi.advanceTimersByTime(STALL_MS);
        if (--left === 0) controller.close();
        else controller.enqueue(new Uint8Array(1));
      },
    });
    async function* none(): AsyncGenerator<ReadableStream<Uint8Array>, void, void> {}
    expect(await readWithPauses(new Response(exportStream(part, none())), () => 0)).toBeGreaterThanOrEqual(
      2 * STALL_MS,
    );
  });

  test("7: are counted", async ({ expect }) => {
    const unread: Response[] = [];
    for (let i = 0; i < LIMITS.exportsAtOnce.value; i++) unread.push(await begun(index));
    expect(runningExports()).toBe(LIMITS.exportsAtOnce.value);
    const refused = await begun(index);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(await errorOf(refused)).toMatchObject({ type: "too_many_requests", details: { limit: "exportsAtOnce" } });
    await unread[0]?.body?.cancel();
    await vi.waitFor(() => expect(runningExports()).toBe(LIMITS.exportsAtOnce.value - 1));
    expect((await exported(index)).length).toBe(300);
    for (const { body } of unread.slice(1)) await body?.cancel();
    await vi.waitFor(() => expect(runningExports()).toBe(0));
    const head = await call(`/admin-api/v1/indexes/${index}/documents`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(runningExports()).toBe(0);
  });

  test("8: are noticed by the shard", async ({ expect }) => {
    let cancelled = 0;
    const part = (): ReadableStream<Uint8Array> =>
      new ReadableStream<Uint8Array>({ cancel: () => void cancelled++ }, { highWaterMark: 0 });
    async function* none(): AsyncGenerator<ReadableStream<Uint8Array>, void, void> {}
    const unread = Array.from({ length: LIMITS.exportsAtOnce.value }, () => exportStream(part(), none()));
    expect(() => exportStream(part(), none())).toThrow("are being read here");
    await vi.waitFor(() => expect(cancelled).toBe(1));
    for (const body of unread) await body.cancel();
    await vi.waitFor(() => expect(cancelled).toBe(1 + unread.length));
    expect(runningExports()).toBe(0);
  });
});
