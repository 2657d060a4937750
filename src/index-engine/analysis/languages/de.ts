/** German. */
import { stemGerman } from "./de-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const german: LanguageData = {
  // "Müller" and "Mueller" match (docs/languages.md "Folding"); "Muller" does not.
  letters: { ä: "ae", ö: "oe", ü: "ue" },
  elisions: new Set(),
  stopWords: words(`
    der die das den dem des
    ein eine einen einem einer eines
    und oder
    am an auf aus bei beim bis durch fuer im in ins mit nach um unter ueber vom von vor zu zum zur
  `),
  without: words("ohne"),
  no: words("kein keine keinen"),
  free: words("frei"),
  upTo: words("unter bis weniger als"),
  headFirst: false,
  colours: words(`
    anthrazit beige blau braun creme gelb gold grau gruen lila orange pink rosa rot schwarz silber
    tuerkis weiss
  `),
  sizes: words("groesse groessen gr"),
  stem: stemGerman,
  compounds: {
    // arbeit-s-hose, tasche-n-lampe, held-en-figur, kind-er-wagen, tag-es-decke, hund-e-leine,
    // name-ns-schild, herz-ens-wunsch.
    links: ["s", "n", "en", "er", "es", "e", "ns", "ens"],
    // woll(e)-socken, schul(e)-tasche, kirsch(e)-kern.
    dropped: ["e"],
    // Tee, Uhr, Rad, Hut, Ski.
    minPartLength: 3,
  },
};
