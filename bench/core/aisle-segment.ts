/**
 * The synthetic catalogue as one Aisle segment, built by the functions of an import and merged. The
 * bytes are kept in the folder for temporary files, so the next run need not build them.
 *
 * Their name there has the seed, the number of products, and the hash of a small segment built now. Whatever
 * changes the format or the analysis changes that hash.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileFieldPlan, type FieldPlan } from "../../src/index-engine/documents/index.ts";
import type { Segment } from "../../src/index-engine/segment/model/index.ts";
import { live } from "../../src/index-engine/index/reader.ts";
import { mergeSegments, openSegment, SegmentBuilder } from "../../src/index-engine/segment/index.ts";
import { BUILT_IN_INDEX_CONFIG, LIMITS, type IndexConfig } from "../../src/interface/index.ts";
import { SyntheticCorpus } from "../synthetic/corpus.ts";

const FOLDER = join(tmpdir(), "aisle-bench-core");
const SAMPLE_PRODUCTS = 1_000;

/** The built-in fields. `rating` is named so that it is no sixth facet. */
const CONFIG: IndexConfig = {
  ...BUILT_IN_INDEX_CONFIG,
  fields: [
    ...BUILT_IN_INDEX_CONFIG.fields,
    {
      name: "rating",
      type: "number",
      level: "master",
      sourceNames: [],
      usages: ["Score", "Sort", "Result"],
      searchContentPrefix: null,
    },
  ],
};

export interface SyntheticSegment {
  readonly plan: FieldPlan;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** 0: the bytes were kept from before. */
  readonly buildSeconds: number;
}

export function syntheticSegment(corpus: SyntheticCorpus, rebuild: boolean): SyntheticSegment {
  const plan = compileFieldPlan(CONFIG, "en");
  const path = join(FOLDER, `${corpus.seed}-${corpus.size}-${hashOfSample(plan, corpus.seed)}`);
  if (!rebuild && existsSync(path)) {
    return { plan, bytes: new Uint8Array(readFileSync(path)), buildSeconds: 0 };
  }
  checkTerms(corpus, plan);
  const startMs = performance.now();
  const bytes = build(corpus, plan);
  const buildSeconds = (performance.now() - startMs) / 1_000;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
  return { plan, bytes, buildSeconds };
}

/** Engines without a stemmer find the same only if each word is a term, and its own stem. */
function checkTerms({ terms }: SyntheticCorpus, { analyzer }: FieldPlan): void {
  for (const term of terms) {
    if (analyzer.terms(term).join() !== term || analyzer.stem(term) !== term) {
      throw new Error(`analysis changes ${term}`);
    }
  }
}

function hashOfSample(plan: FieldPlan, seed: number): string {
  const bytes = build(new SyntheticCorpus(SAMPLE_PRODUCTS, seed), plan);
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}

function build(corpus: SyntheticCorpus, plan: FieldPlan): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const segments: Segment[] = [];
  let builder: SegmentBuilder | null = null;
  for (let number = 0; number < corpus.size; number++) {
    const document = corpus.document(number);
    const outcome = plan.read(document, encoder.encode(JSON.stringify(document)));
    if (outcome.status !== "indexable") throw new Error(JSON.stringify(outcome));
    builder ??= new SegmentBuilder({
      analyzer: plan.analyzer,
      normGroup: (field) => plan.normGroup(field),
      language: plan.language,
      storedBlock: `block-${segments.length}`,
    });
    builder.add(outcome.product);
    if (
      number === corpus.size - 1 ||
      builder.sizeBytes >= LIMITS.segmentCloseBytes.value ||
      builder.documentCount >= LIMITS.segmentCloseDocuments.value
    ) {
      segments.push(openSegment(builder.finish().index));
      builder = null;
    }
  }
  return mergeSegments(segments.map(live));
}
