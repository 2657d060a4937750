/**
 * Reads varints (PiecedBytes.pushVarint) in hot loops. Has two results without allocating an object: the value is in
 * `varint`.
 */

/** Value of the last `readVarint`. */
export let varint = 0;

/** Returns the end of the varint at `at`. */
export function readVarint(bytes: Uint8Array, at: number): number {
  let value = 0;
  let end = at;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++];
    value |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  varint = value;
  return end;
}
