/** Splits compounds in documents by a list of words (WordSplitterDataProcessor). */
import { GERMAN_COLOURS, GERMAN_FIRST_WORDS, GERMAN_WORDS } from "./german-words.ts";
import { CompoundSplitter } from "./splitter.ts";

export { CompoundSplitter } from "./splitter.ts";

/** Created when first needed, because most indexes never use it. */
let ofList: CompoundSplitter | null = null;

/** Uses the built-in list and these words. */
export function germanSplitter(moreWords: readonly string[]): CompoundSplitter {
  if (moreWords.length > 0) return splitterOf(moreWords);
  return (ofList ??= splitterOf([]));
}

function splitterOf(moreWords: readonly string[]): CompoundSplitter {
  const words = [...wordsIn(GERMAN_WORDS), ...wordsIn(GERMAN_COLOURS), ...moreWords];
  return new CompoundSplitter(words, wordsIn(GERMAN_FIRST_WORDS));
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/u).filter((word) => word !== "");
}
