/**
 * What the title forward index costs and what it saves.
 *
 *   npm run node -- bench/titles.ts [--set scale,icecat] [--queries 200] [--rounds 7]
 *
 * Bytes a product; a merge, by its longest step; and searches with and without titles in turns (without: the same
 * segment, its title sections left out, so that no title adds anything).
 */
import { parseArgs } from "node:util";
import type { Segment } from "../src/index-engine/segment/model/index.ts";
import { Reader, live } from "../src/index-engine/index/reader.ts";
import { search } from "../src/index-engine/search.ts";
import { SECTION } from "../src/index-engine/segment/format/layout.ts";
import { mergeSteps, openSegment, type OpenedSegment } from "../src/index-engine/segment/index.ts";
import { SectionWriter } from "../src/index-engine/segment/format/section-writer.ts";
import { run } from "../src/index-engine/base/steps.ts";
import { builtInTenantConfig, type SearchRequest } from "../src/interface/index.ts";
import { parseSearchParameters } from "../src/worker/parameters.ts";
import { DATASET_NAMES, loadDataset, type DatasetName } from "./datasets.ts";
import { indexDataset, type IndexedSet } from "./index-set.ts";
import {
  consumedCharacters,
  describeLoad,
  machineLoad,
  measure,
  percentile,
  ratio,
  type Contestant,
  type MeasureOptions,
} from "./measure.ts";

/** The same segment as it would be without titles. */
function withoutTitles({ views }: OpenedSegment): OpenedSegment {
  const sections = new SectionWriter();
  for (const section of views.sections) {
    if (section < SECTION.titleCodes) sections.set(section, new Uint8Array(views.u8(section)));
  }
  return openSegment(run(sections.finish(views)));
}

function printBytes({ facts }: IndexedSet, segment: Segment): void {
  const { titles } = segment;
  if (titles === null) throw new Error("no titles");
  const cursor = titles.cursor();
  let terms = 0;
  for (let row = 0; row < segment.productCount; row++) {
    cursor.open(row);
    while (cursor.next()) if (!cursor.isRepeated) terms += cursor.length;
  }
  const per = (bytes: number): string => (bytes / segment.productCount).toFixed(1);
  console.log(
    `  bytes         titles ${per(facts.bytesBySection.titles ?? 0)} and stems ${per(facts.bytesBySection["title-stems"] ?? 0)} ` +
      `of ${per(facts.indexBytes)} a product; ${per(terms)} terms a product`,
  );
}

function printMerge(segment: Segment, bare: Segment): void {
  const times = (each: Segment): { total: number; longest: number } => {
    const steps = mergeSteps([live(each)]);
    let total = 0;
    let longest = 0;
    for (;;) {
      const startMs = performance.now();
      const step = steps.next();
      const elapsedMs = performance.now() - startMs;
      total += elapsedMs;
      longest = Math.max(longest, elapsedMs);
      if (step.done === true) return { total, longest };
    }
  };
  times(bare);
  times(segment);
  const [without, withTitles] = [times(bare), times(segment)];
  console.log(
    `  merge         with titles ${withTitles.total.toFixed(0)} ms, longest step ${withTitles.longest.toFixed(1)} ms; ` +
      `without ${without.total.toFixed(0)} ms, ${without.longest.toFixed(1)} ms`,
  );
}

function report(
  name: string,
  contestants: readonly Contestant[],
  cases: number,
  options: MeasureOptions,
): void {
  const times = measure(contestants, cases, options);
  const shown = times.map(
    ({ name: contestant, us }) =>
      `${contestant} ${percentile(us, 0.5).toFixed(0)} / ${percentile(us, 0.95).toFixed(0)}`,
  );
  console.log(
    `  ${name.padEnd(13)} ${cases} cases, us p50 / p95: ${shown.join(", ")}; ratio ${ratio(times[1], times[0]).toFixed(2)}x`,
  );
}

function benchSearches(
  set: IndexedSet,
  bare: OpenedSegment,
  queries: readonly string[],
  options: MeasureOptions,
): void {
  const tenant = builtInTenantConfig("bench", ["bench"]);
  const readers = { with: set.reader, without: Reader.of([bare]) };
  for (const withFacets of [false, true]) {
    const requests = queries.map((q): SearchRequest => ({
      ...parseSearchParameters(new URLSearchParams({ q, limit: "24" }).toString()),
      withFacets,
    }));
    const answer = (reader: Reader) => (index: number) =>
      search(reader, requests[index], tenant, set.plan)
        .hits.map(({ id, score }) => `${id} ${score}`)
        .join();
    report(
      withFacets ? "all facets" : "hits alone",
      [
        { name: "with titles", run: answer(readers.with) },
        { name: "without", run: answer(readers.without) },
      ],
      requests.length,
      options,
    );
  }
}

const { values } = parseArgs({
  options: {
    set: { type: "string", default: "scale,icecat" },
    queries: { type: "string", default: "200" },
    rounds: { type: "string", default: "7" },
  },
});
const names = values.set.split(",").map((text): DatasetName => {
  const name = DATASET_NAMES.find((one) => one === text);
  if (name === undefined) throw new TypeError(`--set ${text}: one of ${DATASET_NAMES.join(", ")}`);
  return name;
});
const options: MeasureOptions = { rounds: Number(values.rounds), budgetMs: 60_000 };
console.log(`Node ${process.versions.node}, ${describeLoad(machineLoad())}\n`);
for (const name of names) {
  const dataset = loadDataset(name);
  if (dataset === null) {
    console.log(`${name}: this data set is not on this machine\n`);
    continue;
  }
  const set = indexDataset(dataset);
  const segment = openSegment(set.bytes);
  const bare = withoutTitles(segment);
  const step = Math.max(1, Math.floor(dataset.queries.length / Number(values.queries)));
  const queries = dataset.queries.filter((_, i) => i % step === 0);
  console.log(`${name}: ${segment.productCount} products, ${queries.length} queries`);
  printBytes(set, segment);
  printMerge(segment, bare);
  benchSearches(set, bare, queries, options);
  console.log(`  ${describeLoad(machineLoad())}\n`);
}
if (consumedCharacters() === 0) throw new Error("nothing was measured");
