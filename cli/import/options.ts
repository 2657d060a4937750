/** The command line of `npm run import`, and the options that `npm run sample` shares with it. */
import { parseArgs } from "node:util";
import { INDEX_NAME_PATTERN, isIndexName, languageOfLocale } from "../../src/interface/index.ts";
import { LIMITS } from "../../src/interface/index.ts";
import { UsageError } from "./failures.ts";
import type { ImportOptions } from "./run.ts";
import { cacheFolder } from "./session-file.ts";
import { isAddress } from "./source.ts";

export const DEFAULT_URL = "http://127.0.0.1:8787";
/** Large enough that requests cost little, small enough that one sent again costs little. */
const DEFAULT_BULK_BYTES = 2_000_000;
const DEFAULT_PARALLEL = 2;

/** Above this something is wrong with the feed, not with a few products. */
const DEFAULT_MAX_REJECTED_PERCENT = 5;

export const IMPORT_USAGE = `Imports a catalogue as a full import: the index is replaced when everything has arrived.

  npm run import -- <feed> --index <name> --locale <locale> [options]

  <feed>                 a file, an http(s) address, or - for standard input; plain or gzip. CSV, TSV, Google Merchant
                         feeds, product exports of Shopify, WooCommerce and Magento, JSON, NDJSON (docs/feeds.md)
  --index <name>         index to replace or create; must match ${INDEX_NAME_PATTERN.source}
  --locale <locale>      language of the catalogue: en, de, en_US, ...
  --url <address>        the service; default ${DEFAULT_URL}, or AISLE_URL
  --user, --password     credentials of a user with the role write; default AISLE_USER, AISLE_PASSWORD

How the feed is understood:
  --preview              show it, and send nothing; needs no --index
  --mapping <file>       read the mapping of columns to fields from a file instead of guessing it
  --save-mapping <file>  write the mapping into a file, to be changed

What is sent, and when:
  --update               PATCH: change what the feed has of products in the live index (prices, stocks)
  --put                  PUT: replace or create these products, and keep all others
  --watch                import again whenever the file or the feed at the address has changed
  --every <time>         how often to look: 30s, 15m, 6h; default 2s for a file, 15m for an address; implies --watch
  --bulk-bytes <n>       size of one request; default ${DEFAULT_BULK_BYTES}
  --parallel <n>         requests at once; default ${DEFAULT_PARALLEL}

What must not go live:
  --max-rejected <n>     cancel the import where more than n % of the documents are rejected; default ${DEFAULT_MAX_REJECTED_PERCENT}
  --strict               the same as --max-rejected 0
  --skip-bad-lines       leave out lines that are not JSON (counted as rejected) instead of stopping
  --allow-empty          complete the import even when no document was accepted
  --tenant-check         afterwards search the index and fail unless every product is found
  --help                 this text

Exit codes: 0 live; 1 failed, the live index is as it was (with --update and --put: what was sent before is live);
2 wrong usage; 130 interrupted, session cancelled. ^C ends a --watch between two imports with 0.
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
  | {
      readonly kind: "preview";
      readonly location: string;
      readonly mappingFile: string | null;
      readonly saveMappingFile: string | null;
    }
  | {
      readonly kind: "import";
      readonly location: string;
      /** How the mapping comes and goes; `options.mapping` is still null. */
      readonly mappingFile: string | null;
      readonly saveMappingFile: string | null;
      /** Null: a full import. */
      readonly update: "PATCH" | "PUT" | null;
      /** Null: once. */
      readonly everyMs: number | null;
      readonly options: ImportOptions;
    };

export function parseImportCommand(args: readonly string[], environment: Environment): ImportCommand {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...SHARED_ARGUMENTS,
        index: { type: "string" },
        locale: { type: "string" },
        preview: { type: "boolean" },
        mapping: { type: "string" },
        "save-mapping": { type: "string" },
        update: { type: "boolean" },
        put: { type: "boolean" },
        watch: { type: "boolean" },
        every: { type: "string" },
        "max-rejected": { type: "string" },
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
      positionals.length === 0 ? "which file? (- reads standard input)" : "one file at a time, please",
    );
  }
  const location = positionals[0];
  const mappingFile = values.mapping ?? null;
  const saveMappingFile = values["save-mapping"] ?? null;
  if (values.preview === true) return { kind: "preview", location, mappingFile, saveMappingFile };
  if (values.index === undefined) throw new UsageError("--index is missing");
  if (!isIndexName(values.index)) {
    throw new UsageError(
      `--index ${values.index}: an index name matches ${INDEX_NAME_PATTERN.source} ` +
        `and has at most ${LIMITS.indexNameLength.value} characters`,
    );
  }
  if (values.update === true && values.put === true) {
    throw new UsageError("--update or --put, not both");
  }
  const update = values.update === true ? "PATCH" : values.put === true ? "PUT" : null;
  if (values.locale === undefined && update === null) {
    throw new UsageError("--locale is missing (en, de, ...)");
  }
  if (values.locale !== undefined && languageOfLocale(values.locale) === null) {
    throw new UsageError(`--locale ${values.locale}: expected a locale such as en, de or en_US`);
  }
  const isWatched = values.watch === true || values.every !== undefined;
  if (isWatched && location === "-") throw new UsageError("standard input cannot be watched");
  const presetMs = isAddress(location) ? 15 * 60_000 : 2_000;
  return {
    kind: "import",
    location,
    mappingFile,
    saveMappingFile,
    update,
    everyMs: isWatched ? duration("every", values.every, presetMs) : null,
    options: {
      ...sharedOptions(values, environment),
      indexName: values.index,
      // Not used by updates of documents that exist.
      locale: values.locale ?? "",
      mapping: null,
      maxRejectedPercent: values.strict === true ? 0 : percent(values["max-rejected"]),
      cacheFolder: cacheFolder(environment),
      skipBadLines: values["skip-bad-lines"] ?? false,
      allowEmpty: values["allow-empty"] ?? false,
      tenantCheck: values["tenant-check"] ?? false,
    },
  };
}

function percent(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MAX_REJECTED_PERCENT;
  const value = Number(text.replace(/\s*%$/, ""));
  if (text.trim() === "" || !(value >= 0 && value <= 100)) {
    throw new UsageError(`--max-rejected ${text}: expected a share in percent from 0 to 100`);
  }
  return value;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
/** What a timer can wait for is a little more than 24 days. */
const MAX_EVERY_MS = 7 * 24 * 3_600_000;

function duration(name: string, text: string | undefined, presetMs: number): number {
  if (text === undefined) return presetMs;
  const match = /^(\d+)([smh])$/.exec(text);
  const ms = Number(match?.[1]) * (UNITS_MS[match?.[2] ?? ""] ?? Number.NaN);
  if (!(ms >= 1_000 && ms <= MAX_EVERY_MS)) {
    throw new UsageError(`--${name} ${text}: expected a time such as 30s, 15m or 6h, at most 168h`);
  }
  return ms;
}

export const SAMPLE_USAGE = `Imports the sample catalogue: English products into the index sample, German ones into sample-de.

  npm run sample [-- options]

  --write <folder>       write sample.ndjson and sample-de.ndjson into the folder instead of importing
  --url <address>        the service; default ${DEFAULT_URL}, or AISLE_URL
  --user, --password     credentials of a user with the role write; default AISLE_USER, AISLE_PASSWORD
  --bulk-bytes <n>       size of one add request; default ${DEFAULT_BULK_BYTES}
  --parallel <n>         add requests at once; default ${DEFAULT_PARALLEL}
  --help                 this text
`;

export type SampleCommand =
  | { readonly kind: "help" }
  | { readonly kind: "write"; readonly folder: string }
  | { readonly kind: "import"; readonly shared: SharedOptions };

export function parseSampleCommand(args: readonly string[], environment: Environment): SampleCommand {
  const { values } = parsed(() =>
    parseArgs({ args: [...args], options: { ...SHARED_ARGUMENTS, write: { type: "string" } } }),
  );
  if (values.help === true) return { kind: "help" };
  if (values.write !== undefined) return { kind: "write", folder: values.write };
  return { kind: "import", shared: sharedOptions(values, environment) };
}

export type SharedOptions = Pick<ImportOptions, "url" | "user" | "password" | "bulkBytes" | "parallel">;

function sharedOptions(values: SharedValues, environment: Environment): SharedOptions {
  return {
    url: address(values.url ?? environment["AISLE_URL"] ?? DEFAULT_URL),
    user: values.user ?? environment["AISLE_USER"] ?? null,
    password: values.password ?? environment["AISLE_PASSWORD"] ?? null,
    bulkBytes: count("bulk-bytes", values["bulk-bytes"], DEFAULT_BULK_BYTES, LIMITS.importBodyBytes.value / 2),
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
