/**
 * Cells become values.
 *  1. A price, however it is written, is the number that was meant; a column of them tells its decimal separator.
 *  2. What is no number is none.
 *  3. Category paths, pairs and lists come back from their separators.
 *  4. Markup becomes the text a shopper would read.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import { htmlToText, looksLikeHtml } from "../../src/feeds/html.ts";
import {
  decimalOfColumn,
  fieldName,
  readList,
  readNumber,
  readPairs,
  readPaths,
} from "../../src/feeds/values.ts";
import { runs, seed } from "../support/property.ts";

function written(cents: number, decimal: "." | ",", group: string, decimals: number): string {
  const whole = String(Math.floor(cents / 100)).replaceAll(/\B(?=(\d{3})+$)/g, group);
  return decimals === 0 ? whole : `${whole}${decimal}${String(cents % 100).padStart(2, "0")}`;
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
    fc.assert(
      fc.property(
        fc.nat({ max: 1e10 }),
        style,
        around,
        fc.constantFrom("", "-"),
        (cents, [decimal, group], [before, after], sign) => {
          const text = `${before}${sign}${written(cents, decimal, group, 2)}${after}`;
          const value = (sign === "-" ? -1 : 1) * (cents / 100);
          expect(readNumber(text, null, true)).toBe(value);
          expect(readNumber(text, decimal, true)).toBe(value);
        },
      ),
      { numRuns: runs(1_000), seed },
    );
  });

  test("1: a column tells the separator of its doubtful values", ({ expect }) => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 1e9 }), { minLength: 1, maxLength: 9 }),
        style,
        fc.nat(),
        (all, [decimal, group], clear) => {
          const texts = all.map((cents, at) =>
            written(cents, decimal, group, at === clear % all.length ? 2 : 0),
          );
          expect(decimalOfColumn(texts)).toBe(decimal);
          const values = all.map((cents, at) =>
            at === clear % all.length ? cents / 100 : Math.floor(cents / 100),
          );
          expect(texts.map((one) => readNumber(one, decimal, true))).toEqual(values);
        },
      ),
      { numRuns: runs(500), seed },
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
    expect(readNumber(text, null, true)).toBe(value);
  });

  test.for([
    ["1.299", 1.299],
    ["1,299", 1299],
    ["1.25", 1.25],
    ["007", 7],
  ] as const)("1: %s that is no price", ([text, value], { expect }) => {
    expect(readNumber(text, null, false)).toBe(value);
  });

  test.for([
    "",
    "free",
    "2 for 5",
    "1-2",
    "12.99.01,5",
    "EUR",
    "€",
    "10 x 20",
    "1e3",
    "Infinity",
    "price 12",
  ])("2: %s", (text, { expect }) => {
    expect(readNumber(text, null, true)).toBeNull();
  });

  test("2: units are no currency of a number", ({ expect }) => {
    expect(readNumber("5 kg", null, false)).toBeNull();
  });
});

describe("lists, paths and pairs (3)", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "b", "ü", " ", "&", "1"), minLength: 1 })
    .map((one) => one.trim())
    .filter((one) => one !== "");
  const separators = fc.constantFrom([",", ">"], [";", "/"], ["|", "›"], ["\n", "|"]);

  test("3: paths", ({ expect }) => {
    fc.assert(
      fc.property(
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
      ),
      { numRuns: runs(300), seed },
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
    expect(["Jacke <Damen>", "a < b", "R&D;", "M & M"].map(looksLikeHtml)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(["<b>x</b>", "a &amp; b", "<br/>"].map(looksLikeHtml)).toEqual([true, true, true]);
  });
});
