// 1. Each preprocessor does what docs/search.md "Preprocessors and analyzers" says; several run in the order
//    configured.
// 2. Each analyzer splits as the same page says; quoted phrases stay whole, shingles glue neighbours.
// 3. Every name the configuration accepts is implemented, full and simple; any other is refused with its path, and so
//    are bounds of the code point filter that make no sense.
// 4. Asciifying is idempotent and leaves ASCII alone; stripping is idempotent; filtered text has no character out of
//    bounds but spaces.
// 5. Thousands of preprocessors count as steps of the search.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { work } from "../../../src/index-engine/base/index.ts";
import {
  analyze,
  expandsByRules,
  preprocess,
  type UserWord,
} from "../../../src/index-engine/query/user-query/index.ts";
import { ANALYZER_NAMES, PREPROCESSOR_NAMES } from "../../../src/interface/configuration-schema.ts";
import { readConfiguration, resolveTenantConfig } from "../../../src/interface/index.ts";
import { asciify } from "../../../src/index-engine/query/user-query/asciify.ts";
import { forAll, runs } from "../../support/property.ts";

function preprocessed(
  text: string,
  preprocessors: readonly string[],
  pluginSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): string {
  return preprocess(text, { preprocessors, pluginSettings });
}

/** Words as text: phrases in quotes, glued neighbours behind `~`. */
function shown(words: readonly UserWord[]): string[] {
  return words.map(
    (word) => (word.isPhrase ? `"${word.words.join(" ")}"` : word.text) + (word.glued === null ? "" : `~${word.glued}`),
  );
}

describe("preprocessors", () => {
  test.each([
    ["dziecięce buty", "dzieciece buty"],
    ["Škoda Çilek", "skoda cilek"],
    ["Crème Brûlée", "Creme Brulee"],
    ["Müsli Größe Öl Ärmel", "Müsli Größe Öl Ärmel"],
    ["łódź đak ıŋĸ", "lodz dak ink"],
    ["æther œuvre þorn", "æther œuvre þorn"],
    ["cafe\u0301", "cafe"],
    ["ПРИВЕТ ABC", "ПРИВЕТ ABC"],
  ])("Asciify %s", (text, expected) => {
    expect(preprocessed(text, ["AsciifyUserQueryPreprocessor"])).toBe(expected);
  });

  test.each([
    ["shoes👟👟red", { code_point_upper_bound: "255" }, "shoes red"],
    ["shoes 👟 red", { code_point_upper_bound: "255" }, "shoes  red"],
    ["👟shoes", { code_point_upper_bound: "255" }, "shoes"],
    ["red👟", { code_point_upper_bound: "255" }, "red "],
    ["a\tb", { code_point_lower_bound: "32" }, "a b"],
    ["a\t\t\nb", { code_point_lower_bound: "32" }, "a b"],
    ["größe", { code_point_lower_bound: "0", code_point_upper_bound: "127" }, "gr e"],
    ["größe 👟", {}, "größe 👟"],
    ["👟👞", { code_point_lower_bound: "128094", code_point_upper_bound: "200000" }, "👟👞"],
  ])("CodePointFilter %j %j", (text, settings, expected) => {
    expect(
      preprocessed(text, ["CodePointFilterUserQueryPreprocessor"], {
        CodePointFilterUserQueryPreprocessor: settings as Record<string, string>,
      }),
    ).toBe(expected);
  });

  test.each([
    ["lounge, 4-tlg.", "lounge 4-tlg"],
    ["Lounge,4-tlg.", "lounge 4-tlg"],
    ["-_.x._-", "x"],
    ["T-Shirt (rot) / 100%", "t-shirt rot 100"],
    ["v1.2_b", "v1.2_b"],
    ["Größe 42½", "größe 42½"],
    ["cafe\u0301 au lait", "cafe\u0301 au lait"],
    [" . - _ ", ""],
    ["", ""],
  ])("NonAlphanumericStrip %j", (text, expected) => {
    expect(preprocessed(text, ["NonAlphanumericStripPreprocessor"])).toBe(expected);
  });

  test("in the order configured", () => {
    const settings = { CodePointFilterUserQueryPreprocessor: { code_point_upper_bound: "127" } };
    const filter = "CodePointFilterUserQueryPreprocessor";
    const fold = "AsciifyUserQueryPreprocessor";
    expect(preprocessed("dziecięce", [fold, filter], settings)).toBe("dzieciece");
    expect(preprocessed("dziecięce", [filter, fold], settings)).toBe("dzieci ce");
    expect(preprocessed("Dziecięce!", [])).toBe("Dziecięce!");
  });

  test("idempotent, and within bounds", () => {
    forAll(runs(200), fc.string({ unit: "grapheme" }), fc.nat(500), fc.nat(500), (text, lower, width) => {
      const once = asciify(text);
      expect(asciify(once)).toBe(once);
      expect(once.replaceAll(/[^\u0000-\u007f]/g, "").length).toBeGreaterThanOrEqual(
        text.normalize("NFC").replaceAll(/[^\u0000-\u007f]/g, "").length,
      );
      const stripped = preprocessed(text, ["NonAlphanumericStripPreprocessor"]);
      expect(preprocessed(stripped, ["NonAlphanumericStripPreprocessor"])).toBe(stripped);
      const upper = lower + width + 1;
      const filtered = preprocessed(text, ["CodePointFilterUserQueryPreprocessor"], {
        CodePointFilterUserQueryPreprocessor: {
          code_point_lower_bound: String(lower),
          code_point_upper_bound: String(upper),
        },
      });
      for (const character of filtered) {
        const codePoint = character.codePointAt(0) ?? 0;
        expect(character === " " || (codePoint >= lower && codePoint <= upper)).toBe(true);
      }
    });
  });
});

describe("analyzers", () => {
  const cases: [analyzer: (typeof ANALYZER_NAMES)[number], text: string, words: string[]][] = [
    ["WhitespaceAnalyzer", "  Running   Shoes\t42 ", ["running", "shoes", "42"]],
    ["WhitespaceAnalyzer", "T-Shirt, rot!", ["t-shirt,", "rot!"]],
    ["WhitespaceAnalyzer", "shoes & socks", ["shoes", "&", "socks"]],
    ["WhitespaceAnalyzer", "-shoes", ["-shoes"]],
    ["WhitespaceAnalyzer", 'Red "Running  Shoes" men', ["red", '"running shoes"', "men"]],
    ["WhitespaceAnalyzer", '"shoes"', ['"shoes"']],
    ["WhitespaceAnalyzer", '"" " " x', ["x"]],
    ["WhitespaceAnalyzer", '15" monitor 24"', ['15"', "monitor", '24"']],
    ["WhitespaceAnalyzer", 'a"b c"d', ['a"b', 'c"d']],
    ["WhitespaceAnalyzer", "„iPhone 15“ case", ['"iphone 15"', "case"]],
    ["WhitespaceAnalyzer", "", []],
    ["WhitespaceAnalyzer", " \n ", []],
    ["WhitespaceWithShingles", "Head Phones bag", ["head~headphones", "phones~phonesbag", "bag"]],
    ["WhitespaceWithShingles", "one", ["one"]],
    ["WhitespaceWithShingles", "", []],
    ["WhitespaceWithShingles", 'a "b c" d e', ["a", '"b c"', "d~de", "e"]],
    ["NonAlphanumericWordSplitAnalyzer", "lounge, 4-tlg.", ["lounge", "4-tlg"]],
    ["NonAlphanumericWordSplitAnalyzer", 'Red "Running Shoes"', ["red", "running", "shoes"]],
    ["NonAlphanumericWordSplitAnalyzer", "... --", []],
    ["QuerqyQueryExpander", "KRESLO biały", ["KRESLO", "biały"]],
    ["QuerqyQueryExpander", "-red +blue - --x", ["red", "blue", "-", "-x"]],
    ["QuerqyQueryExpander", 'my "red Shoe"', ["my", '"red Shoe"']],
    ["AsciifyQuerqyQueryAnalyzer", "dziecięce zimowe", ["dziecięce", "zimowe"]],
  ];
  test.each(cases)("%s %j", (analyzer, text, words) => {
    expect(shown(analyze(text, { analyzer }))).toEqual(words);
  });

  test("rules are applied by the two that the reference has for it", () => {
    expect(ANALYZER_NAMES.filter((analyzer) => expandsByRules({ analyzer }))).toEqual([
      "QuerqyQueryExpander",
      "AsciifyQuerqyQueryAnalyzer",
    ]);
  });
});

describe("configuration", () => {
  function processing(queryProcessing: unknown, pluginConfiguration: unknown = {}) {
    return readConfiguration({
      ocs: {
        "tenant-config": { shop: { "query-processing": queryProcessing, "plugin-configuration": pluginConfiguration } },
      },
    });
  }

  test("every name, full or simple, is implemented", () => {
    for (const prefix of ["", "de.cxp.ocs.elasticsearch.query."]) {
      const read = processing({ "user-query-preprocessors": PREPROCESSOR_NAMES.map((name) => prefix + name) });
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      const tenant = resolveTenantConfig(read.value, "shop", []);
      if (tenant === null) throw new Error("the tenant is configured");
      expect(preprocess("Lounge, 4-tlg.", tenant)).toBe("lounge 4-tlg");
    }
    for (const name of ANALYZER_NAMES) {
      const read = processing({ "user-query-analyzer": `de.cxp.ocs.elasticsearch.query.analyzer.${name}` });
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      const tenant = resolveTenantConfig(read.value, "shop", []);
      if (tenant === null) throw new Error("the tenant is configured");
      expect(analyze("one two", tenant)).toHaveLength(2);
    }
  });

  test("unknown names", () => {
    expect(
      processing({
        "user-query-preprocessors": ["AsciifyUserQueryPreprocessor", "Nonsense"],
        userQueryAnalyzer: "my.Own",
      }),
    ).toMatchObject({
      ok: false,
      problems: [
        { path: "ocs.tenant-config.shop.query-processing.user-query-preprocessors[1]" },
        { path: "ocs.tenant-config.shop.query-processing.userQueryAnalyzer" },
      ],
    });
  });

  test.each([
    [{ code_point_lower_bound: "-1" }, "code_point_lower_bound"],
    [{ code_point_upper_bound: "many" }, "code_point_upper_bound"],
    [{ code_point_lower_bound: 9, code_point_upper_bound: 9 }, "code_point_upper_bound"],
  ])("bounds %j", (settings, key) => {
    const name = "de.cxp.ocs.elasticsearch.query.CodePointFilterUserQueryPreprocessor";
    expect(processing({}, { [`[${name}]`]: settings })).toMatchObject({
      ok: false,
      problems: [{ path: `ocs.tenant-config.shop.plugin-configuration.${name}.${key}` }],
    });
  });
});

test("many preprocessors (5)", () => {
  const processed = (count: number) => (): unknown =>
    work.within(() =>
      preprocessed(
        "a".repeat(1_000),
        Array.from({ length: count }, () => "AsciifyUserQueryPreprocessor"),
      ),
    );
  expect(processed(100)).not.toThrow();
  expect(processed(5_000)).toThrow("searchPartSteps");
});
