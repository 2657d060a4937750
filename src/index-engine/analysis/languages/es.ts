/**
 * Spanish. Stemmer over folded terms, after Snowball's (snowballstem.org/algorithms/spanish/stemmer.html).
 *
 *   zapato, zapatos -> zapat      camisa, camisas -> camis      bateria, baterias -> bateri
 *   lapiz, lapices -> lapic       azul, azules -> azul          pantalon, pantalones -> pantalon
 *   mujer, mujeres -> muj
 *
 * Differences: of verb endings, only those of infinitive, participle and gerund are removed. In shops the others end
 * nouns, especially after folding: -ía is batería, -ara cámara, -an imán, -ed pared. Plurals are removed first, so
 * short nouns lose them too (olla, ollas), and nouns in -ar, -er, -ir lose both endings (collar, collares). z before es
 * becomes c (lápiz, lápices). A table keeps boys and girls apart.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { romanceRegions, StandardEndings } from "./romance.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const spanish: LanguageData = {
  ...NO_LANGUAGE,
  stopWords: words(`
    el la los las lo un una unos unas
    y e o u
    a al con de del en para por sobre
  `),
  without: words("sin"),
  purpose: words("para"),
  upTo: words("menos bajo"),
  headFirst: true,
  colours: words(`
    amarillo amarilla azul beige blanco blanca dorado dorada gris marron morado morada naranja negro
    negra plata rojo roja rosa turquesa verde
  `),
  sizes: words("talla tallas pequeno pequena pequenos pequenas mediano mediana grande grandes"),
  stem: withIrregular(
    stemSpanish,
    `
    nino: nino ninos
    nina: nina ninas
    jersey: jerseis
  `,
  ),
};

const VOWELS = new Vowels("aeiou");

const STANDARD = new StandardEndings([
  { endings: "anza ico ica ismo able ables ible ibles ista oso osa amiento imiento" },
  { endings: "adora ador acion adores aciones ante antes ancia", before: /ic$/ },
  { endings: "logia", becomes: "log" },
  { endings: "ucion uciones", becomes: "u" },
  { endings: "encia", becomes: "ente" },
  { endings: "amente", region: "r1", before: /(?:ativ|iv|os|ic|ad)$/ },
  { endings: "mente", before: /(?:ante|able|ible)$/ },
  { endings: "idad idades", before: /(?:abil|ic|iv)$/ },
  { endings: "iva ivo", before: /at$/ },
]);

const VERB = new Endings({
  gu: "es",
  delete: "ares eres ires ado ada ido ida ando iendo ar er ir",
});

const RESIDUAL = new Endings({ plain: "a o i", e: "e" });

function stemSpanish(term: string): string {
  if (term.length < 3) return term;
  const single =
    term.length > 3 && (/[aouy]s$/.test(term) || (term.length > 4 && term.endsWith("is"))) ? cut(term, 1) : term;
  const regions = romanceRegions(single, VOWELS);
  const { rv } = regions;
  const bare = STANDARD.without(single, regions) ?? withoutVerb(single, rv) ?? single;
  const word = withoutResidue(bare, rv);
  return word.endsWith("z") ? cut(word, 1, "c") : word;
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
