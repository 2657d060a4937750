/**
 * Light German stemmer over folded terms (ae, oe, ue, ss), after Savoy's light German stemmer ("Light stemming approaches for the
 * French, Portuguese, German and Hungarian languages", SAC 2006): case and number endings, and the umlaut of plurals.
 *
 *   schuhe, schuhen -> schuh     taschen, tasche -> tasch    hemden, hemd -> hemd     buecher, buch -> buch
 *   kleider, kleid -> kleid      roter, rotes, rote, rot -> rot    maenner, mann -> mann
 *
 * The umlaut is taken back (ae -> a, oe -> o, ue -> u), except after a vowel or q, where it is none ("neue", "steuer", "quelle").
 */

const HAS_DIGIT = /\d/;

export function stemGerman(term: string): string {
  if (term.length < 4 || HAS_DIGIT.test(term)) return term;
  const base = withoutEnding(term);
  return base.replace(/aeu/g, "au").replace(/(^|[^aeiouq])([aou])e(?=[^aeiou])/g, "$1$2");
}

/**
 * A stem keeps at least three letters and a vowel. The e of ae and oe, and of ue after anything but a and e, is half an umlaut and
 * no ending: "zubehoer" stays whole, "blaue" and "neue" do not.
 */
function withoutEnding(term: string): string {
  const first = /^(.{3,}?)(?<![ao]|[^ae]u)(?:ern|em|en|er|es|e)$/.exec(term);
  if (first?.[1] === undefined || !hasVowel(first[1]))
    return term.length > 4 && /[bdfghklmnprty]s$/.test(term) ? term.slice(0, -1) : term;
  const stem = first[1];
  // A second ending inside: "kleineren" -> kleiner -> klein.
  const second = /^(.{4,})(?:en|er)$/.exec(stem);
  return second?.[1] ?? stem;
}

function hasVowel(text: string): boolean {
  return /[aeiouy]/.test(text);
}
