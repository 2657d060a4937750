/**
 * Regular expressions of Java (src/interface/pattern.ts).
 *
 *  1. A pattern matches what it matches in Java.
 *  2. What nothing here means, and what Java refuses, is refused with the place and the reason.
 *  3. Classes are sets: whatever is nested, negated, united and intersected, under (?i) and not.
 *  4. (?i:..) in one part of a pattern leaves the others alone.
 *  5. Any text between \Q and \E matches itself alone.
 *  6. Replacement texts are those of Matcher.replaceAll.
 *  7. Where it matters how far a match goes, a pattern is refused that goes farther than in Java; elsewhere it is
 *     taken.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compilePattern, compileReplacement } from "../../src/interface/pattern.ts";
import { freely, isWhole } from "./pattern-twin.ts";
import { forAll, runs } from "../support/property.ts";
import { MATCHES, REFUSED } from "./pattern-table.ts";

test.each(MATCHES)("1. %s matches %j, not %j", (pattern, matched, others) => {
  const whole = compilePattern(pattern);
  expect(matched.filter((text) => !isWhole(whole, text))).toEqual([]);
  expect(others.filter((text) => isWhole(whole, text))).toEqual([]);
});

test("1. found anywhere, and in lines", () => {
  const found = (pattern: string, text: string): number[] =>
    [...compilePattern(pattern).matches(text, freely)].map((match) => match.start);
  expect(found("(?m)^", "a\r\nb\rc\u0085d\n")).toEqual([0, 3, 5, 7]);
  expect(found("(?m)$", "a\r\nb\rc\u0085d\n")).toEqual([1, 4, 6, 8, 9]);
  expect(found("(?dm)^", "a\r\nb\rc\n")).toEqual([0, 3]);
  expect(found("$", "a\r\n")).toEqual([1, 3]);
  expect(found("\\Z", "a\n\n")).toEqual([2, 3]);
  expect(found("\\z", "a\n")).toEqual([2]);
  expect(found("(?m)^", "")).toEqual([]);
  expect(found("\\b", "öl, é e\u0301")).toEqual([0, 2, 4, 5, 6, 8]);
});

test.each(REFUSED)("2. %s: at character %i, %s", (pattern, character, word) => {
  const begin = `Invalid regular expression ${JSON.stringify(pattern)}, at character ${character}: `;
  expect(() => compilePattern(pattern)).toThrow(SyntaxError);
  expect(() => compilePattern(pattern)).toThrow(begin);
  expect(() => compilePattern(pattern)).toThrow(word);
});

test("2. what is nested without end", () => {
  const deep = (opening: string, closing: string): string => opening.repeat(100_000) + "a" + closing.repeat(100_000);
  expect(() => compilePattern(deep("(", ")"))).toThrow("nested more than 200 deep");
  expect(() => compilePattern(deep("[", "]"))).toThrow("nested more than 200 deep");
});

/** The twin: characters are numbers below this, a class is a function of one. */
const CHARACTERS = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

type Set = (character: string) => boolean;

/** A class as it is written, the set it is, and the set it is under (?i). */
interface Class {
  readonly written: string;
  readonly has: Set;
  readonly hasIgnoringCase: Set;
}

/** What is written without an operator: case is ignored here, the operators work on what comes out. */
function leaf(written: string, has: Set): Class {
  const hasIgnoringCase: Set = (character) =>
    has(character) || has(character.toLowerCase()) || has(character.toUpperCase());
  return { written, has, hasIgnoringCase };
}

function negated({ written, has, hasIgnoringCase }: Class, as: string): Class {
  return {
    written: as.replace("?", () => written),
    has: (character) => !has(character),
    hasIgnoringCase: (character) => !hasIgnoringCase(character),
  };
}

function joined(
  members: readonly Class[],
  written: string,
  how: (members: readonly Class[], holds: (member: Class) => boolean) => boolean,
): Class {
  return {
    written,
    has: (character) => how(members, (member) => member.has(character)),
    hasIgnoringCase: (character) => how(members, (member) => member.hasIgnoringCase(character)),
  };
}

/** A character as it is, with \ in front, by its number, or quoted. */
const written = fc
  .tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom("plain", "escaped", "number", "quoted"))
  .map(([character, style]): readonly [string, string] => {
    if (style === "quoted") return [character, `\\Q${character}\\E`];
    if (style === "number") {
      return [character, `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`];
    }
    const mustBe = "[]^-&\\".includes(character);
    const mayBe = style === "escaped" && !/[A-Za-z0-9]/u.test(character);
    return [character, mustBe || mayBe ? `\\${character}` : character];
  });

const item = fc.oneof(
  written.map(([character, text]) => leaf(text, (other) => other === character)),
  fc
    .tuple(written, written)
    .filter(([[from], [to]]) => from <= to)
    .map(([[from, first], [to, last]]) =>
      leaf(`${first}-${last}`, (character) => character >= from && character <= to),
    ),
  fc
    .constantFrom<readonly [string, string]>(
      ["d", "0123456789"],
      ["s", " \t\n\x0b\f\r"],
      ["w", "0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"],
      ["h", " \t"],
      ["v", "\n\x0b\f\r"],
      ["p{Punct}", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"],
      ["p{Lower}", "abcdefghijklmnopqrstuvwxyz"],
      ["p{IsUppercase}", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    )
    .chain(([name, members]) => {
      const set = leaf(`\\${name}`, (character) => members.includes(character));
      const opposite = `\\${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return fc.constantFrom(set, negated(set, opposite));
    }),
);

/** A class with classes in it, `depth` deep at most. */
function classes(depth: number): fc.Arbitrary<Class> {
  const nested = depth === 0 ? fc.constant([]) : fc.array(classes(depth - 1), { maxLength: 2 });
  // Items first: a class in front of items means something else to Java behind &&.
  const operand = fc
    .tuple(fc.array(item, { maxLength: 3 }), nested)
    .filter(([items, inner]) => items.length + inner.length > 0)
    .map(([items, inner]) => {
      const members = [...items, ...inner];
      const text = members.map((member) => member.written).join("");
      return joined(members, text, (all, holds) => all.some(holds));
    });
  return fc.tuple(fc.array(operand, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([operands, isNegated]) => {
    const inside = operands.map((member) => member.written).join("&&");
    const both = joined(operands, inside, (all, holds) => all.every(holds));
    return isNegated ? negated(both, "[^?]") : { ...both, written: `[${inside}]` };
  });
}

const someClass = classes(2);

test("3. classes: are the sets that their operators make", () => {
  forAll(runs(500), someClass, ({ written: text, has, hasIgnoringCase }) => {
    const plain = compilePattern(text);
    expect(CHARACTERS.filter((one) => isWhole(plain, one))).toEqual(CHARACTERS.filter(has));
    const folded = compilePattern(`(?i)${text}`);
    expect(CHARACTERS.filter((one) => isWhole(folded, one))).toEqual(CHARACTERS.filter(hasIgnoringCase));
  });
});

test("4. case is ignored where the pattern says so, and nowhere else", () => {
  forAll(runs(100), someClass, someClass, (one, other) => {
    const pattern = compilePattern(`x(?i:y${one.written})${other.written}(?i)Z`);
    const inOther = CHARACTERS.find(other.has);
    const inOne = CHARACTERS.find(one.hasIgnoringCase);
    if (inOne === undefined || inOther === undefined) return;
    expect(CHARACTERS.filter((it) => isWhole(pattern, `xY${it}${inOther}z`))).toEqual(
      CHARACTERS.filter(one.hasIgnoringCase),
    );
    expect(CHARACTERS.filter((it) => isWhole(pattern, `xy${inOne}${it}Z`))).toEqual(CHARACTERS.filter(other.has));
    expect(isWhole(pattern, `Xy${inOne}${inOther}z`)).toBe(false);
  });
});

test("5. quoted texts", () => {
  const characters = fc.constantFrom(...("\\QEab.*+?()[]{}^$|&-#/ä😀\n".match(/./gsu) ?? []));
  const text = fc.string({ unit: characters }).filter((it) => !it.includes("\\E"));
  forAll(runs(300), text, text, (quoted, other) => {
    // A \ before the \E that ends the quotation is one that is quoted, as in Java.
    const pattern = compilePattern(`\\Q${quoted}\\E`);
    expect(isWhole(pattern, quoted)).toBe(true);
    expect(isWhole(pattern, other)).toBe(quoted === other);
  });
});

describe("6. replacement texts", () => {
  test.each([
    ["red", "$0", "a red b red", "a red b red"],
    ["red", "<$0>", "a red", "a <red>"],
    ["(\\d+) ?(?<u>cm|mm)", "${u}: $1\\$", "5cm 7 mm", "cm: 5$ mm: 7$"],
    ["(a)(b)?", "[$1$2]", "a ab", "[a] [ab]"],
    ["(a)", "$12 $01 $10", "a", "a2 a a0"],
    ["(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)", "$12$1", "abcdefghijkl", "la"],
    ["a", "\\\\ \\a \\$0", "a", "\\ a $0"],
    ["a", "$& $` $' $<n>".replaceAll("$", "\\$"), "a", "$& $` $' $<n>"],
    ["\\s+", "", " a b ", "ab"],
    ["x*", "-", "axb", "-a--b-"],
    ["(?i)GRÜN|rot", "$0!", "grün Rot", "grün! Rot!"],
    ["(?:(\\d)x)+", "$1", "1x2x", "2"],
    ["[\\p{Punct}&&[^-]]", " ", "a,b-c{d}", "a b-c d "],
  ])("%s, %s", (pattern, replacement, text, replaced) => {
    expect(compileReplacement(pattern, replacement)(text, freely)).toBe(replaced);
  });

  test.each([
    ["a", "x$", 2, "no group"],
    ["a", "$x", 1, "no group"],
    ["a", "${n}", 1, 'no group "n"'],
    ["(?<n>a)", "${n", 1, "no group"],
    ["(?<n>a)", "${1}", 1, "no group"],
    ["(a)", "ab$2", 3, "no group 2"],
    ["a", "b\\", 2, "nothing"],
    // Java keeps the a, JavaScript has none.
    ["(?:(a)|b)+", "$1", 1, "repeated"],
    ["(a*)*", "$1", 1, "repeated"],
  ])("%s, %s is refused", (pattern, replacement, character, word) => {
    const begin = `Invalid replacement ${JSON.stringify(replacement)}, at character ${character}: `;
    expect(() => compileReplacement(pattern, replacement)).toThrow(begin);
    expect(() => compileReplacement(pattern, replacement)).toThrow(word);
  });
});

test.each(["(|a)*", "(?:a*|b)+", "(?:a??)?"])("7. %s", (pattern) => {
  expect(() => compileReplacement(pattern, "")).toThrow("may match nothing first");
  expect(() => compilePattern(pattern, { global: true })).toThrow("at character");
  expect(isWhole(compilePattern(pattern), "a")).toBe(true);
});
