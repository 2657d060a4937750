/** The supported languages. The key is the language part of a locale; add a row to add a language. */
import { czech } from "./cs.ts";
import { danish } from "./da.ts";
import { german } from "./de.ts";
import { english } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { italian } from "./it.ts";
import type { LanguageData } from "./language.ts";
import { dutch } from "./nl.ts";
import { polish } from "./pl.ts";
import { portuguese } from "./pt.ts";
import { swedish } from "./sv.ts";

export { NO_LANGUAGE, type CompoundData, type LanguageData } from "./language.ts";

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
