/**
 * Czech. Light stemmer over folded terms, after Dolamic and Savoy ("Indexing and stemming approaches for the Czech
 * language", Information Processing & Management 45, 2009). Removes endings of case, number and gender, possessives,
 * and the mobile e.
 *
 *   bota, boty, bot -> bot          ponozka, ponozky, ponozek -> ponozk
 *   hrnec, hrnce -> hrnc            cerny, cerna, cerne, cernych -> cern
 *   stul, stoly, stolu -> stol      kabat, kabaty, kabatem -> kabat
 *
 * Differences: the endings of young animals (-ata, -at, -ete) stay, because in shops -at is kabát and salát. ů becomes
 * u by folding, so stůl and nůž are in a table. c and z stay, because k and h would join hrnec with hrnek and nože with
 * noha.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const czech: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    a i nebo
    do k ke na o od po pro pri s se u v ve z ze za
  `),
  without: words("bez"),
  no: words("zadny zadne"),
  purpose: words("pro na k ke"),
  upTo: words("pod do"),
  headFirst: true,
  colours: words(`
    bezova bila bily cerna cerny cervena cerveny fialova fialovy hneda hnedy modra modry oranzova ruzova
    ruzovy seda sedy stribrna stribrny tyrkysova zelena zeleny zlata zlaty zluta zluty
  `),
  sizes: words("velikost velikosti maly mala male stredni velky velka velke"),
  stem: withIrregular(
    stemCzech,
    `
    stol: stul
    noz: nuz
    kon: kun
    sol: sul
    vol: vul
    dom: dum
    dit: deti
    clov: lide
    hra: hra hry hru her
    pes: psi psy psu
    troub: trub
    vejc: vajec
  `,
  ),
};

const VOWELS = new Vowels("aeiouy");

const CASE = new Endings({
  delete: "ech ich eho emi emu iho imu ach ych ama ami ove ovi ymi imi " + "em um am ym im ou mi " + "a e i o u y",
});
const POSSESSIVE = new Endings({ delete: "ov in uv" });

const LETTERS_BEFORE_ENDING = 3;
const LETTERS_BEFORE_POSSESSIVE = 4;

function stemCzech(term: string): string {
  if (term.length < 4) return term;
  const ending = CASE.longest(term, LETTERS_BEFORE_ENDING);
  // Parfém, parfémy: if -em was part of the word and not an ending, remove it too, so both forms have the same stem.
  const first = ending === null ? term : cut(term, ending.text.length);
  const bare = ending?.text !== "em" && first.length > 5 && first.endsWith("em") ? cut(first, 2) : first;
  const word = VOWELS.before(bare, bare.length) || /[lr]/.test(bare) ? bare : term;
  return withoutMobileE(POSSESSIVE.without(word, LETTERS_BEFORE_POSSESSIVE) ?? word);
}

/** ponozek -> ponozk, hrnec -> hrnc, kabel -> kabl: drops the e that other cases do not have. */
function withoutMobileE(word: string): string {
  return word.length >= 4 && /[^aeiouy]e[bcklnrv]$/.test(word) ? word.slice(0, -2) + word.slice(-1) : word;
}
