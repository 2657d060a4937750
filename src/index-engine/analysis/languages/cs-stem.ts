/**
 * Light Czech stemmer over folded terms, after Dolamic and Savoy ("Indexing and stemming approaches
 * for the Czech language", Information Processing & Management 45, 2009): endings of case, number
 * and gender, possessives, and the e that comes and goes.
 *
 *   bota, boty, bot -> bot       ponozka, ponozky, ponozek -> ponozk      cerny, cerna, cerne, cernych -> cern
 *   hrnec, hrnce -> hrnc         stul, stoly, stolu -> stol               kabat, kabaty, kabatem -> kabat
 *
 * What differs: the endings of young animals (-ata, -at, -ete) are left out, because a shop's -at
 * is kabát and salát; ů is u after folding, so stůl and nůž are in a table; c and z stay (k and h
 * would join hrnec with hrnek, nože with noha).
 */
import { cut, Endings, Vowels } from "./suffixes.ts";

const VOWELS = new Vowels("aeiouy");

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["stul", "stol"],
  ["nuz", "noz"],
  ["kun", "kon"],
  ["sul", "sol"],
  ["vul", "vol"],
  ["dum", "dom"],
  ["deti", "dit"],
  ["lide", "clov"],
  ["hra", "hra"],
  ["hry", "hra"],
  ["hru", "hra"],
  ["her", "hra"],
  ["psi", "pes"],
  ["psy", "pes"],
  ["psu", "pes"],
  ["trub", "troub"],
  ["vajec", "vejc"],
]);

const CASE = new Endings({
  delete:
    "ech ich eho emi emu iho imu ach ych ama ami ove ovi ymi imi " +
    "em um am ym im ou mi " +
    "a e i o u y",
});
const POSSESSIVE = new Endings({ delete: "ov in uv" });

const LETTERS_BEFORE_ENDING = 3;
const LETTERS_BEFORE_POSSESSIVE = 4;

export function stemCzech(term: string): string {
  const irregular = IRREGULAR.get(term);
  if (irregular !== undefined) return irregular;
  if (term.length < 4) return term;
  const ending = CASE.longest(term, LETTERS_BEFORE_ENDING);
  // Parfém, parfémy: an -em that was no ending goes with the ones that were.
  const first = ending === null ? term : cut(term, ending.text.length);
  const bare =
    ending?.text !== "em" && first.length > 5 && first.endsWith("em") ? cut(first, 2) : first;
  const word = VOWELS.before(bare, bare.length) || /[lr]/.test(bare) ? bare : term;
  return withoutMobileE(POSSESSIVE.without(word, LETTERS_BEFORE_POSSESSIVE) ?? word);
}

/** ponozek -> ponozk, hrnec -> hrnc, kabel -> kabl: the e that other cases have not. */
function withoutMobileE(word: string): string {
  return word.length >= 4 && /[^aeiouy]e[bcklnrv]$/.test(word)
    ? word.slice(0, -2) + word.slice(-1)
    : word;
}
