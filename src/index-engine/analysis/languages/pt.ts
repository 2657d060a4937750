/**
 * Portuguese. Stemmer over folded terms: the plurals of Orengo and Huyck ("A stemming algorithm for the Portuguese
 * language", SPIRE 2001), then Snowball's endings (snowballstem.org/algorithms/portuguese/stemmer.html).
 *
 *   sapato, sapatos -> sapat      botao, botoes -> bota       lencol, lencois -> lencol
 *   viagem, viagens -> viagem     papel, papeis -> papel      portatil, portateis -> portat
 *   azul, azuis -> azul           colher, colheres -> colh
 *
 * Snowball alone keeps botão and botões, azul and azuis apart; the plurals join them. Of verb endings, only those of
 * infinitive, participle and gerund are removed: after folding, the others end nouns (-ara, -era, -ei, -em). A table
 * keeps boys and girls apart.
 */
import { NO_LANGUAGE, withIrregular, withSpellings, words, type LanguageData } from "./language.ts";
import { romanceRegions, StandardEndings } from "./romance.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const portuguese: LanguageData = {
  ...NO_LANGUAGE,
  elisions: words("d"),
  stopWords: words(`
    o a os as um uma uns umas
    e ou
    ao aos com d da das de do dos em na nas no nos para pela pelo por
  `),
  without: words("sem"),
  purpose: words("para"),
  upTo: words("menos abaixo ate"),
  headFirst: true,
  colours: words(`
    amarelo amarela azul bege branco branca castanho castanha cinza cinzento dourado laranja preto preta
    prata rosa roxo roxa turquesa verde vermelho vermelha
  `),
  sizes: words("tamanho tamanhos pequeno pequena pequenos pequenas medio media grande grandes"),
  stem: withSpellings(
    withIrregular(
      stemPortuguese,
      `
    menino: menino meninos
    menina: menina meninas
  `,
    ),
    // Of Portugal before 1990, and of one of the two countries.
    `
    acao: accao
    batismo: baptismo
    caminhao: camiao
    colecao: coleccao
    contato: contacto
    detetor: detector
    direcao: direccao
    eletrico: electrico
    eletronico: electronico
    esportivo: desportivo
    fator: factor
    objetiva: objectiva
    otica: optica
    otimo: optimo
    projetor: projector
    protecao: proteccao
    protetor: protector
    refletor: reflector
    registro: registo
    selecao: seleccao
    seletor: selector
    teto: tecto
    umido: humido
  `,
  ),
};

const VOWELS = new Vowels("aeiou");

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

/** Nouns with an unstressed -il form their plural with -eis, like those in -el: portáteis, úteis, fáceis. */
const UNSTRESSED_IL = /(?:tat|ut|fac|fert|frag|ss)$/;

const STANDARD = new StandardEndings([
  {
    endings: "eza ico ica ismo avel ivel ista oso osa amento imento adora ador acao ante ancia",
  },
  { endings: "logia", becomes: "log" },
  { endings: "ucao", becomes: "u" },
  { endings: "encia", becomes: "ente" },
  { endings: "amente", region: "r1", before: /(?:ativ|iv|os|ic|ad)$/ },
  { endings: "mente", before: /(?:ante|avel|ivel)$/ },
  { endings: "idade", before: /(?:abil|ic|iv)$/ },
  { endings: "iva ivo", before: /at$/ },
  { endings: "eira", region: "rv", becomes: "eir" },
]);

const VERB = new Endings({ delete: "ada ida ado ido ando endo indo ar er ir" });

function stemPortuguese(term: string): string {
  if (term.length < 3) return term;
  const single = singular(term);
  const regions = romanceRegions(single, VOWELS);
  const { rv } = regions;
  let word = STANDARD.without(single, regions) ?? VERB.without(single, rv);
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

function withoutE(word: string, rv: number): string {
  if (!word.endsWith("e") || word.length <= rv) return word;
  const bare = cut(word, 1);
  return /(?:gu|ci)$/.test(bare) && bare.length > rv ? cut(bare, 1) : bare;
}
