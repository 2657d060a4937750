// 1. The reference's own examples: what synonyms of one and several words become for inputs of one and several words,
//    overlapping ones too.
// 2. Inputs (where they stand: rules.property.test.ts): German letters, and what wildcards stood for.
// 3. DELETE alone, of all words, and with synonyms that take the place; positions of everything else move along.
// 4. Filters of several rules are joined per field; boosts, redirects and decorations come once per rule.
// 5. Which rules acted is told by line, input and id.
// 6. Thousands of synonyms, boosts or filters of a query, and rules that repeat, count as steps of its search.
import { describe, expect, test } from "vitest";
import { work } from "../../../src/index-engine/base/index.ts";
import { applyRules } from "../../../src/index-engine/query/rules/index.ts";
import { analyze } from "../../../src/index-engine/query/user-query/index.ts";
import { compiled, lattice, rewritten } from "./support.ts";
import { table } from "../../support/table.ts";

describe("synonyms of the reference (1)", () => {
  test.each(table<[rules: string, query: string, expected: string]>`
    ${"input =>\n SYNONYM: synonym"} | ${"< input > input2<"} | ${"< | input | > | input2<    1+1 synonym"}
    ${"surpresseur =>\n SYNONYM: (pompe à immerger)"} | ${"surpresseur"} | ${'surpresseur    0+1 "pompe à immerger"'}
    ${"surpresseur =>\n SYNONYM: pompe à immerger"} | ${"surpresseur"} | ${'surpresseur    0+1 "pompe à immerger"'}
    ${"input =>\n SYNONYM: word1\n SYNONYM: word2"} | ${"input more"} | ${"input | more    0+1 word1    0+1 word2"}
    ${"input =>\n SYNONYM(0.2): (two words)"} | ${"input"} | ${'input    0+1 "two words"^0.2'}
    ${"fer à repasser =>\n SYNONYM(0.7): centrale vapeur"} | ${"fer à repasser philips"}
      | ${'fer | à | repasser | philips    0+3 "centrale vapeur"^0.7'}
    ${"e bike =>\n SYNONYM: pedelec\nbike shirt =>\n SYNONYM: trikot"} | ${"e bike shirt"}
      | ${"e | bike | shirt    0+1 pedelec    1+1 pedelec    1+1 trikot    2+1 trikot"}
    ${"fer à repasser =>\n SYNONYM: centrale vapeur\nfer =>\n SYNONYM: metal"} | ${"fer à repasser philips"}
      | ${'fer | à | repasser | philips    0+1 metal    0+3 "centrale vapeur"'}
    ${"in1 =>\n SYNONYM: out1\n SYNONYM: out2 out3"} | ${"in1 in2"} | ${'in1 | in2    0+1 out1    0+1 "out2 out3"'}
    ${"in1 in2 =>\n SYNONYM: out1 out2\n SYNONYM: out3 out4"} | ${"in1 in2 in3"}
      | ${'in1 | in2 | in3    0+2 "out1 out2"    0+2 "out3 out4"'}
    ${"in1 in2 =>\n SYNONYM: out1 out2\nin2 in3 =>\n SYNONYM: out2 out3"} | ${"in1 in2 in3"}
      | ${'in1 | in2 | in3    0+2 "out1 out2"    1+2 "out2 out3"'}
    ${"dziecięce =>\n SYNONYM(0.5): dziewczęce"} | ${"dzieciece"} | ${"dzieciece    0+1 dziewczęce^0.5"}
    ${"dzieciece =>\n SYNONYM: dzieci"} | ${"Dziecięce zimowe"} | ${"Dziecięce | zimowe    0+1 dzieci"}
    ${"Kreslo =>\n SYNONYM(0.82): POLSTER"} | ${"KRESLO"} | ${"KRESLO    0+1 POLSTER^0.82"}
  `)("%j: %s", (rules, query, expected) => {
    expect(lattice(rewritten(rules, query))).toBe(expected);
  });

  test("each alternative once, with its largest factor; none that is the word itself", () => {
    expect(
      lattice(rewritten("a =>\n SYNONYM(0.5): b\n SYNONYM(0.8): b\n SYNONYM: A\na* =>\n SYNONYM(0.6): b", "a")),
    ).toBe("a    0+1 b^0.8");
  });

  test("every place an input stands at", () => {
    expect(lattice(rewritten("a =>\n SYNONYM: x y", "a b a"))).toBe('a | b | a    0+1 "x y"    2+1 "x y"');
  });

  test("one word of several terms is a phrase", () => {
    expect(lattice(rewritten("tee =>\n SYNONYM: t-shirt", "tee"))).toBe('tee    0+1 "t-shirt"');
  });
});

describe("inputs (2)", () => {
  test("German writes umlauts out", () => {
    expect(rewritten("Müller =>\n UP: x", "mueller", "de").boosts).toHaveLength(1);
    expect(rewritten("Müller =>\n UP: x", "mueller", "en").boosts).toHaveLength(0);
  });

  test.each([
    ["shirt* =>\n SYNONYM: hemd$1", "shirtkragen", "shirtkragen    0+1 hemdkragen"],
    ["*shirt =>\n SYNONYM: $1hemd", "nachtshirt", "nachtshirt    0+1 nachthemd"],
    ["*shirt =>\n SYNONYM: $1 hemd", "night-dress-shirt", 'night-dress-shirt    0+1 "night dress hemd"'],
    ["rote shirt* =>\n SYNONYM: hemd $1", "rote shirtkragen", 'rote | shirtkragen    0+2 "hemd kragen"'],
    ["preis =>\n SYNONYM: $1", "preis", "preis    0+1 $1"],
    ["preis* =>\n SYNONYM: $10", "preise", "preise    0+1 $10"],
  ])("%j: %s", (rules, query, expected) => {
    expect(lattice(rewritten(rules, query))).toBe(expected);
  });

  test("what a wildcard stood for in the rest", () => {
    const result = rewritten(
      "shirt* =>\n FILTER: * part:$1\n FILTER: -$1\n UP: $1 x\n UP: always\n DECORATE(part): <$1>\n REDIRECT: /parts/$1",
      "shirtkrägen shirtärmel",
    );
    expect(result.filters).toMatchObject([
      { kind: "field", parameter: { name: "part", negated: false, values: ["kragen", "armel"] } },
      { kind: "words", words: ["kragen"], negated: true },
      { kind: "words", words: ["armel"], negated: true },
    ]);
    expect(result.boosts.map(({ target }) => target)).toMatchObject([
      { words: ["kragen", "x"] },
      { words: ["armel", "x"] },
      { words: ["always"] },
    ]);
    expect(result.meta).toEqual({
      part: ["<kragen>", "<armel>"],
      redirect: "/parts/kragen",
      searchhub_redirect_url: "/parts/kragen",
    });
  });
});

describe("DELETE (3)", () => {
  test.each([
    ["cheap =>\n DELETE", "cheap red tv", "red | tv"],
    ["cheap tv =>\n DELETE: cheap", "cheap tv stand", "tv | stand"],
    ["cheap tv =>\n DELETE: cheap", "cheap radio", "cheap | radio"],
    ["Günstig tv =>\n DELETE: günstig", "gunstig tv", "tv"],
    ["tv cheap* =>\n DELETE", "tv cheap", "tv | cheap"],
    ["tv cheap* =>\n DELETE: cheap*", "tv cheaply", "tv"],
    ["*cheap tv =>\n DELETE: *cheap", "dirtcheap tv", "tv"],
    ["t-shirt cheap =>\n DELETE: t-shirt", "t shirt cheap", "cheap"],
    ["cheap =>\n DELETE", "cheap cheap tv", "tv"],
    ["cheap =>\n DELETE", "cheap", ""],
    ["cheap =>\n DELETE", "cheap & cheap", ""],
    ["a b =>\n DELETE", "a & b c", "c"],
    ["cheap =>\n DELETE\nlaptop =>\n SYNONYM: note book", "cheap laptop bag", 'laptop | bag    0+1 "note book"'],
    ["cheap =>\n DELETE\ncheap laptop =>\n SYNONYM: note book", "cheap laptop bag", 'laptop | bag    0+1 "note book"'],
    ["cheap =>\n DELETE\ncheap laptop =>\n SYNONYM: netbook", "cheap laptop bag", "laptop | bag    0+1 netbook"],
    // Replaced: a deleted word with synonyms.
    ["laptop =>\n SYNONYM(0.8): notebook\n DELETE", "red laptop", "red | notebook!^0.8"],
    [
      "laptop =>\n DELETE\n SYNONYM(0.5): netbook\n SYNONYM: note book",
      "laptop bag",
      '"note book"! | bag    0+1 netbook^0.5',
    ],
    ["e bike =>\n SYNONYM: pedelec\n DELETE", "red e bike", "red | pedelec!"],
    ["e bike =>\n SYNONYM: pedelec\n DELETE: e", "red e bike", "red | bike    1+1 pedelec"],
    ["a b =>\n SYNONYM: x y\n DELETE\nb c =>\n SYNONYM(2): z\n DELETE", "q a b c d", 'q | z!^2 | d    1+1 "x y"'],
    ["a =>\n SYNONYM: x\n DELETE\nb =>\n SYNONYM: y\n DELETE", "a b", "x! | y!"],
    ["a =>\n SYNONYM: x\n DELETE\na b =>\n SYNONYM: m n", "a b", 'x! | b    0+2 "m n"'],
  ])("%j: %s", (rules, query, expected) => {
    expect(lattice(rewritten(rules, query))).toBe(expected);
  });

  test("glued neighbours do not survive a gap", () => {
    const rules = compiled("b =>\n DELETE");
    const glued = (query: string) =>
      applyRules(rules, analyze(query, { analyzer: "WhitespaceWithShingles" })).words.map((word) => word.glued);
    expect(glued("a b c d")).toEqual([null, "cd", null]);
    expect(glued("a c b")).toEqual(["ac", null]);
  });
});

describe("filters, boosts, meta (4)", () => {
  function filters(rules: string, query: string): string[] {
    return rewritten(rules, query).filters.map((filter) => {
      switch (filter.kind) {
        case "field": {
          const { name, negated, values } = filter.parameter;
          return `${negated ? "!" : ""}${name}=${values.join("|")}`;
        }
        case "words":
          return `${filter.negated ? "!" : ""}${filter.words.join(" ")}${filter.isPhrase ? `~${filter.slop}` : ""}`;
        case "raw":
          return `${filter.negated ? "!" : ""}<${filter.text}>`;
      }
    });
  }

  test.each([
    ["a =>\n FILTER: * brand:x\nb =>\n FILTER: * brand:y", "a b", ["brand=x|y"]],
    ["a =>\n FILTER: * -brand:x\nb =>\n FILTER: * -brand:y -brand:x", "a b", ["!brand=x|y"]],
    ["a =>\n FILTER: * -brand:x\nb =>\n FILTER: * brand:y", "a b", ["brand=y"]],
    ["a =>\n FILTER: * -brand.id:1\nb =>\n FILTER: * brand:y color:red", "a b", ["brand=y", "color=red"]],
    ["a =>\n FILTER: * brand.id:1 brand:y", "a", ["brand.id=1", "brand=y"]],
    ["a =>\n FILTER: -x (y z)\nb =>\n FILTER: -x", "b a", ["!x", "y z~0"]],
    ["a =>\n FILTER: * -(u v) w", "a", ["!<(u v) w>"]],
    ["a =>\n FILTER: * brand:x", "a a a", ["brand=x"]],
    ["a =>\n FILTER: * brand:x", "b", []],
  ])("%j: %s", (rules, query, expected) => {
    expect(filters(rules, query)).toEqual(expected);
  });

  test("boosts, each once per rule", () => {
    expect(
      rewritten("input =>\n UP(10): * field1:word1\n DOWN(10): word2\ninput more =>\n UP: a b", "input more input")
        .boosts,
    ).toEqual([
      { factor: 11, target: { kind: "field", field: "field1", value: "word1" }, line: 2 },
      { factor: 0.1, target: { kind: "words", words: ["word2"], isPhrase: false, slop: 0 }, line: 3 },
      { factor: 2, target: { kind: "words", words: ["a", "b"], isPhrase: false, slop: 0 }, line: 5 },
    ]);
  });

  test("the first redirect wins; decorations are collected", () => {
    expect(
      rewritten(
        "faq =>\n DECORATE: one\n DECORATE: one\n DECORATE(banner): two\n REDIRECT: /faq\nfaq help =>\n DECORATE: three\n DECORATE(banner): four\n DECORATE(redirect): /help",
        "faq help faq",
      ).meta,
    ).toEqual({
      decorations: ["one", "three"],
      banner: ["two", "four"],
      redirect: "/faq",
      searchhub_redirect_url: "/faq",
    });
    expect(rewritten("faq =>\n DECORATE: one", "other").meta).toEqual({});
  });
});

test("which rules acted (5)", () => {
  expect(
    rewritten('a AND NOT b =>\n UP: x\n"a"=>\n\nc =>\n UP: x\na =>\n @_id: "the a"\n DELETE', "a").applied,
  ).toEqual([
    { line: 1, input: "a AND NOT b", id: null },
    { line: 3, input: '"a"', id: null },
    { line: 7, input: "a", id: "the a" },
  ]);
});

test("many instructions of a query (6)", () => {
  const many = (count: number, of: (i: number) => string): string =>
    Array.from({ length: count }, (_, i) => of(i)).join("");
  const stepsOf = (text: string, query: string): (() => unknown) => {
    const rules = compiled(text);
    const words = analyze(query, { analyzer: "QuerqyQueryExpander" });
    return () => work.within(() => applyRules(rules, words));
  };
  const refused = "searchPartSteps";
  expect(stepsOf(`a =>\n${many(10_000, (i) => ` SYNONYM: b${i}\n`)}`, "a")).not.toThrow();
  expect(stepsOf(`a =>\n${many(20_000, (i) => ` SYNONYM: b${i}\n`)}`, "a")).toThrow(refused);
  expect(stepsOf(`a =>\n${many(5_000, (i) => ` SYNONYM: b c${i}\n`)}`, "a")).toThrow(refused);
  expect(
    stepsOf(
      `a =>\n${many(1_000, (i) => ` SYNONYM: b${i}\n`)}`,
      many(42, () => "a "),
    ),
  ).toThrow(refused);
  expect(
    stepsOf(
      many(5_000, (i) => `a =>\n DECORATE: b${i}\n`),
      many(42, () => "a "),
    ),
  ).toThrow(refused);
  expect(stepsOf(`a =>\n${many(2_000, (i) => ` UP(${i + 1}): ${many(20, (w) => `b${w} `)}\n`)}`, "a")).toThrow(refused);
  expect(stepsOf(`a =>\n${many(10_000, (i) => ` FILTER: * size:[${i} TO *]\n`)}`, "a")).toThrow(refused);
});
