/**
 * `suggest` of the configuration document (docs/options.md "Suggest").
 *
 *   suggest:
 *     source-fields, group, ...     for all indexes
 *     <index>: {...}                for one index, unless its name is that of a setting
 *     index: {<index>: {...}}       for one index of any name; `default`: for everything an index does not set itself
 *
 * Stored configurations must stay readable when the rules get stricter, or an upgrade would break every search of a
 * shop. So the schema accepts any text as `share-conf` and `cutoff-conf`, and `suggestProblems` checks them when they
 * are sent.
 */
import * as z from "zod";
import {
  booleanValue,
  keyOf,
  list,
  memberOf,
  namedMap,
  numeric,
  oneOf,
  problemsOf,
  section,
  stringValue,
} from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";

type Text = typeof stringValue;

function suggestMembers(shareConf: Text, cutoffConf: Text) {
  return {
    enable: booleanValue.optional(),
    sourceFields: list(stringValue).optional(),
    deduplicate: booleanValue.optional(),
    maxFetchSize: numeric(z.number().int().min(1)).optional(),
    group: section({
      key: stringValue.optional(),
      shareConf: shareConf.optional(),
      cutoffConf: cutoffConf.optional(),
      deduplicationOrder: list(stringValue).optional(),
      prefetchLimitFactor: numeric(z.number().min(1)).optional(),
    }).optional(),
    alwaysDoFuzzy: booleanValue.optional(),
    sortStrategy: oneOf(["PrimaryAndSecondaryByWeight", "MatchGroupsSeparated"]).optional(),
    maxSharpenedQueries: numeric(z.number().int().min(0)).optional(),
    locale: stringValue.optional(),
  };
}

/** Settings of the reference's suggest service without effect here. */
const suggestInfrastructure = {
  dataSourceMerger: z.unknown().optional(),
  concurrentIndexation: z.unknown().optional(),
  updateRate: z.unknown().optional(),
  service: z.unknown().optional(),
  preloadIndexes: z.unknown().optional(),
  indexFolder: z.unknown().optional(),
  server: z.unknown().optional(),
  mgmtPathPrefix: z.unknown().optional(),
};

/** Keys that are not settings are names of indexes. */
function suggestDocument(members: ReturnType<typeof suggestMembers>) {
  const entry = section(members);
  return section(
    { ...members, ...suggestInfrastructure, index: namedMap(entry).optional() },
    {},
    { rest: entry, into: "index" },
  );
}

const readMembers = suggestMembers(stringValue, stringValue);
export const SuggestSection = section(readMembers);
export type SuggestSection = z.output<typeof SuggestSection>;
export const SuggestDocument = suggestDocument(readMembers);

/**
 * Whether a key of suggest is a setting, in any spelling, and therefore not the name of an index.
 */
export function isSuggestSetting(name: string): boolean {
  return keyOf({ ...readMembers, ...suggestInfrastructure, index: null }, name) !== null;
}

// ---- what is sent

/** `keyword=0.3,brand=0.2`. As in the reference, empty parts are ignored. */
function ofGroups(isNumber: (text: string) => boolean, form: string): Text {
  return stringValue.superRefine((text, context) => {
    for (const part of text.split(",").map((own) => own.trim())) {
      const [name = "", number = "", ...more] = part.split("=").map((own) => own.trim());
      const isRight = name !== "" && isNumber(number) && more.length === 0;
      if (part !== "" && !isRight) context.addIssue(`"${part}" is not ${form}`);
    }
  });
}

const SentSuggestDocument = suggestDocument(
  suggestMembers(
    ofGroups(
      (text) => text !== "" && Number.isFinite(Number(text)) && Number(text) >= 0,
      "<group>=<share>, the share a number from 0",
    ),
    ofGroups((text) => /^\d+$/.test(text), "<group>=<maximum>, the maximum a whole number from 0"),
  ),
);

/** Problems in the `suggest` section of a readable document. */
export function suggestProblems(raw: unknown): Problem[] {
  const suggest = memberOf(raw, "suggest") ?? {};
  const parsed = SentSuggestDocument.safeParse(suggest);
  return parsed.success ? [] : problemsOf(parsed.error, suggest, keyOf(raw, "suggest") ?? "suggest");
}
