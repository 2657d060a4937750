/**
 * WordSplitterDataProcessor writes the words of some fields into another field, with compounds split.
 *
 *   title: "Bücherregal, weiß (Laufschuhe)"   ->   words: "Bücher regal weiß Lauf schuhe"
 *
 * `fieldName`: the target field; its value is replaced by the distinct words in order, joined by spaces. `fields.<n>`:
 * the source fields, in the order of the settings. `words` (not in the reference): more words that are parts of
 * compounds and are not split, separated by spaces or commas.
 *
 * As in the reference, only the parts of a compound are written (the source field has the compound), and words are
 * treated as German in any index. documents/compounds/splitter.ts splits them. The result depends only on the document
 * and the settings, so it is the same on every shard, for imports and updates.
 */
import { getOrInsert } from "../../base/index.ts";
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
    if (memo.size >= MEMO_ENTRIES) memo.clear();
    return getOrInsert(memo, word, () => splitter.split(word));
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
