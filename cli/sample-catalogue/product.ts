/** One product of a family: its documents as a shop would send it. */
import { draw, fill, resolve, type Axis, type Choice, type Drawn, type Family } from "./family.ts";
import type { Random } from "./random.ts";

interface SampleAttribute {
  readonly name: string;
  readonly value: string | number;
  readonly code: string;
}

export interface SampleVariant {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly attributes: readonly SampleAttribute[];
}

export interface SampleProduct {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly categories: readonly (readonly { readonly id: string; readonly name: string }[])[];
  readonly attributes: readonly SampleAttribute[];
  readonly variants?: readonly SampleVariant[];
}

/** What differs between the catalogues besides words. */
export interface Market {
  /** Prefix of document ids. */
  readonly prefix: string;
  /** Told at the end of some descriptions. */
  readonly promises: readonly string[];
  /** First path of products that are marked down. */
  readonly outletPath: string;
}

const OUT_OF_STOCK = 0.07;
const WITHOUT_PRICE = 0.015;
const WITHOUT_BRAND = 0.02;
const WITHOUT_IMAGE = 0.12;
const MARKED_DOWN = 0.12;
/** Part of the internal number range of shops, so that no number is anybody's product. */
const EAN_PREFIX = "29";

/** `count` products with different titles. Fails when the word lists are too short for that. */
export function productsOf(family: Family, market: Market, random: Random): SampleProduct[] {
  const titles = new Set<string>();
  const products: SampleProduct[] = [];
  for (let tries = 0; products.length < family.count; tries++) {
    if (tries > family.count * 50) throw new Error(`${family.key}: too few different titles`);
    const drawn = draw(family, random);
    const title = fill(random.pick(family.titles), drawn);
    if (titles.has(title)) continue;
    titles.add(title);
    products.push(productOf(family, market, random, drawn, title, products.length + 1));
  }
  return products;
}

function productOf(
  family: Family,
  market: Market,
  random: Random,
  drawn: Drawn,
  fullTitle: string,
  number: number,
): SampleProduct {
  const id = `${market.prefix}${family.key}${String(number).padStart(3, "0")}`;
  const brand = String(drawn.get("brand")?.text);
  const branded = !random.chance(WITHOUT_BRAND);
  const title = branded
    ? fullTitle
    : fullTitle
        .replace(brand, "")
        .trim()
        .replace(/^\S/, (c) => c.toUpperCase());
  const basePrice = family.price[0] + random.fraction() ** 1.5 * (family.price[1] - family.price[0]);
  const factor = [...drawn.values()].reduce((product, choice) => product * choice.factor, 1);
  const price = shopPrice(basePrice * factor);
  const priced = !random.chance(WITHOUT_PRICE);
  const markedDown = random.chance(MARKED_DOWN);
  const inStock = !random.chance(OUT_OF_STOCK);
  const variants = variantsOf(family, id, random, drawn, title, { price, priced, inStock });
  const stock = variants.length === 0 ? stockOf(inStock, 80, random) : sumOfStock(variants);

  const data: Record<string, string | number> = { title };
  if (branded) data["brand"] = brand;
  if (priced) {
    data["price"] = price;
    if (markedDown) data["listPrice"] = shopPrice(price * (1.15 + random.fraction() * 0.35));
  }
  data["description"] = descriptionOf(family, market, random, drawn);
  data["stock"] = stock;
  data["rating"] = Math.round((3.1 + Math.sqrt(random.fraction()) * 1.8) * 10) / 10;
  data["reviewCount"] = Math.floor(2 ** (random.fraction() * 10)) - 1;
  data["artNr"] = id;
  data["ean"] = ean(random);
  const slug = slugOf(title);
  data["productUrl"] = `https://shop.example/p/${slug}-${id.toLowerCase()}`;
  if (!random.chance(WITHOUT_IMAGE)) data["imageUrl"] = imageUrl(id);

  const paths = family.categories.map((template) => fill(template, drawn));
  for (const { share, path } of family.alsoIn ?? []) {
    if (random.chance(share)) paths.push(fill(path, drawn));
  }
  if (priced && markedDown) paths.push(`${market.outletPath} > ${paths[0].split(" > ")[0]}`);
  const attributes = [...drawn]
    .filter(([name]) => name !== "brand" && !name.startsWith("_"))
    .map(([name, choice]) => attributeOf(name, choice));
  const product = { id, data, categories: [...new Set(paths)].map(pathOf), attributes };
  return variants.length === 0 ? product : { ...product, variants };
}

interface Offer {
  readonly price: number;
  readonly priced: boolean;
  readonly inStock: boolean;
}

function variantsOf(
  family: Family,
  id: string,
  random: Random,
  drawn: Drawn,
  title: string,
  offer: Offer,
): SampleVariant[] {
  if (family.axes.length === 0) return [];
  const combinations = family.axes
    .map((axis) => ({ axis, values: valuesOf(axis, drawn, random) }))
    .reduce<readonly (readonly (readonly [Axis, Choice])[])[]>(
      (found, { axis, values }) => found.flatMap((taken) => values.map((value) => [...taken, [axis, value] as const])),
      [[]],
    );
  return combinations.map((combination) => {
    const code = combination.map(([, { value }]) => slugOf(String(value))).join("-");
    const variantId = `${id}-${code}`.toUpperCase();
    const factor = combination.reduce((product, [, choice]) => product * choice.factor, 1);
    const color = combination.find(([axis]) => axis.name === "color");
    const data: Record<string, string | number> = {
      id: variantId,
      title: `${title}, ${combination.map(([, { text }]) => text).join(", ")}`,
      artNr: variantId,
    };
    if (offer.priced) data["price"] = factor === 1 ? offer.price : shopPrice(offer.price * factor);
    data["stock"] = stockOf(offer.inStock && !random.chance(0.15), 25, random);
    if (color !== undefined) data["imageUrl"] = imageUrl(`${id}-${slugOf(String(color[1].value))}`);
    const attributes = combination.map(([axis, choice]) => attributeOf(axis.name, choice));
    return { id: variantId, data, attributes };
  });
}

function valuesOf(axis: Axis, drawn: Drawn, random: Random): Choice[] {
  const choices = resolve(axis.choices, drawn);
  const count = random.whole(axis.pick[0], axis.pick[1]);
  return axis.run === true ? random.run(choices, count) : random.some(choices, count);
}

function sumOfStock(variants: readonly SampleVariant[]): number {
  return variants.reduce((sum, { data }) => sum + Number(data["stock"]), 0);
}

function stockOf(inStock: boolean, most: number, random: Random): number {
  return inStock ? random.whole(1, most) : 0;
}

function descriptionOf(family: Family, market: Market, random: Random, drawn: Drawn): string {
  const [first, ...others] = family.sentences;
  const sentences = [first, ...random.some(others, random.whole(1, 3))];
  if (random.chance(0.4)) sentences.push(random.pick(market.promises));
  return sentences.map((sentence) => fill(sentence, drawn)).join(" ");
}

function attributeOf(name: string, { value, text }: Choice): SampleAttribute {
  return {
    name,
    value: typeof value === "number" ? value : text.trim(),
    code: slugOf(String(value)),
  };
}

/** `Home & Kitchen > Bedding`: ids are the whole path, so that `Accessories` of two groups are two categories. */
function pathOf(path: string): { id: string; name: string }[] {
  const names = path.split(" > ");
  return names.map((name, at) => ({
    id: names
      .slice(0, at + 1)
      .map(slugOf)
      .join("-"),
    name,
  }));
}

/** Prices as shops make them: 7.49, 24.99, 129.00, 1,249.00. */
function shopPrice(price: number): number {
  if (price < 10) return Math.max(0.99, Math.round(price * 2) / 2 - 0.01);
  if (price < 100) return Math.round(price) - 0.01;
  if (price < 400) return Math.round(price / 5) * 5 - 1;
  return Math.round(price / 50) * 50 - 1;
}

function ean(random: Random): string {
  let digits = EAN_PREFIX;
  while (digits.length < 12) digits += String(random.whole(0, 9));
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
  return digits + String((10 - (sum % 10)) % 10);
}

function imageUrl(name: string): string {
  return `https://images.example/products/${name.toLowerCase()}.jpg`;
}

const UMLAUTS: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  é: "e",
  è: "e",
};

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[äöüßéè]/g, (letter) => UMLAUTS[letter])
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}
