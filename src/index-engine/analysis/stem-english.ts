/**
 * Light English stemmer: number only.
 *
 * Shops search nouns. A Porter stemmer joins "organization" with "organ", and taking off -ing and -ed joins "earring" with "ear",
 * "legging" with "leg", "wedding" with "wed": over-stemming costs more than a missed verb form. So: plurals as Harman's S-stemmer
 * has them ("How effective is suffixing?", JASIS 42, 1991), the -es of hissing nouns, and the irregular nouns of shops.
 *
 *   shoes -> shoe   dresses -> dress   batteries -> battery   knives -> knife   watches -> watch   headphones -> headphone
 *   wireless, glass, bus, plus, tennis: unchanged             men -> man   feet -> foot   children -> child
 */

// A Map, because "constructor" is a word too.
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    men: "man",
    women: "woman",
    children: "child",
    feet: "foot",
    teeth: "tooth",
    mice: "mouse",
    geese: "goose",
    mens: "man",
    womens: "woman",
    childrens: "child",
    knives: "knife",
    wives: "wife",
    lives: "life",
    shelves: "shelf",
    scarves: "scarf",
    leaves: "leaf",
    loaves: "loaf",
    halves: "half",
    wolves: "wolf",
    calves: "calf",
    hooves: "hoof",
    ties: "tie",
    pies: "pie",
    shoes: "shoe",
    canoes: "canoe",
    axes: "axe",
    clothes: "clothes",
    jeans: "jeans",
    lens: "lens",
    lenses: "lens",
    series: "series",
    species: "species",
    news: "news",
    gps: "gps",
    buses: "bus",
    gases: "gas",
  }),
);

const HAS_DIGIT = /\d/;

export function stemEnglish(term: string): string {
  if (term.length < 3 || HAS_DIGIT.test(term)) return term;
  const irregular = IRREGULAR.get(term);
  if (irregular !== undefined) return irregular;
  if (!term.endsWith("s") || term.length < 4) return term;
  if (term.endsWith("ss") || term.endsWith("us") || term.endsWith("is")) return term;
  if (term.endsWith("ies") && term.length > 4) return `${term.slice(0, -3)}y`;
  // Hissing sounds take -es: dresses, boxes, watches, brushes, waltzes; but "cases", "houses", "sizes" lose the s only.
  if (/(?:ss|x|ch|sh|zz|tz)es$/.test(term)) return term.slice(0, -2);
  if (/[^aeiou]oes$/.test(term)) return term.slice(0, -2);
  return term.slice(0, -1);
}
