/**
 * Italian stemmer over folded terms, after Snowball's (snowballstem.org/algorithms/italian/stemmer.html).
 *
 *   scarpa, scarpe -> scarp       orologio, orologi -> orolog       tasca, tasche -> tasc       arancia, arance -> aranc
 *   nero, nera, neri, nere -> ner       stivale, stivali -> stival       cucchiaio, cucchiai -> cucchia
 *
 * What differs: of the verb only participle and gerund are taken off, and where four letters remain (gelato stays apart from gel). The
 * rest is nouns in a shop: -ano is divano, -ere bicchiere, -are cellulare, -ono telefono, and -erà, folded, camera. A table keeps
 * boys and girls apart.
 */
import { cut, Endings, from, romanceRv, Vowels } from "./suffixes.ts";

const VOWELS = new Vowels("aeiou");

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["bambino", "bambino"],
  ["bambini", "bambino"],
  ["bambina", "bambina"],
  ["bambine", "bambina"],
  ["ragazzo", "ragazzo"],
  ["ragazzi", "ragazzo"],
  ["ragazza", "ragazza"],
  ["ragazze", "ragazza"],
  ["uomini", "uom"],
]);

const STANDARD = new Endings({
  r2:
    "anza anze ico ici ica ice iche ichi ismo ismi abile abili ibile ibili ista iste isti oso osi osa ose mente atrice atrici ante " +
    "anti",
  ic: "azione azioni atore atori",
  log: "logia logie",
  u: "uzione uzioni usione usioni",
  ente: "enza enze",
  rv: "amento amenti imento imenti",
  amente: "amente",
  ita: "ita",
  ivo: "ivo ivi iva ive",
});

const VERB = new Endings({ delete: "ando endo ata ate ati ato ita ite iti ito uta ute uti uto" });

const LETTERS_BEFORE_VERB_ENDING = 4;

export function stemItalian(term: string): string {
  if (term.length < 3) return term;
  const irregular = IRREGULAR.get(term);
  if (irregular !== undefined) return irregular;
  const marked = markConsonants(term);
  const rv = romanceRv(marked, VOWELS);
  const r1 = VOWELS.region(marked, 0);
  const r2 = VOWELS.region(marked, r1);
  const word = withoutStandard(marked, rv, r1, r2) ?? withoutVerb(marked, rv) ?? marked;
  return withoutVowel(word, rv).toLowerCase();
}

/** u behind q, u and i between vowels become capitals. */
function markConsonants(term: string): string {
  const marked = term.replaceAll("qu", "qU");
  return /[aeiou][ui][aeiou]/.test(marked)
    ? marked.replace(/(?<=[aeiou])[ui](?=[aeiou])/g, (letter) => letter.toUpperCase())
    : marked;
}

function withoutStandard(word: string, rv: number, r1: number, r2: number): string | null {
  const ending = STANDARD.longest(word, 0);
  if (ending === null) return null;
  const at = word.length - ending.text.length;
  const bare = word.slice(0, at);
  const region = ending.action === "amente" ? r1 : ending.action === "rv" ? rv : r2;
  if (at < region) return null;
  switch (ending.action) {
    case "r2":
    case "rv":
      return bare;
    case "ic":
      return from(r2, bare, /ic$/);
    case "log":
      return `${bare}log`;
    case "u":
      return `${bare}u`;
    case "ente":
      return `${bare}ente`;
    case "amente":
      return from(r2, bare, bare.endsWith("ativ") ? /ativ$/ : /(?:iv|os|ic|abil)$/);
    case "ita":
      return from(r2, bare, /(?:abil|ic|iv)$/);
    case "ivo":
      return from(r2, bare, bare.endsWith("icat") ? /icat$/ : /at$/);
  }
}

function withoutVerb(word: string, rv: number): string | null {
  const ending = VERB.longest(word, Math.max(rv, LETTERS_BEFORE_VERB_ENDING));
  return ending === null ? null : cut(word, ending.text.length);
}

function withoutVowel(before: string, rv: number): string {
  let word = before;
  if (/[aeio]$/.test(word) && word.length > rv) {
    word = cut(word, 1);
    if (/[iI]$/.test(word) && word.length > rv) word = cut(word, 1);
  }
  return /[cg]h$/.test(word) && word.length > rv ? cut(word, 1) : word;
}
