/** Dutch. */
import { words, type LanguageData } from "./language.ts";
import { stemDutch } from "./nl-stem.ts";

export const dutch: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    de het een
    en of
    aan bij door in met naar om op over te tot uit van voor
  `),
  without: words("zonder"),
  no: words("geen"),
  free: words("vrij"),
  upTo: words("onder minder dan tot"),
  headFirst: false,
  colours: words(`
    antraciet beige blauw bruin creme geel goud grijs groen oranje paars rood roze turquoise wit zilver
    zwart
  `),
  sizes: words("maat maten"),
  stem: stemDutch,
  compounds: {
    // kat-ten-bak is split as katten + bak and needs no link; stad-s-fiets, boek-en-kast,
    // zonne-n-bril, hond-e-hok, kind-er-stoel, ei-er-wekker, kind-eren-kamer.
    links: ["s", "en", "n", "e", "er", "eren"],
    // aard(e)-appel, school(e)-...: only a final e.
    dropped: ["e"],
    // Tas, pan, bed, jas, kat.
    minPartLength: 3,
  },
};
