/** Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge), in format/layout.ts. */
export { SegmentBuilder, type BuiltApart, type BuiltSegment } from "./builder.ts";
export { FORMAT_VERSION } from "./format/index.ts";
export { mergePartsSteps, mergeSegments, mergeSteps, type PlacedSources, type PlaceSources } from "./merge.ts";
export { PagedSections, segmentCut, SMALL_SECTION_BYTES, type SegmentCut } from "./format/index.ts";
export { openApart, OpenedSegment, openSegment, verifySegment } from "./open.ts";
export { partsOf, placesIn, SegmentCorruptError } from "./format/index.ts";
