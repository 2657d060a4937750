/** Documents -> bytes (builder), bytes -> views (open), segments -> one segment (merge). The format is in format.ts. */
export { SegmentBuilder, type BuiltSegment, type SegmentBuilderOptions } from "./builder.ts";
export { FORMAT_VERSION } from "./format.ts";
export { mergePartsSteps, mergeSegments, mergeSteps } from "./merge.ts";
export { PagedBytes } from "./pages.ts";
export { encodeNorm, NORM_LENGTHS } from "./norms.ts";
export { OpenedSegment, openPagedSegment, openSegment, verifySegment } from "./open.ts";
export {
  SegmentCorruptError,
  wholeBytes,
  type SegmentBytes,
  type SegmentPages,
} from "./sections.ts";
export { checksum32 } from "./checksum.ts";
