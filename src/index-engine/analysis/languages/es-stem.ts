/**
 * Spanish stemmer over folded terms, after Snowball's (snowballstem.org/algorithms/spanish/stemmer.html).
 *
 *   zapato, zapatos -> zapat      camisa, camisas -> camis      bateria, baterias -> bateri      mujer, mujeres -> muj
 *   lapiz, lapices -> lapic       azul, azules -> azul          pantalon, pantalones -> pantalon
 *
 * What differs: of the verb only infinitive, participle and gerund are taken off. The rest is nouns in a shop, and more so after
 * folding: -ía is batería, -ara cámara, -an imán, -ed pared. Plurals go first, so short nouns lose them, too (olla, ollas), nouns in
 * -ar, -er, -ir lose both (collar, collares), and z before es is c (lápiz, lápices). A table keeps boys and girls apart.
 */
import { cut, Endings, from, romanceRv, Vowels } from "./suffixes.ts";

const VOWELS = new Vowels("aeiou");

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["nino", "nino"],
  ["ninos", "nino"],
  ["nina", "nina"],
  ["ninas", "nina"],
  ["jerseis", "jersey"],
]);

const STANDARD = new Endings({
  r2: "anza ico ica ismo able ables ible ibles ista oso osa amiento imiento",
  ic: "adora ador acion adores aciones ante antes ancia",
  log: "logia",
  u: "ucion uciones",
  ente: "encia",
  amente: "amente",
  mente: "mente",
  idad: "idad idades",
  iva: "iva ivo",
});

const VERB = new Endings({
  gu: "es",
  delete: "ares eres ires ado ada ido ida ando iendo ar er ir",
});

const RESIDUAL = new Endings({ plain: "a o i", e: "e" });

export function stemSpanish(term: string): string {
  if (term.length < 3) return term;
  const irregular = IRREGULAR.get(term);
  if (irregular !== undefined) return irregular;
  const single =
    term.length > 3 && (/[aouy]s$/.test(term) || (term.length > 4 && term.endsWith("is")))
      ? cut(term, 1)
      : term;
  const rv = romanceRv(single, VOWELS);
  const r1 = VOWELS.region(single, 0);
  const r2 = VOWELS.region(single, r1);
  let word = withoutStandard(single, r1, r2) ?? withoutVerb(single, rv) ?? single;
  word = withoutResidue(word, rv);
  return word.endsWith("z") ? cut(word, 1, "c") : word;
}

function withoutStandard(word: string, r1: number, r2: number): string | null {
  const ending = STANDARD.longest(word, 0);
  if (ending === null) return null;
  const at = word.length - ending.text.length;
  const bare = word.slice(0, at);
  if (at < (ending.action === "amente" ? r1 : r2)) return null;
  switch (ending.action) {
    case "r2":
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
      return from(r2, bare, bare.endsWith("ativ") ? /ativ$/ : /(?:iv|os|ic|ad)$/);
    case "mente":
      return from(r2, bare, /(?:ante|able|ible)$/);
    case "idad":
      return from(r2, bare, /(?:abil|ic|iv)$/);
    case "iva":
      return from(r2, bare, /at$/);
  }
}

function withoutVerb(word: string, rv: number): string | null {
  const ending = VERB.longest(word, rv);
  if (ending === null) return null;
  const bare = cut(word, ending.text.length);
  return ending.action === "gu" && bare.endsWith("gu") ? cut(bare, 1) : bare;
}

function withoutResidue(word: string, rv: number): string {
  const ending = RESIDUAL.longest(word, rv);
  if (ending === null) return word;
  const bare = cut(word, ending.text.length);
  return ending.action === "e" && bare.endsWith("gu") && bare.length > rv ? cut(bare, 1) : bare;
}
