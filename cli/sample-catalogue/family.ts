/**
 * What a family of products is made of, and how its word lists are written.
 *
 * A *slot* is a word list of which each product takes one choice: `material: "Cotton|Merino Wool*1.8"`. A slot is an
 * attribute of the product by its name, unless the name begins with `_`. Slots are drawn in the order written.
 *
 *   choices := choice { "|" choice }
 *   choice  := text [ "*" price factor ] [ "=" value ]      55-Inch*1.6=55   Men's=Men   Linen
 *
 * The text is in titles and descriptions, the value (the text, when none is given; a number, when it looks like
 * one) becomes the attribute. A list that depends on an earlier slot is written `{ by: "gender", of: { Men: "...",
 * Women: "..." } }`, keyed by the earlier slot's value.
 *
 *   template := text with {slot}, {slot.lower}, {slot.value}, {brand}
 */
import type { Random } from "./random.ts";

export type Choices = string | { readonly by: string; readonly of: Readonly<Record<string, string>> };

/** What variants differ by: `color`, `size`, `storage`, ... */
export interface Axis {
  readonly name: string;
  readonly choices: Choices;
  /** How many values a product comes in: from, to. */
  readonly pick: readonly [number, number];
  /** Neighbouring values (sizes), not any (colours). */
  readonly run?: boolean;
}

export interface Family {
  /** Begins the article numbers, and seeds the family's chance. Unique in its catalogue. */
  readonly key: string;
  readonly count: number;
  /** `Department > Group > Leaf`, templates; the first is the product's home. */
  readonly categories: readonly string[];
  /** A further path for some of the products. */
  readonly alsoIn?: readonly { readonly share: number; readonly path: string }[];
  readonly brands: string;
  /** Before the factors of brand and choices. */
  readonly price: readonly [number, number];
  readonly slots: Readonly<Record<string, Choices>>;
  readonly titles: readonly string[];
  /** The first is always told, then some of the others. */
  readonly sentences: readonly string[];
  readonly axes: readonly Axis[];
}

export interface Choice {
  readonly text: string;
  readonly factor: number;
  readonly value: string | number;
}

const parsedLists = new Map<string, readonly Choice[]>();

export function choicesOf(list: string): readonly Choice[] {
  let choices = parsedLists.get(list);
  if (choices === undefined) {
    choices = list.split("|").map(choiceOf);
    parsedLists.set(list, choices);
  }
  return choices;
}

function choiceOf(written: string): Choice {
  const match = /^([^*=]+)(?:\*([\d.]+))?(?:=(.+))?$/.exec(written.trim());
  if (match === null) throw new Error(`no choice: "${written}"`);
  const [, text, factor, value] = match;
  const said = value ?? text;
  return {
    text,
    factor: factor === undefined ? 1 : Number(factor),
    value: /^\d+(\.\d+)?$/.test(said) ? Number(said) : said,
  };
}

export type Drawn = ReadonlyMap<string, Choice>;

/** The list that holds for this product. */
export function resolve(choices: Choices, drawn: Drawn): readonly Choice[] {
  if (typeof choices === "string") return choicesOf(choices);
  const key = String(drawn.get(choices.by)?.value);
  const list = choices.of[key];
  if (list === undefined) throw new Error(`no list for ${choices.by} = ${key}`);
  return choicesOf(list);
}

export function draw(family: Family, random: Random): Drawn {
  const drawn = new Map<string, Choice>();
  drawn.set("brand", random.pick(choicesOf(family.brands)));
  for (const [name, choices] of Object.entries(family.slots)) {
    drawn.set(name, random.pick(resolve(choices, drawn)));
  }
  return drawn;
}

export function fill(template: string, drawn: Drawn): string {
  const text = template.replaceAll(/\{([^{}.]+)(?:\.(lower|value))?\}/g, (_, name: string, form) => {
    const choice = drawn.get(name);
    if (choice === undefined) throw new Error(`no slot {${name}} for "${template}"`);
    if (form === "value") return String(choice.value);
    return form === "lower" ? choice.text.toLowerCase() : choice.text;
  });
  // A slot may be empty for some products (written as a blank), brands are missing now and then.
  return text.replaceAll(/\s+/g, " ").trim();
}
