/** Spanish. */
import { stemSpanish } from "./es-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const spanish: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    el la los las lo un una unos unas
    y e o u
    a al con de del en para por sobre
  `),
  without: words("sin"),
  no: new Set(),
  free: new Set(),
  upTo: words("menos bajo"),
  headFirst: true,
  colours: words(`
    amarillo amarilla azul beige blanco blanca dorado dorada gris marron morado morada naranja negro
    negra plata rojo roja rosa turquesa verde
  `),
  sizes: words("talla tallas"),
  stem: stemSpanish,
  compounds: null,
};
