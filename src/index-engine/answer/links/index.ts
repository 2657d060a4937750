/** The links of an answer: the same search with one thing changed. */
export { QueryLinks, plainNumber, rangeValues } from "./links.ts";
