/**
 * The sort order of strings: by folded text, then by the text itself. Never use `Intl.Collator`: its order changes with
 * the runtime's ICU data, and segments store ordinals in this order. If keys change, raise ANALYSIS_VERSION.
 *
 *   sortKey("Äpfel", "de") = "aepfel\u0000Äpfel"     sortKey("  Zebra ", "en") = "zebra\u0000Zebra"
 *
 * Keys compare by code points. The folded part ignores case and accents; the original after the zero character breaks
 * ties consistently. Digits compare as text.
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

/** The sort key whose `textOfSortKey` is `text`, for segments that only store the text. */
export function keyOfSortedText(text: string, language: string): string {
  return fold(text, language) + SEPARATOR + text;
}

/** The original text (cut and trimmed). */
export function textOfSortKey(key: string): string {
  return key.slice(key.indexOf(SEPARATOR) + 1);
}

/** The UTF-8 byte between the folded text and the text. */
export const KEY_SEPARATOR = SEPARATOR.charCodeAt(0);
