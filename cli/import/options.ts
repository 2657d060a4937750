/** The command line of `npm run import`, and the options that `npm run sample` shares with it. */
import { parseArgs } from "node:util";
import { INDEX_NAME_PATTERN, isIndexName, languageOfLocale } from "../../src/interface/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { UsageError } from "./failures.ts";
import type { ImportOptions } from "./run.ts";

export const DEFAULT_URL = "http://127.0.0.1:8787";
/** Large enough that requests cost little, small enough that one sent again costs little. */
const DEFAULT_BULK_BYTES = 2_000_000;
const DEFAULT_PARALLEL = 2;

export const IMPORT_USAGE = `Imports a catalogue as a full import: the index is replaced when everything has arrived.

  npm run import -- <file> --index <name> --locale <locale> [options]

  <file>                 NDJSON (one document a line) or a JSON array, plain or gzip; - reads standard input
  --index <name>         index to replace or create; must match ${INDEX_NAME_PATTERN.source}
  --locale <locale>      language of the catalogue: en, de, en_US, ...
  --url <address>        the service; default ${DEFAULT_URL}, or AISLE_URL
  --user, --password     credentials of a user with the role index; default AISLE_USER, AISLE_PASSWORD
  --bulk-bytes <n>       size of one add request; default ${DEFAULT_BULK_BYTES}
  --parallel <n>         add requests at once; default ${DEFAULT_PARALLEL}
  --strict               any rejected document: cancel the import and exit with 1
  --skip-bad-lines       leave out lines that are not JSON (counted as rejected) instead of stopping
  --allow-empty          complete the import even when no document was accepted
  --tenant-check         afterwards search the index and fail unless every product is found
  --help                 this text

Exit codes: 0 live; 1 failed, the live index is as it was; 2 wrong usage; 130 interrupted, session cancelled.
`;

/** parseArgs definitions of what both commands take. */
const SHARED_ARGUMENTS = {
  url: { type: "string" },
  user: { type: "string" },
  password: { type: "string" },
  "bulk-bytes": { type: "string" },
  parallel: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

export interface SharedValues {
  readonly url?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly "bulk-bytes"?: string | undefined;
  readonly parallel?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export type ImportCommand =
  | { readonly kind: "help" }
  | { readonly kind: "import"; readonly file: string; readonly options: ImportOptions };

export function parseImportCommand(
  args: readonly string[],
  environment: Environment,
): ImportCommand {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...SHARED_ARGUMENTS,
        index: { type: "string" },
        locale: { type: "string" },
        strict: { type: "boolean" },
        "skip-bad-lines": { type: "boolean" },
        "allow-empty": { type: "boolean" },
        "tenant-check": { type: "boolean" },
      },
    }),
  );
  if (values.help === true) return { kind: "help" };
  if (positionals.length !== 1) {
    throw new UsageError(
      positionals.length === 0
        ? "which file? (- reads standard input)"
        : "one file at a time, please",
    );
  }
  if (values.index === undefined) throw new UsageError("--index is missing");
  if (!isIndexName(values.index)) {
    throw new UsageError(
      `--index ${values.index}: an index name matches ${INDEX_NAME_PATTERN.source} ` +
        `and has at most ${LIMITS.indexNameLength.value} characters`,
    );
  }
  if (values.locale === undefined) throw new UsageError("--locale is missing (en, de, ...)");
  if (languageOfLocale(values.locale) === null) {
    throw new UsageError(`--locale ${values.locale}: expected a locale such as en, de or en_US`);
  }
  return {
    kind: "import",
    file: positionals[0],
    options: {
      ...sharedOptions(values, environment),
      indexName: values.index,
      locale: values.locale,
      strict: values.strict ?? false,
      skipBadLines: values["skip-bad-lines"] ?? false,
      allowEmpty: values["allow-empty"] ?? false,
      tenantCheck: values["tenant-check"] ?? false,
    },
  };
}

export const SAMPLE_USAGE = `Imports the sample catalogue: English products into the index sample, German ones into sample-de.

  npm run sample [-- options]

  --write <folder>       write sample.ndjson and sample-de.ndjson into the folder instead of importing
  --url <address>        the service; default ${DEFAULT_URL}, or AISLE_URL
  --user, --password     credentials of a user with the role index; default AISLE_USER, AISLE_PASSWORD
  --bulk-bytes <n>       size of one add request; default ${DEFAULT_BULK_BYTES}
  --parallel <n>         add requests at once; default ${DEFAULT_PARALLEL}
  --help                 this text
`;

export type SampleCommand =
  | { readonly kind: "help" }
  | { readonly kind: "write"; readonly folder: string }
  | { readonly kind: "import"; readonly shared: SharedOptions };

export function parseSampleCommand(
  args: readonly string[],
  environment: Environment,
): SampleCommand {
  const { values } = parsed(() =>
    parseArgs({ args: [...args], options: { ...SHARED_ARGUMENTS, write: { type: "string" } } }),
  );
  if (values.help === true) return { kind: "help" };
  if (values.write !== undefined) return { kind: "write", folder: values.write };
  return { kind: "import", shared: sharedOptions(values, environment) };
}

export type SharedOptions = Pick<
  ImportOptions,
  "url" | "user" | "password" | "bulkBytes" | "parallel"
>;

function sharedOptions(values: SharedValues, environment: Environment): SharedOptions {
  return {
    url: address(values.url ?? environment["AISLE_URL"] ?? DEFAULT_URL),
    user: values.user ?? environment["AISLE_USER"] ?? null,
    password: values.password ?? environment["AISLE_PASSWORD"] ?? null,
    bulkBytes: count(
      "bulk-bytes",
      values["bulk-bytes"],
      DEFAULT_BULK_BYTES,
      LIMITS.importBodyBytes.value / 2,
    ),
    parallel: count("parallel", values.parallel, DEFAULT_PARALLEL, 32),
  };
}

/** parseArgs explains a wrong option well, but as a TypeError. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

function address(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new UsageError(`--url ${text}: expected an address such as ${DEFAULT_URL}`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new UsageError("--url: give credentials as --user and --password");
  }
  return text;
}

function count(name: string, text: string | undefined, preset: number, maximum: number): number {
  if (text === undefined) return preset;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > maximum) {
    throw new UsageError(`--${name} ${text}: expected a whole number from 1 to ${maximum}`);
  }
  return value;
}
