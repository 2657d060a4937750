/**
 * Replaces Latin diacritics by ASCII letters, like the reference's preprocessor: each letter of Latin-1 Supplement and
 * Latin Extended-A becomes one lower-case letter. ä ö ü Ä Ö Ü ß, letters that would need two (æ, œ, þ) and everything
 * else stay unchanged.
 *
 *   "Çilek Müsli, dziecięce Škoda"  ->  "cilek Müsli, dzieciece skoda"
 *
 * It only exists because configurations may name it; the index folds more than this (analysis/fold.ts).
 */
const LETTERS: Readonly<Record<string, string>> = {
  a: "ÀÁÂÃÅàáâãåĀāĂăĄą",
  c: "ÇçĆćĈĉĊċČč",
  d: "ÐðĎďĐđ",
  e: "ÈÉÊËèéêëĒēĔĕĖėĘęĚě",
  g: "ĜĝĞğĠġĢģ",
  h: "Ĥĥ",
  i: "ÌÍÎÏìíîïĨĩĪīĬĭĮįİı",
  j: "Ĵĵ",
  k: "Ķķĸ",
  l: "ĹĺĻļĽľĿŀŁł",
  n: "ÑñŃńŅņŇňŉŊŋ",
  o: "ÒÓÔÕØòóôõøŌōŎŏŐő",
  r: "ŔŕŖŗŘř",
  s: "ŚśŜŝŞşŠšſ",
  t: "ŢţŤťŦŧ",
  u: "ÙÚÛùúûŨũŪūŬŭŮůŰűŲų",
  w: "Ŵŵ",
  y: "ÝýÿŶŷŸ",
  z: "ŹźŻżŽž",
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LETTERS).flatMap(([ascii, letters]) =>
    [...letters].map((letter): [string, string] => [letter, ascii]),
  ),
);

/** Composes decomposed input (`e` + U+0301) first; keyboards send both. */
export function asciify(text: string): string {
  let asciified = "";
  for (const character of text.normalize("NFC")) {
    asciified += ASCII_OF.get(character) ?? character;
  }
  return asciified;
}
