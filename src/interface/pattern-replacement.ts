/**
 * Replacement texts with the syntax of Java's Matcher.replaceAll:
 *
 *   text       (character | "\" character | reference)*     after \ every character is literal
 *   reference  "$" digits | "${" name "}"
 *
 * $0 is the whole match. $12 is group 12 if the pattern has that many, else group 1 and a 2. A group that did not
 * participate in the match is empty. Errors that Java throws while replacing are reported when the text is read: a
 * missing group, or \ or $ at the end.
 */
import type { Group } from "./pattern-java.ts";

/** Texts and group numbers. Throws a SyntaxError with the reason. */
export function replacementPieces(replacement: string, groups: readonly Group[]): (string | number)[] {
  const refuse = (at: number, sentence: string): SyntaxError =>
    new SyntaxError(`Invalid replacement ${JSON.stringify(replacement)}, at character ${at + 1}: ${sentence}`);
  const characters = [...replacement];
  const pieces: (string | number)[] = [];
  let text = "";
  for (let at = 0; at < characters.length; at++) {
    const start = at;
    const character = characters[at];
    if (character === "\\") {
      at++;
      if (at === characters.length) throw refuse(start, "\\ stands before nothing");
      text += characters[at];
      continue;
    }
    if (character !== "$") {
      text += character;
      continue;
    }
    const rest = characters.slice(at + 1).join("");
    const name = /^\{([A-Za-z][A-Za-z0-9]*)\}/u.exec(rest)?.[1];
    const digits = /^\d+/u.exec(rest)?.[0];
    let number: number;
    if (name !== undefined) {
      number = groups.findIndex((group) => group.name === name) + 1;
      if (number === 0) throw refuse(start, `the pattern has no group "${name}"`);
      at += name.length + 2;
    } else if (digits !== undefined) {
      let length = digits.length;
      while (length > 1 && Number(digits.slice(0, length)) > groups.length) length--;
      number = Number(digits.slice(0, length));
      if (number > groups.length) throw refuse(start, `the pattern has no group ${number}`);
      at += length;
    } else {
      throw refuse(start, "no group follows $; write the character itself as \\$");
    }
    if (number > 0 && !groups[number - 1].reliable) {
      throw refuse(start, `group ${number} is in a repeated part that may skip it, so its text could differ from Java`);
    }
    pieces.push(text, number);
    text = "";
  }
  pieces.push(text);
  return pieces;
}
