/** Portuguese. */
import { stemPortuguese } from "./pt-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const portuguese: LanguageData = {
  letters: {},
  elisions: words("d"),
  stopWords: words(`
    o a os as um uma uns umas
    e ou
    ao aos com d da das de do dos em na nas no nos para pela pelo por
  `),
  without: words("sem"),
  stem: stemPortuguese,
  compounds: null,
};
