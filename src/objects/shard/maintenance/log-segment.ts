/**
 * Makes one segment of the live documents of a log, with one stored block of their sources.
 *
 *   log segments (sources in SQLite, by update)   ->   segment, and a block with its sources in row order
 *
 * The segments are merged, because analysing the documents again would cost ten times as much. Only segments of another
 * analysis version are analysed again. The caller applies changed numbers to the result (Reader.replaceRun).
 */
import { parseDocument, type FieldPlan } from "../../../index-engine/documents/index.ts";
import type { LiveSegment, StoredRef } from "../../../index-engine/segment/model/index.ts";
import {
  SegmentBuilder,
  type BuiltSegment,
  type PlacedSources,
  type PlaceSources,
} from "../../../index-engine/segment/index.ts";
import { StoredBlockWriter } from "../../../index-engine/segment/stored/index.ts";
import { isOfAnalysis } from "../log/index.ts";
import type { SourceReader } from "../loaded/index.ts";
import { liveRefs } from "./source-packing.ts";
import { ADDING_BYTES, counting, Pause, stepped } from "../../pause.ts";
import { MergeAbandoned, mergeWithPauses } from "../../segment-storage.ts";

/** Sources read per step. */
const SOURCES_PER_STEP = 64;
/** Cost of a step of finishing a segment, as Pause counts. */
const STEP_BYTES = 2_048;

type BuiltBytes = Pick<BuiltSegment, "index" | "stored">;

interface Parts {
  readonly sources: SourceReader;
  /** False: the result is not needed. */
  readonly isWanted: () => boolean;
}

/**
 * Null: no document is left. Runs with pauses; throws MergeAbandoned when `isWanted` is false.
 *
 * @param inputs opened segments, oldest first
 */
export async function segmentOfLog(
  plan: FieldPlan,
  inputs: readonly LiveSegment[],
  { sources, isWanted }: Parts,
  storedBlock: string,
): Promise<BuiltBytes | null> {
  if (inputs.every(({ segment, deletedCount }) => segment.productCount === deletedCount)) return null;
  if (!inputs.every(({ segment }) => isOfAnalysis(segment, plan)))
    return analysed(plan, inputs, { sources, isWanted }, storedBlock);
  let stored: BuiltBytes["stored"] | null = null;
  const place: PlaceSources = function* ({ input, row }) {
    const refs = Array.from(input, (at, i) => inputs[at].segment.base.storedRef(row[i]));
    const block = yield* collect(refs, sources);
    stored = block.bytes;
    return {
      blocks: [storedBlock],
      blockOf: new Uint32Array(refs.length),
      chunks: block.chunks,
      offsets: block.offsets,
    } satisfies PlacedSources;
  };
  const index = await mergeWithPauses(inputs, place, isWanted);
  if (stored === null) throw new Error("a merge has not asked for places of sources");
  return { index, stored };
}

/** The sources as one block, in this order. They are read in their stored order. */
function* collect(
  refs: readonly StoredRef[],
  sources: SourceReader,
): Generator<void, ReturnType<StoredBlockWriter["finish"]>, void> {
  const writer = new StoredBlockWriter();
  const order = Uint32Array.from(refs.keys()).sort(
    (a, b) => compareTexts(refs[a].block, refs[b].block) || refs[a].chunk - refs[b].chunk,
  );
  const arrivals = new Uint32Array(refs.length);
  for (let arrival = 0; arrival < order.length; arrival++) {
    writer.add(sourceAt(sources, refs[order[arrival]]));
    arrivals[order[arrival]] = arrival;
    if (arrival % SOURCES_PER_STEP === SOURCES_PER_STEP - 1) yield;
  }
  return yield* writer.finishSteps(arrivals);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sourceAt(sources: SourceReader, ref: StoredRef): Uint8Array {
  const source = sources.get(ref);
  if (source === null) throw new Error(`the source of an update (${ref.block}) is gone`);
  return source;
}

/** Analyses the documents again. */
async function analysed(
  plan: FieldPlan,
  inputs: readonly LiveSegment[],
  { sources, isWanted }: Parts,
  storedBlock: string,
): Promise<BuiltBytes> {
  const decoder = new TextDecoder();
  const builder = new SegmentBuilder({
    analyzer: plan.analyzer,
    normGroup: (field) => plan.normGroup(field),
    language: plan.language,
    storedBlock,
  });
  const pause = new Pause("checkpoint");
  for (const ref of allLiveRefs(inputs)) {
    const source = sourceAt(sources, ref);
    const outcome = plan.read(parseDocument(decoder.decode(source)), source, true);
    // The document was accepted; stricter code must not lose it.
    if (outcome.status !== "indexable") {
      throw new Error(`an acknowledged document is ${outcome.status} now`);
    }
    const isAdded = await stepped(counting(builder.addSteps(outcome.product), ADDING_BYTES), pause, isWanted);
    await pause.after(source.byteLength);
    if (isAdded === null || !isWanted()) throw new MergeAbandoned();
  }
  const built = await stepped(counting(builder.finishSteps(), STEP_BYTES), pause, isWanted);
  if (built === null) throw new MergeAbandoned();
  return built;
}

function* allLiveRefs(inputs: readonly LiveSegment[]): Generator<StoredRef> {
  for (const input of inputs) yield* liveRefs(input);
}
