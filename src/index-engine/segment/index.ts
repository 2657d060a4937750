/** Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge). The format is in format.ts. */
export { SegmentBuilder, type BuiltSegment, type SegmentBuilderOptions } from "./builder.ts";
export { FORMAT_VERSION } from "./format.ts";
export { mergeSegments, mergeSteps } from "./merge.ts";
export { encodeNorm, NORM_LENGTHS } from "./norms.ts";
export { openSegment, verifySegment, type OpenedSegment } from "./open.ts";
export { SegmentCorruptError } from "./sections.ts";
