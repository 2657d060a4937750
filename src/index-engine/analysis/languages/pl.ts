/**
 * Polish. Light stemmer over folded terms: removes the endings of nouns and adjectives in Snowball's Polish algorithm
 * (snowballstem.org/algorithms/polish/stemmer.html) and the mobile e; no verb endings.
 *
 *   but, buty, butow, butami -> but       sukienka, sukienki, sukienek -> sukienk
 *   spodnie, spodni -> spodn              krzeslo, krzesla, krzesel -> krzesl
 *   torba, torby, toreb -> torb           czarny, czarna, czarnych -> czarn
 *
 * Endings of several letters are removed twice. A noun that only looks as if it had such an ending then has the same
 * stem in all cases: zapach -> zap, zapachy -> zapach -> zap.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { Endings, Vowels } from "./suffixes.ts";

export const polish: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    i oraz lub albo a
    dla do na o od po przy w we z ze za
  `),
  without: words("bez"),
  no: words("brak"),
  purpose: words("dla do na"),
  upTo: words("ponizej do"),
  headFirst: true,
  colours: words(`
    bezowy bialy biala brazowy czarny czarna czerwony czerwona fioletowy niebieski niebieska
    pomaranczowy rozowy rozowa srebrny szary szara turkusowy zielony zielona zloty zolty zolta
  `),
  sizes: words("rozmiar rozmiary rozmiarze maly mala male sredni srednia srednie duzy duza duze"),
  stem: withIrregular(
    stemPolish,
    `
    dzieck: dzieci dziecko dziecka
    rek: rece reka
    gra: gra gry gier
    pies: psy psow
    waz: waz weze wezy
  `,
  ),
};

const VOWELS = new Vowels("aeiouy");

const LONG =
  "iami ami iach ach iom om iow ow owi iowi iem em ie ia iu io ii iego ego iemu emu iej ej ich ych imi ymi im ym";
const ALL = new Endings({ delete: `${LONG} a e i o u y` });
const SECOND = new Endings({ delete: LONG });

const LETTERS_BEFORE_ENDING = 3;

function stemPolish(term: string): string {
  if (term.length < 4) return term;
  return withoutMobileE(without(without(term, ALL), SECOND));
}

function without(word: string, endings: Endings<"delete">): string {
  const bare = endings.without(word, LETTERS_BEFORE_ENDING);
  return bare !== null && VOWELS.before(bare, bare.length) ? bare : word;
}

/** sukienek -> sukienk, krzesel -> krzesl, toreb -> torb: drops the e that other cases do not have. */
function withoutMobileE(word: string): string {
  return word.length >= 5 && /[^aeiouy]i?e[bcklnr]$/.test(word) ? word.replace(/i?e(.)$/, "$1") : word;
}
