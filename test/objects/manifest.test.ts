// The stored form of a shard's manifest.
//  1. a manifest of version 4 (golden file) is read as it was written, and written as it was read
//  2. what is no manifest, or of another version, is refused
//  3. deletion bits keep every bit, in little-endian words
import fc from "fast-check";
import { describe, test } from "vitest";
import {
  decodeBits,
  decodeManifest,
  encodeBits,
  encodeManifest,
  MANIFEST_VERSION,
  ManifestError,
  namedKeys,
} from "../../src/objects/manifest.ts";
import golden from "./fixtures/manifest-4.json";
import { forAll, runs } from "../support/property.ts";

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

describe("a manifest", () => {
  test("of version 4 is read and written", ({ expect }) => {
    expect(MANIFEST_VERSION).toBe(4);
    const manifest = decodeManifest(bytes(golden));
    expect(manifest).toEqual(golden);
    expect(encodeManifest(manifest)).toEqual(bytes(golden));
    expect(namedKeys(manifest)).toEqual([
      "imports/ocs-7-shop-en/segments/a1.seg",
      "indexes/shop/7/1/segments/b2.seg",
      "imports/ocs-7-shop-en/stored/c3.blk",
    ]);
    // Rows 0, 31 and 32.
    expect([...decodeBits(manifest.segments[0]?.deleted ?? "")]).toEqual([0x80000001, 1]);
  });

  test("of another kind is refused", ({ expect }) => {
    for (const wrong of [
      { ...golden, version: 5 },
      { ...golden, version: 3 },
      { ...golden, partitions: { version: 2, first: 0, end: 64 } },
      { ...golden, segments: null },
      {},
      [],
      1,
      null,
    ]) {
      expect(() => decodeManifest(bytes(wrong))).toThrow(ManifestError);
    }
    expect(() => decodeManifest(new Uint8Array([0xff, 0x7b]))).toThrow(ManifestError);
    expect(() => decodeManifest(bytes(golden).subarray(0, 100))).toThrow(ManifestError);
  });

  test("keeps deletions", ({ expect }) => {
    forAll(runs(100), fc.uint32Array({ maxLength: 50 }), (bits) => {
      expect([...decodeBits(encodeBits(bits))]).toEqual([...bits]);
    });
    expect(encodeBits(new Uint32Array([1]))).toBe(btoa("\u0001\u0000\u0000\u0000"));
  });
});
