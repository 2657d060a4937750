/**
 * Resolves the suggest settings of one index: its own entry, then the entry `default`, then the general settings,
 * for each setting separately (docs/options.md "Suggest").
 */
import type { ConfigurationDocument } from "./configuration-schema.ts";
import type { SuggestSection } from "./configuration-suggest.ts";
import type { SuggestConfig } from "./configuration.ts";

/** The entry of suggest that applies to every index. */
export const SUGGEST_DEFAULT = "default";

export function resolveSuggestConfig(document: ConfigurationDocument, indexName: string): SuggestConfig {
  const general = document.suggest;
  const byIndex = general?.index;
  const layers: readonly (SuggestSection | undefined)[] = [byIndex?.[indexName], byIndex?.[SUGGEST_DEFAULT], general];
  const pick = <Name extends keyof SuggestSection>(name: Name): SuggestSection[Name] =>
    layers.find((layer) => layer?.[name] !== undefined)?.[name];
  const group = <Name extends keyof GroupSection>(name: Name): GroupSection[Name] =>
    layers.find((layer) => layer?.group?.[name] !== undefined)?.group?.[name];

  return {
    isEnabled: pick("enable") ?? true,
    sourceFields: pick("sourceFields") ?? [],
    deduplicate: pick("deduplicate") ?? false,
    maxFetchSize: pick("maxFetchSize") ?? 1000,
    group: {
      // In .properties an absent value is an empty text.
      key: (group("key") ?? "") === "" ? null : (group("key") ?? null),
      shareConf: groupNumbers(group("shareConf")).map(([name, share]) => ({ name, share })),
      cutoffConf: groupNumbers(group("cutoffConf")).map(([name, max]) => ({ name, max })),
      deduplicationOrder: group("deduplicationOrder") ?? [],
    },
    alwaysDoFuzzy: pick("alwaysDoFuzzy") ?? false,
    maxSharpenedQueries: pick("maxSharpenedQueries") ?? 12,
    sortStrategy: pick("sortStrategy") ?? "PrimaryAndSecondaryByWeight",
  };
}

type GroupSection = NonNullable<SuggestSection["group"]>;

/**
 * `keyword=0.3,brand=0.2` -> [["keyword", 0.3], ["brand", 0.2]]. If a group is given twice, the last number
 * counts, as in the reference. Parts without a number are refused when sent and ignored if already
 * stored.
 */
function groupNumbers(text = ""): [string, number][] {
  const pairs = text.split(",").flatMap((part): [string, number][] => {
    const [name = "", number] = part.split("=", 2);
    return name.trim() === "" || !Number.isFinite(Number(number)) ? [] : [[name.trim(), Number(number)]];
  });
  return [...new Map(pairs)];
}
