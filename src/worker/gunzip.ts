/**
 * gzip (RFC 1952) of one member:
 *
 *   member  = 1f 8b 08 flags (6 bytes) [extra] [name] [comment] [checksum of the header] DEFLATE crc32 length
 *   extra   = length (2 bytes) bytes       name, comment = bytes 00
 */
import { Inflate, InflateError } from "./inflate.ts";

const FIXED_HEADER_BYTES = 10;
/** More than the longest `extra` field; names and comments are short. */
const MOST_HEADER_BYTES = 66_000;
const TRAILER_BYTES = 8;
const FLAG = { headerChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const;

/** Not gzip, or damaged; the message continues "The body ...". */
export { InflateError as GunzipError };

export class Gunzip {
  /** The beginning, until the header is whole; then null. */
  #header: Uint8Array | null = new Uint8Array(0);
  readonly #inflate = new Inflate();
  #crc = 0;
  #length = 0;

  /** What this chunk unpacks to, in pieces of about 64 KB, each made when it is taken. Throws GunzipError. */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, void> {
    let input = chunk;
    if (this.#header !== null) {
      input = joined(this.#header, chunk);
      const end = headerEnd(input);
      if (end === null && input.length > MOST_HEADER_BYTES) throw new InflateError("has a header that is too long");
      this.#header = end === null ? input : null;
      if (end === null) return;
      input = input.subarray(end);
    }
    for (const piece of this.#inflate.push(input)) {
      this.#crc = crc32(this.#crc, piece);
      this.#length = (this.#length + piece.length) >>> 0;
      yield piece;
    }
    if (this.#inflate.isEnded && this.#inflate.rest().length > TRAILER_BYTES) {
      throw new InflateError("has bytes after its end");
    }
  }

  /** Throws GunzipError unless all of it was pushed, undamaged. */
  end(): void {
    const trailer = this.#inflate.rest();
    if (!this.#inflate.isEnded || trailer.length < TRAILER_BYTES) throw new InflateError("ends before its end");
    const view = new DataView(trailer.buffer, trailer.byteOffset);
    if (view.getUint32(0, true) !== this.#crc || view.getUint32(4, true) !== this.#length) {
      throw new InflateError("does not have the checksum that it should have");
    }
  }
}

/** Where DEFLATE begins; null: not there yet. */
function headerEnd(bytes: Uint8Array): number | null {
  const isGzip = [0x1f, 0x8b, 8].every((byte, at) => at >= bytes.length || bytes[at] === byte);
  if (!isGzip) throw new InflateError("does not begin as gzip does");
  if (bytes.length < FIXED_HEADER_BYTES) return null;
  const flags = bytes[3];
  if ((flags & FLAG.reserved) !== 0) throw new InflateError("has flags that gzip does not have");
  let end = FIXED_HEADER_BYTES;
  if ((flags & FLAG.extra) !== 0) {
    if (bytes.length < end + 2) return null;
    end += 2 + bytes[end] + bytes[end + 1] * 256;
  }
  for (const flag of [FLAG.name, FLAG.comment]) {
    if ((flags & flag) === 0) continue;
    const zero = bytes.indexOf(0, end);
    if (zero === -1) return null;
    end = zero + 1;
  }
  if ((flags & FLAG.headerChecksum) !== 0) end += 2;
  return end <= bytes.length ? end : null;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** The CRC-32 of what has this CRC-32 so far, followed by `bytes`. */
function crc32(soFar: number, bytes: Uint8Array): number {
  let crc = ~soFar;
  for (let at = 0; at < bytes.length; at++) crc = CRC_TABLE[(crc ^ bytes[at]) & 0xff] ^ (crc >>> 8);
  return ~crc >>> 0;
}
