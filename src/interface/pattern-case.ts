/**
 * What (?i) makes of a class, written as a class for an expression without the flag `i`.
 *
 * An expression has the flag or has it not, and `x(?i:y)` has it in one part. JavaScript's own `(?i:y)` is not used: in V8, with the
 * flag `v`, classes behind the group still ignore case (`/(?i:b)|[A-Z]/v` finds "a"; seen in Node 24.21). So the runtime is asked what
 * the class has with `i` and what without, character by character, and the difference is written down. That takes a few
 * milliseconds, once, for the rare pattern that has both.
 */
import { literal } from "./pattern-reader.ts";

/** Behind the last letter that has a case (Adlam, U+1E943). */
const END_OF_CASED = 0x1f000;

let casedCharacters: readonly string[] | null = null;

/** `set` as it is where (?i) changes nothing about it. */
export function ignoringCase(set: string): string {
  const plain = new RegExp(`^${set}$`, "v");
  const folded = new RegExp(`^${set}$`, "iv");
  let added = "";
  let removed = "";
  casedCharacters ??= findCasedCharacters();
  for (const character of casedCharacters) {
    const isIn = folded.test(character);
    if (isIn === plain.test(character)) continue;
    const written = literal(character.codePointAt(0) ?? 0);
    if (isIn) added += written;
    else removed += written;
  }
  const kept = removed === "" ? set : `[${set}--[${removed}]]`;
  return added === "" ? kept : `[${kept}${added}]`;
}

function findCasedCharacters(): string[] {
  const characters: string[] = [];
  for (let code = 0; code < END_OF_CASED; code++) {
    const character = String.fromCodePoint(code);
    if (/\p{Changes_When_Casemapped}/u.test(character)) characters.push(character);
  }
  return characters;
}
