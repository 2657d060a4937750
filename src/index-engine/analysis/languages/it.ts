/**
 * Italian. Stemmer over folded terms, after Snowball's (snowballstem.org/algorithms/italian/stemmer.html).
 *
 *   scarpa, scarpe -> scarp           orologio, orologi -> orolog       tasca, tasche -> tasc
 *   nero, nera, neri, nere -> ner     stivale, stivali -> stival        arancia, arance -> aranc
 *   cucchiaio, cucchiai -> cucchia
 *
 * Differences: of verb endings, only those of participle and gerund are removed, and only if four letters remain
 * (gelato stays apart from gel). In shops the others end nouns: -ano is divano, -ere bicchiere, -are cellulare, -ono
 * telefono, and a folded -erà camera. A table keeps boys and girls apart.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { romanceRegions, StandardEndings } from "./romance.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const italian: LanguageData = {
  ...NO_LANGUAGE,
  elisions: words("all c d dall dell gl l m nell quell quest s sull t tutt un v"),
  stopWords: words(`
    il lo la i gli le l un uno una
    e ed o
    a ad al allo alla ai agli alle all con d da dal dallo dalla dai dalle dall di del dello della dei degli delle dell
    in nel nello nella nei nelle nell per su sul sullo sulla sui sulle sull
  `),
  without: words("senza"),
  purpose: words("per"),
  upTo: words("sotto meno"),
  headFirst: true,
  colours: words(`
    arancione argento azzurro azzurra beige bianco bianca blu giallo gialla grigio grigia marrone nero
    nera oro rosa rosso rossa turchese verde viola
  `),
  sizes: words("taglia taglie piccolo piccola piccoli piccole medio media grande grandi"),
  stem: withIrregular(
    stemItalian,
    `
    bambino: bambino bambini
    bambina: bambina bambine
    ragazzo: ragazzo ragazzi
    ragazza: ragazza ragazze
    uom: uomini
  `,
  ),
};

const VOWELS = new Vowels("aeiou");

const STANDARD = new StandardEndings([
  {
    endings:
      "anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti oso osi osa ose mente atrice atrici ante " +
      "anti",
  },
  { endings: "azione azioni atore atori", before: /ic$/ },
  { endings: "logia logie", becomes: "log" },
  { endings: "uzione uzioni usione usioni", becomes: "u" },
  { endings: "enza enze", becomes: "ente" },
  { endings: "amento amenti imento imenti", region: "rv" },
  { endings: "amente", region: "r1", before: /(?:ativ|iv|os|ic|abil)$/ },
  { endings: "ita", before: /(?:abil|ic|iv)$/ },
  { endings: "ivo ivi iva ive", before: /(?:icat|at)$/ },
]);

const VERB = new Endings({ delete: "ando endo ata ate ati ato ita ite iti ito uta ute uti uto" });

const LETTERS_BEFORE_VERB_ENDING = 4;

function stemItalian(term: string): string {
  if (term.length < 3) return term;
  const marked = markConsonants(term);
  const regions = romanceRegions(marked, VOWELS);
  const { rv } = regions;
  const word =
    STANDARD.without(marked, regions) ?? VERB.without(marked, Math.max(rv, LETTERS_BEFORE_VERB_ENDING)) ?? marked;
  return withoutVowel(word, rv).toLowerCase();
}

/** Marks u after q, and u and i between vowels, with capitals. */
function markConsonants(term: string): string {
  const marked = term.replaceAll("qu", "qU");
  return /[aeiou][ui][aeiou]/.test(marked)
    ? marked.replace(/(?<=[aeiou])[ui](?=[aeiou])/g, (letter) => letter.toUpperCase())
    : marked;
}

function withoutVowel(before: string, rv: number): string {
  let word = before;
  if (/[aeio]$/.test(word) && word.length > rv) {
    word = cut(word, 1);
    if (/[iI]$/.test(word) && word.length > rv) word = cut(word, 1);
  }
  return /[cg]h$/.test(word) && word.length > rv ? cut(word, 1) : word;
}
