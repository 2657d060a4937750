/**
 * Portuguese stemmer over folded terms: the plurals of Orengo and Huyck ("A stemming algorithm for the Portuguese language", SPIRE
 * 2001), then Snowball's endings (snowballstem.org/algorithms/portuguese/stemmer.html).
 *
 *   sapato, sapatos -> sapat      botao, botoes -> bota           lencol, lencois -> lencol      azul, azuis -> azul
 *   viagem, viagens -> viagem     papel, papeis -> papel          colher, colheres -> colh       portatil, portateis -> portat
 *
 * Snowball leaves botão, botões and azul, azuis apart; the plurals bring them together. Of the verb only infinitive, participle and
 * gerund are taken off: folded, the rest is what nouns end in (-ara, -era, -ei, -em). A table keeps boys and girls apart.
 */
import { cut, Endings, from, romanceRv, Vowels } from "./suffixes.ts";

const VOWELS = new Vowels("aeiou");

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["menino", "menino"],
  ["meninos", "menino"],
  ["menina", "menina"],
  ["meninas", "menina"],
]);

const PLURAL = new Endings({
  ao: "oes aes",
  m: "ns",
  l: "ais ois uis",
  el: "eis",
  i: "is il",
  r: "res",
  s: "s",
  keep: "ss us lapis tenis gratis mais menos pires atlas oculos",
  u: "eus aus",
});

/** Nouns in -il that are not stressed there have their plural in -eis, like those in -el: portáteis, úteis, fáceis. */
const UNSTRESSED_IL = /(?:tat|ut|fac|fert|frag|ss)$/;

const STANDARD = new Endings({
  r2: "eza ico ica ismo avel ivel ista oso osa amento imento adora ador acao ante ancia",
  log: "logia",
  u: "ucao",
  ente: "encia",
  amente: "amente",
  mente: "mente",
  idade: "idade",
  iva: "iva ivo",
  ira: "ira",
});

const VERB = new Endings({ delete: "ada ida ado ido ando endo indo ar er ir" });

export function stemPortuguese(term: string): string {
  if (term.length < 3) return term;
  const irregular = IRREGULAR.get(term);
  if (irregular !== undefined) return irregular;
  const single = singular(term);
  const rv = romanceRv(single, VOWELS);
  const r1 = VOWELS.region(single, 0);
  const r2 = VOWELS.region(single, r1);
  let word = withoutStandard(single, rv, r1, r2) ?? withoutVerb(single, rv);
  if (word === null) word = /[aoi]$/.test(single) && single.length > rv ? cut(single, 1) : single;
  else if (word.endsWith("ci") && word.length > rv) word = cut(word, 1);
  return withoutE(word, rv);
}

function singular(term: string): string {
  if (term.length < 4) return term;
  const plural = PLURAL.longest(term, 0);
  if (plural === null) return term;
  const bare = cut(term, plural.text.length);
  switch (plural.action) {
    case "keep":
      return term;
    case "ao":
      return `${bare}ao`;
    case "m":
      return `${bare}m`;
    case "l":
      return cut(term, 2, "l");
    case "el":
      return UNSTRESSED_IL.test(bare) ? `${bare}i` : `${bare}el`;
    case "i":
      return `${bare}i`;
    case "r":
      return `${bare}r`;
    case "s":
    case "u":
      return cut(term, 1);
  }
}

function withoutStandard(word: string, rv: number, r1: number, r2: number): string | null {
  const ending = STANDARD.longest(word, 0);
  if (ending === null) return null;
  const at = word.length - ending.text.length;
  const bare = word.slice(0, at);
  const region = ending.action === "amente" ? r1 : ending.action === "ira" ? rv : r2;
  if (at < region) return null;
  switch (ending.action) {
    case "r2":
      return bare;
    case "log":
      return `${bare}log`;
    case "u":
      return `${bare}u`;
    case "ente":
      return `${bare}ente`;
    case "amente":
      return from(r2, bare, bare.endsWith("ativ") ? /ativ$/ : /(?:iv|os|ic|ad)$/);
    case "mente":
      return from(r2, bare, /(?:ante|avel|ivel)$/);
    case "idade":
      return from(r2, bare, /(?:abil|ic|iv)$/);
    case "iva":
      return from(r2, bare, /at$/);
    case "ira":
      return bare.endsWith("e") && at > rv ? `${bare}ir` : null;
  }
}

function withoutVerb(word: string, rv: number): string | null {
  const ending = VERB.longest(word, rv);
  return ending === null ? null : cut(word, ending.text.length);
}

function withoutE(word: string, rv: number): string {
  if (!word.endsWith("e") || word.length <= rv) return word;
  const bare = cut(word, 1);
  return /(?:gu|ci)$/.test(bare) && bare.length > rv ? cut(bare, 1) : bare;
}
