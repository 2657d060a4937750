// Answers that their clients do not read (src/worker/answer-memory.ts):
// 1. a large answer is sent whole, as its client reads; small ones claim nothing;
// 2. beyond LIMITS.waitingAnswerBytes another large answer is 429; a small one is sent; what is read or given up makes
//    room;
// 3. of several shards as well, and of an arranged search; HEAD and 304 claim nothing;
// 4. who reads nothing for LIMITS.answerStallMs is cut off.
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, test, vi } from "vitest";
import { LIMITS } from "../../src/interface/index.ts";
import { answerBody, waitingAnswerBytes } from "../../src/worker/answer-memory.ts";
import worker from "../../src/worker/index.ts";
import type { WorkerEnv } from "../../src/worker/settings.ts";
import { call, errorOf, freshName, HOST, send } from "./support.ts";

const index = freshName("slow-readers");
const MOST = LIMITS.waitingAnswerBytes.value;
const COUNT = 14;
const documents = Array.from({ length: COUNT }, (_, i) => ({
  id: `p${i}`,
  data: { title: `shoe ${i}`, image: `https://example.com/${"x".repeat(1_000_000)}` },
}));

beforeAll(async () => {
  for (const half of [documents.slice(0, 7), documents.slice(7)]) {
    const put = await call(`/indexer-api/v1/update/${index}?langCode=en`, send("PUT", half));
    if (put.status !== 200) throw new Error(await put.text());
    await put.text();
  }
});

afterEach(() => {
  vi.useRealTimers();
});

/** The body is not read. */
function ask(path: string, init?: RequestInit): Promise<Response> {
  const own = { ...env, LOG: "off" } as WorkerEnv;
  return Promise.resolve(worker.fetch(new Request(HOST + path, init), own, createExecutionContext()));
}

const LARGE = `/search-api/v1/search/${index}?q=shoe&limit=${COUNT}`;

describe("over HTTP (1, 2, 3)", () => {
  test("a large answer is whole", async ({ expect }) => {
    const answer = await ask(LARGE);
    expect(waitingAnswerBytes()).toBeGreaterThan(COUNT * 1_000_000);
    const { slices } = await answer.json<{ slices: { hits: { document: { id: string } }[] }[] }>();
    expect(slices[0]?.hits).toHaveLength(COUNT);
    expect(waitingAnswerBytes()).toBe(0);
  });

  test("many that nobody reads", async ({ expect }) => {
    const unread: Response[] = [];
    const body = { q: "shoe", limit: COUNT };
    for (let i = 0; i < 3; i++) {
      const arranged = `/search-api/v1/search/arranged/${index}`;
      const answer = await (i === 1 ? ask(arranged, send("POST", body)) : ask(LARGE));
      expect(answer.status).toBe(200);
      unread.push(answer);
    }
    const refused = await ask(LARGE);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await errorOf(refused)).toMatchObject({
      type: "too_many_requests",
      details: { limit: "waitingAnswerBytes" },
    });
    const small = await ask(`/search-api/v1/search/${index}?q=shoe&limit=1&fields=title`);
    expect(small.status).toBe(200);
    await small.text();
    const head = await ask(LARGE, { method: "HEAD" });
    expect(head.status).toBe(200);
    await unread[0]?.body?.cancel();
    const [, second, third] = unread;
    const another = await ask(LARGE);
    expect(another.status).toBe(200);
    const etag = another.headers.get("etag") ?? "";
    for (const answer of [another, second, third]) await answer?.arrayBuffer();
    expect(waitingAnswerBytes()).toBe(0);
    const unchanged = await ask(LARGE, { headers: { "if-none-match": etag } });
    expect(unchanged.status).toBe(304);
    expect(waitingAnswerBytes()).toBe(0);
  });
});

describe("bodies (1, 2, 4)", () => {
  const bytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(1);

  test("one alone always has room", async ({ expect }) => {
    const body = answerBody(bytes(MOST + 1));
    expect(() => answerBody(bytes(300_000))).toThrow("wait for their clients");
    const read = await new Response(body).arrayBuffer();
    expect(read.byteLength).toBe(MOST + 1);
    const next = answerBody(bytes(300_000));
    expect(next).toBeInstanceOf(ReadableStream);
    await new Response(next).arrayBuffer();
  });

  test("a client that stops reading", async ({ expect }) => {
    vi.useFakeTimers();
    const before = waitingAnswerBytes();
    const body = answerBody(bytes(1_000_000));
    if (!(body instanceof ReadableStream)) throw new Error("not a stream");
    const reader = body.getReader();
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(LIMITS.answerStallMs.value - 1);
      expect((await reader.read()).done).toBe(false);
    }
    expect(waitingAnswerBytes()).toBe(before + 1_000_000);
    vi.advanceTimersByTime(LIMITS.answerStallMs.value);
    expect(waitingAnswerBytes()).toBe(before);
    await expect(reader.read()).rejects.toThrow("does not read");
  });
});
