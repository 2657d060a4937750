/** The links of an answer: the same search with one thing changed. */
export { plainNumber, QueryLinks, rangeValues } from "./links.ts";
export { encodeValue, isWritable } from "./encode.ts";
export { checkFrameBytes } from "./frame-size.ts";
