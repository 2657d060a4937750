// gunzipped, for which the platform's own streams are the twin:
// 1. what CompressionStream packs comes back, however it is cut, in pieces of 64 KB at most;
// 2. what is damaged or cut off is 400 and never other bytes;
// 3. errors of what is received are passed on, and what follows a consumer's end is read;
// 4. little more is unpacked than was taken.
import fc from "fast-check";
import { describe, test } from "vitest";
import { ServiceError } from "../../src/interface/index.ts";
import { gunzipped } from "../../src/worker/gunzip.ts";
import { forAllAsync, runs } from "../support/property.ts";

const MOST_PIECE_BYTES = 65_536;

async function packed(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function* cut(bytes: Uint8Array, stepBytes: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += stepBytes) yield bytes.subarray(at, at + stepBytes);
}

/** Null: 400. */
async function unpacked(bytes: Uint8Array, stepBytes: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    for await (const piece of gunzipped(cut(bytes, stepBytes))) {
      if (piece.length > MOST_PIECE_BYTES) throw new Error(`a piece of ${piece.length} bytes`);
      pieces.push(new Uint8Array(piece));
    }
  } catch (error) {
    if (error instanceof ServiceError && error.type === "bad_request") return null;
    throw error;
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function isSame(one: Uint8Array | null, other: Uint8Array): boolean {
  return one?.length === other.length && one.every((byte, at) => byte === other[at]);
}

const text: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc
  .array(fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('{"id":"', '","data":{', "shoes ")), { maxLength: 300 })
  .map((words) => new Uint8Array(new TextEncoder().encode(words.join(""))));
const long = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), fc.integer({ min: 1, max: 200_000 }))
  .map(([part, length]) => Uint8Array.from({ length }, (_, i) => part[(i * (1 + (i >>> 13))) % part.length]));
const step = fc.oneof(fc.integer({ min: 5, max: 20 }), fc.integer({ min: 1_000, max: 65_536 }));

test("what is packed comes back (1)", async () => {
  await forAllAsync(runs(40), fc.oneof(text, long), step, async (bytes, stepBytes) =>
    isSame(await unpacked(await packed(bytes), stepBytes), bytes),
  );
});

describe("damage (2)", () => {
  test("a changed byte", async () => {
    await forAllAsync(runs(80), text, fc.nat(), fc.integer({ min: 1, max: 255 }), async (bytes, at, change) => {
      const damaged = await packed(bytes);
      damaged[at % damaged.length] ^= change;
      const found = await unpacked(damaged, 100);
      return found === null || isSame(found, bytes);
    });
  });

  test("cut off", async () => {
    await forAllAsync(runs(60), text, fc.nat(), step, async (bytes, at, stepBytes) => {
      const whole = await packed(bytes);
      return (await unpacked(whole.subarray(0, at % whole.length), stepBytes)) === null;
    });
  });

  test("no gzip", async ({ expect }) => {
    expect(await unpacked(new TextEncoder().encode('{"id":"a"}'), 4)).toBeNull();
  });
});

describe("the sender (3)", () => {
  const content = new Uint8Array(2_000_000);

  test("its errors", async ({ expect }) => {
    const gone = new ServiceError("request_timeout", "gone");
    async function* ending(): AsyncGenerator<Uint8Array, void, void> {
      yield (await packed(content)).subarray(0, 500);
      throw gone;
    }
    const read = async (): Promise<void> => {
      for await (const piece of gunzipped(ending())) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toBe(gone);
  });

  test("it is read to its end when nobody wants more", async ({ expect }) => {
    let isEnded = false;
    async function* whole(): AsyncGenerator<Uint8Array, void, void> {
      try {
        yield* cut(await packed(content), 100);
      } finally {
        isEnded = true;
      }
    }
    for await (const piece of gunzipped(whole())) {
      expect(piece.length).toBeLessThanOrEqual(MOST_PIECE_BYTES);
      break;
    }
    expect(isEnded).toBe(true);
  });
});

test("little more is unpacked than was taken (4)", async ({ expect }) => {
  const bomb = await packed(new Uint8Array(20_000_000));
  let sentBytes = 0;
  async function* sent(): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of cut(bomb, 1_000)) {
      sentBytes += chunk.length;
      yield chunk;
    }
  }
  let pieces = 0;
  for await (const piece of gunzipped(sent())) {
    expect(piece.length).toBeLessThanOrEqual(MOST_PIECE_BYTES);
    if (++pieces === 3) break;
    // One byte is a thousand here.
    expect(sentBytes).toBeLessThan(3_000);
  }
});
