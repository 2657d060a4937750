/**
 * Bytes -> UTF-8, whatever a shop's program wrote.
 *
 * A byte order mark settles it; UTF-16 without one shows by its zero bytes. Otherwise the text is UTF-8 until a byte
 * sequence is not. If everything before was ASCII, the file is windows-1252, what older Windows programs write; ASCII
 * is the same in both, so nothing before has to be read again. After other characters were valid UTF-8 the file is
 * damaged.
 */
import { FeedError } from "./model.ts";

const encoder = new TextEncoder();

// The types of Node have no name for it.
type Decoder = InstanceType<typeof TextDecoder>;

export interface Utf8Text {
  readonly bytes: AsyncGenerator<Uint8Array<ArrayBufferLike>>;
  /** What the bytes were, as far as they have been read. */
  encoding(): string;
}

/** @param label of the Encoding standard; null: found out. @param head the first bytes, at least 3 where there are. */
export function utf8Text(bytes: AsyncIterable<Uint8Array>, head: Uint8Array, label: string | null): Utf8Text {
  const known = markOf(head) ?? label?.toLowerCase() ?? withoutMark(head);
  if (known !== null && known !== "utf-8" && known !== "utf8") {
    const decoder = decoderOf(known);
    return { bytes: recoded(bytes, decoder), encoding: () => decoder.encoding };
  }
  const state = { encoding: "UTF-8" };
  return { bytes: checked(bytes, known !== null, state), encoding: () => state.encoding };
}

function decoderOf(label: string): Decoder {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FeedError(`the encoding "${label}" is not known; expected utf-8, windows-1252, ...`);
  }
}

function markOf(head: Uint8Array): string | null {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8";
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return null;
}

/** Feeds begin with ASCII: every second byte of it is zero in UTF-16. */
function withoutMark(head: Uint8Array): string | null {
  if (head.length < 4) return null;
  if (head[0] !== 0 && head[1] === 0 && head[3] === 0) return "utf-16le";
  if (head[0] === 0 && head[1] !== 0 && head[2] === 0) return "utf-16be";
  return null;
}

async function* recoded(
  bytes: AsyncIterable<Uint8Array>,
  decoder: Decoder,
): AsyncGenerator<Uint8Array<ArrayBufferLike>> {
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield encoder.encode(text);
  }
  const rest = decoder.decode();
  if (rest !== "") yield encoder.encode(rest);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** @param isCertain the file says that it is UTF-8. @param state told when it turns out to be something else */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  isCertain: boolean,
  state: { encoding: string },
): AsyncGenerator<Uint8Array<ArrayBufferLike>> {
  let isFirst = true;
  let line = 1;
  let onlyAscii = true;
  let rest: Uint8Array = new Uint8Array(0);
  let other: Decoder | null = null;
  function* take(piece: Uint8Array): Generator<Uint8Array> {
    if (other !== null) {
      yield encoder.encode(other.decode(piece, { stream: true }));
      return;
    }
    if (!isUtf8(piece)) {
      const good = goodBytes(piece);
      if (good > 0) {
        yield* take(piece.subarray(0, good));
        yield* take(piece.subarray(good));
        return;
      }
      if (isCertain || !onlyAscii) throw new FeedError(notUtf8(isCertain), line);
      other = new TextDecoder("windows-1252");
      state.encoding = other.encoding;
      yield encoder.encode(other.decode(piece, { stream: true }));
      return;
    }
    if (onlyAscii) onlyAscii = piece.every((byte) => byte < 0x80);
    for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) line++;
    yield piece;
  }
  for await (const chunk of bytes) {
    let piece = rest.length === 0 ? chunk : joined(rest, chunk);
    if (isFirst && piece.length < 3) {
      rest = piece;
      continue;
    }
    if (isFirst && markOf(piece) === "utf-8") piece = piece.subarray(3);
    isFirst = false;
    const end = other === null ? completeEnd(piece) : piece.length;
    rest = piece.subarray(end);
    if (end > 0) yield* take(piece.subarray(0, end));
  }
  if (rest.length > 0) yield* take(rest);
}

function notUtf8(isCertain: boolean): string {
  return isCertain
    ? "the text is not UTF-8, as the file or its mapping says"
    : "the text is not UTF-8 from about here on, but was before: the file is damaged or put together of two";
}

/** Bytes of the lines before the first one that is not UTF-8. */
function goodBytes(bytes: Uint8Array): number {
  let start = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, start)) {
    if (!isUtf8(bytes.subarray(start, at))) break;
    start = at + 1;
  }
  return start;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Where a character begins that the end of the bytes cuts; their length where none is cut. */
function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back];
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
