/**
 * The crash suite by hand, for as many rounds as wanted:
 *
 *   npm run node -- test/crash/run.ts [--rounds 500] [--seed 1] [--shards 4] [--minutes 10] [--quiet]
 *
 * Rounds end with the number, or after as many minutes, whichever comes first.
 */
import { parseArgs } from "node:util";
import { CrashRun } from "./rounds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    shards: { type: "string", default: "1" },
    minutes: { type: "string", default: "Infinity" },
    quiet: { type: "boolean", default: false },
  },
});
const startMs = performance.now();
console.log(`seed ${values.seed}, shards ${values.shards}`);
try {
  const options = {
    seed: Number(values.seed),
    rounds: Number(values.rounds),
    shards: Number(values.shards),
    mostMs: Number(values.minutes) * 60_000,
  };
  const totals = await CrashRun.run(options, (line) => {
    if (!values.quiet) console.log(line);
  });
  console.log(JSON.stringify(totals, null, 2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
console.log(`${Math.round((performance.now() - startMs) / 1000)} s`);
