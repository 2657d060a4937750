/**
 * A walk through the real catalogues as a shop's page would use them: prints what a running service answers.
 *
 *   npm run node -- bench/tour.ts [--url http://127.0.0.1:8787]
 *
 * Indexes that are not there are left out. Times are medians of five requests over HTTP, as this process sees them;
 * the first request of an index is shown apart, because it may find a shard that has to be opened.
 */
import { parseArgs } from "node:util";
import type { ProductSet, SearchResult } from "../src/interface/index.ts";

interface Stop {
  readonly index: string;
  readonly says: string;
  readonly query: string;
  /** Posted as an arranged search instead of `query`. */
  readonly sets?: readonly Partial<ProductSet>[];
}

const TOUR: readonly Stop[] = [
  { index: "icecat", says: "everything, all facets", query: "" },
  { index: "icecat", says: "words", query: "q=hp+laptop" },
  {
    index: "icecat",
    says: "words, two brands (multi-select), a price range, sorted",
    query: "q=notebook&brand=HP,ASUS&price=50-500&sort=-price",
  },
  { index: "icecat", says: "an attribute nobody configured", query: "Product+colour=Black" },
  { index: "icecat", says: "the third page", query: "q=printer&offset=24&limit=12" },
  {
    index: "icecat",
    says: "two product sets in front of the result",
    query: "q=toner",
    sets: [
      { type: "static", name: "picked", ids: ["3920564", "2101957"] },
      { type: "dynamic", name: "canon", query: "canon toner", limit: 2 },
    ],
  },
  { index: "magento", says: "everything", query: "" },
  {
    index: "magento",
    says: "a red or blue variant in size L: both on one variant",
    query: "q=hoodie&color=Red,Blue&size=L",
  },
  { index: "magento", says: "a category path", query: "category=Men/Tops&sort=price" },
  { index: "bestbuy", says: "everything", query: "" },
  {
    index: "bestbuy",
    says: "a category, an open price range, sorted by popularity",
    query: "q=samsung&category=Cell+Phones&price=,100&sort=-popularity",
  },
  { index: "scale", says: "everything, all facets of 126,824 products", query: "" },
  { index: "scale", says: "words", query: "q=red+dress" },
  { index: "scale", says: "a filter only", query: "Gender=Women&Season=Summer" },
  {
    index: "scale",
    says: "words, filters, sort, page 2",
    query: "q=shirt&Gender=Men&Colour=White,Blue&sort=title&offset=12",
  },
  {
    index: "scale",
    says: "one set as a slice of its own",
    query: "q=watch",
    sets: [{ type: "dynamic", name: "puma", query: "puma watch", limit: 3, asSeparateSlice: true }],
  },
];

const { values } = parseArgs({
  options: { url: { type: "string", default: "http://127.0.0.1:8787" } },
});
const base = values.url;

async function ask(stop: Stop): Promise<{ readonly ms: number; readonly result: SearchResult }> {
  const started = performance.now();
  const response = await (stop.sets === undefined
    ? fetch(`${base}/search-api/v1/search/${stop.index}?${stop.query}`)
    : fetch(`${base}/search-api/v1/search/arranged/${stop.index}`, {
        method: "POST",
        body: JSON.stringify({
          ...Object.fromEntries(new URLSearchParams(stop.query)),
          arrangedProductSets: stop.sets,
        }),
      }));
  const text = await response.text();
  const ms = performance.now() - started;
  if (!response.ok) throw new Error(`${response.status} for ${stop.index}?${stop.query}: ${text}`);
  return { ms, result: JSON.parse(text) as SearchResult };
}

function median(numbers: readonly number[]): number {
  return (
    numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? Number.NaN
  );
}

const tenants = (await (await fetch(`${base}/search-api/v1/tenants`)).json()) as string[];
for (const stop of TOUR) {
  if (!tenants.includes(stop.index)) continue;
  const first = await ask(stop);
  const times: number[] = [];
  for (let run = 0; run < 5; run++) times.push((await ask(stop)).ms);
  const form =
    stop.sets === undefined ? `?${stop.query}` : `POST ${stop.query} + ${stop.sets.length} sets`;
  console.log(`\n${stop.index} ${form}   (${stop.says})`);
  console.log(`  first ${first.ms.toFixed(0)} ms, then ${median(times).toFixed(1)} ms`);
  for (const slice of first.result.slices) {
    const name = slice.label === null ? "" : ` [${slice.label}]`;
    console.log(`  ${slice.matchCount} matches${name}, next page ${slice.nextLink ?? "none"}`);
    for (const { document } of slice.hits.slice(0, 3)) {
      const { title, price, color, size } = document.data;
      const shown = [title, price, color, size].filter((value) => value !== undefined);
      console.log(
        `    ${document.id}: ${shown
          .map((value) => (typeof value === "string" ? value : JSON.stringify(value)))
          .join(" | ")
          .slice(0, 90)}`,
      );
    }
    for (const facet of (slice.facets ?? []).slice(0, 5)) {
      const entries = facet.entries.slice(0, 4).map((entry) => {
        return `${entry.key} ${entry.docCount}${entry.selected ? "*" : ""}`;
      });
      console.log(`    ${facet.fieldName} (${facet.type}): ${entries.join(", ")}`);
    }
    const facets = slice.facets?.length ?? 0;
    if (facets > 5) console.log(`    and ${facets - 5} more facets`);
  }
}
