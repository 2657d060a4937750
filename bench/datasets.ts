/**
 * Catalogues and queries of the benchmarks. The sample catalogue is always available; the others
 * are beside the repository and are skipped with a message if they are missing.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sampleNdjson } from "../cli/sample-catalogue/index.ts";

export const DATASET_NAMES = ["sample", "magento", "bestbuy", "icecat", "esci", "scale"] as const;
export type DatasetName = (typeof DATASET_NAMES)[number];

export interface Dataset {
  readonly name: DatasetName;
  readonly locale: string;
  /** The raw JSON of each document. */
  readonly sources: readonly Uint8Array[];
  readonly sourceBytes: number;
  /** Queries of shoppers; some have no results. */
  readonly queries: readonly string[];
}

export const DATA = join(import.meta.dirname, "../../shared/data");

/** For catalogues without recorded queries: the sample, and clothing. */
const SHOP_QUERIES = `
  running shoes, women's running shoes, waterproof hiking boots, leather boots, black jeans, slim fit jeans,
  summer dress, floral midi dress, cotton t-shirt, merino sweater, rain jacket, down parka,
  kids winter jacket, wool socks, leather wallet, laptop backpack, noise cancelling headphones,
  wireless earbuds, bluetooth speaker, oled tv, 55-inch 4k tv, gaming laptop, 5g smartphone, phone case,
  usb-c cable, mechanical keyboard, ergonomic mouse, portable ssd 1 tb, 27-inch monitor, smartwatch with gps,
  cast iron pan, chef's knife, espresso machine, electric kettle, stand mixer, air fryer, wine glasses,
  linen duvet cover, memory foam pillow, floor lamp, oak dining table, office chair, robot vacuum, yoga mat,
  adjustable dumbbell, 2-person tent, sleeping bag, bike helmet, electric bike, insulated bottle, hoodie,
  yoga pants, tank top, tee, shorts, jacket, bra, sweatshirt`
  .trim()
  .split(/,\s+/);

/** Throws TypeError if no data set has this name. */
export function readDatasetName(text: string): DatasetName {
  const name = DATASET_NAMES.find((one) => one === text);
  if (name === undefined) throw new TypeError(`data set ${text}: one of ${DATASET_NAMES.join(", ")}`);
  return name;
}

/** Null if the data set is missing. */
export function loadDataset(name: DatasetName): Dataset | null {
  if (name === "sample") return dataset(name, sampleNdjson("en"), SHOP_QUERIES);
  const path = join(DATA, name, "products.ndjson.gz");
  if (!existsSync(path)) return null;
  return dataset(name, gunzipSync(readFileSync(path)), queriesFor(name));
}

function queriesFor(name: Exclude<DatasetName, "sample">): readonly string[] {
  switch (name) {
    case "magento":
      return SHOP_QUERIES;
    case "icecat":
    case "esci":
      return column(join(DATA, name, "queries.tsv"), 1);
    case "bestbuy":
    case "scale":
      return column(join(DATA, "scale", "queries.tsv"), 0);
  }
}

/** One column of a tab-separated file. */
function column(path: string, index: number): string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.split("\t")[index] ?? "")
    .filter((query) => query !== "");
}

function dataset(name: DatasetName, ndjson: Buffer, queries: readonly string[]): Dataset {
  const sources: Uint8Array[] = [];
  let start = 0;
  // Split at the byte, because line readers also split at U+2028, which is an ordinary character in
  // JSON.
  for (let end = ndjson.indexOf(10); end >= 0; end = ndjson.indexOf(10, start)) {
    if (end > start) sources.push(ndjson.subarray(start, end));
    start = end + 1;
  }
  if (start < ndjson.length) sources.push(ndjson.subarray(start));
  return { name, locale: "en", sources, sourceBytes: ndjson.length, queries };
}
