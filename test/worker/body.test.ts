// Bodies of requests:
// 1. whatever their length and however they come, they are read whole, at once and in chunks;
// 2. a body longer than its limit is refused, announced or not;
// 3. one that stalls or trickles is refused after LIMITS.uploadStallMs, and nothing more is read of it; so is one that
//    stalls while the rest of it is dropped;
// 4. one that ends before its end is the client's mistake;
// 5. gzip is unpacked within the same limits; other encodings are refused by their names.
import fc from "fast-check";
import { afterEach, describe, test, vi } from "vitest";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";
import { releaseBody, waitingBodyBytes } from "../../src/worker/body-memory.ts";
import { bodyBytes, bodyChunks } from "../../src/worker/body.ts";
import { forAllAsync, runs } from "../support/property.ts";

const numRuns = runs(40);
const CHUNK_BYTES = 65_536;

const sizeBytes = fc.oneof(
  fc.nat({ max: 300 }),
  fc.constantFrom(CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 262_144, 262_145, 700_001),
);

function pattern(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >>> 8)) & 255);
}

/** In pieces of this size, as JavaScript streams give them: without a length, and without taking buffers. */
function streamed(bytes: Uint8Array, pieceBytes: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += pieceBytes)));
    },
  });
}

const requests: Request[] = [];

/** Bytes are announced by their length, as HTTP does it, streams are not. */
function request(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>): Request {
  const headers = new Headers();
  if (body instanceof Uint8Array) headers.set("content-length", String(body.byteLength));
  const made = new Request("https://aisle.test/", { method: "POST", body, headers });
  requests.push(made);
  return made;
}

// As when they are answered: other tests measure the memory of bodies in the same isolate.
afterEach(() => {
  for (const one of requests.splice(0)) releaseBody(one);
});

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

test.for(["bytes", "stream"] as const)("bodies are read whole: %s (1)", async (how, { expect }) => {
  await forAllAsync(numRuns, sizeBytes, fc.integer({ min: 1_000, max: 90_000 }), async (size, piece) => {
    const sent = pattern(size);
    const make = (): Request => request(how === "bytes" ? sent : streamed(sent, piece));
    const whole = make();
    expect(isSame(await bodyBytes(whole, "importBodyBytes"), sent)).toBe(true);
    releaseBody(whole);
    const received = new Uint8Array(size);
    let at = 0;
    for await (const chunk of bodyChunks(make(), "importBodyBytes")) {
      received.set(chunk, at);
      at += chunk.length;
    }
    expect(at).toBe(size);
    expect(isSame(received, sent)).toBe(true);
  });
});

test.for(["bytes", "stream"] as const)("too long: %s (2)", async (how, { expect }) => {
  const sent = pattern(LIMITS.searchBodyBytes.value + 1);
  const body = how === "bytes" ? sent : streamed(sent, 50_000);
  const refused = bodyBytes(request(body), "searchBodyBytes");
  await expect(refused).rejects.toThrow(ServiceError);
  await expect(refused).rejects.toMatchObject({ type: "body_too_large" });
});

describe("too slow (3)", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a body that stops in the middle", async ({ expect }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let pulls = 0;
    const stalling = new ReadableStream<Uint8Array>({
      pull(controller): Promise<void> | undefined {
        if (pulls++ < 3) controller.enqueue(pattern(CHUNK_BYTES));
        else return new Promise<void>(() => {});
        return undefined;
      },
    });
    const chunks = bodyChunks(request(stalling), "importBodyBytes");
    for (let count = 0; count < 3; count++) expect((await chunks.next()).done).toBe(false);
    const refused = chunks.next();
    const outcome = expect(refused).rejects.toMatchObject({ type: "request_timeout", status: 408 });
    await vi.advanceTimersByTimeAsync(LIMITS.uploadStallMs.value - 1);
    const isOver = await Promise.race([
      refused.then(
        () => true,
        () => true,
      ),
      Promise.resolve(false),
    ]);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
  });

  test("a small one that says how long it is", async ({ expect }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stalling = new ReadableStream<Uint8Array>({ pull: () => new Promise<void>(() => {}) });
    const small = new Request("http://localhost/", {
      method: "PUT",
      body: stalling,
      headers: { "content-length": "1000" },
    });
    const outcome = expect(bodyBytes(small, "updateBodyBytes")).rejects.toMatchObject({ type: "request_timeout" });
    await vi.advanceTimersByTimeAsync(LIMITS.uploadStallMs.value);
    await outcome;
  });

  test("a rest that is dropped and stops", async ({ expect }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const size = LIMITS.sessionBodyBytes.value;
    let pulls = 0;
    const stalling = new ReadableStream<Uint8Array>({
      pull(controller): Promise<void> | undefined {
        if (pulls++ < 2) controller.enqueue(pattern(size));
        else return new Promise<void>(() => {});
        return undefined;
      },
    });
    const outcome = expect(bodyBytes(request(stalling), "sessionBodyBytes")).rejects.toMatchObject({
      type: "body_too_large",
    });
    await vi.advanceTimersByTimeAsync(LIMITS.uploadStallMs.value);
    await outcome;
  });
});

test("a body that ends early (4)", async ({ expect }) => {
  const gone = Object.assign(new Error("Network connection lost."), { retryable: true });
  const cut = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(pattern(100));
      controller.error(gone);
    },
  });
  const refused = await bodyBytes(request(cut), "updateBodyBytes").catch((error: unknown) => error);
  expect(refused).toMatchObject({ type: "bad_request" });
});

describe("compressed bodies (5)", () => {
  async function gzipped(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    const stream = new Response(bytes).body?.pipeThrough(new CompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  function packedRequest(body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>, encoding = "gzip"): Request {
    const made = request(body);
    made.headers.set("content-encoding", encoding);
    return made;
  }

  test.for(["gzip", " X-GZIP"])("%s is unpacked, at once and in chunks", async (encoding, { expect }) => {
    for (const size of [0, 100, 262_145, 700_001]) {
      const sent = pattern(size);
      const packed = await gzipped(sent);
      expect(isSame(await bodyBytes(packedRequest(packed, encoding), "importBodyBytes"), sent)).toBe(true);
      const pieces: Uint8Array[] = [];
      for await (const piece of bodyChunks(packedRequest(streamed(packed, 1_000), encoding), "importBodyBytes")) {
        pieces.push(piece);
      }
      expect(isSame(new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer()), sent)).toBe(
        true,
      );
    }
  });

  test("the limit is that of the unpacked bytes", async ({ expect }) => {
    const { value } = LIMITS.searchBodyBytes;
    const fits = await bodyBytes(packedRequest(await gzipped(new Uint8Array(value))), "searchBodyBytes");
    expect(fits).toHaveLength(value);
    const bomb = await gzipped(new Uint8Array(value + 1));
    expect(bomb.length).toBeLessThan(2_000);
    for (const body of [bomb, streamed(bomb, 100)]) {
      const refused = bodyBytes(packedRequest(body), "searchBodyBytes");
      await expect(refused).rejects.toMatchObject({ type: "body_too_large", status: 413 });
    }
  });

  test("their memory is counted unpacked, however short they are", async ({ expect }) => {
    const before = waitingBodyBytes();
    const packed = packedRequest(await gzipped(new Uint8Array(1_000_000)));
    await bodyBytes(packed, "searchBodyBytes");
    expect(waitingBodyBytes() - before).toBe(1_000_000);
    releaseBody(packed);
    expect(waitingBodyBytes()).toBe(before);
  });

  test("what is not gzip, damaged, or not whole is 400", async ({ expect }) => {
    const whole = await gzipped(pattern(1_000));
    const damaged = whole.slice();
    damaged[damaged.length - 8] ^= 1;
    for (const [body, why] of [
      [pattern(100), "incorrect header check"],
      [damaged, "incorrect data check"],
      [whole.slice(0, -1), "unexpected end of file"],
    ] as const) {
      const message = `The body has the Content-Encoding gzip, but cannot be unpacked: ${why}.`;
      const refused = expect.objectContaining({ type: "bad_request", status: 400, message });
      await expect(bodyBytes(packedRequest(body), "importBodyBytes")).rejects.toEqual(refused);
    }
  });

  test("other encodings are refused by their name", async ({ expect }) => {
    const make = (): Request => packedRequest(pattern(100), " BR ");
    const message = "The body has the Content-Encoding br. Send it with gzip, or uncompressed.";
    const refused = expect.objectContaining({ type: "bad_request", message });
    await expect(bodyBytes(make(), "importBodyBytes")).rejects.toEqual(refused);
    await expect(bodyChunks(make(), "importBodyBytes").next()).rejects.toEqual(refused);
  });

  test("identity is no compression", async ({ expect }) => {
    expect(await bodyBytes(packedRequest(pattern(100), "identity"), "importBodyBytes")).toHaveLength(100);
  });
});
