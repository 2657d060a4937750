/** Queries of the sample catalogue that show something: a plain one, typos, words apart, a size, a whole sentence. */
import { button, make } from "./dom.ts";

const QUERIES = [
  "running shoes",
  "runing shose",
  "head phones",
  "55 inch tv",
  "waterproof jacket for women",
];

export function exampleQueries(onQuery: (q: string) => void): HTMLElement {
  return make(
    "p",
    { class: "examples" },
    "Try ",
    ...QUERIES.map((q) => button({ class: "chip" }, () => onQuery(q), q)),
  );
}
