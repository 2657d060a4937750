/** Czech. */
import { stemCzech } from "./cs-stem.ts";
import { words, type LanguageData } from "./language.ts";

export const czech: LanguageData = {
  letters: {},
  elisions: new Set(),
  stopWords: words(`
    a i nebo
    do k ke na o od po pro pri s se u v ve z ze za
  `),
  without: words("bez"),
  no: words("zadny zadne"),
  free: new Set(),
  upTo: words("pod do"),
  headFirst: true,
  colours: words(`
    bezova bila bily cerna cerny cervena cerveny fialova fialovy hneda hnedy modra modry oranzova ruzova
    ruzovy seda sedy stribrna stribrny tyrkysova zelena zeleny zlata zlaty zluta zluty
  `),
  sizes: words("velikost velikosti"),
  stem: stemCzech,
  compounds: null,
};
