// Calls of the service, before a client that answers what a test says:
// 1. an import is given up at once, also in a pause, and leaves no session;
// 2. complaints count documents of the whole file;
// 3. an explanation that failed is asked for again, one that went with its page too;
// 4. what is no answer of the service is said to be none.
import { describe, test, vi } from "vitest";
import { CallError, Client, type Answer } from "../../src/playground/http/client.ts";
import { Credentials } from "../../src/playground/http/credentials.ts";
import { explainOnce, explainedInAnyCase } from "../../src/playground/http/explained.ts";
import { importCatalogue } from "../../src/playground/http/import-catalogue.ts";
import type { DocumentText } from "../../src/playground/logic/documents.ts";
import { get, type ApiRequest } from "../../src/playground/logic/requests.ts";

function answer(request: ApiRequest, status: number, json: unknown): Answer {
  const text = JSON.stringify(json);
  return { request, status, headers: new Headers(), text, json, roundTripMs: 1, serverTimings: [] };
}

const SESSION = { finalIndexName: "a", temporaryIndexName: "ocs-1-a-en" };

/** Large enough for a bulk each. */
async function* documents(count: number): AsyncGenerator<DocumentText> {
  for (let at = 0; at < count; at++) yield { json: `"${"x".repeat(1_000_000)}"`, line: null };
}

function importJob(signal: AbortSignal, count = 3): Parameters<typeof importCatalogue>[1] {
  return {
    indexName: "a",
    locale: "en",
    documents: documents(count),
    maxRejectedPercent: 100,
    onProgress: () => {},
    signal,
  };
}

function callOf({ path }: ApiRequest): string {
  return /full\/([a-z]+)/.exec(path)?.[1] ?? path;
}

describe("imports (1, 2)", () => {
  test("1: given up in a pause", async ({ expect }) => {
    const running = new AbortController();
    const calls: string[] = [];
    const beganMs = performance.now();
    const importing = importCatalogue(
      {
        send(request) {
          calls.push(callOf(request));
          if (callOf(request) !== "add") return Promise.resolve(answer(request, 200, SESSION));
          setTimeout(() => running.abort(), 5);
          const later = { ...answer(request, 503, {}), headers: new Headers({ "retry-after": "9" }) };
          return Promise.resolve(later);
        },
      },
      importJob(running.signal),
    );
    await expect(importing).rejects.toThrow(DOMException);
    expect(performance.now() - beganMs).toBeLessThan(5_000);
    expect(calls).toEqual(["start", "add", "cancel"]);
  });

  test("1: given up while it starts", async ({ expect }) => {
    const running = new AbortController();
    const calls: string[] = [];
    const importing = importCatalogue(
      {
        send(request, signal) {
          calls.push(callOf(request));
          running.abort();
          signal.throwIfAborted();
          return Promise.resolve(answer(request, 200, SESSION));
        },
      },
      importJob(running.signal),
    );
    await expect(importing).rejects.toThrow(DOMException);
    expect(calls).toEqual(["start", "cancel"]);
  });

  test("2: positions in the file", async ({ expect }) => {
    let adds = 0;
    const outcome = await importCatalogue(
      {
        send(request) {
          if (callOf(request) !== "add") return Promise.resolve(answer(request, 200, SESSION));
          adds++;
          const rejected = adds === 1 ? [] : [{ position: 0, id: null, reason: "no id" }];
          return Promise.resolve(answer(request, 200, { indexed: 1 - rejected.length, rejected }));
        },
      },
      importJob(new AbortController().signal),
    );
    expect(outcome).toEqual({ indexed: 1, rejected: 2, complaints: ["document 2: no id", "document 3: no id"] });
  });
});

test("2: too many refused documents cancel", async ({ expect }) => {
  const calls: string[] = [];
  const sender = {
    send(request: ApiRequest) {
      calls.push(callOf(request));
      const isAdd = callOf(request) === "add";
      return Promise.resolve(answer(request, 200, isAdd ? { indexed: 1, rejected: [] } : SESSION));
    },
  };
  const job = importJob(new AbortController().signal, 10);
  const refused = { count: 1, complaints: ["line 3: no id"] };
  const importing = importCatalogue(sender, { ...job, refused, maxRejectedPercent: 5 });
  await expect(importing).rejects.toThrow("1 of 11 documents was refused, more than 5 %");
  expect(calls.slice(-1)).toEqual(["cancel"]);
  await importCatalogue(sender, { ...job, documents: documents(10), refused, maxRejectedPercent: 10 });
  expect(calls.slice(-1)).toEqual(["done"]);
});

describe("explanations (3)", () => {
  const search = { tenant: "a", parameters: [], sets: "" };
  const result = { slices: [{ hits: [{ document: { id: "1" } }] }] };

  test("3: once, and again after a failure", async ({ expect }) => {
    const expectAnswer = vi
      .fn<Client["expect"]>()
      .mockRejectedValueOnce(new TypeError("broken"))
      .mockImplementation((request) => Promise.resolve(answer(request, 200, result)));
    const explained = explainOnce({ expect: expectAnswer }, search, new AbortController().signal);
    await expect(explained()).rejects.toThrow("broken");
    expect([...(await explained()).keys()]).toEqual(["1"]);
    await explained();
    expect(expectAnswer).toHaveBeenCalledTimes(2);
  });

  test("3: for somebody who still waits when the page is gone", async ({ expect }) => {
    const page = new AbortController();
    const expectAnswer = (request: ApiRequest, signal: AbortSignal): Promise<Answer> =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new DOMException("gone", "AbortError")));
        setTimeout(() => resolve(answer(request, 200, result)), 20);
      });
    const explained = explainOnce({ expect: expectAnswer }, search, page.signal);
    const waiting = explainedInAnyCase(explained);
    page.abort();
    expect([...(await waiting).keys()]).toEqual(["1"]);
  });
});

describe("answers (4)", () => {
  class NoCredentials extends Credentials {
    override get header(): null {
      return null;
    }
  }

  async function failureOf(fetched: typeof fetch, signal: AbortSignal): Promise<unknown> {
    vi.stubGlobal("fetch", fetched);
    try {
      await new Client(new NoCredentials()).expect(get("/x"), signal);
      return null;
    } catch (error) {
      return error instanceof CallError ? [error.failure.type, error.message] : error;
    } finally {
      vi.unstubAllGlobals();
    }
  }

  test("4: a page of something in between", async ({ expect }) => {
    const { signal } = new AbortController();
    expect(await failureOf(() => Promise.resolve(new Response("<html>")), signal)).toEqual([
      "unreadable",
      "What came back is no answer of the service.",
    ]);
  });

  test("4: a body that breaks off", async ({ expect }) => {
    const body = new ReadableStream({
      pull() {
        throw new TypeError("reset");
      },
    });
    const { signal } = new AbortController();
    expect(await failureOf(() => Promise.resolve(new Response(body)), signal)).toEqual([
      "unreachable",
      "The service cannot be reached.",
    ]);
  });

  test("4: too late, or given up", async ({ expect }) => {
    const untilAborted = (_: unknown, options?: RequestInit): Promise<Response> =>
      new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason as Error));
      });
    expect(await failureOf(untilAborted, AbortSignal.timeout(5))).toEqual([
      "unreachable",
      "The service did not answer in time.",
    ]);
    const running = new AbortController();
    setTimeout(() => running.abort(), 5);
    expect(await failureOf(untilAborted, running.signal)).toBeInstanceOf(DOMException);
  });
});
