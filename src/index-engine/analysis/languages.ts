/** What Aisle knows of each language. Adding one is adding a row; the key is the language part of a locale. */
import { stemEnglish } from "./stem-english.ts";
import { stemGerman } from "./stem-german.ts";

export interface LanguageData {
  /** Light stemmer over folded terms; total, never empty. */
  readonly stem: (term: string) => string;
}

export const LANGUAGES: ReadonlyMap<string, LanguageData> = new Map([
  ["en", { stem: stemEnglish }],
  ["de", { stem: stemGerman }],
]);
