/** The links of an answer: the same search with one thing changed. */
export { encodeValue, isWritable, plainNumber, QueryLinks, rangeValues } from "./links.ts";
export { checkFrameBytes } from "./frame-size.ts";
