/** Texts of a feed -> the language that they are written in, by the small words that every text has. */
import { htmlToText } from "./html.ts";
import type { FeedRecord, FeedValue } from "./model.ts";

/** Languages with data (docs/languages.md), by words that few of the others have; names of columns are among them. */
const WORDS: Readonly<Record<string, string>> = {
  en: "the and with for of in your from this that are is size color colour title",
  de: "und der die das mit für von in aus nicht ein eine den dem auf zum zur ist preis groesse größe farbe marke bezeichnung",
  cs: "a s pro na ze je které jsou nebo velikost barva cena název",
  da: "og med til af er det som ikke den eller størrelse farve pris",
  es: "el la los las con para por y del una que es talla precio",
  fr: "le la les des du avec pour et une est dans sur taille prix",
  it: "il lo la gli con per di in del della e una che è taglia prezzo",
  nl: "de het een en met voor van in je niet maat prijs",
  pl: "z do na dla i w oraz jest nie się rozmiar cena",
  pt: "o a os as com para por e do da uma que é não tamanho preço",
  sv: "och med för av är det som inte den eller storlek färg pris",
};

/** Characters that only one of the languages has, or one of two. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  de: /[üß]/,
  cs: /[řěůčšž]/,
  da: /[øæ]/,
  es: /[ñ¿]/,
  fr: /[œçêèà]/,
  pl: /[łżśćęąńź]/,
  pt: /[ãõç]/,
  sv: /[å]/,
};

const LANGUAGES_OF_WORDS = new Map<string, string[]>();
for (const [language, words] of Object.entries(WORDS)) {
  for (const word of words.split(" ")) {
    const known = LANGUAGES_OF_WORDS.get(word) ?? [];
    LANGUAGES_OF_WORDS.set(word, [...known, language]);
  }
}

const MAX_WORDS = 20_000;
/** Fewer are ignored: a few names of products have words of any language. */
const LEAST_SCORE = 3;
/** A shorter word without a neighbour is a size (`S`) or a code (`de_DE`), not a word of a text. */
const LEAST_ALONE = 4;
/** How much the best must be ahead of the second. */
const MARGIN = 1.5;

/** @returns a language that Aisle has data for; null: the texts do not tell */
export function languageOf(texts: Iterable<string>): string | null {
  const scores = new Map<string, number>();
  const add = (language: string, score: number): void => void scores.set(language, (scores.get(language) ?? 0) + score);
  let words = 0;
  for (const text of texts) {
    for (const phrase of text.toLowerCase().match(/\p{L}+(?:\s+\p{L}+)*/gu) ?? []) {
      const said = phrase.split(/\s+/);
      const isAlone = said.length === 1;
      for (const word of said) {
        if (words++ > MAX_WORDS) break;
        const languages = isAlone && word.length < LEAST_ALONE ? [] : (LANGUAGES_OF_WORDS.get(word) ?? []);
        for (const language of languages) add(language, 1 / languages.length);
        for (const [language, letters] of Object.entries(LETTERS)) {
          if (letters.test(word)) add(language, 0.5);
        }
      }
    }
  }
  const [best, second] = [...scores].toSorted(([, one], [, other]) => other - one);
  if (best === undefined || best[1] < LEAST_SCORE) return null;
  return best[1] >= (second?.[1] ?? 0) * MARGIN ? best[0] : null;
}

/** The same of records: what columns are called, and their texts. */
export function languageOfRecords(records: readonly FeedRecord[]): string | null {
  return languageOf(textsOf(records));
}

function* textsOf(records: readonly FeedRecord[]): Generator<string> {
  // A name counts once, not once per record.
  const columns = new Set(records.flatMap(({ values }) => [...values.keys()]));
  yield* columns;
  for (const { values, children } of records) {
    for (const all of [values, ...children]) for (const value of all.values()) yield* wordsOf(value);
  }
}

function* wordsOf(value: FeedValue): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* wordsOf(one);
  // Addresses and codes have no words.
  else if (typeof value === "string" && !/^\S*[/\d]\S*$/.test(value)) yield htmlToText(value);
}
