/**
 * Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge). The format is in format.ts.
 */
export { wholeBytes, type PlacedBytes, type CopyableBytes } from "../base/placed-bytes.ts";
export { release } from "../base/bytes.ts";
export {
  SegmentBuilder,
  type BuiltApart,
  type BuiltSegment,
  type SegmentBuilderOptions,
} from "./builder.ts";
export { FORMAT_VERSION } from "./format/layout.ts";
export {
  mergePartsSteps,
  mergeSegments,
  mergeSteps,
  type PlacedSources,
  type PlaceSources,
} from "./merge.ts";
export { PagedSections, segmentCut, SMALL_SECTION_BYTES, type SegmentCut } from "./format/pages.ts";
export { encodeNorm, NORM_LENGTHS } from "./format/norms.ts";
export { openApart, OpenedSegment, openPagedSegment, openSegment, verifySegment } from "./open.ts";
export { partsOf, placesIn, SegmentCorruptError } from "./format/sections.ts";
