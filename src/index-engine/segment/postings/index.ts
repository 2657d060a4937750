/** Term or value -> rows: bit-packed, skippable lists in blocks of 128, and the meaning of a posting's code. */
export { PostingsWriter } from "./writer.ts";
export { PackedPostings } from "./reader.ts";
export { SignatureTable, SignatureViews, writeSignatures } from "./signatures.ts";
