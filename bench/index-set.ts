/**
 * Indexes a data set with the functions of the service (ImportWriter, the session's merge, the
 * opening of a shard), without HTTP, R2 and SQLite.
 */
import { compileFieldPlan, type FieldPlan } from "../src/index-engine/documents/index.ts";
import type { Segment } from "../src/index-engine/segment/model/index.ts";
import { Reader, live } from "../src/index-engine/index/reader.ts";
import { SegmentBuilder, mergeSegments, openSegment } from "../src/index-engine/segment/index.ts";
import { storedChunks } from "../src/index-engine/segment/stored/index.ts";
import { BUILT_IN_INDEX_CONFIG, LIMITS } from "../src/interface/index.ts";
import type { Dataset } from "./datasets.ts";

export interface IndexedSet {
  readonly plan: FieldPlan;
  readonly reader: Reader;
  /** The one merged segment, for opening it again. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Chunks of stored blocks, by block name. */
  readonly chunks: ReadonlyMap<string, readonly Uint8Array[]>;
  readonly facts: IndexFacts;
}

export interface IndexFacts {
  readonly documents: number;
  readonly variants: number;
  readonly rejected: number;
  readonly segments: number;
  /** JSON.parse, field plan, analysis and building, as in `add`. */
  readonly buildMs: number;
  readonly mergeMs: number;
  readonly indexBytes: number;
  readonly storedBytes: number;
  readonly bytesBySection: Readonly<Record<string, number>>;
}

export function indexDataset(dataset: Dataset): IndexedSet {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, dataset.locale);
  const segments: Segment[] = [];
  const chunks = new Map<string, readonly Uint8Array[]>();
  let builder: SegmentBuilder | null = null;
  let block = "";
  let rejected = 0;
  let storedBytes = 0;

  const close = (): void => {
    if (builder === null) return;
    const built = builder.finish();
    builder = null;
    segments.push(openSegment(built.index));
    chunks.set(block, storedChunks(built.stored));
    storedBytes += built.stored.length;
  };
  const buildStartMs = performance.now();
  const decoder = new TextDecoder();
  for (const source of dataset.sources) {
    const outcome = plan.read(JSON.parse(decoder.decode(source)), source);
    if (outcome.status !== "indexable") {
      rejected++;
      continue;
    }
    if (builder === null) {
      block = `block-${segments.length}`;
      builder = new SegmentBuilder({
        analyzer: plan.analyzer,
        normGroup: (field) => plan.normGroup(field),
        language: plan.language,
        storedBlock: block,
      });
    }
    builder.add(outcome.product);
    if (
      builder.sizeBytes >= LIMITS.segmentCloseBytes.value ||
      builder.documentCount >= LIMITS.segmentCloseDocuments.value
    ) {
      close();
    }
  }
  close();
  const buildMs = performance.now() - buildStartMs;

  const mergeStartMs = performance.now();
  const bytes = mergeSegments(segments.map(live));
  const mergeMs = performance.now() - mergeStartMs;
  const merged = openSegment(bytes);
  const reader = Reader.of([merged]);
  return {
    plan,
    reader,
    bytes,
    chunks,
    facts: {
      documents: reader.productCount,
      variants: reader.variantCount,
      rejected,
      segments: segments.length,
      buildMs,
      mergeMs,
      indexBytes: merged.sizeBytes,
      storedBytes,
      bytesBySection: merged.bytesBySection,
    },
  };
}
