/**
 * Reading a varint (PiecedBytes.pushVarint), for loops that run once per string: two results, and no object for them.
 */

/** What `readVarint` has read last. */
export let varint = 0;

/** Returns where the varint at `at` ends. */
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
