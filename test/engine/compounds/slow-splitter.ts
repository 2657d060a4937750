// The reading of a compound, found by writing down all readings and sorting them: the twin of
// documents/compounds/splitter.ts.
import { analyzerFor, fold } from "../../../src/index-engine/analysis/index.ts";

interface Part {
  /** As it is written. */
  readonly text: string;
  readonly letters: number;
  readonly link: string;
  readonly lost: string;
  readonly isForm: boolean;
}

const LINKS = ["", "s", "n", "en", "er", "es", "e", "ns", "ens", "-", "s-"];
const german = analyzerFor("de");
const folded = (text: string): string => [...text.normalize("NFC")].map((character) => fold(character, "de")).join("");

export function slowSplit(word: string, given: readonly string[], givenFirst: readonly string[]): readonly string[] {
  const words = given.map(folded);
  const first = givenFirst.map(folded);
  const isForm = (text: string): boolean =>
    words.some((one) => german.stem(one) === german.stem(text) && text.length >= one.length) && text.length >= 4;

  /** What the characters may stand for, in front of a link (null: at the end of the word). */
  const partsOf = (text: string, link: string | null): Part[] => {
    const own = folded(text);
    const part = { text, letters: own.length, link: link ?? "", lost: "", isForm: false };
    if (own.length < 3) return [];
    const isLost = link !== null && own.length >= 4 && words.includes(`${own}e`);
    const lost = isLost ? [{ ...part, lost: "e" }] : [];
    if (words.includes(own)) return [part, ...lost];
    const isPlain = link === null || link === "" || link.endsWith("-");
    if (link !== null && isPlain && first.includes(own)) return [part, ...lost];
    if (isPlain && isForm(own) && !(link !== null && own.endsWith("s"))) {
      return [{ ...part, isForm: true }, ...lost];
    }
    return lost;
  };

  const readingsOf = (characters: readonly string[]): Part[][] => {
    const readings = partsOf(characters.join(""), null).map((part) => [part]);
    for (let end = 1; end < characters.length; end++) {
      for (const link of LINKS) {
        const text = characters.slice(end, end + link.length).join("");
        if (folded(text) !== link || end + link.length >= characters.length) continue;
        const parts = partsOf(characters.slice(0, end).join(""), link);
        if (parts.length === 0) continue;
        const rest = readingsOf(characters.slice(end + link.length));
        for (const part of parts) readings.push(...rest.map((others) => [part, ...others]));
      }
    }
    return readings;
  };

  const sum = (reading: readonly Part[], of: (part: Part) => number): number =>
    reading.reduce((total, part) => total + of(part), 0);
  const [best] = readingsOf([...word.normalize("NFC")]).sort(
    (a, b) =>
      a.length - b.length ||
      sum(a, ({ link, lost }) => link.length + lost.length) - sum(b, ({ link, lost }) => link.length + lost.length) ||
      sum(a, (part) => Number(part.isForm)) - sum(b, (part) => Number(part.isForm)) ||
      sum(a, ({ letters }) => letters ** 2) - sum(b, ({ letters }) => letters ** 2) ||
      a.reduce((order, part, i) => order || compareParts(part, b[i]), 0),
  );
  if (best === undefined || best.length < 2) return [word];
  return best.map(({ text, lost }) => text + (text === text.toUpperCase() ? lost.toUpperCase() : lost));
}

/** The longer one, then the one with the shorter link. */
function compareParts(a: Part, b: Part): number {
  return [...b.text].length - [...a.text].length || a.link.length - b.link.length;
}
