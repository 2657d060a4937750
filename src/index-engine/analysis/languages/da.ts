/** Danish. */
import { stemDanish } from "./da-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const danish: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    en et den det de
    og eller
    af fra i med om pa til
  `),
  without: words("uden"),
  no: words("ingen intet"),
  free: words("fri"),
  upTo: words("under mindre end"),
  headFirst: false,
  colours: words(`
    beige bla brun gra gron gul guld hvid lilla lyserod orange rod rosa solv sort turkis
  `),
  sizes: words("storrelse storrelser str"),
  stem: stemDanish,
  compounds: {
    // arbejd-s-bukser, hund-e-seng, blomst-er-potte.
    links: ["s", "e", "er"],
    dropped: ["e"],
    // Sko, ski, tag.
    minPartLength: 3,
  },
};
