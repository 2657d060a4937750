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
  no: new Set(),
  free: new Set(),
  upTo: words("menos abaixo ate"),
  headFirst: true,
  colours: words(`
    amarelo amarela azul bege branco branca castanho castanha cinza cinzento dourado laranja preto preta
    prata rosa roxo roxa turquesa verde vermelho vermelha
  `),
  sizes: words("tamanho tamanhos"),
  stem: stemPortuguese,
  compounds: null,
};
