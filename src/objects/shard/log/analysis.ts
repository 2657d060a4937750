/**
 * Segments of different analysis versions or languages do not merge (segment/merge.ts), because their terms differ. A
 * shard has both after an upgrade of the code, until the reindex that it then requests (maintenance/growth.ts). Each
 * kind is merged separately.
 */
import { ANALYSIS_VERSION } from "../../../index-engine/analysis/index.ts";
import type { FieldPlan } from "../../../index-engine/documents/index.ts";
import type { LiveSegment, Segment } from "../../../index-engine/segment/model/index.ts";
import { OpenedSegment } from "../../../index-engine/segment/index.ts";
import type { LivePiece, Run } from "../../merge-policy.ts";

/** Whether this code would analyse the segment's documents the same way. */
export function isOfAnalysis({ base }: Segment, plan: Pick<FieldPlan, "language">): boolean {
  return base instanceof OpenedSegment && base.analysisVersion === ANALYSIS_VERSION && base.language === plan.language;
}

/** Whether an earlier version of the code analysed the segment's documents. */
export function isOfOlderAnalysis({ base }: Segment): boolean {
  return base instanceof OpenedSegment && base.analysisVersion < ANALYSIS_VERSION;
}

/** Chooses the published segments to merge, given oldest first; null: none. */
export type ChooseRun = (pieces: readonly LivePiece[]) => Run | null;

interface Sized {
  readonly live: LiveSegment;
  readonly entry: { readonly sizeBytes: number };
}

/** The first run that `choose` finds among adjacent segments that merge with each other. Null: none. */
export function runOfAlike(segments: readonly Sized[], choose: ChooseRun): Run | null {
  for (let start = 0; start < segments.length;) {
    const kind = kindOf(segments[start].live.segment);
    let end = start + 1;
    while (end < segments.length && kindOf(segments[end].live.segment) === kind) end++;
    const run = choose(segments.slice(start, end).map(pieceOf));
    if (run !== null) return { start: start + run.start, end: start + run.end };
    start = end;
  }
  return null;
}

function pieceOf({ entry: { sizeBytes }, live }: Sized): LivePiece {
  const liveShare = 1 - live.deletedCount / Math.max(1, live.segment.productCount);
  return { sizeBytes, liveBytes: sizeBytes * liveShare };
}

function kindOf({ base }: Segment): string {
  if (!(base instanceof OpenedSegment)) throw new TypeError("only opened segments are published");
  return `${base.analysisVersion} ${base.language}`;
}
