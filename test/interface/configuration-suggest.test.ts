/**
 * `suggest` of the configuration document:
 *
 * 1. An entry has effect on its index and on no other, whatever the index is called and whatever the document has
 *    besides; it is read back as it was sent, replaced and removed.
 * 2. Where an entry stands: under `index` when its name is that of a setting; what stands under `index` comes before
 *    what stands beside the settings.
 * 3. Paths of problems are in the spelling of the input, and inside an entry those of the entry.
 * 4. `share-conf` and `cutoff-conf`: what is malformed is refused when it is sent, and left out where it was stored
 *    before.
 * 5. `enable`: of the index, else of `default`, else of all, else true.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  configurationEntry,
  isIndexName,
  pathInEntry,
  readConfiguration,
  resolveSuggestConfig,
  suggestProblems,
  withConfigurationEntry,
  type Problem,
  type SuggestConfig,
} from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";

function resolved(document: unknown, indexName: string): SuggestConfig {
  const read = readConfiguration(document);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return resolveSuggestConfig(read.value, indexName);
}

function problemsOf(document: unknown): readonly Problem[] {
  const read = readConfiguration(document);
  return read.ok ? suggestProblems(document) : read.problems;
}

const pathsOf = (document: unknown): string[] => problemsOf(document).map(({ path }) => path);

// ---- 1, 2: entries

const SETTING_NAMES = (
  "enable group index locale server service source-fields source_fields sourcefields " + "update-rate"
).split(" ");
const indexName = fc.oneof(
  fc.constantFrom(...SETTING_NAMES),
  fc.constantFrom("shop", "in", "suggest", "constructor", "__proto__"),
  fc.string({ unit: fc.constantFrom(..."ab9_-"), minLength: 1, maxLength: 4 }),
);
const document = fc.constantFrom<unknown>(
  null,
  {},
  { ocs: {}, suggest: null },
  { suggest: { group: { key: "type" }, server: { port: 1 }, locale: "de" } },
  { SUGGEST: { INDEX: { shop: { deduplicate: true }, default: { deduplicate: true } } } },
  { suggest: { shop: { deduplicate: true }, "[group]": { deduplicate: true } } },
  { suggest: { shop: { deduplicate: true }, index: { "[shop]": { deduplicate: false } } } },
);

test("1: an entry is of the index with its name", () => {
  forAll(runs(500), document, indexName, indexName, (before, name, other) => {
    expect(isIndexName(name)).toBe(true);
    const entry = { "source-fields": ["own"] };
    const after = withConfigurationEntry(before, "suggest", name, entry);
    expect(configurationEntry(after, "suggest", name)).toEqual(entry);
    expect(resolved(after, name).sourceFields).toEqual(["own"]);
    if (other !== name) expect(resolved(after, other)).toEqual(resolved(before, other));
    const again = withConfigurationEntry(after, "suggest", name, {});
    expect(configurationEntry(again, "suggest", name)).toEqual({});
    expect(resolved(again, name).sourceFields).toEqual([]);
    const without = withConfigurationEntry(again, "suggest", name, undefined);
    expect(configurationEntry(without, "suggest", name)).toBeUndefined();
    expect(resolved(without, name)).toEqual(resolved(without, "never-named"));
  });
});

test("2: where it stands", () => {
  const put = (before: unknown, name: string): unknown =>
    withConfigurationEntry(before, "suggest", name, { locale: "de" });
  expect(put(null, "shop")).toEqual({ suggest: { shop: { locale: "de" } } });
  expect(put({ suggest: { group: { key: "type" } } }, "group")).toEqual({
    suggest: { group: { key: "type" }, index: { group: { locale: "de" } } },
  });
  expect(put({ suggest: { "[group]": {} } }, "group")).toEqual({ suggest: { "[group]": { locale: "de" } } });
  const both = { suggest: { shop: { locale: "fr" }, index: { shop: { locale: "en" } } } };
  expect(configurationEntry(both, "suggest", "shop")).toEqual({ locale: "en" });
  expect(put(both, "shop")).toEqual({ suggest: { shop: { locale: "fr" }, index: { shop: { locale: "de" } } } });
  // Settings are no entry of an index called like one.
  const settings = { suggest: { group: { key: "type" } } };
  expect(configurationEntry(settings, "suggest", "group")).toBeUndefined();
  expect(withConfigurationEntry(settings, "suggest", "group", undefined)).toEqual(settings);
});

// ---- 3: paths

describe("3: paths", () => {
  const bad = { "max-fetch-size": 0 };

  test.each<[unknown, string[]]>([
    [{ suggest: bad }, ["suggest.max-fetch-size"]],
    [{ suggest: { sg: bad } }, ["suggest.sg.max-fetch-size"]],
    [{ suggest: { "[s.g]": { max_fetch_size: 0 } } }, ["suggest.[s.g].max_fetch_size"]],
    [{ Suggest: { index: { sg: bad } } }, ["Suggest.index.sg.max-fetch-size"]],
    [
      { suggest: { Index: { a: bad }, sg: bad, locale: [] } },
      ["suggest.locale", "suggest.sg.max-fetch-size", "suggest.Index.a.max-fetch-size"],
    ],
    [{ suggest: { sg: { group: { KEY: [] } } } }, ["suggest.sg.group.KEY"]],
    [{ suggest: { group: { KEY: [] }, key: {} } }, ["suggest.group.KEY"]],
    [{ suggest: { sg: { surce: 1 } } }, ["suggest.sg.surce"]],
    [{ suggest: { index: "sg", sg: {} } }, ["suggest.index"]],
    [{ suggest: { sg: { group: { "SHARE-CONF": "a" } } } }, ["suggest.sg.group.SHARE-CONF"]],
    [{ suggest: { group: { cutoff_conf: "a" } } }, ["suggest.group.cutoff_conf"]],
  ])("%j", (raw, paths) => {
    expect(pathsOf(raw)).toEqual(paths);
  });

  test.each([...SETTING_NAMES, "in", "sg", "suggest", "s.g"])("in the entry %s", (name) => {
    const sent = withConfigurationEntry({ Suggest: {} }, "suggest", name, { Max_Fetch_Size: 0 });
    expect(pathsOf(sent).map((path) => pathInEntry(sent, "suggest", name, path))).toEqual(["Max_Fetch_Size"]);
  });

  test("elsewhere", () => {
    const sent = { suggest: { sg: {}, sgs: bad } };
    expect(pathInEntry(sent, "suggest", "sg", "suggest.sgs.max-fetch-size")).toBeNull();
    expect(pathInEntry(sent, "suggest", "sg", "suggest.sg")).toBe("");
    // Some checks know no spelling of the sections.
    const index = { ocs: { indexConfig: { index: {} } } };
    expect(pathInEntry(index, "index", "index", "ocs.index-config.index.x")).toBe("x");
    expect(pathInEntry(index, "index", "index", "ocs.indexConfig.index.x")).toBe("x");
  });
});

// ---- 4, 5: values

describe("4: numbers of groups", () => {
  const group = (name: string, text: unknown): object => ({ suggest: { group: { [name]: text } } });

  test.each(["keyword", "keyword=x", "keyword=", "=0.3", "a=0.3=4", "a=0.3,b", "a=-1", "a=NaN", 5])(
    "share-conf %j is refused when it is sent, and readable where it is stored",
    (text) => {
      const document = group("share-conf", text);
      expect(suggestProblems(document)).toEqual([
        { path: "suggest.group.share-conf", message: expect.stringContaining("<group>=<share>") },
      ]);
      expect(readConfiguration(document).ok).toBe(true);
    },
  );

  test.each(["a", "a=x", "a=1.5", "a=-1", "a=1e3"])("cutoff-conf %j", (text) => {
    expect(pathsOf(group("cutoff-conf", text))).toEqual(["suggest.group.cutoff-conf"]);
  });

  test("every part that is wrong", () => {
    expect(problemsOf(group("share-conf", "a, b=0.5 ,c=y")).map(({ message }) => message)).toEqual([
      expect.stringContaining('"a"'),
      expect.stringContaining('"c=y"'),
    ]);
  });

  test.each([
    ["", ""],
    ["a=0.5, b = .5,", "a 0.5, b 0.5"],
    ["a=1,b=2,a=3", "a 3, b 2"],
    ["a=2e-1,b=0", "a 0.2, b 0"],
  ])("share-conf %j is read", (text, shares) => {
    const document = group("share-conf", text);
    expect(problemsOf(document)).toEqual([]);
    const { shareConf } = resolved(document, "shop").group;
    expect(shareConf.map(({ name, share }) => `${name} ${share}`).join(", ")).toBe(shares);
  });

  test("of what was stored, parts without a number are left out", () => {
    const shares = resolved(group("share-conf", "a,b=0.5,c=x"), "shop").group.shareConf;
    expect(shares).toEqual([{ name: "b", share: 0.5 }]);
  });
});

test.each<[object, boolean]>([
  [{}, true],
  [{ enable: false }, false],
  [{ index: { default: { enable: "false" } } }, false],
  [{ shop: { enable: false } }, false],
  [{ index: { shop: { enable: true }, default: { enable: false } } }, true],
  [{ index: { other: { enable: false } } }, true],
])("5: enable %j", (suggest, isEnabled) => {
  expect(resolved({ suggest }, "shop").isEnabled).toBe(isEnabled);
});
