// npm run import -- catalogue.ndjson.gz --index shop --locale en
import { describeSummary, runCommand } from "./import/command.ts";
import { IMPORT_USAGE, parseImportCommand } from "./import/options.ts";
import { systemTiming } from "./import/retry.ts";
import { importCatalogue } from "./import/run.ts";
import { openSource } from "./import/source.ts";

await runCommand(IMPORT_USAGE, async (signal) => {
  const command = parseImportCommand(process.argv.slice(2), process.env);
  if (command.kind === "help") {
    process.stdout.write(IMPORT_USAGE);
    return;
  }
  const source = await openSource(command.file, process.stdin);
  const summary = await importCatalogue(source, command.options, {
    screen: process.stderr,
    timing: systemTiming,
    signal,
  });
  process.stdout.write(describeSummary(command.options.indexName, summary));
});
// A pipe that was not read to its end (after a failure) would keep the process alive.
process.stdin.destroy();
