/**
 * Does a changed engine still answer as another checkout of this repository does?
 *
 *   node bench/differential.ts --other <folder> [--sets icecat,esci,magento,bestbuy] [--queries 150]
 *                              [--configurations chain,rules] [--seed 1] [--json <file>]
 *
 * Both checkouts build each data set themselves. They then run the same requests for the same tenants
 * (differential/configurations.ts), over one segment, several segments and several readers. The tool compares match
 * counts, ordered hits with scores, variants and sort values, all facet values with counts, product sets and meta.
 *
 * `--queries` is the number of requests per data set and tenant. The exit code is 1 where an answer differs and
 * differential/deliberate.ts does not list the difference.
 *
 *   git worktree add /tmp/other <commit>
 *   ln -s $PWD/node_modules /tmp/other/node_modules
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadCatalogue, loadQueries, SET_NAMES } from "./differential/catalogue.ts";
import { CONFIGURATIONS, RULE_INPUTS, type Configuration } from "./differential/configurations.ts";
import { build, cut, type Corpora, type CorpusName } from "./differential/corpora.ts";
import { Draw } from "./differential/draw.ts";
import { differencesOf, outcomeOf, type Outcome } from "./differential/outcome.ts";
import { drawInput } from "./differential/queries.ts";
import { Report } from "./differential/report.ts";
import { Side, type Input } from "./differential/side.ts";
import { Vocabulary } from "./differential/vocabulary.ts";

const { values } = parseArgs({
  options: {
    other: { type: "string" },
    sets: { type: "string", default: "icecat,esci,magento,bestbuy" },
    queries: { type: "string", default: "150" },
    configurations: { type: "string" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
if (values.other === undefined) throw new Error("--other: the folder of another checkout");

/** Requests in a hundred for each corpus. */
const CORPUS_SHARES: Readonly<Record<CorpusName, number>> = { whole: 50, updated: 25, readers: 25 };

/** How one side answers under one configuration. */
function answers(
  side: Side,
  { plan, readers }: Corpora,
  { section, rules: text }: Configuration,
): (input: Input, corpus: CorpusName) => Outcome {
  const tenant = side.tenant(section);
  const rules = text === null ? null : side.rules(text, plan.analyzer);
  const { search, searchAll } = side.modules.engine;
  return (input, corpus) =>
    outcomeOf(() => {
      const request = side.parse(input);
      const [only, ...others] = readers[corpus];
      return others.length === 0 && only !== undefined
        ? search(only, request, tenant, plan, rules)
        : searchAll(readers[corpus], request, tenant, plan, rules);
    });
}

const startMs = performance.now();
const here = await Side.load(join(import.meta.dirname, ".."));
const there = await Side.load(values.other);
const report = new Report();
const perRow = Number(values.queries);
const chosen = values.configurations?.split(",");
const configurations = CONFIGURATIONS.filter(({ name }) => chosen?.includes(name) ?? true);
if (configurations.length < (chosen?.length ?? 0)) {
  const known = CONFIGURATIONS.map(({ name }) => name).join(", ");
  throw new Error(`--configurations: known are ${known}`);
}
console.log(
  `here ${here.root}, there ${there.root}\nset      configuration          compared  found  different`,
);

for (const name of values.sets.split(",")) {
  const set = SET_NAMES.find((known) => known === name);
  if (set === undefined) throw new Error(`--sets: ${name} is none of ${SET_NAMES.join(", ")}`);
  const documents = loadCatalogue(set);
  if (documents === null) {
    console.log(`${set} is not on this machine`);
    continue;
  }
  const vocabulary = new Vocabulary(documents);
  const recorded = loadQueries(set);
  const parts = cut(documents);
  const [corporaHere, corporaThere] = [build(here, parts), build(there, parts)];
  for (const configuration of configurations) {
    const queries = { ...recorded, ruleInputs: configuration.rules === null ? [] : RULE_INPUTS };
    const row = report.row(set, configuration.name);
    const own = answers(here, corporaHere, configuration);
    const others = answers(there, corporaThere, configuration);
    for (let at = 0; at < perRow; at++) {
      const draw = new Draw(`${values.seed} ${set} ${configuration.name} ${at}`);
      const corpus = draw.weighted(CORPUS_SHARES);
      const input = drawInput(at, queries, vocabulary, draw);
      const mine = own(input, corpus);
      const parts = differencesOf(mine, others(input, corpus));
      const text = input.kind === "address" ? `?${input.query}` : input.json;
      const of = { set, configuration: configuration.name, corpus, input: text };
      report.add(row, of, mine, parts);
    }
    const share = `${Math.round((row.found / row.compared) * 100)} %`;
    console.log(
      `${set.padEnd(8)} ${row.configuration.padEnd(20)} ${String(row.compared).padStart(10)} ` +
        `${share.padStart(6)} ${String(row.differences).padStart(10)}`,
    );
  }
}

report.printDifferences();
const seconds = Math.round((performance.now() - startMs) / 1_000);
console.log(`${report.compared} answers compared, ${report.differences} different, ${seconds} s`);
if (values.json !== undefined) {
  const { root: hereRoot } = here;
  report.write(values.json, { here: hereRoot, there: there.root, seed: values.seed, seconds });
}
// Nothing compared proves nothing.
if (report.differences > 0 || report.compared === 0) process.exitCode = 1;
