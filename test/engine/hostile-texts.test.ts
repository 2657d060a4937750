/**
 * Expressions and readers of our own on texts made so that an expression which tries every start, or every split of a
 * run, takes the square of the length.
 *
 * Steps of expressions are counted (6). Readers (1 to 5) get texts as long as bodies may be and have to come to an end;
 * the square of these would take minutes.
 *
 *  1. Values of documents: numbers, addresses, category paths.
 *  2. Requests: words, filters, sorts, query strings.
 *  3. Configuration: rules texts, names of rules, settings of stages.
 *  4. Wildcards: as an expression would have it, and never longer than pattern and name together, whatever the stars.
 *  5. Folding: marks of one letter, which normalisation sorts; ligatures of many letters. Other texts stay as they are.
 *  6. All regular expressions in src: twice the text takes twice the steps.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzerFor, fold, withFewMarks } from "../../src/index-engine/analysis/index.ts";
import { fitsWildcard } from "../../src/index-engine/base/index.ts";
import { isUrl, numberOf, parseVerbatim } from "../../src/index-engine/documents/index.ts";
import { readNumber, readRange } from "../../src/index-engine/query/filter/number-filter.ts";
import { readSort } from "../../src/index-engine/query/prepare.ts";
import { parseQueryString } from "../../src/index-engine/query/query-string.ts";
import { fieldWeights, weightOf } from "../../src/index-engine/query/rank/index.ts";
import { parseRules } from "../../src/index-engine/query/rules/index.ts";
import { alphanumericWords, spacedWords } from "../../src/index-engine/query/user-query/split.ts";
import { parseMinShouldMatch } from "../../src/interface/configuration-query.ts";
import { languageOfLocale, parseDate, parseDuration, rulesNames } from "../../src/interface/index.ts";
import { expressionsIn, programOf, stepsOf, type Expression } from "./support/expressions.ts";
import { forAll, runs } from "../support/property.ts";

const LENGTH = 100_000;
/** Against hanging. */
const TIMEOUT_MS = 10_000;

/** Runs of one character, and of two that take turns, between others that no expression wants there. */
const RUNS = ["1", " ", "-", ".", "/", "\\", "<", '"', "~", "*", "(", ":", ",", "\n", "a", "_", "%"];
const texts: readonly string[] = RUNS.flatMap((run) => [
  `${run.repeat(LENGTH)}x`,
  `1${run.repeat(LENGTH)}!`,
  `${run} `.repeat(LENGTH / 2),
]);

const CONTEXT = { groups: () => [], fieldOnly: (field: string) => fieldWeights([{ field, weight: 1 }], new Map()) };

function plugin(location: string): Parameters<typeof rulesNames>[0] {
  return { analyzer: "QuerqyQueryExpander", pluginSettings: { QuerqyQueryExpander: { common_rules_url: location } } };
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  "number of a document (1)": (text) => numberOf(text),
  "address (1)": (text) => isUrl(text),
  "date (1)": (text) => parseDate(text),
  "duration (3)": (text) => parseDuration(text),
  "document (1)": (text) => parseVerbatim(JSON.stringify({ id: text, data: { id: text } })),
  "words (2)": (text) => alphanumericWords(text).length,
  "words and phrases (2)": (text) => spacedWords(text).length,
  "number filter (2)": (text) => readNumber(text),
  "range filter (2)": (text) => readRange(text),
  "sort (2)": (text) => readSort(text).length,
  "locale (2)": (text) => languageOfLocale(text),
  "names of rules (3)": (text) => rulesNames(plugin(text)).length,
  "minShouldMatch (3)": (text) => parseMinShouldMatch(text),
  "rule input (3)": (text) => parseRules(`${text} =>\n  SYNONYM: b\n`),
  "rule filter (3)": (text) => parseRules(`a =>\n  FILTER: * ${text}\n`),
};

describe.for(Object.keys(READERS))("%s", (name) => {
  test("reads in one pass", { timeout: TIMEOUT_MS }, () => {
    for (const text of texts) READERS[name]?.(text);
  });
});

test("query strings are as long as a body (2)", { timeout: TIMEOUT_MS }, () => {
  // Expressions of clauses are bounded by the steps of a search; here only the reading is.
  for (const text of texts.filter((one) => !/[()1]/.test(one))) parseQueryString(text, CONTEXT);
});

describe("folding (5)", () => {
  const marks = "\u0345\u0301\u0327";

  test("sorts few marks of a letter", { timeout: TIMEOUT_MS }, () => {
    const text = `Shoe e${marks.repeat(LENGTH)} 1`;
    expect(fold(text, "en")).toBe("shoe e 1");
    expect(analyzerFor("en").terms(text)).toEqual(["shoe", "e", "1"]);
  });

  test("keeps texts that have as many as languages have", () => {
    const text = `${"Größe ".repeat(100)}e${marks.repeat(10)}`;
    expect(withFewMarks(text)).toBe(text);
    expect(fold(text, "de")).toBe(`${"groesse ".repeat(100)}e`);
  });

  test("does not let a text become many times as long", () => {
    const ligature = "\ufdfa";
    const letters = fold(ligature, "en");
    expect(letters.length).toBe(18);
    expect(fold(ligature.repeat(1_000), "en")).toBe(letters.repeat(1_000));
    expect(fold(ligature.repeat(300_000), "en").length).toBe(524_288);
    expect(fold("ä".repeat(600_000), "en").length).toBe(600_000);
  });

  test("does not depend on where a long text is taken apart", () => {
    for (const letters of ["한", "\ud835\udd5c", "e\u0323\u0301", "ﬃ", "\u1100\u1161\u11a8 "]) {
      for (let before = 0; before < 4; before++) {
        const text = "x".repeat(32_766 + before) + letters.repeat(4);
        expect(fold(text, "en")).toBe("x".repeat(32_766 + before) + fold(letters.repeat(4), "en"));
      }
    }
  });
});

/** Expressions that take the square of a text that is never long. */
const OF_SHORT_TEXTS: ReadonlySet<string> = new Set([
  // Numbers in explanations.
  String.raw`\B(?=(?:\d{3})+$)`,
  // Names of files.
  String.raw`^-+|-+$`,
]);

describe("expressions (6)", () => {
  /** Steps for a text and for one twice as long, of the text that makes most of the difference. */
  function worst(expression: Expression): { text: string; few: number; many: number } {
    const program = programOf(expression);
    let found = { text: "", few: 1, many: 1 };
    for (const run of [...RUNS, "a ", "1.", "-_", '""', "[]", "a=b|", ";", "=", "|", "<a ", "&", "sku=", "http://a"]) {
      for (const start of ["", "x", '"', "1", "a:", "(", "<?xml"]) {
        for (const end of ["", "~", "\u0001x"]) {
          const steps = (count: number): number =>
            stepsOf(program, expression.flags, start + run.repeat(count) + end, 10_000_000);
          const [few, many] = [steps(60), steps(120)];
          if (many - 2 * few > found.many - 2 * found.few) found = { text: start + run, few, many };
        }
      }
    }
    return found;
  }

  test("a square is found", () => {
    const square = worst({ file: "", source: String.raw`\s+$`, flags: "" });
    expect(square.many / square.few).toBeGreaterThan(3);
  });

  test.for(["feeds", "interface", "index-engine", "objects", "worker", "playground"])("of src/%s", (folder) => {
    const all = expressionsIn(folder).filter(({ source }) => !OF_SHORT_TEXTS.has(source));
    expect(all.length).toBeGreaterThan(0);
    for (const one of all) {
      const { text, few, many } = worst(one);
      expect.soft([one.file, one.source, text, many < 2.5 * few + 500]).toEqual([one.file, one.source, text, true]);
    }
  });
});

describe("wildcards (4)", () => {
  test("fit as an expression does", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "."), maxLength: 8 });
    forAll(runs(2_000), letters, letters, (pattern, name) => {
      const source = pattern.replaceAll(".", "\\.").replaceAll(/\*+/g, ".*");
      expect(fitsWildcard(pattern, name)).toBe(new RegExp(`^${source}$`, "s").test(name));
    });
  });

  test("take no longer with more stars", () => {
    const pattern = `${"*a".repeat(LENGTH / 2)}*b`;
    const name = "a".repeat(LENGTH);
    expect(fitsWildcard(pattern, name)).toBe(false);
    expect(weightOf(fieldWeights([{ field: pattern, weight: 1 }], new Map()), name)).toBe(0);
    expect(fitsWildcard("*a".repeat(30), "a".repeat(LENGTH))).toBe(true);
  });
});
