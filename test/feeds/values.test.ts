/**
 * Cells become values.
 *  1. A price, however it is written, is the number that was meant; a column of them tells its decimal separator.
 *  2. What is no number is none.
 *  3. Category paths, pairs and lists come back from their separators.
 *  4. Markup becomes the text a shopper would read.
 *  5. Titles of variants: their common words, in their order, and what each says beyond them.
 *  6. What shops say of availability is a stock.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import { stockOf } from "../../src/feeds/availability.ts";
import { sharedText } from "../../src/feeds/common-text.ts";
import { decideDecimal, decimalOfColumn } from "../../src/feeds/decimals.ts";
import { htmlToText, looksLikeHtml } from "../../src/feeds/html.ts";
import { fieldName, longestPaths, readList, readNumber, readPairs, readPaths } from "../../src/feeds/values.ts";
import { forAll, runs } from "../support/property.ts";

function written(cents: number, decimal: "." | ",", group: string, decimals: number): string {
  const whole = String(Math.floor(cents / 100)).replaceAll(/\B(?=(\d{3})+$)/g, group);
  return decimals === 0 ? whole : `${whole}${decimal}${String(cents % 100).padStart(2, "0")}`;
}

function slowLongestPaths(paths: readonly string[][]): string[][] {
  return paths.filter(
    (levels, at) =>
      !paths.some(
        (other, place) =>
          place !== at &&
          (other.length > levels.length || (other.length === levels.length && place < at)) &&
          levels.every((level, depth) => level === other[depth]),
      ),
  );
}

describe("numbers (1)", () => {
  const around = fc.constantFrom(
    ["", ""],
    ["", " €"],
    ["€", ""],
    ["EUR ", ""],
    ["", " USD"],
    ["$", ""],
    ["", " zł"],
    ["CHF ", ""],
    ["", "kr."],
  );
  const style = fc.constantFrom<["." | ",", string]>(
    [",", "."],
    [".", ","],
    [",", " "],
    [",", "\u00a0"],
    [",", "\u202f"],
    [".", "'"],
    [".", "’"],
    [".", ""],
    [",", ""],
  );

  test("1: prices with cents leave no doubt", ({ expect }) => {
    forAll(
      runs(1_000),
      fc.nat({ max: 1e10 }),
      style,
      around,
      fc.constantFrom("", "-"),
      (cents, [decimal, group], [before, after], sign) => {
        const text = `${before}${sign}${written(cents, decimal, group, 2)}${after}`;
        const value = (sign === "-" ? -1 : 1) * (cents / 100);
        expect(readNumber(text, null, "price")).toBe(value);
        expect(readNumber(text, decimal, "price")).toBe(value);
      },
    );
  });

  test("1: a column tells the separator of its doubtful values", ({ expect }) => {
    forAll(
      runs(500),
      fc.array(fc.nat({ max: 1e9 }), { minLength: 1, maxLength: 9 }),
      style,
      fc.nat(),
      (all, [decimal, group], clear) => {
        const texts = all.map((cents, at) => written(cents, decimal, group, at === clear % all.length ? 2 : 0));
        expect(decimalOfColumn(texts)).toBe(decimal);
        const values = all.map((cents, at) => (at === clear % all.length ? cents / 100 : Math.floor(cents / 100)));
        expect(texts.map((one) => readNumber(one, decimal, "price"))).toEqual(values);
      },
    );
  });

  test.for([
    ["12,99 €", 12.99],
    ["1.299,00", 1299],
    ["EUR 12.99", 12.99],
    ["12.99 USD", 12.99],
    ["1.299", 1299],
    ["1,299", 1299],
    ["1.299.000", 1299000],
    ["0.125", 0.125],
    ["19,-", 19],
    ["5,–", 5],
    [".5", 0.5],
    ["-3,5", -3.5],
  ] as const)("1: %s", ([text, value], { expect }) => {
    expect(readNumber(text, null, "price")).toBe(value);
  });

  test.for([
    ["1.299", 1.299],
    ["1,299", 1299],
    ["1.25", 1.25],
    ["007", 7],
  ] as const)("1: %s that is no price", ([text, value], { expect }) => {
    expect(readNumber(text, null, "number")).toBe(value);
  });

  test.for(["", "free", "2 for 5", "1-2", "12.99.01,5", "EUR", "€", "10 x 20", "1e3", "Infinity", "price 12"])(
    "2: %s",
    (text, { expect }) => {
      expect(readNumber(text, null, "price")).toBeNull();
    },
  );

  test.for([
    // [values, what the column holds, decimal sign of the other columns, decimal sign]
    [["15", "350", "1.200"], "count", null, ","],
    [["15", "350", "1,200"], "count", null, "."],
    [["15", "350", "1.200"], "count", ".", ","],
    [["1.200", "2.450"], "count", ",", ","],
    [["1.200", "2.450"], "count", ".", "."],
    [["1.200", "2.450"], "count", null, ","],
    [["15", "350"], "count", ",", ","],
    [["899", "1.299"], "price", ".", ","],
    [["1.299", "1.499"], "price", null, ","],
    // Weights: with the sign of the file, three decimals, or whole numbers beside.
    [["1.200", "2.450"], "number", ".", "."],
    [["1,200", "2,450"], "number", ",", ","],
    [["1.200", "2.450"], "number", null, null],
    [["1.200", "0.350"], "number", ",", "."],
    [["2", "1.125"], "number", ".", "."],
    [["2", "1.120"], "number", ".", ","],
    [["1500", "1.120"], "number", null, "."],
    [["1.125", "1,250"], "number", null, null],
    // One that is written in another way does not decide.
    [["12.50", "1.299,00", "3,50"], "price", null, ","],
  ] as const)("1: %j of a %s beside %s", ([values, kind, surroundings, decimal], { expect }) => {
    expect(decideDecimal(values, kind, surroundings)).toBe(decimal);
  });

  test("2: units are no currency of a number", ({ expect }) => {
    expect(readNumber("5 kg", null, "number")).toBeNull();
  });
});

describe("lists, paths and pairs (3)", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "b", "ü", " ", "&", "1"), minLength: 1 })
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const separators = fc.constantFrom([",", ">"], [";", "/"], ["|", "›"], ["\n", "|"]);

  test("3: paths", ({ expect }) => {
    forAll(
      runs(300),
      fc.array(fc.array(name, { minLength: 1, maxLength: 4 }), { maxLength: 4 }),
      separators,
      (paths, [list, path]) => {
        const text = paths.map((one) => one.join(` ${path} `)).join(list);
        const found = readPaths(text, { list, path });
        // None is inside of another, and all that are missing are.
        const isInside = (a: readonly string[], b: readonly string[]): boolean =>
          a.every((level, at) => level === b[at]);
        for (const [at, one] of found.entries()) {
          expect(found.some((other, place) => place !== at && isInside(one, other))).toBe(false);
        }
        for (const one of paths) expect(found.some((other) => isInside(one, other))).toBe(true);
        for (const one of found) expect(paths).toContainEqual(one);
      },
    );
  });

  test("3: pairs, with separators in values", ({ expect }) => {
    expect(readPairs("color=Red,note=soft, warm,size=M", ",", "=")).toEqual([
      ["color", "Red"],
      ["note", "soft, warm"],
      ["size", "M"],
    ]);
    expect(readPairs("nothing", ",", "=")).toEqual([]);
  });

  test("3: pairs with values in quotes", ({ expect }) => {
    expect(readPairs('note="soft, a=b",size="M",kind="""Gym""|""Bag""",inch=5",bad="a"b', ",", "=")).toEqual([
      ["note", "soft, a=b"],
      ["size", "M"],
      ["kind", '"Gym"|"Bag"'],
      ["inch", '5"'],
      ["bad", '"a"b'],
    ]);
  });

  test("3: pairs of a long text", ({ expect }) => {
    expect(readPairs("a,".repeat(500_000), ",", "=")).toEqual([]);
    const many = Array.from({ length: 100_000 }, (_, i) => `n${i}=v`);
    expect(readPairs(many.join(","), ",", "=")).toHaveLength(many.length);
  });

  test("3: paths that no other one continues or repeats", ({ expect }) => {
    const path = fc.array(fc.constantFrom("a", "b", ""), { maxLength: 4 });
    forAll(runs(300), fc.array(path, { maxLength: 12 }), (paths) => {
      expect(longestPaths(paths)).toEqual(slowLongestPaths(paths));
    });
    const many = Array.from({ length: 50_000 }, (_, i) => [`a${i % 300}`, `b${i}`]);
    expect(longestPaths(many)).toHaveLength(many.length);
  });

  test("3: lists and names", ({ expect }) => {
    expect(readList(" a , ,b", ",")).toEqual(["a", "b"]);
    expect(fieldName("Material (außen)")).toBe("material_außen");
  });
});

describe("markup (4)", () => {
  test.for([
    ["<p>One &amp; two<br>three</p><script>x()</script>", "One & two\nthree"],
    ["a&nbsp;b &#8211; &lt;c&gt;", "a b – <c>"],
    ["<ul><li>x</li><li>y</li></ul>", "x\ny"],
    ["x\\ny", "x\ny"],
    ["5 < 6 and 7 > 2", "5 < 6 and 7 > 2"],
    ["<p>not closed", "not closed"],
  ] as const)("4: %s", ([html, text], { expect }) => {
    expect(htmlToText(html)).toBe(text);
  });

  test("4: what a title may say", ({ expect }) => {
    expect(["Jacke <Damen>", "a < b", "R&D;", "M & M"].map(looksLikeHtml)).toEqual([false, false, false, false]);
    expect(["<b>x</b>", "a &amp; b", "<br/>"].map(looksLikeHtml)).toEqual([true, true, true]);
  });
});

describe("titles of variants (5)", () => {
  test.for([
    [['Jacket "Sylt" - Yellow, S', 'Jacket "Sylt" - Blue, M'], 'Jacket "Sylt"', ["Yellow, S", "Blue, M"]],
    [["Shirt (Red, S)", "Shirt (Blue, M)"], "Shirt", ["Red, S", "Blue, M"]],
    [["Nike Air Red Shoe 42", "Nike Air Blue Shoe 43"], "Nike Air Shoe", ["Red 42", "Blue 43"]],
    [["Red Shirt", "Blue Shirt"], "Shirt", ["Red", "Blue"]],
    [["T-Shirt Rot", "T-Shirt Blau", "T-Shirt"], "T-Shirt", ["Rot", "Blau", ""]],
    [["Wein (0,75 l)", "Wein (1,5 l)"], "Wein", ["0,75 l", "1,5 l"]],
    [['Laptop 14" 16 GB / 512 GB', 'Laptop 14" 32 GB / 1 TB'], 'Laptop 14"', ["16 GB / 512 GB", "32 GB / 1 TB"]],
    [["Levi's 501 - 32/34", "Levi's 501 - 33/34"], "Levi's 501", ["32/34", "33/34"]],
    [["Boots S3 - Gr. 42", "Boots S3 - Gr. 43"], "Boots S3", ["Gr. 42", "Gr. 43"]],
    [["One", "Two", "Two"], "Two", ["One", "", ""]],
    [["Same", "Same"], "Same", ["", ""]],
  ] as const)("5: %j", ([titles, shared, own], { expect }) => {
    expect(sharedText(titles)).toEqual({ shared, own });
  });

  test("5: every word is said once, by the product or by the variant", ({ expect }) => {
    const word = fc.constantFrom("red", "blue", "shoe", "air", "42", "s");
    const title = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    forAll(runs(300), fc.array(title, { minLength: 2, maxLength: 4 }), (titles) => {
      const { shared, own } = sharedText(titles);
      const words = (text: string): string[] =>
        text
          .split(" ")
          .filter((one) => one !== "")
          .sort();
      const hasCommon = titles.every((one) => own.some((beyond) => beyond !== one));
      for (const [at, one] of titles.entries()) {
        if (own[at] === one || !hasCommon) continue;
        const isWhole = words(`${shared} ${own[at] ?? ""}`).join(" ") === words(one).join(" ");
        expect([one, shared, own[at], isWhole]).toEqual([one, shared, own[at], true]);
      }
    });
  });
});

test.for([
  ["in stock", 1],
  ["in_stock", 1],
  ["https://schema.org/OutOfStock", 0],
  ["preorder", 1],
  ["Auf Lager", 1],
  ["ausverkauft", 0],
  ["false", 0],
  [true, 1],
  [0, 0],
  ["10+", 10],
  ["> 5", 5],
  ["12", 12],
  ["next week", null],
] as const)("6: %s", ([said, stock], { expect }) => {
  expect(stockOf(said)).toBe(stock);
});
