/**
 * Danish. Stemmer over folded terms (æ is ae, ø is o, å is a), after Snowball's
 * (snowballstem.org/algorithms/danish/stemmer.html).
 *
 *   kjole, kjoler, kjolen -> kjol     jakke, jakker -> jak      bog, boger -> bog
 *   stovle, stovler -> stovl          sko, skoene -> sko        sort, sorte -> sort
 *   cykel, cykler -> cykl
 *
 * Differences: removes -t of neuter adjectives (stort, trådløst) and the mobile e before l (cykel, cykler). Handles
 * nouns of consonants and one vowel (sko, skoene; hue, huer). s after a and o stays (madras, trådløs). A table has
 * short words.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const danish: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    en et den det de
    og eller
    af fra i med om pa til
  `),
  without: words("uden"),
  no: words("ingen intet"),
  free: words("fri"),
  purpose: words("til"),
  upTo: words("under mindre end"),
  colours: words(`
    beige bla brun gra gron gul guld hvid lilla lyserod orange rod rosa solv sort turkis
  `),
  sizes: words("storrelse storrelser str lille sma mellem stor stort store"),
  stem: withIrregular(
    stemDanish,
    `
    hand: hander
    fod: fodder
    tand: taender
    tang: taenger
    gul: gult
    ur: ure uret
    ol: ollet
    mand: maend
    barn: born bornene
    bla: bla blat
  `,
  ),
  compounds: {
    // arbejd-s-bukser, hund-e-seng, blomst-er-potte.
    links: ["s", "e", "er"],
    dropped: ["e"],
    // Sko, ski, tag.
    minPartLength: 3,
  },
};

const VOWELS = new Vowels("aeiouy");

const MAIN = new Endings({
  delete:
    "hed ethed ered e erede ende erende ene erne ere en heden eren er heder erer heds es endes erendes enes ernes eres ens hedens " +
    "erens ers ets erets et eret ener enerne enen",
  s: "s",
});
const S_ENDING = /[bcdfghjklmnprtvyz]$/;
const PAIR = /(?:gd|dt|gt|kt)$/;
/** hu-e, hu-en, hu-er; sko-en, sko-ene; ske-er. */
const SHORT_NOUN = /^([^aeiouy]+[eiouy])(?:e|en|er|ene|erne)$/;
const OTHER = new Endings({ delete: "ig lig elig els", cut: "lost" });

function stemDanish(term: string): string {
  if (term.length < 3) return term;
  const r1 = Math.max(3, VOWELS.region(term, 0));
  const short = SHORT_NOUN.exec(term)?.[1];
  if (short !== undefined) return short;
  let word = withoutPair(withoutMain(term, r1), r1);
  if (word.endsWith("igst")) word = cut(word, 2);
  const other = OTHER.longest(word, r1);
  if (other !== null) word = other.action === "cut" ? cut(word, 1) : withoutPair(cut(word, other.text.length), r1);
  if (word.length > r1 && /([bdfgklmnprst])\1$/.test(word)) word = cut(word, 1);
  return normal(word);
}

/** Maps the spellings of a stem's end to one: gaffel and gafl, stort and stor. */
function normal(word: string): string {
  if (word.length >= 4 && word.endsWith("dt")) return cut(word, 1);
  if (word.length < 5) return word;
  if (/[^aeiouyl]el$/.test(word)) return word.replace(/(.)\1?el$/, "$1l");
  return /[klmnrs]t$/.test(word) ? cut(word, 1) : word;
}

function withoutMain(word: string, r1: number): string {
  const ending = MAIN.longest(word, r1);
  if (ending === null) return word;
  const bare = cut(word, ending.text.length);
  if (ending.action === "s") return S_ENDING.test(bare) ? bare : word;
  // As in vandtæt and fortrædiget, where æ is ae.
  if (ending.text === "et" && /[ts]a$/.test(bare)) return word;
  return bare.length > r1 && bare.endsWith("s") && S_ENDING.test(cut(bare, 1)) ? cut(bare, 1) : bare;
}

function withoutPair(word: string, r1: number): string {
  return word.length - 2 >= r1 && PAIR.test(word) ? cut(word, 1) : word;
}
