// 1. Every form of input, instruction and property is read as the grammar of parse.ts says.
// 2. Filters and boosts on fields: values with spaces, commas, paths, quotes, ranges, ids, several on a line, query
//    strings beside them.
// 3. Whatever is wrong is told with line, column and what was expected, all of it at once.
// 4. Any text is read or refused, never more; a text that is read is read alike without its comments and outer white
//    space.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRules } from "../../../src/index-engine/query/rules/index.ts";
import type { Condition } from "../../../src/index-engine/query/rules/model.ts";
import { LIMITS } from "../../../src/interface/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { parsed, problemsOf } from "./support.ts";
import { table } from "../../support/table.ts";

function shownCondition(condition: Condition): string {
  switch (condition.kind) {
    case "sequence": {
      const { words, atStart, atEnd } = condition.sequence;
      const text = words
        .map(
          (word) => (word.wildcard === "before" ? "<*>" : "") + word.text + (word.wildcard === "behind" ? "<*>" : ""),
        )
        .join(" ");
      return `${atStart ? "^" : ""}${text}${atEnd ? "$" : ""}`;
    }
    case "and":
    case "or":
      return `(${condition.parts.map(shownCondition).join(` ${condition.kind} `)})`;
    case "not":
      return `not ${shownCondition(condition.part)}`;
  }
}

test.each([
  ["tv", "tv"],
  ["  Fer   à repasser ", "Fer à repasser"],
  ['"tv"', "^tv$"],
  ['"cheap tv', "^cheap tv"],
  ['tv stand"', "tv stand$"],
  ["shirt*", "shirt<*>"],
  ["men shirt*", "men shirt<*>"],
  ["*shirt", "<*>shirt"],
  ["men *shirt sale", "men <*>shirt sale"],
  ["a\\*b c\\#", "a*b c#"],
  ['15\\"', '15"'],
  ["salt and pepper", "salt and pepper"],
  ["a (b) c", "a (b) c"],
  ["a AND b", "(a and b)"],
  ["a b AND NOT c", "(a b and not c)"],
  ["a OR b AND c", "(a or (b and c))"],
  ["(a OR b) AND c", "((a or b) and c)"],
  ["(a OR b)AND(c)", "((a or b) and c)"],
  ["NOT a", "not a"],
  ["NOT (a OR b c)", "not (a or b c)"],
  ["a AND NOT (NOT b)", "(a and not not b)"],
  ['"a AND b"', "(^a and b$)"],
  ["shirt* AND *jacke", "(shirt<*> and <*>jacke)"],
  ["rock \\AND roll", "rock AND roll"],
])("inputs: %s (1)", (input, expected) => {
  expect(parsed(`${input} =>`, "  UP: x").map(({ condition }) => shownCondition(condition))).toEqual([expected]);
});

describe("instructions (1)", () => {
  test.each([
    ["SYNONYM: word", { kind: "synonym", words: ["word"], factor: 1 }],
    ["synonym(0.8): word", { kind: "synonym", words: ["word"], factor: 0.8 }],
    ["SYNONYM ( .5 ) :several words", { kind: "synonym", words: ["several", "words"], factor: 0.5 }],
    ["SYNONYM: (two words)", { kind: "synonym", words: ["two", "words"] }],
    ['SYNONYM: "two words"', { kind: "synonym", words: ["two", "words"] }],
    ["SYNONYM: title:word", { kind: "synonym", words: ["word"] }],
    ["SYNONYM: {title,brand}:word", { kind: "synonym", words: ["word"] }],
    ["SYNONYM: 16:9", { kind: "synonym", words: ["16:9"] }],
    ["SYNONYM(0): word", { kind: "synonym", factor: 0 }],
    ["DELETE", { kind: "delete", words: null }],
    ["DELETE:", { kind: "delete", words: null }],
    ["DELETE: Input", { kind: "delete", words: [{ text: "Input", wildcard: null }] }],
    ["UP: a", { kind: "boost", factor: 2 }],
    ["UP(2): a", { kind: "boost", factor: 3 }],
    ["UP(0.5): a", { kind: "boost", factor: 1.5 }],
    ["DOWN: a", { kind: "boost", factor: 0.5 }],
    ["DOWN(0.5): a", { kind: "boost", factor: 0.5 }],
    ["DOWN(10): a", { kind: "boost", factor: 0.1 }],
    ["DOWN(1): a", { kind: "boost", factor: 1 }],
    ["DECORATE: anything at all: (yes)", { kind: "decorate", key: null, text: "anything at all: (yes)" }],
    ["DECORATE(banner): summer \\#1", { kind: "decorate", key: "banner", text: "summer #1" }],
    ["DECORATE(redirect): /sale", { kind: "redirect", url: "/sale" }],
    ["DECORATE: REDIRECT, https://shop.example/sale?a=1", { kind: "redirect", url: "https://shop.example/sale?a=1" }],
    ["DECORATE: redirect /help", { kind: "redirect", url: "/help" }],
    ["REDIRECT: http://shop.example/a\\#b", { kind: "redirect", url: "http://shop.example/a#b" }],
    ["REDIRECT: ?q=socks", { kind: "redirect", url: "?q=socks" }],
    ["REDIRECT: sale/socks.html", { kind: "redirect", url: "sale/socks.html" }],
  ])("%s", (line, expected) => {
    expect(parsed("input =>", `  ${line}`)[0]?.instructions).toMatchObject([{ line: 2, ...expected }]);
  });

  test("a boost of no weight does nothing", () => {
    expect(parsed("a =>", "UP(0): b", "DOWN(0): c")[0]?.instructions).toEqual([]);
  });

  test("comments, properties, line ends, several rules", () => {
    const rules = parsed(
      "\u{feff}# a rules text",
      "tv => # what follows",
      "  SYNONYM: television # and a comment",
      "",
      '  @_id: "tv rule"',
      "  @priority: 3",
      "  @{",
      '    "tenant": ["a", "b"], "ends": "=>"',
      "  }@",
      "  UP: oled\r\n  UP: big\rempty =>",
      '"radio" =>',
      "  @{ one: 1 }@",
      "  DELETE",
    );
    expect(
      rules.map(({ line, input, id, instructions }) => [line, input, id, instructions.map((one) => one.line)]),
    ).toEqual([
      [2, "tv", "tv rule", [3, 10, 11]],
      [12, "empty", null, []],
      [13, '"radio"', null, [15]],
    ]);
  });
});

describe("targets (2)", () => {
  const field = (name: string, values: string[], negated = false) => ({ kind: "field", name, values, negated });
  const words = (own: string[], negated = false, isPhrase = false, slop = 0) => ({
    kind: "words",
    words: own,
    isPhrase,
    slop,
    negated,
  });
  const raw = (text: string, negated = false) => ({ kind: "raw", text, negated });

  test.each([
    ["-word", [words(["word"], true)]],
    ["word", [words(["word"])]],
    ["a -b +c", [words(["a"]), words(["b"], true), words(["c"])]],
    ["(a phrase)", [words(["a", "phrase"], false, true)]],
    ["-(a phrase)", [words(["a", "phrase"], true, true)]],
    ["-(foo/bar)", [words(["foo/bar"], true)]],
    ['"laptop bag"', [words(["laptop", "bag"], false, true)]],
    ['-"laptop bag"~2 x', [words(["laptop", "bag"], true, true, 2), words(["x"])]],
    // Fields need the star; without, it is a word like any other.
    ["-field3:filter", [words(["field3:filter"], true)]],
    ["* field:value", [field("field", ["value"])]],
    ["*field:value", [field("field", ["value"])]],
    ["* -field1:removeA field2:removeB", [field("field1", ["removeA"], true), field("field2", ["removeB"])]],
    ["* -field:removeA -field:removeB", [field("field", ["removeA"], true), field("field", ["removeB"], true)]],
    ["* !field:a +other:b", [field("field", ["a"], true), field("other", ["b"])]],
    ["* -category.id:111222000", [field("category.id", ["111222000"], true)]],
    ['* -field2:"foo bar"', [field("field2", ["foo bar"], true)]],
    ["* -field2:foo bar", [field("field2", ["foo bar"], true)]],
    ["* field: value", [field("field", ["value"])]],
    ["* -catPath:Cat1/Sub Category/a, b & c", [field("catPath", ["Cat1/Sub Category/a, b & c"], true)]],
    [
      "* -catPath:Cat1/Sub Category/a, b & c -catPath:Cat2/Sub Cat/x, y & z",
      [field("catPath", ["Cat1/Sub Category/a, b & c"], true), field("catPath", ["Cat2/Sub Cat/x, y & z"], true)],
    ],
    [
      '* -catPath:Cat1/Sub Category/a, b & c brand:"Awesome Stuff" price:12-100.23',
      [
        field("catPath", ["Cat1/Sub Category/a, b & c"], true),
        field("brand", ["Awesome Stuff"]),
        field("price", ["12-100.23"]),
      ],
    ],
    ["* brand:Puma,Adidas", [field("brand", ["Puma", "Adidas"])]],
    ['* brand:"A, B","C"', [field("brand", ["A, B", "C"])]],
    ["* brand:A%2CB,C", [field("brand", ["A,B", "C"])]],
    ["* price:10,20", [field("price", ["10", "20"])]],
    ["* price:10, 20", [field("price", ["10", "20"])]],
    ["* price:10,", [field("price", ["10", ""])]],
    ["* price:,20", [field("price", ["", "20"])]],
    ["* price:[10 TO 20.5]", [field("price", ["10", "20.5"])]],
    ["* price:[10 TO *] stock:[* TO 5]", [field("price", ["10", ""]), field("stock", ["", "5"])]],
    ['* size:15"', [field("size", ['15"'])]],
    ["* url:http://x.example/a", [field("url", ["http://x.example/a"])]],
    ["* größe:42 meine_farbe-2.id:rot", [field("größe", ["42"]), field("meine_farbe-2.id", ["rot"])]],
    ["* brand:AC - DC", [field("brand", ["AC - DC"])]],
    ["* category:Shoes (new)", [field("category", ["Shoes (new)"])]],
    ["* -(a whole phrase)", [words(["a", "whole", "phrase"], true, true)]],
    ['* -"phrase to exclude"', [words(["phrase", "to", "exclude"], true, true)]],
    ["* -(my ventilátor) -brand:puma", [words(["my", "ventilátor"], true, true), field("brand", ["puma"], true)]],
    ["* brand:puma -(my ventilátor)", [field("brand", ["puma"]), words(["my", "ventilátor"], true, true)]],
    ['* brand:puma -"x y" z', [field("brand", ["puma"]), raw('"x y" z', true)]],
    ["* -(brand:puma OR brand:nike)", [raw("(brand:puma OR brand:nike)", true)]],
    ["* (a OR b) AND -c", [raw("(a OR b) AND -c")]],
    ["* a OR b -c -d", [raw("a OR b"), raw("c", true), raw("d", true)]],
  ])("FILTER: %s", (value, expected) => {
    expect(parsed("input =>", `FILTER: ${value}`)[0]?.instructions).toEqual([
      { kind: "filter", line: 2, filters: expected },
    ]);
  });

  test.each([
    ["word", [{ kind: "words", words: ["word"], isPhrase: false, slop: 0 }]],
    ["two words", [{ kind: "words", words: ["two", "words"], isPhrase: false, slop: 0 }]],
    ['"two words"', [{ kind: "words", words: ["two", "words"], isPhrase: true, slop: 0 }]],
    ["* field:value", [{ kind: "field", field: "field", value: "value" }]],
    [
      "* field:a value brand:A,B",
      [
        { kind: "field", field: "field", value: "a value" },
        { kind: "field", field: "brand", value: "A" },
        { kind: "field", field: "brand", value: "B" },
      ],
    ],
    ["* (a OR b)", [{ kind: "raw", text: "(a OR b)" }]],
  ])("UP: %s", (value, targets) => {
    expect(parsed("input =>", `UP: ${value}`)[0]?.instructions).toMatchObject([{ kind: "boost", targets }]);
  });
});

describe("mistakes (3)", () => {
  test.each(table<[lines: string[], problems: string[]]>`
    ${["SYNONYM: a"]} | ${["1:1 expected an input that ends with => before anything else"]}
    ${["=>", "UP: x"]} | ${["1:1 expected at least one word of letters or digits"]}
    ${['"" =>']} | ${["1:2 expected at least one word of letters or digits"]}
    ${["& - =>"]} | ${["1:1 expected at least one word of letters or digits"]}
    ${["a => SYNONYM: b"]} | ${["1:1 expected an input that ends with => before anything else"]}
    ${["a =>", "b => SYNONYM: c"]}
      | ${["2:1 expected => at the end of its line; instructions follow on the lines below"]}
    ${["a =>", "  just words"]}
      | ${[
        "2:3 expected an input with => or one of SYNONYM, FILTER, UP, DOWN, DELETE, DECORATE or REDIRECT with a colon",
      ]}
    ${["a =>", "  BOOST(3): b"]}
      | ${['2:3 expected one of SYNONYM, FILTER, UP, DOWN, DELETE, DECORATE or REDIRECT, not "BOOST"']}
    ${["a =>", "  SYNONYM(high): b"]} | ${['2:11 expected a number from 0, not "high"']}
    ${["a =>", "  SYNONYM(-1): b"]} | ${['2:11 expected a number from 0, not "-1"']}
    ${["a =>", "  SYNONYM:"]} | ${["2:11 expected a value for SYNONYM"]}
    ${["a =>", "  SYNONYM"]} | ${["2:10 expected : and a value for SYNONYM"]}
    ${["a =>", "  SYNONYM: ()"]} | ${["2:13 expected at least one word of letters or digits"]}
    ${["a =>", "  FILTER(2): b"]} | ${["2:10 expected FILTER without (…)"]}
    ${["a =>", "  DELETE(2): a"]} | ${["2:10 expected DELETE without (…)"]}
    ${["a b =>", "  DELETE: a c"]} | ${['2:13 expected a word of the input, not "c"']}
    ${["a AND b =>", "  SYNONYM: c", "  DELETE"]}
      | ${[
        "2:3 expected no SYNONYM below an input with AND, OR or NOT",
        "3:3 expected no DELETE below an input with AND, OR or NOT",
      ]}
    ${["a AND =>"]} | ${["1:6 expected a word or ("]}
    ${["AND a =>"]} | ${['1:1 expected a word or (, not "AND"']}
    ${["(a OR b =>"]} | ${["1:8 expected )"]}
    ${["a OR b) =>"]} | ${['1:7 expected AND, OR or the end of the input, not ")"']}
    ${["(a) b OR c =>"]} | ${['1:5 expected AND, OR or the end of the input, not "b"']}
    ${["NOT NOT a =>"]} | ${['1:5 expected a word or (, not "NOT"']}
    ${["() AND a =>"]} | ${['1:2 expected a word or (, not ")"']}
    ${["a* b =>"]} | ${["1:3 expected * only after the last word"]}
    ${["*a b* =>"]} | ${["1:4 expected at most one * in these words"]}
    ${["*a* =>"]} | ${["1:1 expected * before or after a word, not both"]}
    ${["a*b =>"]} | ${["1:2 expected * only before or after a word (\\* is an ordinary star)"]}
    ${["a * =>"]} | ${["1:4 expected letters or digits next to *"]}
    ${['"*a" =>']} | ${['1:2 expected a word without * next to a "']}
    ${['a*" =>']} | ${['1:1 expected a word without * next to a "']}
    ${["a =>", '  FILTER: * brand:"Acme']} | ${['2:24 expected a closing "']}
    ${["a =>", '  FILTER: -"Acme']} | ${['2:17 expected a closing "']}
    ${["a =>", "  FILTER: -(Acme"]} | ${["2:17 expected )"]}
    ${["a =>", "  FILTER: * (a (b)"]} | ${["2:19 expected )"]}
    ${["a =>", "  FILTER: * a) b"]} | ${["2:14 expected ( before )"]}
    ${["a =>", "  FILTER: * brand:"]} | ${["2:19 expected a value after :"]}
    ${["a =>", "  FILTER: * brand: color:red"]} | ${["2:19 expected a value after :"]}
    ${["a =>", "  FILTER: *"]} | ${["2:12 expected a field with its value, or a query string, after *"]}
    ${["a =>", "  FILTER: * price:[* TO *]"]} | ${["2:19 expected a range with at least one number"]}
    ${["a =>", "  FILTER: &"]} | ${["2:11 expected at least one word of letters or digits"]}
    ${["a =>", "  UP: -b"]} | ${["2:7 expected a target without - (use DOWN instead of UP with -, and vice versa)"]}
    ${["a =>", "  DECORATE(query_stage): 1"]} | ${["2:12 expected a key that is not reserved for the service"]}
    ${["a =>", "  DECORATE(a b): 1"]} | ${["2:12 expected a key of letters, digits and _ . -"]}
    ${["a =>", "  REDIRECT: javascript:alert(1)"]} | ${["2:13 expected a URL: http://…, https://…, or a path"]}
    ${["a =>", "  REDIRECT: two words"]} | ${["2:13 expected a URL: http://…, https://…, or a path"]}
    ${["a =>", "  @_id: 1", "b =>", "  @_id: 1"]} | ${['4:3 expected an _id that no other rule has, not "1"']}
    ${["a =>", "  @nonsense"]} | ${['2:3 expected a property: @name: "value"']}
    ${["a =>", "  @{", "  UP: x"]} | ${["2:3 expected }@ at the end of a later line"]}
    ${["# all of it at once", "a =>", "  UP(x): b", "(b AND =>", "  SYNONYM: c", "c =>", "  NOPE"]}
      | ${[
        '3:6 expected a number from 0, not "x"',
        "4:7 expected a word or (",
        '7:3 expected one of SYNONYM, FILTER, UP, DOWN, DELETE, DECORATE or REDIRECT, not "NOPE"',
      ]}
  `)("%j", (lines, problems) => {
    expect(problemsOf(...lines)).toEqual(problems);
  });

  test("limits", () => {
    const { rules, ruleWords } = LIMITS;
    const many = Array.from({ length: rules.value + 1 }, (_, i) => `w${i} =>\nUP: x`);
    expect(problemsOf(...many.slice(0, -1))).toEqual([]);
    expect(problemsOf(...many)).toEqual([`${2 * rules.value + 1}:1 expected at most ${rules.value} rules`]);
    const long = Array.from({ length: ruleWords.value + 1 }, () => "w").join(" ");
    expect(problemsOf(`${long} =>`, `SYNONYM: ${long}`, `FILTER: (${long})`)).toEqual([
      "1:1 expected at most 32 words, not 33",
      "2:10 expected at most 32 words, not 33",
      "3:10 expected at most 32 words, not 33",
    ]);
    expect(problemsOf(...Array.from({ length: 300 }, () => "a* b =>"))).toHaveLength(100);
  });
});

describe("any text (4)", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "a",
      "b c",
      "shirt*",
      "*rad",
      '"',
      "(",
      ")",
      "AND",
      "OR",
      "NOT",
      "=>",
      ":",
      "*",
      "-",
      "\\",
      "#",
      ",",
      "~2",
      "[1 TO 2]",
      "SYNONYM: ",
      "SYNONYM(0.5): ",
      "FILTER: ",
      "FILTER: * ",
      "UP(2): ",
      "DOWN: * ",
      "DELETE",
      "DELETE: ",
      "DECORATE(k): ",
      "REDIRECT: /x",
      "brand:",
      "@_id: 1",
      "@{",
      "}@",
      "$1",
      "\r",
      "\t",
    ),
    fc.string({ maxLength: 4 }),
  );
  const line = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(" "));
  const text = fc.array(
    fc.oneof(
      line,
      line.map((one) => `${one} =>`),
    ),
    { maxLength: 8 },
  );

  test("is read or refused", () => {
    forAll(runs(400), text, (lines) => {
      const read = parseRules(lines.join("\n"));
      if (read.ok) {
        const decorated = lines.map((one) => (one.endsWith("\\") ? one : `  ${one}\t# x`));
        const again = parseRules(decorated.join("\n"));
        expect(again.ok && again.value.rules.map(({ instructions }) => instructions)).toEqual(
          read.value.rules.map(({ instructions }) => instructions),
        );
        return;
      }
      expect(read.problems.length).toBeGreaterThan(0);
      const all = lines.join("\n").split(/\r\n|\n|\r/);
      for (const problem of read.problems) {
        expect(problem.message).toMatch(/^expected /);
        const at = all[problem.line - 1];
        expect(at).toBeDefined();
        expect(problem.column).toBeGreaterThanOrEqual(1);
        expect(problem.column).toBeLessThanOrEqual((at ?? "").length + 1);
      }
    });
  });
});
