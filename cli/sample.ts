// npm run sample                      imports the sample catalogue into a running service
// npm run sample -- --write <folder>  writes it as files
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeSummary, runCommand } from "./import/command.ts";
import { SAMPLE_USAGE, parseSampleCommand } from "./import/options.ts";
import { systemTiming } from "./import/retry.ts";
import { importCatalogue } from "./import/run.ts";
import type { Source } from "./import/source.ts";
import { SAMPLE_INDEXES, SAMPLE_LANGUAGES, sampleNdjson } from "./sample-catalogue/index.ts";

function sourceOf(name: string, bytes: Buffer): Source {
  const position = { readBytes: 0, totalBytes: bytes.length };
  async function* chunks(): AsyncGenerator<Buffer> {
    const chunkBytes = 256 * 1024;
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      position.readBytes = Math.min(bytes.length, start + chunkBytes);
      yield bytes.subarray(start, position.readBytes);
    }
  }
  return { name, bytes: chunks(), position };
}

await runCommand("sample", "Import failed", async (signal) => {
  const command = parseSampleCommand(process.argv.slice(2), process.env);
  if (command.kind === "help") {
    process.stdout.write(SAMPLE_USAGE);
    return;
  }
  if (command.kind === "write") await mkdir(command.folder, { recursive: true });
  for (const language of SAMPLE_LANGUAGES) {
    const indexName = SAMPLE_INDEXES[language];
    const bytes = sampleNdjson(language);
    if (command.kind === "write") {
      const file = join(command.folder, `${indexName}.ndjson`);
      await writeFile(file, bytes);
      process.stdout.write(`${file}: ${bytes.length} bytes\n`);
      continue;
    }
    const summary = await importCatalogue(
      sourceOf(indexName, bytes),
      {
        ...command.shared,
        indexName,
        locale: language,
        mapping: null,
        maxRejectedPercent: 0,
        cacheFolder: null,
        skipBadLines: false,
        allowEmpty: false,
        tenantCheck: true,
      },
      { screen: process.stderr, timing: systemTiming, signal },
    );
    process.stdout.write(describeSummary(indexName, summary));
  }
});
