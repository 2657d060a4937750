/** The supported languages. The key is the language part of a locale; add a row to add a language. */
import { czech } from "./cs.ts";
import { danish } from "./da.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { italian } from "./it.ts";
import { NO_LANGUAGE, words, type LanguageData } from "./language.ts";
import { dutch } from "./nl.ts";
import { polish } from "./pl.ts";
import { portuguese } from "./pt.ts";
import { swedish } from "./sv.ts";

export { NO_LANGUAGE, type CompoundData, type LanguageData } from "./language.ts";

/** Languages without a row whose names begin with the thing: Чехол для телефона, เคสโทรศัพท์ (cases for phones). */
const HEAD_FIRST = words("ar bg el fa he hr id km lo ms ro ru sk sl sr th uk vi");
const ONLY_HEAD_FIRST: LanguageData = { ...NO_LANGUAGE, headFirst: true };

/** @param language lower case */
export function dataOf(language: string): LanguageData {
  return LANGUAGES.get(language) ?? (HEAD_FIRST.has(language) ? ONLY_HEAD_FIRST : NO_LANGUAGE);
}

export const LANGUAGES: ReadonlyMap<string, LanguageData> = new Map([
  ["cs", czech],
  ["da", danish],
  ["de", german],
  ["en", english],
  ["es", spanish],
  ["fr", french],
  ["it", italian],
  ["nl", dutch],
  ["pl", polish],
  ["pt", portuguese],
  ["sv", swedish],
]);
