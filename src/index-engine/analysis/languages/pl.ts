/** Polish. */
import { stemPolish } from "./pl-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const polish: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    i oraz lub albo a
    dla do na o od po przy w we z ze za
  `),
  without: words("bez"),
  stem: stemPolish,
  compounds: null,
};
