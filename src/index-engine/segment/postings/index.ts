/** Term or value -> rows: bit-packed lists with skips, and signatures, the codes of postings. */
export { PostingsWriter } from "./writer.ts";
export { PackedPostings } from "./reader.ts";
export { SignatureTable, SignatureViews, writeSignatures } from "./signatures.ts";
export { countValues, writeInverted } from "./inverted.ts";
