/**
 * Latin diacritics -> ASCII letters, as the reference's preprocessor does it: letters of Latin-1 Supplement and Latin
 * Extended-A, each to one lower-case letter; ä ö ü Ä Ö Ü ß stay, so do letters that would need two (æ, œ, þ), and
 * everything else, case included.
 *
 *   "Çilek Müsli, dziecięce Škoda"  ->  "cilek Müsli, dzieciece skoda"
 *
 * This is not `fold`: it only exists because a configuration may ask for it; the index folds all of it and more
 * anyway.
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

/** Decomposed input (`e` + U+0301) is composed first; shoppers' keyboards send both. */
export function asciify(text: string): string {
  let asciified = "";
  for (const character of text.normalize("NFC")) {
    asciified += ASCII_OF.get(character) ?? character;
  }
  return asciified;
}
