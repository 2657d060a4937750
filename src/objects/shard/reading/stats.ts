/** Statistics of a shard by component, for `GET /admin-api/v1/indexes/{name}`, benches and memory tests. */
import { expansionBytes } from "../../../index-engine/query/expansion/index.ts";
import { countingBytes, keyHashBytes, writtenValueBytes } from "../../../index-engine/answer/facets/index.ts";
import { keptDocumentBytes } from "../../../index-engine/answer/render/index.ts";
import { filterCacheBytes, viewBytes } from "../../../index-engine/query/filter/index.ts";
import {
  adjacentBytes,
  prefixUnionBytes,
  categoryBytes,
  dictionaryBytes,
  cachedSearchBytes,
} from "../../../index-engine/query/index.ts";
import { randomHashBytes, signatureWeightBytes } from "../../../index-engine/query/rank/index.ts";
import { OpenedSegment } from "../../../index-engine/segment/index.ts";
import { suggestBytes } from "../../../index-engine/answer/suggest/index.ts";
import type { LoadedShard } from "../loaded/index.ts";
import { cachedAnswerBytes } from "../../cached-answers.ts";
import type { ShardState, ShardStore } from "../store/index.ts";
import type { ShardStats } from "../../protocol/index.ts";

/** @param rulesBytes memory of compiled rules (ShardConfiguration) */
export function shardStats(store: ShardStore, state: ShardState, shard: LoadedShard, rulesBytes: number): ShardStats {
  const { reader, manifest } = shard;
  const { log } = shard;
  const memoryBytes: Record<string, number> = {
    deletions: 0,
    filterCache: 0,
    lookups: 0,
    typos: 0,
  };
  for (const { segment, deleted } of reader.segments) {
    for (const [section, bytes] of Object.entries(segment.bytesBySection)) {
      memoryBytes[section] = (memoryBytes[section] ?? 0) + bytes;
    }
    memoryBytes.deletions += deleted?.byteLength ?? 0;
    memoryBytes.filterCache += filterCacheBytes(segment);
    memoryBytes.typos += expansionBytes(segment.terms);
    if (segment.base instanceof OpenedSegment) memoryBytes.lookups += segment.base.lookupBytes;
  }
  memoryBytes.facetCounts = countingBytes(reader.segments.map(({ segment }) => segment));
  memoryBytes.facetValues = sum(reader.segments.map(({ segment }) => writtenValueBytes(segment)));
  memoryBytes.documents = keptDocumentBytes(shard.plan);
  memoryBytes.keyHashes = sum(reader.segments.map(({ segment }) => keyHashBytes(segment)));
  memoryBytes.fieldWeights = sum(reader.segments.map(({ segment }) => signatureWeightBytes(segment)));
  memoryBytes.randomScores = sum(reader.segments.map(({ segment }) => randomHashBytes(segment)));
  memoryBytes.categories = sum(reader.segments.map(({ segment }) => categoryBytes(segment)));
  memoryBytes.prefixUnions = sum(reader.segments.map(({ segment }) => prefixUnionBytes(segment)));
  memoryBytes.splits = sum(reader.segments.map(({ segment }) => adjacentBytes(segment)));
  memoryBytes.words = dictionaryBytes(reader);
  memoryBytes.searches = cachedSearchBytes(reader);
  memoryBytes.answers = cachedAnswerBytes(reader);
  memoryBytes.liveCounts = reader.countedBytes;
  memoryBytes.tenantViews = viewBytes(reader.segments);
  memoryBytes.rules = rulesBytes;
  memoryBytes.suggest = suggestBytes(reader.segments.map(({ segment }) => segment));
  return {
    shard: state.shard,
    documents: reader.productCount,
    variants: reader.variantCount,
    segments: reader.segments.length,
    memoryBytes,
    storedBytes: {
      segments: sum(manifest.segments.map((entry) => entry.sizeBytes)),
      // Only its own chunks of blocks that it shares with other shards.
      stored: sum(manifest.blocks.map(({ bounds }) => (bounds.at(-1) ?? 0) - (bounds[0] ?? 0))),
      log: sum(log.map((entry) => entry.sizeBytes)),
      cache: store.databaseBytes,
    },
    pendingWrites: sum(log.map((entry) => entry.operations)),
    logPosition: state.logPosition,
    updates: state.updates,
    givenUp: store.attempts.givenUp(),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
