/** French. */
import { stemFrench } from "./fr-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const french: LanguageData = {
  letters: {},
  elisions: words("c d j l m n qu s t jusqu lorsqu puisqu quoiqu"),
  stopWords: words(`
    le la les l un une
    et ou
    a au aux avec chez d dans de des du en par pour sur
  `),
  without: words("sans"),
  no: new Set(),
  free: new Set(),
  upTo: words("moins sous"),
  headFirst: true,
  colours: words(`
    argent beige blanc blanche bleu bleue dore gris grise jaune marron noir noire or orange rose rouge
    turquoise vert verte violet violette
  `),
  sizes: words("taille tailles pointure pointures"),
  stem: stemFrench,
  compounds: null,
};
