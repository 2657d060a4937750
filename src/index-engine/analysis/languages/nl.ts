/**
 * Dutch. Stemmer over folded terms, after Snowball's Porter stemmer
 * (snowballstem.org/algorithms/dutch_porter/stemmer.html).
 *
 *   schoen, schoenen -> schoen      tas, tassen -> tas       laars, laarzen -> laars
 *   foto, fotos -> foto             groot, grote -> groot    stoel, stoelen -> stoel
 *   brief, brieven -> brief         broek, broeken -> broek
 *
 * Differences, after Kraaij and Pohlmann ("Viewing stemming as recall enhancement", SIGIR 1996): a syllable opened by
 * an ending is closed again (bomen -> boom, bommen -> bom; Porter has bom for both). v and z at the end become f and s.
 * A plural's s is also removed after vowels (dames, televisies; foto's and camera's, after folding without apostrophe)
 * and after -en (fietsen -> fiets -> fiet, like fiets). -ens is removed as a whole (kussens).
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const dutch: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    de het een
    en of
    aan bij door in met naar om op over te tot uit van voor
  `),
  without: words("zonder"),
  no: words("geen"),
  free: words("vrij"),
  purpose: words("voor"),
  upTo: words("onder minder dan tot"),
  colours: words(`
    antraciet beige blauw bruin creme geel goud grijs groen oranje paars rood roze turquoise wit zilver
    zwart
  `),
  sizes: words("maat maten klein kleine middel groot grote"),
  stem: withIrregular(
    stemDutch,
    `
    kind: kinderen
    ei: eieren
    blad: bladeren
    schip: schepen
    stad: steden
    koe: koeien
    vlo: vlooien
    ski: skis
  `,
  ),
  compounds: {
    // kat-ten-bak is split as katten + bak and needs no link; stad-s-fiets, boek-en-kast, zonne-n-bril, hond-e-hok,
    // kind-er-stoel, ei-er-wekker, kind-eren-kamer.
    links: ["s", "en", "n", "e", "er", "eren"],
    // aard(e)-appel, school(e)-...: only a final e.
    dropped: ["e"],
    // Tas, pan, bed, jas, kat.
    minPartLength: 3,
  },
};

const VOWELS = new Vowels("aeiouy");

const FIRST = new Endings({ heid: "heden", en: "en ene ens", s: "s se" });
const DERIVED = new Endings({ ing: "end ing", ig: "ig", lijk: "lijk", baar: "baar", bar: "bar" });

function stemDutch(term: string): string {
  if (term.length < 3) return term;
  const marked = markConsonants(term);
  const r1 = Math.max(3, VOWELS.region(marked, 0));
  const r2 = VOWELS.region(marked, Math.min(marked.length, VOWELS.region(marked, 0)));
  let word = withoutFirst(marked, r1);
  const beforeE = word;
  word = withoutE(word, r1);
  const hadE = word !== beforeE;
  if (word.endsWith("heid") && word.length - 4 >= r2 && !word.endsWith("cheid")) {
    word = cut(word, 4);
    if (word.endsWith("en")) word = withoutEn(word, 2, r1);
  }
  word = withoutDerived(word, r1, r2, hadE);
  return single(devoiced(word)).toLowerCase();
}

/** Marks consonants with capitals: y at the start or after a vowel, i between vowels. */
function markConsonants(term: string): string {
  const marked = term.startsWith("y") ? `Y${term.slice(1)}` : term;
  return /[aeiouy][iy]/.test(marked)
    ? marked.replace(/(?<=[aeiouy])y/g, "Y").replace(/(?<=[aeiouy])i(?=[aeiouy])/g, "I")
    : marked;
}

function withoutFirst(word: string, r1: number): string {
  const ending = FIRST.longest(word, 0);
  if (ending === null) return word;
  const { length } = ending.text;
  const at = word.length - length;
  if (at < r1) return ending.text === "ens" ? withoutS(word, 1, r1) : word;
  switch (ending.action) {
    case "heid":
      return cut(word, length, "heid");
    case "en":
      return withoutEn(word, length, r1);
    case "s":
      return withoutS(word, length, r1);
  }
}

function withoutEn(word: string, length: number, r1: number): string {
  const bare = cut(word, length);
  if (bare.length < r1 || VOWELS.at(bare, bare.length - 1) || bare.endsWith("gem")) return word;
  return withoutS(devoiced(close(bare, word)), 1, r1);
}

/**
 * Removes an s after a consonant other than j, or after a single vowel: fotos, dames, televisies. huis, doos and kaas
 * keep theirs.
 */
function withoutS(word: string, length: number, r1: number): string {
  if (!word.endsWith("s") && !word.endsWith("se")) return word;
  const bare = cut(word, length);
  if (bare.length < r1) return word;
  if (!VOWELS.at(bare, bare.length - 1)) return bare.endsWith("j") ? word : bare;
  return length === 1 && /(?:[^aeiou][aeiouy]|i[aeo]|ee)$/.test(bare) ? bare : word;
}

function withoutE(word: string, r1: number): string {
  const at = word.length - 1;
  return word.endsWith("e") && at >= r1 && !VOWELS.at(word, at - 1) ? close(cut(word, 1), word) : word;
}

/** Words whose short vowel becomes long in the plural. */
const SHORT_VOWEL = /(?:glaz|dag|dak|vat|bad|blad|slot|pad|gat)en$/;
const OPENED = /(?:^|[^aeiouy])[aou][bdfgklmnprstvz]$/;
const OPENED_E = /^[^aeiouy]*e[bdfgklmnprstvz]$/;

/** Closes the last syllable after the ending of `before` was removed: jass -> jas, bom -> boom, rod -> rood. */
function close(word: string, before: string): string {
  if (/([bdfgklmnprst])\1$/.test(word)) return cut(word, 1);
  if (SHORT_VOWEL.test(before)) return word;
  // motoren, doctoren -> motor, doctor (not motoor).
  const isOpened = OPENED.test(word) ? !/[aeiouy].*or$/.test(word) : OPENED_E.test(word);
  return isOpened ? word.slice(0, -1) + word.slice(-2) : word;
}

function withoutDerived(word: string, r1: number, r2: number, hadE: boolean): string {
  const ending = DERIVED.longest(word, 0);
  if (ending === null) return word;
  const { length } = ending.text;
  const at = word.length - length;
  if (at < r2) return word;
  const bare = cut(word, length);
  switch (ending.action) {
    case "ing":
      return bare.endsWith("ig") && bare.length - 2 >= r2 && !bare.endsWith("eig") ? cut(bare, 2) : close(bare, word);
    case "ig":
      return bare.endsWith("e") ? word : bare;
    case "lijk":
      return withoutE(bare, r1);
    case "baar":
      return bare;
    case "bar":
      return hadE ? bare : word;
  }
}

/** The last ee of systeem and probleem is written with one e in other forms, so a longer word gets a single e. */
function single(word: string): string {
  return /[aeiouy][^aeiouy]+ee[^aeiouyI]$/.test(word) ? word.slice(0, -2) + word.slice(-1) : word;
}

function devoiced(word: string): string {
  if (word.length < 3) return word;
  if (word.endsWith("v")) return cut(word, 1, "f");
  return word.endsWith("z") ? cut(word, 1, "s") : word;
}
