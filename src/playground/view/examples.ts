/**
 * Example queries for the sample catalogue: plain, with typos, with split words, with a size, a
 * whole sentence.
 */
import { button, make } from "./dom.ts";

const QUERIES = ["running shoes", "runing shose", "head phones", "55 inch tv", "waterproof jacket for women"];

export function exampleQueries(onQuery: (q: string) => void): HTMLElement {
  return make(
    "p",
    { class: "examples" },
    "Try ",
    ...QUERIES.map((q) => button({ class: "chip" }, () => onQuery(q), q)),
  );
}
