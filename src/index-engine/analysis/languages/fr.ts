/**
 * French. Stemmer over folded terms, after Snowball's (snowballstem.org/algorithms/french/stemmer.html).
 *
 *   chaussure, chaussures -> chaussur    manteau, manteaux -> manteau     cheveu, cheveux -> cheveu
 *   bleu, bleue, bleus -> bleu           journal, journaux -> journal
 *   imprimante, imprimantes -> imprim
 *
 * Differences: of verb endings, only those of infinitive, participle and gerund are removed. In shops the others end
 * nouns, especially after folding: -ât is chocolat, -ates tomates, -era caméra, -it petit. é becomes e, so participles
 * in -é lose it like any e. Plurals of nouns in -er, -eu, -yau, -a, -o and -u (oreillers, jeux, tuyaux, vélos) have the
 * stem of their singular.
 */
import { NO_LANGUAGE, withIrregular, words, type LanguageData } from "./language.ts";
import { cut, Endings, Vowels } from "./suffixes.ts";

export const french: LanguageData = {
  ...NO_LANGUAGE,
  elisions: words("c d j l m n qu s t jusqu lorsqu puisqu quoiqu"),
  stopWords: words(`
    le la les l un une
    et ou
    a au aux avec chez d dans de des du en par pour sur
  `),
  without: words("sans"),
  purpose: words("pour"),
  upTo: words("moins sous"),
  headFirst: true,
  colours: words(`
    argent beige blanc blanche bleu bleue dore gris grise jaune marron noir noire or orange rose rouge
    turquoise vert verte violet violette
  `),
  sizes: words(
    "taille tailles pointure pointures petit petite petits petites moyen moyenne grand grande grands grandes",
  ),
  stem: withIrregular(
    stemFrench,
    `
    oeil: yeux
    travail: travaux
    vitrail: vitraux
    email: emaux
    ski: skis
    balai: balais
  `,
  ),
};

const VOWELS = new Vowels("aeiouy");

const STANDARD = new Endings({
  r2: "ance iqUe isme able iste eux ances iqUes ismes ables istes",
  agent: "atrice ateur ation atrices ateurs ations",
  log: "logie logies",
  u: "usion ution usions utions",
  ent: "ence ences",
  adverb: "ement ements",
  quality: "ite ites",
  active: "if ive ifs ives",
  eau: "eaux",
  al: "aux",
  ou: "oux",
  eux: "euse euses",
  verbal: "issement issements",
  amment: "amment",
  emment: "emment",
  ment: "ment ments",
});

const BEFORE_MENT = new Endings({ iv: "iv", eus: "eus", r2: "abl iqU", ier: "ier Ier" });
const BEFORE_ITE = new Endings({ abil: "abil", ic: "ic", iv: "iv" });

const I_VERB = new Endings({ delete: "i ie ies ir is issant issante issantes issants" });

const VERB = new Endings({
  delete: "ee ees er ers",
  a: "ant ante antes ants",
  ais: "ais aise aises",
});

/** Balais, palais and mauvais are not verbs. */
const NOUN_BEFORE_AI = /(?:^.al|auv|epl)$/;

const RESIDUAL = new Endings({ ion: "ion", i: "ier iere Ier Iere", delete: "e" });

function stemFrench(term: string): string {
  if (term.length < 3) return term;
  const marked = markConsonants(term);
  const stem = undouble(withoutEndings(marked));
  return stem.toLowerCase();
}

/** Marks u, i and y that sound as consonants with capitals: between vowels, u after q, y next to a vowel. */
function markConsonants(term: string): string {
  if (!/q|y|[aeiouy][ui]/.test(term)) return term;
  let marked = "";
  for (let at = 0; at < term.length; at++) {
    const letter = term.charAt(at);
    const isAfterVowel = VOWELS.at(marked, at - 1);
    const isBeforeVowel = VOWELS.at(term, at + 1);
    const isConsonant =
      letter === "y"
        ? isAfterVowel || isBeforeVowel
        : letter === "i"
          ? isAfterVowel && isBeforeVowel
          : letter === "u" && ((isAfterVowel && isBeforeVowel) || (at > 0 && term.charAt(at - 1) === "q"));
    marked += isConsonant ? letter.toUpperCase() : letter;
  }
  return marked;
}

function regionV(word: string): number {
  if (VOWELS.at(word, 0) && VOWELS.at(word, 1)) return Math.min(word.length, 3);
  if (/^(?:par|col|tap|ni[aeiouy])/.test(word)) return 3;
  return Math.min(word.length, VOWELS.next(word, 1) + 1);
}

function withoutEndings(marked: string): string {
  const rv = regionV(marked);
  const r1 = VOWELS.region(marked, 0);
  const r2 = VOWELS.region(marked, r1);
  const standard = withoutStandard(marked, rv, r1, r2);
  let word = standard.word;
  if (!standard.isDone) {
    const verb = withoutIVerb(word, rv) ?? withoutVerb(word, rv);
    word = verb ?? withoutResidue(word, rv, r2);
  }
  return word.endsWith("Y") ? cut(word, 1, "i") : word;
}

/** If `isDone` is false, verb endings are removed from `word` next. */
function withoutStandard(
  word: string,
  rv: number,
  r1: number,
  r2: number,
): { readonly word: string; readonly isDone: boolean } {
  const not = { word, isDone: false };
  const done = (stem: string) => ({ word: stem, isDone: true });
  const ending = STANDARD.longest(word, 0);
  if (ending === null) return not;
  const { length } = ending.text;
  const at = word.length - length;
  const bare = cut(word, length);
  switch (ending.action) {
    case "r2":
      if (at >= r2) return done(bare);
      return ending.text === "eux" && at > 0 ? done(cut(word, 1)) : not;
    case "agent":
      if (at < r2) return not;
      if (!bare.endsWith("ic")) return done(bare);
      return done(at - 2 >= r2 ? cut(bare, 2) : cut(bare, 2, "iqU"));
    case "log":
      return at >= r2 ? done(`${bare}log`) : not;
    case "u":
      return at >= r2 ? done(`${bare}u`) : not;
    case "ent":
      return at >= r2 ? done(`${bare}ent`) : not;
    case "adverb":
      return at >= rv ? done(beforeMent(bare, rv, r1, r2)) : not;
    case "quality": {
      if (at < r2) return not;
      const inner = BEFORE_ITE.longest(bare, 0);
      if (inner === null) return done(bare);
      if (bare.length - inner.text.length >= r2) return done(cut(bare, inner.text.length));
      if (inner.action === "abil") return done(cut(bare, 4, "abl"));
      return done(inner.action === "ic" ? cut(bare, 2, "iqU") : bare);
    }
    case "active":
      if (at < r2) return not;
      if (!bare.endsWith("at") || at - 2 < r2) return done(bare);
      if (!bare.endsWith("icat")) return done(cut(bare, 2));
      return done(at - 4 >= r2 ? cut(bare, 4) : cut(bare, 4, "iqU"));
    case "eau":
      return done(cut(word, 1));
    case "al":
      // Tuyau and noyau do not come from tuyal and noyal.
      if (bare.endsWith("y") || bare.endsWith("Y")) return done(cut(word, 1));
      return at >= r1 ? done(`${bare}al`) : not;
    case "ou":
      return /[bhjlnp]$/.test(bare) ? done(`${bare}ou`) : not;
    case "eux":
      if (at >= r2) return done(bare);
      return at >= r1 ? done(`${bare}eux`) : not;
    case "verbal":
      return at >= r1 && at > 0 && !VOWELS.at(word, at - 1) ? done(bare) : not;
    case "amment":
      return { word: at >= rv ? `${bare}ant` : word, isDone: false };
    case "emment":
      return { word: at >= rv ? `${bare}ent` : word, isDone: false };
    case "ment":
      return at - 1 >= rv && VOWELS.at(word, at - 1) ? { word: bare, isDone: false } : not;
  }
}

function beforeMent(word: string, rv: number, r1: number, r2: number): string {
  const inner = BEFORE_MENT.longest(word, 0);
  if (inner === null) return word;
  const { length } = inner.text;
  const at = word.length - length;
  switch (inner.action) {
    case "iv":
      if (at < r2) return word;
      return word.endsWith("ativ") && at - 2 >= r2 ? cut(word, 4) : cut(word, 2);
    case "eus":
      if (at >= r2) return cut(word, length);
      return at >= r1 ? cut(word, 1, "x") : word;
    case "r2":
      return at >= r2 ? cut(word, length) : word;
    case "ier":
      return at >= rv ? cut(word, length, "i") : word;
  }
}

function withoutIVerb(word: string, rv: number): string | null {
  const ending = I_VERB.longest(word, rv);
  if (ending === null) return null;
  const at = word.length - ending.text.length;
  return at > rv && !VOWELS.at(word, at - 1) ? cut(word, ending.text.length) : null;
}

function withoutVerb(word: string, rv: number): string | null {
  const ending = VERB.longest(word, rv);
  if (ending === null) return null;
  const { length } = ending.text;
  const at = word.length - length;
  switch (ending.action) {
    case "delete":
      return cut(word, length);
    case "a":
      return cut(word, at > rv && word.charAt(at - 1) === "e" ? length + 1 : length);
    case "ais":
      return NOUN_BEFORE_AI.test(word.slice(0, at)) ? null : cut(word, length);
  }
}

function withoutResidue(before: string, rv: number, r2: number): string {
  const isPlural = /[^aious]s$/.test(before) || (before.length >= 5 && /[aou]s$/.test(before));
  const word = isPlural ? cut(before, 1) : before;
  const ending = RESIDUAL.longest(word, rv);
  if (ending === null) return word;
  const at = word.length - ending.text.length;
  switch (ending.action) {
    case "ion":
      return at >= r2 && at > rv && /[st]$/.test(word.slice(0, at)) ? cut(word, 3) : word;
    case "i":
      return cut(word, ending.text.length, "i");
    case "delete":
      return cut(word, 1);
  }
}

function undouble(word: string): string {
  return /(?:enn|onn|ett|ell|eill)$/.test(word) ? cut(word, 1) : word;
}
