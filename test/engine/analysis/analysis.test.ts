/**
 * Text -> terms.
 *
 * 1. Markup vanishes: block tags separate words, inline tags do not, entities are decoded, a lone `<` stays text.
 * 2. Folding joins cases, accents and compatibility forms; the German umlaut rule holds for German only; folding twice
 *    is folding once.
 * 3. Tokens are runs of letters and digits; numbers keep their decimals; apostrophes vanish; scripts without spaces
 *    give characters and pairs.
 * 4. Stems leave words with digits alone, and take names of built-in properties for words (what they join:
 *    languages.test.ts).
 * 5. Sort keys order case-blind and accent-blind, break ties by the original, and give the text back.
 * 6. Everything is total: no text makes it fail, and the time is linear.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stripHtml } from "../../../src/index-engine/analysis/html.ts";
import {
  analyzerFor,
  fold,
  sortKey,
  termsWithPlaces,
  textOfSortKey,
} from "../../../src/index-engine/analysis/index.ts";
import { forAll, runs } from "../../support/property.ts";

const RUNS = runs(200);

describe("markup", () => {
  test.each([
    ["plain text", "plain text"],
    ["<p>one</p><p>two</p>", " one  two "],
    ["bi<b>cy</b>cle", "bicycle"],
    ["a<br/>b", "a b"],
    ["size < 40 and 5<6", "size < 40 and 5<6"],
    ["Tom &amp; Jerry &#38; co &#x26; &unknown;", "Tom & Jerry & co & &unknown;"],
    ["x<script>var shoes = '<p>';</script>y", "x y"],
    ["x<STYLE>p{}</Style>y", "x y"],
    ["a<!-- <b>no</b> -->b", "a b"],
    ["open <a href='x'", "open <a href='x'"],
  ])("1: %j -> %j", (html, text) => {
    expect(stripHtml(html)).toBe(text);
  });

  test("6: a megabyte of opening brackets takes linear time", () => {
    const text = "<a".repeat(500_000);
    expect(stripHtml(text)).toBe(text);
    expect(stripHtml("<script>".repeat(100_000))).toBe(" ");
  });
});

describe("folding", () => {
  test.each([
    ["Crème BRÛLÉE", "en", "creme brulee"],
    ["Łódź", "pl", "lodz"],
    ["Müller Straße", "de", "mueller strasse"],
    ["Müller", "en", "muller"],
    ["Mu\u0308ller", "de", "mueller"],
    ["Smørrebrød", "da", "smorrebrod"],
    ["ﬁne Ⅳ ２０", "en", "fine iv 20"],
    ["Insignia™ CoolTech℠ Tee®", "en", "insignia cooltech tee®"],
    ["İstanbul", "tr", "istanbul"],
    ["Wasch\u00admaschine", "de", "waschmaschine"],
    ["ガラス パン ﾊﾟﾝ", "ja", "ガラス パン パン"],
    ["블루투스", "ko", "블루투스"],
    ["กล้อง กลอง", "th", "กล้อง กลอง"],
    ["की के फ़ोन", "hi", "की के फोन"],
    ["قَهْوَة شـاشة ٥٥", "ar", "قهوه شاشه 55"],
    ["שָׁלוֹם", "he", "שלום"],
    ["می\u200cخواهم ۱۲", "fa", "ميخواهم 12"],
    ["ЁЛКА", "ru", "елка"],
    ["ΞΎΛΙΝΗΣ ξύλινης", "el", "ξυλινησ ξυλινησ"],
  ])("2: %j in %s -> %j", (text, language, folded) => {
    expect(fold(text, language)).toBe(folded);
  });

  test("2: folding twice is folding once", () => {
    forAll(RUNS, fc.string({ unit: "grapheme" }), fc.constantFrom("en", "de", "xx"), (text, language) => {
      const once = fold(text, language);
      expect(fold(once, language)).toBe(once);
    });
  });
});

describe("tokens", () => {
  test.each([
    ["<b>Men's</b> running shoes", ["mens", "running", "shoes"]],
    ["2,5 kg or 2.5kg", ["2.5", "kg", "or", "2.5kg"]],
    ["XYZ-123/b", ["xyz", "123", "b"]],
    ["end. 5, and", ["end", "5", "and"]],
    ["L’Oréal", ["loreal"]],
    ["'quoted'", ["quoted"]],
    ["日本語", ["日本", "本語", "日", "本", "語"]],
    ["𠮷野 x", ["𠮷野", "x", "𠮷", "野"]],
    ["ガラス鍋", ["ガラ", "ラス", "鍋", "ガ", "ラ", "ス"]],
    ["iPhone用ケース", ["iphone", "用", "ケー", "ース", "ケ", "ー", "ス"]],
    ["らーめん", ["ラー", "ーメ", "メン", "ラ", "ー", "メ", "ン"]],
    ["お茶", ["オ茶", "オ", "茶"]],
    ["무선 컵", ["무선", "컵", "무", "선"]],
    ["หูฟัง", ["หูฟั", "ฟัง", "หู", "ฟั", "ง"]],
    ["កាហ្វេ។ តែ", ["កាហ្", "ហ្វេ", "តែ", "កា", "ហ្", "វេ"]],
    ["か゚き", ["カ゚キ", "カ゚", "キ"]],
    ["जूते की", ["जूते", "की"]],
    ["-- ** !!", []],
    ["", []],
  ])("3: %j -> %j", (text, terms) => {
    expect(analyzerFor("en").terms(text)).toEqual(terms);
  });

  test.each([
    ["日本語 5.5合", ["日本", "本語", "5.5", "合"]],
    ["鍋", ["鍋"]],
    ["red shoe", ["red", "shoe"]],
    ["プリンター コピー", ["プリ", "リン", "ンタ", "コピ", "ピー"]],
    ["이어ㅍ ㅍ", ["이어", "\u1111"]],
  ])("3: a query for %j asks for %j", (text, terms) => {
    expect(analyzerFor("ja").queryTerms(text)).toEqual(terms);
  });

  test("3: a text has the terms of a query for any part of a run", () => {
    const characters = fc.array(fc.constantFrom("土", "鍋", "の", "ガ", "ラ", "ー", "무", "선", "หู", "ง", "𠮷"), {
      minLength: 1,
      maxLength: 12,
    });
    forAll(RUNS, characters, fc.nat(11), fc.nat(12), (letters, from, length) => {
      const analyzer = analyzerFor("xx");
      const part = letters.slice(from, from + length).join("");
      const terms = new Set(analyzer.terms(letters.join("")));
      expect(analyzer.queryTerms(part).filter((term) => !terms.has(term))).toEqual([]);
    });
  });

  test.each([
    ["ﾌﾟﾘﾝﾀ", ["プリ 0-3", "リン 2-4", "ンタ 3-5", "プ 0-2", "リ 2-3", "ン 3-4", "タ 4-5"]],
    ["무선".normalize("NFD"), ["무선 0-5", "무 0-2", "선 2-5"]],
  ])("3: places of %j, whose letters are several characters", (text, places) => {
    const placed = termsWithPlaces(text, analyzerFor("xx"));
    expect(placed.map(({ term, start, end }) => `${term} ${start}-${end}`)).toEqual(places);
  });

  test("3: a token is cut at 64 characters and never inside a surrogate pair", () => {
    expect(analyzerFor("en").terms("a".repeat(100))).toEqual(["a".repeat(64)]);
    const [term] = analyzerFor("en").terms("a".repeat(63) + "𝕒𐐷".repeat(3) + "𐐷".repeat(20));
    expect(term?.isWellFormed()).toBe(true);
  });

  test("3, 6: terms are what they analyse to, whatever the text", () => {
    forAll(RUNS, fc.string({ unit: "binary" }), fc.constantFrom("en", "de"), (text, language) => {
      const analyzer = analyzerFor(language);
      for (const term of analyzer.terms(text)) {
        expect(term.length).toBeGreaterThan(0);
        expect(analyzer.stem(term).length).toBeGreaterThan(0);
      }
    });
  });
});

describe("stems", () => {
  test("4, 6: words that are names of built-in properties are words", () => {
    for (const word of ["constructor", "tostring", "__proto__", "valueof"])
      for (const language of ["en", "de"]) expect(typeof analyzerFor(language).stem(word)).toBe("string");
    expect(analyzerFor("en").stem("constructors")).toBe("constructor");
    expect(stripHtml("&toString; &valueOf;")).toBe("&toString; &valueOf;");
  });

  test("4: words with digits and languages without data are left alone", () => {
    expect(analyzerFor("en").stem("mp3s")).toBe("mp3s");
    expect(analyzerFor("xx").stem("shoes")).toBe("shoes");
  });
});

describe("sort keys", () => {
  test("5: order is case-blind and accent-blind, the original decides ties", () => {
    const words = ["zebra", "Äpfel", "apfel", "Zebra", "birne", "Apfel"];
    const sorted = words.toSorted((left, right) => (sortKey(left, "de") < sortKey(right, "de") ? -1 : 1));
    expect(sorted).toEqual(["Äpfel", "Apfel", "apfel", "birne", "Zebra", "zebra"]);
  });

  test("5: a key gives its text back, cut to the limit", () => {
    forAll(RUNS, fc.string({ unit: "grapheme", maxLength: 400 }), (text) => {
      const key = sortKey(text, "en", 100);
      const expected = text.trim().replaceAll("\u0000", "");
      expect(expected.startsWith(textOfSortKey(key))).toBe(true);
      expect(textOfSortKey(key).length).toBeGreaterThanOrEqual(Math.min(99, expected.length));
      expect(key).toBe(`${fold(textOfSortKey(key), "en")}\u0000${textOfSortKey(key)}`);
    });
  });
});
