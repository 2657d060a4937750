/**
 * The checksum of SQLite's copies, 32 bits: whoever wakes up computes it over megabytes before the first answer, and
 * this takes a third of the time of the segments' own (XXH32). Four lanes, each `lane = (lane ^ word) * odd`, which
 * maps different lanes to different ones, and so does what puts them together: damage in one word is always noticed,
 * other damage all but once in four billion times.
 */
const ODD_1 = 0x9e3779b1 | 0;
const ODD_2 = 0x85ebca77 | 0;
const ODD_3 = 0xc2b2ae3d | 0;
const ODD_4 = 0x27d4eb2f | 0;

/** `bytes` must start at a multiple of 4. */
export function copySum(bytes: Uint8Array): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, (bytes.length >>> 4) * 4);
  let a = 1;
  let b = 2;
  let c = 3;
  let d = 4;
  for (let i = 0; i < words.length; i += 4) {
    a = Math.imul(a ^ words[i], ODD_1);
    b = Math.imul(b ^ words[i + 1], ODD_2);
    c = Math.imul(c ^ words[i + 2], ODD_3);
    d = Math.imul(d ^ words[i + 3], ODD_4);
  }
  for (let i = words.length * 4; i < bytes.length; i++) a = Math.imul(a ^ bytes[i], ODD_1);
  let sum = Math.imul(a ^ bytes.length, ODD_1);
  sum = Math.imul(sum ^ b, ODD_2);
  sum = Math.imul(sum ^ c, ODD_3);
  sum = Math.imul(sum ^ d, ODD_4);
  return (sum ^ (sum >>> 15)) >>> 0;
}
