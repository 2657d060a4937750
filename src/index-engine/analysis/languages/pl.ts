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
  no: words("brak"),
  free: new Set(),
  upTo: words("ponizej do"),
  headFirst: true,
  colours: words(`
    bezowy bialy biala brazowy czarny czarna czerwony czerwona fioletowy niebieski niebieska
    pomaranczowy rozowy rozowa srebrny szary szara turkusowy zielony zielona zloty zolty zolta
  `),
  sizes: words("rozmiar rozmiary rozmiarze"),
  stem: stemPolish,
  compounds: null,
};
