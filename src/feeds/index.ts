/** What a shop has -> documents: CSV, XML and JSON of any program (docs/feeds.md). Runs in Node and in a browser. */
export * from "./model.ts";
export { usualField } from "./guess.ts";
export { EXPECTED, openFeed } from "./open-feed.ts";
export { htmlToText } from "./html.ts";
export { MAX_DOCUMENT_BYTES } from "./json-splitter.ts";
