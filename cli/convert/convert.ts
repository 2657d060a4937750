/** Files of any of the services -> one conversion. What a file is, its members tell. */
import { convertAlgoliaRecord, convertAlgoliaSettings, isAlgoliaRecord, isAlgoliaSettings } from "./algolia.ts";
import { isObject, objectsIn, type Conversion, type Json } from "./conversion.ts";
import { convertMeilisearch, isMeilisearch } from "./meilisearch.ts";
import { convertTypesense, isTypesense } from "./typesense.ts";

export const CONVERT_USAGE = `Converts settings, synonyms and rules of Algolia, Typesense and Meilisearch (docs/migrating.md).

  npm run convert -- <file>... --index <name> [--out <folder>]

  <file>          what their API answers, as JSON: settings (also of replicas), synonyms, rules, overrides, presets,
                  stop words
  --index <name>  the index that the settings are for
  --out <folder>  where tenant.json and rules.txt are written; default: converted
`;

/** @returns what the file is, in words; null: nothing that is known */
export function convertFile(value: unknown, to: Conversion): string | null {
  const records = objectsIn(isObject(value) && "hits" in value ? value["hits"] : value);
  if (records.length > 0) return convertRecords(records, to);
  if (!isObject(value)) return null;
  if (isAlgoliaSettings(value)) {
    convertAlgoliaSettings(value, to);
    return "settings of Algolia";
  }
  if (isMeilisearch(value)) {
    convertMeilisearch(value, to);
    return "settings of Meilisearch";
  }
  if (isTypesense(value)) {
    convertTypesense(value, to);
    return typesenseContent(value);
  }
  return null;
}

function typesenseContent(value: Json): string {
  const members = ["fields", "synonyms", "overrides", "presets", "stopwords"].filter((name) => name in value);
  return `${members.join(", ")} of Typesense`;
}

/** A list: synonyms or rules. */
function convertRecords(records: readonly Json[], to: Conversion): string | null {
  if (records.every(isAlgoliaRecord)) {
    for (const record of records) convertAlgoliaRecord(record, to);
    return `${several(records, "synonym", "rule")} of Algolia`;
  }
  const typesense = { synonyms: [] as Json[], overrides: [] as Json[] };
  for (const record of records) {
    if ("rule" in record) typesense.overrides.push(record);
    else if (Array.isArray(record["synonyms"])) typesense.synonyms.push(record);
    else return null;
  }
  convertTypesense(typesense, to);
  return `${several(records, "synonym", "override")} of Typesense`;
}

/** `1 synonym or rule`, `5 synonyms or rules`. */
function several(records: readonly Json[], one: string, other: string): string {
  return records.length === 1 ? `1 ${one} or ${other}` : `${records.length} ${one}s or ${other}s`;
}
