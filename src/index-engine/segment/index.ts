/** Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge). The format is in format.ts. */
export { SegmentBuilder, type BuiltSegment, type SegmentBuilderOptions } from "./builder.ts";
export { FORMAT_VERSION } from "./format.ts";
export { mergePartsSteps, mergeSegments, mergeSteps } from "./merge.ts";
export { PagedSections } from "./pages.ts";
export { encodeNorm, NORM_LENGTHS } from "./norms.ts";
export { openApart, OpenedSegment, openPagedSegment, openSegment, verifySegment } from "./open.ts";
export { placesIn, SegmentCorruptError, wholeBytes, type SegmentBytes } from "./sections.ts";
export { checksum32 } from "./checksum.ts";
