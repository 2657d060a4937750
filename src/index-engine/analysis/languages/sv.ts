/** Swedish. */
import { stemSwedish } from "./sv-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const swedish: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    en ett den det de
    och eller
    av fran for i med om pa till
  `),
  without: words("utan"),
  no: words("ingen inget inga"),
  free: words("fri fritt"),
  upTo: words("under mindre an"),
  headFirst: false,
  colours: words(`
    beige bla brun gra gron gul guld lila orange rod rosa silver svart turkos vit
  `),
  sizes: words("storlek storlekar stl"),
  stem: stemSwedish,
  compounds: {
    // arbet-s-byxor; gat(a)-u-kök, sag(a)-o-bok. A link may follow what was dropped: gata -> gat +
    // u.
    links: ["s", "u", "o", "e"],
    dropped: ["a", "e"],
    // Sko, ski, tak.
    minPartLength: 3,
  },
};
