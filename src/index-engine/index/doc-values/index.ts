/** Segments with numbers that changed after indexing. The design is in segment.ts. */
export { OverlaidSegment } from "./segment.ts";
