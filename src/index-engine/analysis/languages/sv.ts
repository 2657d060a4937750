/**
 * Swedish. Stemmer over folded terms (å and ä are a, ö is o), after Snowball's
 * (snowballstem.org/algorithms/swedish/stemmer.html).
 *
 *   stol, stolar, stolen -> stol      vaska, vaskor, vaskan -> vask      byxa, byxor -> byx
 *   jacka, jackor, jackan -> jack     sko, skor, skorna -> sko           cykel, cyklar -> cykl
 *   rod, roda, rott -> rod
 *
 * Differences: removes -an of definite nouns (väskan), -t of neuter adjectives (stort, trådlöst) and the mobile e
 * before l (cykel, cyklar). m and n doubled before an ending become single (kam, kammar). -anden and -andet stay
 * (armbandet). -ad and -at become one (broderad, broderat) and stay (choklad, apparat). A table has short words.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const swedish: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    en ett den det de
    och eller
    av fran for i med om pa till
  `),
  without: words("utan"),
  no: words("ingen inget inga"),
  free: words("fri fritt"),
  purpose: words("for till"),
  upTo: words("under mindre an"),
  colours: words(`
    beige bla brun gra gron gul guld lila orange rod rosa silver svart turkos vit
  `),
  sizes: words("storlek storlekar stl liten litet sma mellan stor stort stora"),
  stem: withIrregular(
    stemSwedish,
    `
    sko: skor skon skorna
    bok: bocker bockerna
    planbok: planbocker
    not: notter
    fro: fron froet
    bla: bla blaa blatt
    gra: gra gratt
    rod: rott roda
    vit: vita vitt
    gul: gult
    tand: tander
    hand: hander
    fot: fotter
  `,
  ),
  compounds: {
    // arbet-s-byxor; gat(a)-u-kök, sag(a)-o-bok. A link may follow what was dropped: gata -> gat + u.
    links: ["s", "u", "o", "e"],
    dropped: ["a", "e"],
    // Sko, ski, tak.
    minPartLength: 3,
  },
};

const VOWELS = new Vowels("aeiouy");

const MAIN = new Endings({
  delete:
    "a arna erna heterna orna e ande arne are aste en aren heten ern ar er heter or as arnas ernas ornas es ens arens hetens erns het " +
    "ast an ans anet eret orn orer orerna",
  el: "eln elns",
  s: "s",
  et: "et ets",
});

/** Word ends after which -et is part of the word: raket, paket, alfabet, kvalitet. */
const KEEPS_ET = /(?:h|iet|uit|fab|cit|dit|alit|ilit|mit|nit|pit|rit|sit|tit|ivit|kvit|xit|kom|rak|pak|stak|tabl)$/;

const OTHER = new Endings({ delete: "lig ig els", cut: "fullt" });

function stemSwedish(term: string): string {
  if (term.length < 3) return term;
  const r1 = Math.max(3, VOWELS.region(term, 0));
  let word = withoutMain(term, r1);
  if (/(?:dd|gd|nn|dt|gt|kt|tt)$/.test(word) && word.length - 2 >= r1) word = cut(word, 1);
  const other = OTHER.longest(word, r1);
  if (other !== null) word = cut(word, other.action === "delete" ? other.text.length : 1);
  return normal(word);
}

/** Maps the spellings of a stem's end to one: cykel and cykl, kamm and kam, stort and stor, broderat and broderad. */
function normal(word: string): string {
  if (word.length < 4) return word;
  if (/(?:mm|nn)$/.test(word)) return cut(word, 1);
  if (word.length < 5) return word;
  if (/[^aeiouyl]el$/.test(word)) return cut(word, 2, "l");
  if (/[klmnrs]t$/.test(word)) return cut(word, 1);
  return word.length > 5 && word.endsWith("at") ? cut(word, 1, "d") : word;
}

function withoutMain(word: string, r1: number): string {
  const ending = MAIN.longest(word, r1);
  if (ending === null) return word;
  const bare = cut(word, ending.text.length);
  switch (ending.action) {
    case "delete":
      return bare;
    case "et":
      return takesEt(bare) ? bare : cut(word, ending.text.length - 2);
    case "el":
      return `${bare}el`;
    case "s":
      return /[bcdfghjklmnprtvy]$/.test(bare) ? bare : word;
  }
}

function takesEt(bare: string): boolean {
  const last = bare.length - 1;
  const endsRight = !VOWELS.at(bare, last) || /[^aeiouy]i$/.test(bare);
  return last >= 2 && endsRight && VOWELS.before(bare, last) && !KEEPS_ET.test(bare);
}
