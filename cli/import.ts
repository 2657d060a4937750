// npm run import -- products.csv --index shop --locale en
import { openFeed } from "../src/feeds/index.ts";
import { describeSummary, runCommand } from "./import/command.ts";
import { InputError } from "./import/failures.ts";
import { readMapping, writeMapping } from "./import/mapping-file.ts";
import { IMPORT_USAGE, parseImportCommand, type ImportCommand } from "./import/options.ts";
import { describeFeed, describeRemarks, requireId } from "./import/preview.ts";
import { systemTiming } from "./import/retry.ts";
import { importCatalogue, type ImportOptions } from "./import/run.ts";
import { openSource, unpacked, type OpenedSource } from "./import/source.ts";
import { updateCatalogue } from "./import/update.ts";
import { watch } from "./import/watch.ts";

type Working = Exclude<ImportCommand, { readonly kind: "help" }>;

async function opened(location: string): Promise<OpenedSource> {
  const source = await openSource(location, process.stdin);
  if (source === null) throw new InputError(`cannot read ${location}: it answers "not modified"`);
  return source;
}

async function preview(command: Working & { readonly kind: "preview" }): Promise<void> {
  const given = command.mappingFile === null ? null : await readMapping(command.mappingFile);
  const source = await opened(command.location);
  const feed = await openFeed(unpacked(source.bytes), given);
  try {
    if (feed.mapping === null) {
      process.stdout.write(`${source.name} (${feed.description}): passed on as it is, no mapping is needed.\n`);
      return;
    }
    process.stdout.write(`${describeFeed(source.name, feed, feed.mapping)}\n`);
    if (command.saveMappingFile !== null) {
      await writeMapping(command.saveMappingFile, feed.mapping);
      process.stdout.write(`The mapping is in ${command.saveMappingFile}.\n`);
    }
    requireId(source.name, feed, feed.mapping);
    process.stdout.write(describeRemarks(await feed.remarksOfAll(feed.mapping)));
  } finally {
    await feed.close();
  }
}

await runCommand("import", "Import failed", async (signal) => {
  const command = parseImportCommand(process.argv.slice(2), process.env);
  if (command.kind === "help") {
    process.stdout.write(IMPORT_USAGE);
    return;
  }
  if (command.kind === "preview") {
    await preview(command);
    return;
  }
  const { location, mappingFile, saveMappingFile, update, everyMs } = command;
  const surroundings = { screen: process.stderr, timing: systemTiming, signal };
  const work = async (source: OpenedSource): Promise<void> => {
    // Read each time: whoever watches a feed may change its mapping.
    const mapping = mappingFile === null ? null : await readMapping(mappingFile);
    const options: ImportOptions = { ...command.options, mapping };
    const onMapping = async (used: NonNullable<typeof mapping>): Promise<void> => {
      if (saveMappingFile !== null) await writeMapping(saveMappingFile, used);
    };
    if (update === null) {
      const summary = await importCatalogue(source, options, { ...surroundings, onMapping });
      process.stdout.write(describeSummary(options.indexName, summary));
      return;
    }
    const locale = options.locale === "" ? null : options.locale;
    const updating = { ...options, method: update, locale };
    process.stdout.write(await updateCatalogue(source, updating, { ...surroundings, onMapping }));
  };
  if (everyMs === null) await work(await opened(location));
  else await watch({ everyMs, open: (known) => openSource(location, process.stdin, known), work }, surroundings);
});
// A pipe that was not read to its end (after a failure) would keep the process alive.
process.stdin.destroy();
