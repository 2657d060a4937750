/**
 * Terms of plain texts as bytes, without a string per step and term. Most texts of a catalogue are plain: ASCII without
 * markup, entities, signs of inches and feet, and overlong tokens. For these the result is that of `Analyzer.terms`.
 */

/** Terms by place: term i is bytes [ends[i - 1], ends[i]). */
export interface PlainTerms {
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly count: number;
}

/** Longer tokens are cut, because data URIs would fill the dictionary. */
export const MAX_TOKEN_LENGTH = 64;

/** Longer texts are not plain. */
const MOST_CHARACTERS = 4_096;

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;
/** May join two letters or two digits, or mean inches. */
const MARK = 3;
/** May begin an entity. */
const AMPERSAND = 4;
/** Of texts that are not plain. */
const REFUSED = 5;

/** By ASCII code: its class, and its lower case. */
const CLASS = new Uint8Array(128);
const LOWER = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  LOWER[code] = character.toLowerCase().charCodeAt(0);
  if (/[a-z]/i.test(character)) CLASS[code] = LETTER;
  else if (/\d/.test(character)) CLASS[code] = DIGIT;
  else if (/[.,'"]/.test(character)) CLASS[code] = MARK;
  else if (character === "&") CLASS[code] = AMPERSAND;
  else if (character === "<") CLASS[code] = REFUSED;
}

const [QUOTE, NUMBER_SIGN, APOSTROPHE, POINT] = [0x22, 0x23, 0x27, 0x2e];

const bytes = new Uint8Array(MOST_CHARACTERS);
const ends = new Uint32Array(MOST_CHARACTERS);
const found = { bytes, ends, count: 0 };

/**
 * The terms of a plain text, valid until the next call; null for any other text.
 *
 * @param hasElisions whether an apostrophe may end an elided word
 */
export function plainTerms(text: string, hasElisions: boolean): PlainTerms | null {
  const length = text.length;
  if (length > MOST_CHARACTERS) return null;
  let count = 0;
  let end = 0;
  let start = 0;
  /** Class of the last character of the token; OTHER: there is no token. */
  let last = OTHER;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return null;
    const kind = CLASS[code];
    if (kind === LETTER || kind === DIGIT) {
      bytes[end++] = LOWER[code];
      last = kind;
      continue;
    }
    if (kind >= MARK) {
      const next = at + 1 < length ? text.charCodeAt(at + 1) : 0;
      const nextKind = next < 128 ? CLASS[next] : OTHER;
      if (kind === REFUSED || (kind === AMPERSAND && (nextKind === LETTER || next === NUMBER_SIGN))) return null;
      if (code === APOSTROPHE || code === QUOTE) {
        const isUnit = last === DIGIT && (code === QUOTE || nextKind !== LETTER);
        if (isUnit || (hasElisions && code === APOSTROPHE)) return null;
        if (code === APOSTROPHE && last === LETTER && nextKind === LETTER) continue;
      } else if (kind === MARK && last === DIGIT && nextKind === DIGIT) {
        bytes[end++] = POINT;
        continue;
      }
    }
    if (last === OTHER) continue;
    if (end - start > MAX_TOKEN_LENGTH) return null;
    last = OTHER;
    start = end;
    ends[count++] = end;
  }
  if (last !== OTHER) {
    if (end - start > MAX_TOKEN_LENGTH) return null;
    ends[count++] = end;
  }
  found.count = count;
  return found;
}
