/** Term or value -> rows: lists in blocks of 128, bit-packed, skippable; and what a posting's code means. */
export { PostingsWriter } from "./writer.ts";
export { PackedPostings } from "./reader.ts";
export { SignatureTable, SignatureViews, writeSignatures } from "./signatures.ts";
