/**
 * German. Light stemmer over folded terms (ae, oe, ue, ss), after Savoy's light German stemmer ("Light stemming
 * approaches for the French, Portuguese, German and Hungarian languages", SAC 2006). Removes case and number endings,
 * and the umlaut of plurals.
 *
 *   schuhe, schuhen -> schuh     taschen, tasche -> tasch       hemden, hemd -> hemd
 *   gabel, gabeln -> gabel       kamera, kameras -> kamera      buecher, buch -> buch
 *   kleider, kleid -> kleid      maenner, mann -> mann          roter, rotes, rote, rot -> rot
 *
 * Umlauts are reversed (ae -> a, oe -> o, ue -> u), except after a vowel or q, where the letters are not an umlaut
 * ("neue", "steuer", "quelle").
 */
import { NO_LANGUAGE, withIrregular, withSpellings, words, type LanguageData } from "./language.ts";

export const german: LanguageData = {
  ...NO_LANGUAGE,
  // "Müller" and "Mueller" match (docs/languages.md "Folding"); "Muller" does not.
  letters: { ä: "ae", ö: "oe", ü: "ue" },
  stopWords: words(`
    der die das den dem des
    ein eine einen einem einer eines
    und oder
    am an auf aus bei beim bis durch fuer im in ins mit nach um unter ueber vom von vor zu zum zur
  `),
  without: words("ohne"),
  no: words("kein keine keinen"),
  free: words("frei"),
  purpose: words("fuer"),
  upTo: words("unter bis weniger als"),
  colours: words(`
    anthrazit beige blau braun creme gelb gold grau gruen lila orange pink rosa rot schwarz silber
    tuerkis weiss
  `),
  sizes: words("groesse groessen gr klein kleine kleiner kleines kleinen mittel gross grosse grosser grosses grossen"),
  // Older and newer spellings.
  stem: withSpellings(
    // Their -er is no ending: leather is no LED, a knife no fair.
    withIrregular(
      stemGerman,
      `
      leder: leder
      feder: feder federn
      messer: messer messern messers
    `,
    ),
    `
    albtraum: alptraum
    betttuch: bettuch
    brennnessel: brennessel
    couch: kautsch
    delfin: delphin
    foto: photo photos
    fotografie: photographie
    friseur: frisoer
    fritteuse: friteuse
    grafik: graphik
    grammofon: grammophon
    jogurt: joghurt
    ketchup: ketschup
    klub: club
    makramee: macrame
    mayonnaise: majonaese
    megafon: megaphon
    mikrofon: mikrophon
    portmonee: portemonnaie
    rollladen: rolladen
    saxofon: saxophon
    sosse: sauce
    spaghetti: spagetti
    telefon: telephon
    thunfisch: tunfisch
    yacht: jacht
    yoga: joga
  `,
  ),
  compounds: {
    // arbeit-s-hose, tasche-n-lampe, held-en-figur, kind-er-wagen, tag-es-decke, hund-e-leine, name-ns-schild,
    // herz-ens-wunsch.
    links: ["s", "n", "en", "er", "es", "e", "ns", "ens"],
    // woll(e)-socken, schul(e)-tasche, kirsch(e)-kern.
    dropped: ["e"],
    // Tee, Uhr, Rad, Hut, Ski.
    minPartLength: 3,
  },
};

/**
 * Plurals of loan words. In other words, an s after a vowel usually belongs to the word (Glas, Haus, Reis), also in
 * compounds.
 */
const VOWEL_PLURAL =
  /(?:kamera|sofa|pyjama|tiara|panda|pizza|koala|veranda|liga|auto|foto|video|radio|akku|euro|kilo|studio|kimono|poncho|bikini|taxi|ski|kiwi|mini|gummi|menu|menue|iglu|tattoo|shampoo|ee)s$/;

function stemGerman(term: string): string {
  if (term.length < 4) return term;
  const base = withoutEnding(term);
  return base.replace(/aeu/g, "au").replace(/(^|[^aeiouq])([aou])e(?=[^aeiou])/g, "$1$2");
}

/**
 * A stem keeps at least three letters and a vowel. The e in ae and oe, and in ue unless it follows a or e, is part of
 * an umlaut and not an ending: "zubehoer" stays whole, "blaue" and "neue" do not.
 */
function withoutEnding(term: string): string {
  const first = /^(.{3,}?)(?<![ao]|[^ae]u)(?:ern|ens|em|en|er|es|e)$/.exec(term);
  if (first?.[1] === undefined || !hasVowel(first[1])) return withoutLastLetter(term);
  const stem = first[1];
  // A second ending: "kleineren" -> kleiner -> klein.
  const second = /^(.{4,})(?:en|er)$/.exec(stem);
  return second?.[1] ?? stem;
}

/** Removes the s of case and plural, and the n of the dative plural of nouns in -el (Gabeln, Gürteln). */
function withoutLastLetter(term: string): string {
  if (term.length < 5) return term;
  if (term.endsWith("eln")) return term.slice(0, -1);
  if (!term.endsWith("s")) return term;
  return /[bdfghklmnprty]s$/.test(term) || VOWEL_PLURAL.test(term) ? term.slice(0, -1) : term;
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/.test(text);
}
