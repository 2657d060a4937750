/** Czech. */
import { stemCzech } from "./cs-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const czech: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    a i nebo
    do k ke na o od po pro pri s se u v ve z ze za
  `),
  without: words("bez"),
  stem: stemCzech,
  compounds: null,
};
