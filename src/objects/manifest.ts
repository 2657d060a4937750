/**
 * The manifest of a shard lists its published objects. `indexes/<shard>/manifest.json`, put after the objects that it
 * names.
 *
 * Grammar (JSON, UTF-8; golden file test/objects/fixtures/manifest-4.json):
 *
 *   manifest = {version, indexName, generation, shard, physicalName, locale, language,
 *               configuration,            resolved IndexConfig: what this generation is built with
 *               partitions,               {version, first, end}: which documents this shard has (partition.ts)
 *               disjoint,                 true: no id is live in two segments; false: a later segment wins an id
 *               logPosition,              updates up to this number are contained in the segments
 *               segments: [segment],      oldest first: a later segment wins an id
 *               blocks: [block],          stored sources; segments name them by id
 *               writtenAtMs}
 *   segment  = {id, key, sizeBytes, checksum, productCount, variantCount, deleted, numbers?}
 *   deleted  = null | base64 of the deletion bits: little-endian 32-bit words, bit r & 31 of word r >>> 5 is row r
 *   numbers  = [{field, rows: [row, distance, distance, ...], values: [number, ...]}]   numbers of documents that have changed since they were
 *                                                                                      indexed
 *                                                                                      (index-engine/segment/model/numbers.ts)
 *   block    = {id, key, sizeBytes, checksum, firstChunk, bounds: [start, end, end, ...]}    what this shard needs of it: chunks without gaps
 *                                                                                           from number firstChunk on
 *                                                                                           (stored-blocks.ts)
 *
 * An import writes no deletions: those between segments (an id sent twice) follow from the order of segments unless
 * `disjoint`. A checkpoint writes all deletions, so its manifest is disjoint.
 */
import type { IndexConfig } from "../interface/index.ts";
import type { PackedNumbers } from "../index-engine/segment/model/index.ts";
import { PARTITION_VERSION, type PartitionRange } from "./partition.ts";
import type { BlockEntry, SegmentEntry } from "./protocol/index.ts";

export const MANIFEST_VERSION = 4;

export interface ManifestSegment extends SegmentEntry {
  readonly deleted: string | null;
  /** Absent: no changes. */
  readonly numbers?: readonly PackedNumbers[];
}

export interface ShardManifest {
  readonly version: number;
  readonly indexName: string;
  readonly generation: number;
  readonly shard: string;
  readonly physicalName: string;
  readonly locale: string;
  readonly language: string;
  readonly configuration: IndexConfig;
  readonly partitions: PartitionRange & { readonly version: number };
  readonly disjoint: boolean;
  readonly logPosition: number;
  readonly segments: readonly ManifestSegment[];
  readonly blocks: readonly BlockEntry[];
  readonly writtenAtMs: number;
}

export class ManifestError extends Error {}

export function encodeManifest(manifest: ShardManifest): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(JSON.stringify(manifest)));
}

/** Throws ManifestError unless the bytes are a manifest of this version. */
export function decodeManifest(bytes: Uint8Array): ShardManifest {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new ManifestError("not JSON");
  }
  if (typeof value !== "object" || value === null || !("version" in value)) {
    throw new ManifestError("no version");
  }
  if (value.version !== MANIFEST_VERSION) {
    throw new ManifestError(`version ${String(value.version)}; this code reads ${MANIFEST_VERSION}`);
  }
  const manifest = value as ShardManifest;
  if (!Array.isArray(manifest.segments) || !Array.isArray(manifest.blocks)) {
    throw new ManifestError("no segments or no blocks");
  }
  if (manifest.partitions.version !== PARTITION_VERSION) {
    throw new ManifestError(`partitions of version ${manifest.partitions.version}`);
  }
  return manifest;
}

/** All keys that the manifest references, without its own. */
export function namedKeys(manifest: ShardManifest): string[] {
  return [...manifest.segments, ...manifest.blocks].map((object) => object.key);
}

export function encodeBits(bits: Uint32Array): string {
  const bytes = new Uint8Array(bits.length * 4);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < bits.length; i++) view.setUint32(i * 4, bits[i], true);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

export function decodeBits(text: string): Uint32Array {
  const binary = atob(text);
  const view = new DataView(new ArrayBuffer(binary.length));
  for (let i = 0; i < binary.length; i++) view.setUint8(i, binary.charCodeAt(i));
  const bits = new Uint32Array(binary.length / 4);
  for (let i = 0; i < bits.length; i++) bits[i] = view.getUint32(i * 4, true);
  return bits;
}
