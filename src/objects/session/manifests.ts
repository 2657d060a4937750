/**
 * The publishing step "manifest": checks that the stored blocks are in R2, then puts each shard's manifest there.
 */
import { putManifest } from "../bucket.ts";
import { forAll } from "../calls.ts";
import { encodeManifest, MANIFEST_VERSION, type ShardManifest } from "../manifest.ts";
import { importPrefix, shardName } from "../names.ts";
import { covers, PARTITION_VERSION, shardRanges, type PartitionRange } from "../partition.ts";
import type { BlockEntry, SessionInfo } from "../protocol/index.ts";
import { blocksFor, checkBlocks } from "../stored-blocks.ts";
import type { RankedSegment, SessionData, SessionStore } from "./store.ts";

type Written = SessionData["manifests"][number];

/** Returns the manifests in the order of the shards' partitions. Throws storage_unavailable. */
export async function writeManifests(
  bucket: R2Bucket,
  store: SessionStore,
  { info, shardCount }: SessionData,
): Promise<readonly Written[]> {
  const manifests: Written[] = [];
  const shards = shardRanges(shardCount ?? 1).map((partitions, i) => ({ partitions, i }));
  const segments = store.segments();
  const blocks = store.blocks();
  await checkBlocks(bucket, importPrefix(info.temporaryIndexName), blocks);
  await forAll(shards, async ({ partitions, i }) => {
    const own = segments.filter((segment) => covers(partitions, segment.partitions));
    const manifest = manifestOf(info, i, partitions, own, blocksFor(blocks, partitions));
    manifests[i] = { shard: manifest.shard, manifest: await putManifest(bucket, manifest, encodeManifest(manifest)) };
  });
  return manifests;
}

function manifestOf(
  info: SessionInfo,
  i: number,
  partitions: PartitionRange,
  segments: readonly RankedSegment[],
  blocks: readonly BlockEntry[],
): ShardManifest {
  return {
    version: MANIFEST_VERSION,
    indexName: info.finalIndexName,
    generation: info.generation,
    shard: shardName(info.finalIndexName, info.generation, i),
    physicalName: info.temporaryIndexName,
    locale: info.locale,
    language: info.language,
    configuration: info.configuration,
    partitions: { version: PARTITION_VERSION, ...partitions },
    disjoint: segments.length < 2,
    logPosition: 0,
    segments: segments.map(({ id, key, sizeBytes, checksum, productCount, variantCount }) => ({
      id,
      key,
      sizeBytes,
      checksum,
      productCount,
      variantCount,
      deleted: null,
    })),
    blocks,
    writtenAtMs: Date.now(),
  };
}
