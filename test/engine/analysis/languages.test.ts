/**
 * Languages as data.
 *
 * 1. The forms of a product word have one stem: singular and plural, cases, genders (words/<language>.txt); what only
 *    looks alike stays apart, and no two lines of the list share a stem but those named here.
 * 2. A shopper who types no diacritics gets the same terms; in German also one who types ae for ä.
 * 3. Stemmers are total: a stem is never empty, never longer than its term and an e, and folded as the term is.
 * 4. Stop words, elisions and compounds are folded terms. Stop words stay in the index and only say what they are.
 * 5. Elided words before an apostrophe are words where the language elides, and nowhere else.
 * 6. The inch sign behind a number is the word inch, unless it closes a quotation.
 * 7. A language without data keeps tokens and folding.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyzerFor, fold } from "../../../src/index-engine/analysis/index.ts";
import { LANGUAGES } from "../../../src/index-engine/analysis/languages/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { LANGUAGE_KEYS, pairsOf, productWords, stemIn, wordsIn } from "./product-words.ts";

/** Least share of the pairs of one line that have one stem; 1 if not said. */
const JOINED: Readonly<Record<string, number>> = { cs: 0.99, da: 0.99, de: 0.99 };

/**
 * Stems of more than one line: Rollern is no other word than Rollen once both endings are gone, imprimé is of
 * imprimer.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = { de: ["roll"], fr: ["imprim"] };

/** Pairs of words that look alike. */
const APART: Readonly<Record<string, string>> = {
  cs: "hrnec hrnek, nože noha, kabát kabel, salát sál, plakát plat",
  da: "trådløs tråd, madras mad, bord bor, skjorte sko",
  de: "Tisch Tasche, neue neun, Hose Hase, Bett Beet, Glas Gleis, Zubehör Zubehend",
  en: "earring ear, legging leg, wedding wed, clothing cloth, stocking stock, bedding bed, string str, wireless wire, glass glas, bus bu, organization organ, speed spe",
  es: "cama cámara, batería bata, niño niña, pared par, cuchara cucho, papel papá",
  fr: "caméra camion, chocolat choc, tomate tome, table tableau, sac sachet, tapis tape",
  it: "gelato gel, divano diva, bambino bambina, camera camicia, telefono tela",
  nl: "bomen bommen, manen mannen, roos ros, huis huid, zaag zag, tas taart",
  pl: "łóżko łyżka, but butelka, koszula kosz, lampa lampart",
  pt: "menino menina, câmera cama, cadeira cadeado, televisor televisão, botão bota",
  sv: "mat matta, glas glass, raket rak, paket pak, choklad chock, armband arm",
};

describe("stems of product words", () => {
  test.each(LANGUAGE_KEYS)("1: %s joins the forms of a word", (language) => {
    const stem = stemIn(language);
    const pairs = productWords(language).flatMap((forms) => pairsOf(forms));
    const missed = pairs.filter(([left, right]) => stem(left) !== stem(right));
    expect(pairs.length).toBeGreaterThan(150);
    const joined = 1 - missed.length / pairs.length;
    expect(joined >= (JOINED[language] ?? 1) ? [] : missed).toEqual([]);
  });

  test.each(LANGUAGE_KEYS)("1: %s joins most forms of words it was not made for", (language) => {
    const stem = stemIn(language);
    const pairs = productWords(language, "words/fresh").flatMap((forms) => pairsOf(forms));
    const missed = pairs.filter(([left, right]) => stem(left) !== stem(right));
    expect(pairs.length).toBeGreaterThan(30);
    expect(1 - missed.length / pairs.length >= 0.85 ? [] : missed).toEqual([]);
  });

  test.each(LANGUAGE_KEYS)("1: %s keeps different words of the list apart", (language) => {
    const stem = stemIn(language);
    const lines = new Map<string, Set<string>>();
    for (const forms of productWords(language))
      for (const form of forms) lines.set(stem(form), (lines.get(stem(form)) ?? new Set()).add(forms[0] ?? ""));
    const shared = [...lines].filter(([, firsts]) => firsts.size > 1).map(([key]) => key);
    expect(shared).toEqual(SHARED[language] ?? []);
  });

  for (const [language, pairs] of Object.entries(APART))
    test.each(wordsIn(pairs))(`1: ${language} %s is not %s`, (left, right) => {
      expect(stemIn(language)(left)).not.toBe(stemIn(language)(right));
    });

  test("1: every language has words, and pairs to keep apart", () => {
    expect(Object.keys(APART).toSorted()).toEqual(LANGUAGE_KEYS.toSorted());
    for (const language of LANGUAGE_KEYS) expect(productWords(language).flat().length).toBeGreaterThan(250);
  });
});

describe("diacritics", () => {
  const GERMAN: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

  function typedWithout(word: string, language: string): string {
    const lower = word.normalize("NFC").toLowerCase();
    const german = lower.replace(/[äöüß]/g, (letter) => GERMAN[letter] ?? letter);
    return (language === "de" ? german : lower)
      .replaceAll("ł", "l")
      .replaceAll("ø", "o")
      .replaceAll("æ", "ae")
      .replaceAll("œ", "oe")
      .normalize("NFD")
      .replace(/\p{M}/gu, "");
  }

  test.each(LANGUAGE_KEYS)("2: %s words meet what is typed without them", (language) => {
    const analyzer = analyzerFor(language);
    for (const word of productWords(language).flat()) {
      expect(analyzer.terms(typedWithout(word, language))).toEqual(analyzer.terms(word));
      expect(analyzer.terms(word.normalize("NFD").toUpperCase())).toEqual(analyzer.terms(word));
    }
  });
});

describe("totality", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), minLength: 1, maxLength: 14 });
  const endings = fc.constantFrom(..." s en eux ement icativ ies ados oes heden ingen erne iami".split(" "));
  const terms = fc.tuple(letters, endings).map((parts) => parts.join(""));

  test.each(LANGUAGE_KEYS)("3: %s stems of anything", (language) => {
    const stem = LANGUAGES.get(language)?.stem ?? String;
    forAll(runs(200), fc.oneof(terms, fc.string({ unit: "grapheme", minLength: 1 })), (term) => {
      const found = stem(fold(term, language));
      if (fold(term, language) !== "") expect(found).not.toBe("");
      expect(found.length).toBeLessThanOrEqual(fold(term, language).length + 1);
      expect(found).toBe(found.toLowerCase());
    });
  });
});

describe("data", () => {
  test.each(LANGUAGE_KEYS)("4: %s lists are folded terms", (language) => {
    const analyzer = analyzerFor(language);
    const { stopWords, elisions, sizes, compounds } = analyzer.data;
    expect(sizes.size).toBeGreaterThan(1);
    expect(stopWords.size).toBeGreaterThan(5);
    expect(stopWords.size).toBeLessThan(60);
    for (const word of [
      ...stopWords,
      ...elisions,
      ...sizes,
      ...(compounds?.links ?? []),
      ...(compounds?.dropped ?? []),
    ])
      expect(analyzer.terms(word)).toEqual([word]);
    for (const word of stopWords) expect(analyzer.isStopWord(word)).toBe(true);
  });

  test.each([
    ["en", "shoes for the garden", ["for", "the"]],
    ["de", "Hose mit Gürtel für den Garten", ["mit", "fuer", "den"]],
    ["fr", "huile d'olive à l'ail", ["d", "a", "l"]],
    ["es", "zapatos de niña para el verano", ["de", "para", "el"]],
    ["it", "scarpe da donna con il tacco", ["da", "con", "il"]],
    ["pt", "sapatos de senhora para a praia", ["de", "para", "a"]],
    ["nl", "jas met de capuchon voor dames", ["met", "de", "voor"]],
    ["sv", "jacka med luva för barn", ["med", "for"]],
    ["da", "jakke med hætte til børn", ["med", "til"]],
    ["cs", "bunda s kapucí pro děti", ["s", "pro"]],
    ["pl", "kurtka z kapturem dla dzieci", ["z", "dla"]],
  ])("4: stop words of %s in %j", (language, text, stopWords) => {
    const analyzer = analyzerFor(language);
    expect(analyzer.terms(text).filter((term) => analyzer.isStopWord(term))).toEqual(stopWords);
  });

  const WANTED: Readonly<Record<string, string>> = {
    en: "without not no",
    de: "ohne nicht kein",
    fr: "sans pas mais",
    es: "sin no",
    it: "senza non",
    pt: "sem nao",
    nl: "zonder niet",
    sv: "utan inte har",
    da: "uden ikke har",
    cs: "bez ne",
    pl: "bez nie",
  };
  test.each(LANGUAGE_KEYS)("4: %s words that change what is wanted, or are hair and corn once folded", (language) => {
    for (const word of WANTED[language].split(" ")) expect(analyzerFor(language).isStopWord(word)).toBe(false);
  });

  test.each([
    ["de", "arbeitshose", ["arbeit", "hose"]],
    ["de", "wollsocken", ["wolle", "socken"]],
    ["de", "taschenlampe", ["tasche", "lampe"]],
    ["de", "kinderwagen", ["kind", "wagen"]],
    ["nl", "zonnebril", ["zon", "bril"]],
    ["nl", "stadsfiets", ["stad", "fiets"]],
    ["nl", "boekenkast", ["boek", "kast"]],
    ["sv", "arbetsbyxor", ["arbete", "byxor"]],
    ["da", "arbejdsbukser", ["arbejde", "bukser"]],
    ["da", "blomsterpotte", ["blomst", "potte"]],
  ])("4: %s %s can be made of %j", (language, compound, [first = "", last = ""]) => {
    const compounds = analyzerFor(language).data.compounds;
    expect(Math.min(first.length, last.length)).toBeGreaterThanOrEqual(compounds?.minPartLength ?? 99);
    const heads = [
      first,
      ...(compounds?.dropped ?? []).filter((end) => first.endsWith(end)).map((end) => first.slice(0, -end.length)),
    ];
    const made = heads.flatMap((head) => ["", ...(compounds?.links ?? [])].map((link) => head + link + last));
    // A consonant is written twice where the first part is a plural of its own (zonne-).
    expect(made.map((word) => word.replace("zone", "zonne"))).toContain(compound);
  });
});

describe("tokens of languages", () => {
  test.each([
    ["fr", "huile d'olive", ["huile", "d", "olive"]],
    ["fr", "L’Oréal", ["l", "oreal"]],
    ["fr", "aujourd'hui", ["aujourdhui"]],
    ["fr", "jusqu'à l'eau", ["jusqu", "a", "l", "eau"]],
    ["it", "dell'acqua", ["dell", "acqua"]],
    ["pt", "copo d'água", ["copo", "d", "agua"]],
    ["en", "L'Oréal men's", ["loreal", "mens"]],
    ["nl", "foto's", ["fotos"]],
  ])("5: %s %j -> %j", (language, text, terms) => {
    expect(analyzerFor(language).terms(text)).toEqual(terms);
  });

  test.each([
    ['39.6 cm (15.6")', ["39.6", "cm", "15.6", "inch"]],
    ['27" TV', ["27", "inch", "tv"]],
    [
      "5'' display, 3″ disc, 2” pipe, 7’’ tablet",
      ["5", "inch", "display", "3", "inch", "disc", "2", "inch", "pipe", "7", "inch", "tablet"],
    ],
    ['the "Pro 15" case', ["the", "pro", "15", "case"]],
    ['"15" and 15"', ["15", "and", "15", "inch"]],
    ["„Größe 38“", ["grosse", "38"]],
    ['x2"', ["x2"]],
    ["6'2\"", ["6", "ft", "2", "inch"]],
    ["6' cable, 4.9’ cable, 10′", ["6", "ft", "cable", "4.9", "ft", "cable", "10", "ft"]],
    ["the 80's, x6'", ["the", "80", "s", "x6"]],
    ['" 4"', ["4", "inch"]],
  ])("6: %j -> %j", (text, terms) => {
    expect(analyzerFor("en").terms(text)).toEqual(terms);
  });

  test("7: a language nobody described", () => {
    const analyzer = analyzerFor("hu");
    expect(analyzer.terms("Cipők és a L'Oréal")).toEqual(["cipok", "es", "a", "loreal"]);
    expect(analyzer.stem("cipok")).toBe("cipok");
    expect(analyzer.isStopWord("a")).toBe(false);
    expect(analyzer.data.compounds).toBeNull();
  });
});
