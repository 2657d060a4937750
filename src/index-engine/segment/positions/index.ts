/** Product -> the terms of its titles in order (format in writer.ts); phrases. */
export { TitlesBuilder, type FinishedTerms } from "./builder.ts";
export { mergeTitles } from "./merge.ts";
export { PhraseTest } from "./phrase.ts";
export { TitleViews } from "./reader.ts";
export { titleWord, WordMasks, type QueryWord, type TitleWord } from "./words.ts";
export { MAX_TOKENS } from "./writer.ts";
