/**
 * Measures how fast documents are decoded and converted by the built-in preset, and counts the
 * results.
 *
 *   node bench/fields.ts [data folder] [documents per set]
 *
 * Per data set, on one thread: JSON.parse alone, `FieldPlan.read` alone (best and median of 5 rounds, after one for
 * warming up), the zod schema alone (why the decoder is written by hand), `show` for a hit; what one document gives on
 * average. Rejected documents and ignored values are counted, so that a change that loses data is seen here.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { compileFieldPlan } from "../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG, Product } from "../src/interface/index.ts";

// Workers may not compile code from strings, so zod runs there without its compiled validators.
z.config({ jitless: true });

const ROUNDS = 5;
/** zod is slow, so a tenth of the documents is enough. */
const SCHEMA_SHARE = 10;

const folder = process.argv[2] ?? join(import.meta.dirname, "../../shared/data");
const maxDocuments = Number(process.argv[3] ?? 20_000);
const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

/** Split by hand: `node:readline` also ends lines at U+2028, which is an ordinary character inside JSON. */
function load(path: string): string[] {
  const text = gunzipSync(readFileSync(path)).toString("utf8");
  return text.split("\n", maxDocuments).filter((line) => line !== "");
}

/** Documents per second of every round, ascending. */
function rates(documents: number, rounds: number, work: () => void): number[] {
  work();
  const results: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    results.push((documents / (performance.now() - start)) * 1000);
  }
  return results.sort((one, other) => one - other);
}

function summary(results: readonly number[]): string {
  const best = results[results.length - 1];
  const median = results[results.length >> 1];
  const format = (rate: number): string => Math.round(rate).toLocaleString("en").padStart(9);
  return `${format(median)} docs/s (best ${format(best).trim()})`;
}

for (const name of ["icecat", "bestbuy", "magento", "scale"]) {
  const path = join(folder, name, "products.ndjson.gz");
  if (!existsSync(path)) {
    console.log(`${name}: no data set at ${path}`);
    continue;
  }
  const lines = load(path);
  const parsed: unknown[] = lines.map((line) => JSON.parse(line));
  const sources = lines.map((line) => new TextEncoder().encode(line));
  const totals = { rejected: 0, ignored: 0, variants: 0, texts: 0, values: 0, columns: 0 };
  const fields = new Set<string>();
  parsed.forEach((document, index) => {
    const outcome = plan.read(document, sources[index]);
    if (outcome.status !== "indexable") {
      totals.rejected++;
      return;
    }
    totals.ignored += outcome.ignored.length;
    totals.variants += outcome.product.variants.length;
    for (const row of [outcome.product, ...outcome.product.variants]) {
      totals.texts += row.texts.length;
      totals.values += row.values.length;
      totals.columns += row.columns.length;
      for (const value of row.values) fields.add(`${value.field} ${value.kind}`);
    }
  });
  const average = (total: number): string => (total / lines.length).toFixed(1);
  console.log(
    `${name}: ${lines.length} documents, ${totals.variants} variants, rejected ${totals.rejected}, ` +
      `ignored values ${totals.ignored}; per document ${average(totals.texts)} texts, ` +
      `${average(totals.values)} values, ${average(totals.columns)} columns; ${fields.size} value fields`,
  );
  const parse = rates(lines.length, ROUNDS, () => {
    for (const line of lines) JSON.parse(line);
  });
  const read = rates(lines.length, ROUNDS, () => {
    parsed.forEach((document, index) => plan.read(document, sources[index]));
  });
  const shown = rates(lines.length, ROUNDS, () => {
    for (const document of parsed) plan.show(document, null);
  });
  const some = parsed.slice(0, Math.ceil(parsed.length / SCHEMA_SHARE));
  const schema = rates(some.length, 1, () => {
    for (const document of some) Product.safeParse(document);
  });
  console.log(`  JSON.parse ${summary(parse)}`);
  console.log(`  read       ${summary(read)}`);
  console.log(`  show       ${summary(shown)}`);
  console.log(`  zod        ${summary(schema)}`);
}
