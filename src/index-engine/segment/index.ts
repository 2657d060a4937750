/**
 * Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge). The format is in format.ts.
 */
export { wholeBytes, type PlacedBytes, type CopyableBytes } from "./apart.ts";
export { release } from "./bytes.ts";
export {
  SegmentBuilder,
  type BuiltApart,
  type BuiltSegment,
  type SegmentBuilderOptions,
} from "./builder.ts";
export { FORMAT_VERSION } from "./format.ts";
export {
  mergePartsSteps,
  mergeSegments,
  mergeSteps,
  type PlacedSources,
  type PlaceSources,
} from "./merge.ts";
export { PagedSections, segmentCut, SMALL_SECTION_BYTES, type SegmentCut } from "./pages.ts";
export { encodeNorm, NORM_LENGTHS } from "./norms.ts";
export { openApart, OpenedSegment, openPagedSegment, openSegment, verifySegment } from "./open.ts";
export { partsOf, placesIn, SegmentCorruptError } from "./sections.ts";
