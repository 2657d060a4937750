/**
 * A catalogue of any size, made from a seed: as many documents as asked for, one after the other, always the same
 * ones.
 *
 * Shaped like a real one: titles of brand, adjective, material and noun, a category path of three levels (600 leaves),
 * price, colour, size, stock, rating, season, a model number of its own, a description of 20 to 40 words; every third
 * to fourth document has 2 to 6 variants with colour, size, price and stock of their own. Words are drawn by Zipf's
 * law from a vocabulary of 20,000 made-up ones and the catalogue's nouns. About 900 bytes a document.
 */
import { mulberry32 } from "../test/support/mulberry32.ts";

const COLOURS = "black white red blue green grey navy beige brown pink purple yellow orange silver gold olive".split(
  " ",
);
const SIZES = "xs s m l xl xxl 36 37 38 39 40 41 42 43 44 45".split(" ");
const MATERIALS = "leather cotton wool steel oak bamboo nylon linen ceramic glass carbon rubber denim silk".split(" ");
const ADJECTIVES = "light classic compact waterproof slim modern outdoor premium kids portable soft organic".split(" ");
const NOUNS = (
  "shoe boot jacket shirt dress lamp chair table knife pan kettle backpack tent watch phone speaker bottle blanket " +
  "mirror carpet sofa drill hammer glove scarf belt wallet monitor keyboard bicycle helmet racket ball guitar"
).split(" ");
const DEPARTMENTS = "Fashion Sports Home Garden Kitchen Electronics Toys Office Tools Music".split(" ");
const SEASONS = ["spring", "summer", "autumn", "winter"];
const SYLLABLES =
  "ba be bi bo da de di do fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe ra re ri ro sa se si so ta te ti to va ve za zo".split(
    " ",
  );

const VOCABULARY = 20_000;
const BRANDS = 800;

function wordsOf(count: number, random: () => number): string[] {
  const words = new Set<string>();
  while (words.size < count) {
    let word = "";
    const syllables = 2 + Math.floor(random() * 3);
    for (let i = 0; i < syllables; i++) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    words.add(word);
  }
  return [...words];
}

/** Documents as lines of NDJSON, with the line break, in pieces of about a hundred kilobytes. */
export function* bigCatalogue(count: number, seed = 1): Generator<Buffer, void, void> {
  const random = mulberry32(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)];
  const vocabulary = wordsOf(VOCABULARY, random);
  const brands = wordsOf(BRANDS, random).map((word) => word[0].toUpperCase() + word.slice(1));
  // The rank of a word by Zipf's law: what exp of a uniform number is distributed like.
  const word = (): string => vocabulary[Math.floor(VOCABULARY ** random()) - 1];
  const brand = (): string => brands[Math.floor(BRANDS ** random()) - 1];
  let lines = "";
  for (let i = 0; i < count; i++) {
    const noun = pick(NOUNS);
    const material = pick(MATERIALS);
    const made = brand();
    const department = Math.floor(random() * DEPARTMENTS.length);
    const section = Math.floor(random() * 6);
    const leaf = Math.floor(random() * 10);
    const price = Math.round(100 * 5 * 100 ** random()) / 100;
    let description = word();
    for (let left = 19 + Math.floor(random() * 21); left > 0; left--) description += ` ${word()}`;
    const model = Math.floor(random() * 0xffffffff)
      .toString(36)
      .toUpperCase();
    lines +=
      `{"id":"P${i.toString(36)}","data":{"title":"${made} ${pick(ADJECTIVES)} ${material} ${noun} ${word()}",` +
      `"brand":"${made}","price":${price},"stock":${Math.floor(random() * 200)},` +
      `"rating":${Math.round(random() * 50) / 10},"artNr":"${model}","season":"${pick(SEASONS)}",` +
      `"material":"${material}","description":"${description}"`;
    const categories =
      `"categories":[[{"id":"c${department}","name":"${DEPARTMENTS[department]}"},` +
      `{"id":"c${department}-${section}","name":"${DEPARTMENTS[department]} ${section}"},` +
      `{"id":"c${department}-${section}-${leaf}","name":"${noun}s ${section}${leaf}"}]]`;
    if (random() < 0.3) {
      lines += `},${categories},"variants":[`;
      const variants = 2 + Math.floor(random() * 5);
      for (let v = 0; v < variants; v++) {
        lines +=
          `${v === 0 ? "" : ","}{"id":"P${i.toString(36)}-${v}","data":{"color":"${pick(COLOURS)}","size":"${pick(SIZES)}",` +
          `"price":${price + v},"stock":${Math.floor(random() * 20)}}}`;
      }
      lines += "]}\n";
    } else {
      lines += `,"color":"${pick(COLOURS)}","size":"${pick(SIZES)}"},${categories}}\n`;
    }
    if (lines.length > 100_000) {
      yield Buffer.from(lines);
      lines = "";
    }
  }
  if (lines !== "") yield Buffer.from(lines);
}

/** What shoppers of this catalogue type, and the filters they choose. */
export function bigQueries(count: number, seed = 2): { readonly words: string[]; readonly filtered: string[] } {
  const random = mulberry32(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)];
  const words: string[] = [];
  const filtered: string[] = [];
  for (let i = 0; i < count; i++) {
    const q = `${random() < 0.5 ? `${pick(MATERIALS)} ` : ""}${pick(NOUNS)}${random() < 0.3 ? ` ${pick(ADJECTIVES)}` : ""}`;
    words.push(new URLSearchParams({ q }).toString());
    const parameters = new URLSearchParams({ q: pick(NOUNS), color: pick(COLOURS) });
    if (random() < 0.5) parameters.set("price", "20-120");
    filtered.push(parameters.toString());
  }
  return { words, filtered };
}
