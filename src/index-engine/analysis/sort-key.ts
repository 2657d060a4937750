/**
 * String order of our own: the folded text, then the text itself. Never `Intl.Collator`: its order changes with the
 * runtime's ICU data, and segments store ordinals in this order. A change of keys is a change of the analysis: raise
 * ANALYSIS_VERSION.
 *
 *   sortKey("Äpfel", "de") = "aepfel\u0000Äpfel"      sortKey("  Zebra ", "en") = "zebra\u0000Zebra"
 *
 * Keys compare by code points. The folded part decides case-blind and accent-blind; the original behind the zero
 * character breaks ties the same way everywhere. Digits compare as text.
 */
import { fold } from "./fold.ts";

const SEPARATOR = "\u0000";

/** `value` cut to `maxCharacters` UTF-16 units (whole code points) before folding. */
export function sortKey(value: string, language: string, maxCharacters = 256): string {
  let text = value.trim().replaceAll(SEPARATOR, "");
  if (text.length > maxCharacters) {
    const last = text.charCodeAt(maxCharacters - 1);
    text = text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters);
  }
  return keyOfSortedText(text, language);
}

/** The sort key whose `textOfSortKey` is `text`: what it is made again from where only the text is stored. */
export function keyOfSortedText(text: string, language: string): string {
  return fold(text, language) + SEPARATOR + text;
}

/** The text as it was given (cut and trimmed). */
export function textOfSortKey(key: string): string {
  return key.slice(key.indexOf(SEPARATOR) + 1);
}

/** In UTF-8: the byte between the folded text and the text. */
export const KEY_SEPARATOR = SEPARATOR.charCodeAt(0);
