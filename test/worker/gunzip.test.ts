// Gunzip against the platform's own streams, which are its twin:
// 1. what CompressionStream packs comes back, however it is cut, in pieces of about 64 KB;
// 2. so do blocks that it never writes: stored ones, and the fields of a header;
// 3. what is damaged, cut off or goes on is an error and never other bytes; where the platform accepts it, so do we;
// 4. nothing is unpacked before the previous piece is taken.
import fc from "fast-check";
import { describe, test } from "vitest";
import { Gunzip, GunzipError } from "../../src/worker/gunzip.ts";
import { forAllAsync, runs } from "../support/property.ts";

const MOST_PIECE_BYTES = 65_536 + 258;

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const read = new Response(stream.readable).arrayBuffer();
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const [result] = await Promise.allSettled([read, written]);
  if (result.status === "rejected") throw result.reason;
  return new Uint8Array(result.value);
}

const packed = (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  through(bytes, new CompressionStream("gzip"));

/** Null: an error. */
function unpacked(bytes: Uint8Array, stepBytes: number): Uint8Array | null {
  const gunzip = new Gunzip();
  const pieces: Uint8Array[] = [];
  try {
    for (let at = 0; at < bytes.length; at += stepBytes) {
      for (const piece of gunzip.push(bytes.subarray(at, at + stepBytes))) {
        if (piece.length > MOST_PIECE_BYTES) throw new Error(`a piece of ${piece.length} bytes`);
        pieces.push(piece);
      }
    }
    gunzip.end();
  } catch (error) {
    if (error instanceof GunzipError) return null;
    throw error;
  }
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === b || (a !== null && b !== null && a.length === b.length && a.every((byte, i) => byte === b[i]));
}

const text: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc
  .array(fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('{"id":"', '","data":{', "shoes ", "a")), {
    maxLength: 300,
  })
  .map((words) => new Uint8Array(new TextEncoder().encode(words.join(""))));
const noise = fc.uint8Array({ maxLength: 2_000 }).map((bytes) => new Uint8Array(bytes));
/** Longer than the window and several pieces, with matches at every distance. */
const long = fc.tuple(fc.oneof(text, noise), fc.integer({ min: 1, max: 200_000 })).map(([part, length]) => {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = part.length === 0 ? 0 : part[(i * (1 + (i >>> 13))) % part.length];
  return bytes;
});
const step = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1_000, max: 65_536 }));

test("what is packed comes back (1)", async () => {
  await forAllAsync(runs(60), fc.oneof(text, noise, long), step, async (bytes, stepBytes) =>
    isSame(unpacked(await packed(bytes), stepBytes), bytes),
  );
});

describe("what the platform does not write (2)", () => {
  const content = new Uint8Array(new TextEncoder().encode("stored as it is"));
  /** A stored block, then the checksum and the length. */
  async function stored(): Promise<Uint8Array<ArrayBuffer>> {
    const { length } = content;
    const trailer = (await packed(content)).slice(-8);
    return joined([Uint8Array.of(1, length, 0, ~length & 255, 255), content, trailer]);
  }

  test.for([
    ["no fields", 0, []],
    ["extra", 4, [3, 0, 9, 0, 9]],
    ["a name and a comment", 8 + 16, [0x6e, 0, 0x63, 0]],
    ["all, with a checksum", 2 + 4 + 8 + 16, [0, 0, 0x6e, 0, 0x63, 0, 1, 2]],
  ] as const)("%s", async ([, flags, fields], { expect }) => {
    const bytes = joined([Uint8Array.of(0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255, ...fields), await stored()]);
    for (const stepBytes of [1, 7, 1_000]) {
      expect(new TextDecoder().decode(unpacked(bytes, stepBytes) ?? undefined)).toBe("stored as it is");
    }
  });
});

describe("damage (3)", () => {
  test("a changed byte", async () => {
    const place = fc.nat();
    await forAllAsync(
      runs(150),
      text,
      place,
      fc.integer({ min: 1, max: 255 }),
      step,
      async (bytes, at, change, size) => {
        const damaged = await packed(bytes);
        damaged[at % damaged.length] ^= change;
        const ours = unpacked(damaged, size);
        if (ours !== null && !isSame(ours, bytes)) return false;
        const theirs = await through(damaged, new DecompressionStream("gzip")).catch(() => null);
        return theirs === null || isSame(ours, theirs);
      },
    );
  });

  test("cut off, or with more behind it", async () => {
    await forAllAsync(runs(100), text, fc.nat(), step, async (bytes, at, stepBytes) => {
      const whole = await packed(bytes);
      return (
        unpacked(whole.subarray(0, at % whole.length), stepBytes) === null &&
        unpacked(joined([whole, Uint8Array.of(0)]), stepBytes) === null
      );
    });
  });

  test("a header that never ends", ({ expect }) => {
    const header = Uint8Array.of(0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 255);
    expect(unpacked(joined([header, new Uint8Array(70_000).fill(65)]), 65_536)).toBeNull();
  });
});

test("only what is taken is unpacked (4)", async ({ expect }) => {
  const bomb = await packed(new Uint8Array(20_000_000));
  expect(bomb.length).toBeLessThan(65_536);
  const gunzip = new Gunzip();
  const pieces = gunzip.push(bomb);
  const first = pieces.next();
  expect(first.done === false && first.value.length).toBeLessThanOrEqual(MOST_PIECE_BYTES);
  // The rest is still packed.
  expect(pieces.return().done).toBe(true);
  expect(() => gunzip.end()).toThrow(GunzipError);
});
