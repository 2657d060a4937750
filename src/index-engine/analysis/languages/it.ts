/** Italian. */
import { stemItalian } from "./it-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const italian: LanguageData = {
  letters: {},
  elisions: words("all c d dall dell gl l m nell quell quest s sull t tutt un v"),
  stopWords: words(`
    il lo la i gli le l un uno una
    e ed o
    a ad al allo alla ai agli alle all con d da dal dallo dalla dai dalle dall di del dello della dei degli delle dell
    in nel nello nella nei nelle nell per su sul sullo sulla sui sulle sull
  `),
  without: words("senza"),
  no: new Set(),
  free: new Set(),
  upTo: words("sotto meno"),
  headFirst: true,
  colours: words(`
    arancione argento azzurro azzurra beige bianco bianca blu giallo gialla grigio grigia marrone nero
    nera oro rosa rosso rossa turchese verde viola
  `),
  sizes: words("taglia taglie"),
  stem: stemItalian,
  compounds: null,
};
