/**
 * WordSplitterDataProcessor: the words of some fields in a field of their own, compounds taken apart.
 *
 *   title: "Bücherregal, weiß (Laufschuhe)"   ->   words: "Bücher regal weiß Lauf schuhe"
 *
 * `fieldName`: the field that gets them, each once, in their order, joined by spaces; what it held is replaced.
 * `fields.<n>`: the fields they are from, in the order of the settings. `words` (ours): more words, separated by
 * spaces or commas: parts of compounds, and not taken apart themselves.
 *
 * As in the reference a compound is written as its parts alone (its own field has it whole), and words are German
 * whatever the language of the index. How they are split: documents/compounds/splitter.ts. Only the document and the
 * settings decide, so a document becomes the same on every shard, at an import and at an update.
 */
import { germanSplitter } from "../compounds/index.ts";
import { setValue, textsOf, type ProcessorFactory } from "./processor.ts";

const SEPARATORS = /[,;!?/|.\\():\s]+/u;
/** The words of a catalogue repeat; the memo is emptied when full. */
const MEMO_ENTRIES = 20_000;

export const splitWords: ProcessorFactory = (settings) => {
  const target = settings.fieldName;
  if (target === undefined) throw new Error("fieldName is missing");
  const sources = Object.keys(settings)
    .filter((key) => key.startsWith("fields."))
    .map((key) => settings[key]);
  const more = (settings.words ?? "").split(/[\s,]+/u).filter((word) => word !== "");
  const splitter = germanSplitter(more);
  const memo = new Map<string, readonly string[]>();
  const partsOf = (word: string): readonly string[] => {
    const known = memo.get(word);
    if (known !== undefined) return known;
    const parts = splitter.split(word);
    if (memo.size >= MEMO_ENTRIES) memo.clear();
    memo.set(word, parts);
    return parts;
  };
  return ({ data }) => {
    const words = new Set<string>();
    for (const source of sources) {
      for (const text of textsOf(data[source])) {
        for (const word of text.split(SEPARATORS)) {
          if (word !== "") for (const part of partsOf(word)) words.add(part);
        }
      }
    }
    if (words.size > 0) setValue(data, target, [...words].join(" "));
    return true;
  };
};
