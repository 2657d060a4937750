/** The sections of a segment: their numbers, and how they are written, read and paged. */
export { HEADER_BYTES, PART, SECTION, SECTION_ENTRY_BYTES, sectionName } from "./layout.ts";
export { NORM_LENGTHS, encodeNorm } from "./norms.ts";
export { PagedSections, type SegmentCut, segmentCut } from "./pages.ts";
export { SectionWriter } from "./section-writer.ts";
export { SectionViews, SegmentCorruptError, partsOf, placesIn } from "./sections.ts";
export { FORMAT_VERSION, OFFSETS_VERSION } from "./layout.ts";
export { SMALL_SECTION_BYTES } from "./pages.ts";
