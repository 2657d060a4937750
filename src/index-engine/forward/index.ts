/** Product -> the terms of its titles in order; phrases in titles. The bytes are described in writer.ts. */
export { TitlesBuilder, type FinishedTerms } from "./builder.ts";
export { mergeTitles } from "./merge.ts";
export { PhraseTest, phraseRows, TitlePhrase, type Phrase, type TitleAnswer } from "./phrase.ts";
export { TitleViews } from "./reader.ts";
export { titleWord, WordMasks, wordHas, type QueryWord, type TitleWord } from "./words.ts";
export { MAX_TEXTS, MAX_TOKENS } from "./writer.ts";
