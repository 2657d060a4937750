/**
 * Light Polish stemmer over folded terms: removes the endings of nouns and adjectives in Snowball's
 * Polish algorithm (snowballstem.org/algorithms/polish/stemmer.html) and the mobile e; no verb
 * endings.
 *
 *   but, buty, butow, butami -> but       sukienka, sukienki, sukienek -> sukienk
 *   spodnie, spodni -> spodn              krzeslo, krzesla, krzesel -> krzesl
 *   torba, torby, toreb -> torb           czarny, czarna, czarnych -> czarn
 *
 * Endings of several letters are removed twice. A noun that only looks as if it had such an ending
 * then has the same stem in all cases: zapach -> zap, zapachy -> zapach -> zap.
 */
import { Endings, Vowels } from "./suffixes.ts";

const VOWELS = new Vowels("aeiouy");

const LONG =
  "iami ami iach ach iom om iow ow owi iowi iem em ie ia iu io ii iego ego iemu emu iej ej ich ych imi ymi im ym";
const ALL = new Endings({ delete: `${LONG} a e i o u y` });
const SECOND = new Endings({ delete: LONG });

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["dzieci", "dzieck"],
  ["dziecko", "dzieck"],
  ["dziecka", "dzieck"],
  ["rece", "rek"],
  ["reka", "rek"],
  ["gra", "gra"],
  ["gry", "gra"],
  ["gier", "gra"],
  ["psy", "pies"],
  ["psow", "pies"],
  ["waz", "waz"],
  ["weze", "waz"],
  ["wezy", "waz"],
]);

const LETTERS_BEFORE_ENDING = 3;

export function stemPolish(term: string): string {
  const irregular = IRREGULAR.get(term);
  if (irregular !== undefined) return irregular;
  if (term.length < 4) return term;
  return withoutMobileE(without(without(term, ALL), SECOND));
}

function without(word: string, endings: Endings<"delete">): string {
  const bare = endings.without(word, LETTERS_BEFORE_ENDING);
  return bare !== null && VOWELS.before(bare, bare.length) ? bare : word;
}

/**
 * sukienek -> sukienk, krzesel -> krzesl, toreb -> torb: drops the e that other cases do not have.
 */
function withoutMobileE(word: string): string {
  return word.length >= 5 && /[^aeiouy]i?e[bcklnr]$/.test(word) ? word.replace(/i?e(.)$/, "$1") : word;
}
