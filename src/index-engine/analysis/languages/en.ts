/** English. */
import { stemEnglish } from "./en-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const english: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    a an the
    and or
    at by for from in into of on to with
  `),
  without: words("without"),
  no: words("no"),
  free: words("free"),
  upTo: words("under below less than"),
  headFirst: false,
  colours: words(`
    beige black blue brown charcoal cream gold gray green grey ivory khaki maroon navy orange pink
    purple red silver tan teal turquoise white yellow
  `),
  sizes: words("size sizes"),
  stem: stemEnglish,
  // "headphones" and "head phones" are handled by joining words; linking elements are not needed.
  compounds: null,
};
