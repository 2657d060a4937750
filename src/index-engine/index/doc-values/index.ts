/**
 * Numbers of documents that have changed since they were indexed: what a segment says with them. The design is in
 * segment.ts.
 */
export { OverlaidSegment } from "./segment.ts";
