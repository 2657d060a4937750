// npm run convert -- settings.json synonyms.json rules.json --index shop --out converted
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { Conversion } from "./convert/conversion.ts";
import { CONVERT_USAGE, convertFile } from "./convert/convert.ts";
import { runCommand } from "./import/command.ts";
import { InputError, UsageError } from "./import/failures.ts";

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

await runCommand("convert", "Not converted", async () => {
  const { values, positionals: files } = parseArgs({
    allowPositionals: true,
    options: { index: { type: "string" }, out: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help === true) {
    process.stdout.write(CONVERT_USAGE);
    return;
  }
  const { index, out = "converted" } = values;
  if (files.length === 0) throw new UsageError("which files?");
  if (index === undefined) throw new UsageError("--index is missing");
  const conversion = new Conversion();
  for (const file of files) {
    const what = convertFile(await readJson(file), conversion);
    if (what === null) {
      throw new InputError(
        `${file} is none of these: settings, synonyms or rules of Algolia; a collection, synonyms or overrides of ` +
          "Typesense, its presets or stop words; settings of Meilisearch",
      );
    }
    process.stdout.write(`${file}: ${what}\n`);
  }
  await mkdir(out, { recursive: true });
  const commands: string[] = [];
  const rules = conversion.rulesText();
  const save = async (name: string, text: string, entry: string): Promise<void> => {
    const file = path.join(out, name);
    await writeFile(file, text);
    commands.push(`curl -X PUT http://127.0.0.1:8787/admin-api/v1/config/${entry} --data-binary @${file}`);
  };
  if (rules !== "") await save("rules.txt", rules, `rules/${index}`);
  const tenant = conversion.tenantEntry(index);
  if (tenant !== null) await save("tenant.json", `${JSON.stringify(tenant, null, 2)}\n`, `tenant/${index}`);
  process.stdout.write(
    commands.length === 0 ? "Nothing to send.\n" : `Look at it, then send it:\n  ${commands.join("\n  ")}\n`,
  );
  if (conversion.notes.length > 0)
    process.stdout.write(`Not converted:\n${conversion.notes.map((one) => `  ${one}\n`).join("")}`);
});
