/**
 * Words behind "without" (relevance/lift.ts).
 *
 * 1. They need not be there: a title that says it lacks them comes first, one that has them last, in every language.
 * 2. `query_unwanted` names them; they end at the next stop word.
 * 3. Where nothing else is asked they are asked themselves.
 * 4. The word "without" decides little, where a description has it.
 */
import { expect, test } from "vitest";
import { LANGUAGE_KEYS } from "../analysis/product-words.ts";
import { shopOf } from "../stages/shop.ts";
import { found, idsOf, many } from "./shops.ts";

const WITHOUT: Readonly<Record<string, string>> = {
  cs: "bez",
  da: "uden",
  de: "ohne",
  en: "without",
  es: "sin",
  fr: "sans",
  it: "senza",
  nl: "zonder",
  pl: "bez",
  pt: "sem",
  sv: "utan",
};

test("1: every language has its row", () => {
  expect(Object.keys(WITHOUT).toSorted()).toEqual([...LANGUAGE_KEYS].toSorted());
});

test.each(Object.entries(WITHOUT))("1: %s, %s", (locale, word) => {
  const shop = shopOf(
    { has: "Kamera USB", lacks: `Kamera ${word} USB`, neither: "Kamera blå" },
    { locale },
  );
  const { hits, meta } = found(shop, `kamera ${word} usb`);
  expect(hits.map(({ id }) => id)).toEqual(["lacks", "neither", "has"]);
  expect(meta).toMatchObject({ query_unwanted: ["usb"], query_ignored: [word] });
});

const cases = shopOf({
  has: "Phone case with magnetic ring",
  lacks: "Phone case without magnetic ring",
  without: "Phone case without ring",
  plain: "Phone case",
});

test("2: which words", () => {
  expect(idsOf(cases, "phone case without ring").at(-1)).toBe("has");
  expect(idsOf(cases, "phone case without ring").slice(0, 2).toSorted()).toEqual([
    "lacks",
    "without",
  ]);
  expect(found(cases, "without magnetic ring for phone").meta).toMatchObject({
    query_unwanted: ["magnetic", "ring"],
    query_executed: "phone",
  });
});

test("3: nothing else", () => {
  expect(idsOf(cases, "without ring").slice(0, 2).toSorted()).toEqual(["lacks", "without"]);
  expect(found(cases, "without ring").meta).not.toHaveProperty("query_unwanted");
});

test("4: without itself", () => {
  const description = "Goes with anything, all year";
  const shop = shopOf({
    shirt: { title: "Cotton shirt", description: "Without a shoe, without socks" },
    ...many(15, "shoe", (i) => ({ title: `Running shoe s${i}`, description })),
    ...many(300, "hat", (i) => ({ title: `Hat h${i}`, description })),
  });
  expect(idsOf(shop, "shoe without laces").at(-1)).toBe("shirt");
});
