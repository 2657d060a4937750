/**
 * Stemming alone: millions of stems per second of CPU time, per language, over the distinct words of a real catalogue,
 * without the memo of the analyzer; then the share of words that have a stem of their own, and what a full analysis of
 * the titles costs.
 *
 *   npm run node -- bench/stems.ts
 */
import { analyzerFor } from "../src/index-engine/index.ts";
import { LANGUAGES } from "../src/index-engine/analysis/languages/index.ts";
import { loadDataset } from "./datasets.ts";

const ROUNDS = 15;

const dataset = loadDataset("icecat");
if (dataset === null) console.log("the catalogue (icecat) is not on this machine");
else {
  const texts = dataset.sources.map((source) => titleAndDescription(source));
  const english = analyzerFor("en");
  const words = [...new Set(texts.flatMap((text) => english.terms(text)))].filter((word) => !/\d/.test(word));
  console.log(`${words.length} distinct words; median of ${ROUNDS} rounds`);
  for (const [language, { stem }] of LANGUAGES) {
    const micros = medianMicros(() => {
      for (const word of words) stem(word);
    });
    const changed = words.filter((word) => stem(word) !== word).length / words.length;
    console.log(
      `${language}  ${(words.length / micros).toFixed(2)} M stems/s  ${(changed * 100).toFixed(0).padStart(3)} % changed`,
    );
  }
  for (const language of ["en", "de"]) {
    const analyzer = analyzerFor(language);
    let terms = 0;
    const micros = medianMicros(() => {
      terms = 0;
      for (const text of texts) for (const term of analyzer.terms(text)) terms += analyzer.stem(term) === "" ? 0 : 1;
    });
    console.log(`${language}  terms and stems of all texts: ${(terms / micros).toFixed(2)} M terms/s`);
  }
}

function titleAndDescription(source: Uint8Array): string {
  const parsed: { data: { title?: string; description?: string } } = JSON.parse(new TextDecoder().decode(source));
  return `${parsed.data.title ?? ""} ${parsed.data.description ?? ""}`;
}

/** CPU time of this process, so that a busy machine counts less. */
function medianMicros(run: () => void): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    run();
    return process.cpuUsage(before).user;
  }).sort((left, right) => left - right);
  return rounds[Math.floor(ROUNDS / 2)] ?? 0;
}
