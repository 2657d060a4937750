// Products -> readers, the way an index comes to them: built at once, by updates, merged, cut into shards.
import type { FieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { IndexableProduct, Segment } from "../../../src/index-engine/segment/model/index.ts";
import { liveFrequency, Reader } from "../../../src/index-engine/index/reader.ts";
import { mergeSegments, openSegment, SegmentBuilder } from "../../../src/index-engine/segment/index.ts";
import { fields, type Batch } from "./catalogue.ts";

/** A document as the field plan reads it. Throws for one that takes no part. */
export function indexable(document: unknown, plan: FieldPlan = fields): IndexableProduct {
  const source = new TextEncoder().encode(JSON.stringify(document));
  const outcome = plan.read(document, source);
  if (outcome.status !== "indexable") throw new Error(JSON.stringify(outcome));
  return outcome.product;
}

export function documentSegment(documents: readonly unknown[], plan: FieldPlan): Segment {
  return buildSegment(
    documents.map((document) => indexable(document, plan)),
    plan,
  );
}

export function buildSegment(products: readonly IndexableProduct[], plan: FieldPlan = fields): Segment {
  const builder = new SegmentBuilder({
    analyzer: plan.analyzer,
    normGroup: (field) => plan.normGroup(field),
    language: plan.language,
    storedBlock: "test",
  });
  for (const product of products) builder.add(product);
  return openSegment(builder.finish().index);
}

/** One segment per batch that wrote something, and its deletions. */
export function updatedReader(batches: readonly Batch[], plan: FieldPlan = fields): Reader {
  let reader = Reader.empty;
  for (const { products, deleted } of batches) {
    if (products.length > 0) reader = reader.withUpdate(buildSegment(products, plan), []);
    if (deleted.length > 0) reader = reader.withUpdate(null, deleted);
  }
  return reader;
}

/** Live products with this dictionary term (an exact term, or STEM_PREFIX + stem). */
export function documentFrequency({ segments }: Reader, term: string): number {
  return segments.reduce((sum, live) => {
    const ordinal = live.segment.terms.find(term);
    return ordinal < 0 ? sum : sum + liveFrequency(live, ordinal);
  }, 0);
}

/** The same reader after merging segments [from, to). */
export function merged(reader: Reader, from: number, to: number): Reader {
  const run = reader.segments.slice(from, to);
  if (run.length === 0) return reader;
  const bytes = mergeSegments(run);
  const segment = openSegment(bytes);
  return reader.replaceRun(run, segment.productCount === 0 ? null : segment);
}

/** The batches as `count` shards see them: a product is on one of them. */
export function shardedReaders(batches: readonly Batch[], count: number, plan: FieldPlan = fields): Reader[] {
  const shardOf = (id: string): number =>
    [...id].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % count;
  return Array.from({ length: count }, (_, shard) =>
    updatedReader(
      batches.map(({ products, deleted }) => ({
        products: products.filter(({ id }) => shardOf(id) === shard),
        deleted: deleted.filter((id) => shardOf(id) === shard),
      })),
      plan,
    ),
  );
}
