/**
 * Words behind "without" (relevance/lift.ts).
 *
 * 1. They need not be there: a title that says it lacks them comes first, one that has them last, in every language.
 * 2. `query_unwanted` names them; they end at the next stop word.
 * 3. Where nothing else is asked they are asked themselves.
 * 4. The word "without" decides little, where a description has it, and nothing, where every product has the others.
 * 5. A negator may be misspelt, or written apart or together with its neighbours, in every language.
 * 6. "no" is read so, for one word, where no title says it; "free" behind a word says that the product lacks it.
 */
import { describe, expect, test } from "vitest";
import { byLanguage } from "../analysis/product-words.ts";
import { shopOf } from "../stages/shop.ts";
import { found, idsOf, many } from "./shops.ts";

const WITHOUT = byLanguage(
  "cs bez, da uden, de ohne, en without, es sin, fr sans, it senza, nl zonder, pl bez, pt sem, sv utan",
);

test.each([...WITHOUT])("1: %s, %s", (locale, word) => {
  const shop = shopOf({ has: "Kamera USB", lacks: `Kamera ${word} USB`, neither: "Kamera blå" }, { locale });
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
  expect(idsOf(cases, "phone case without ring").slice(0, 2).toSorted()).toEqual(["lacks", "without"]);
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

test("4: every product has the other words", () => {
  const shop = shopOf({
    prepaid: { title: "Phone", description: "No contract" },
    ...many(9, "cover", (i) => ({ title: `Cover ${i} for phone`, description: "Without tools, without screws" })),
  });
  expect(idsOf(shop, "phone without contract")[0]).toBe("prepaid");
});

describe("5: misspelt, apart, together", () => {
  const titled = (locale: string): ReturnType<typeof shopOf> => {
    const word = WITHOUT.get(locale) ?? "";
    const description = `Kamera ${word} USB`;
    return shopOf({ has: "Kamera USB", neither: { title: "Kamera blå", description } }, { locale });
  };
  test.each([...WITHOUT])("%s, %s", (locale, word) => {
    const half = word.slice(0, 2);
    const typed = [`${half} ${word.slice(2)}`, ...(word.length > 5 ? [half + word.slice(3)] : [])];
    for (const negator of typed) {
      const { hits, meta } = found(titled(locale), `kamera ${negator} usb`);
      expect(hits.map(({ id }) => id)).toEqual(["neither", "has"]);
      expect(meta).toMatchObject({ query_unwanted: ["usb"], query_executed: "kamera" });
    }
  });
  test.each(["lamp without cord", "lampwithout cord", "lamp withoutcord"])("%s", (query) => {
    const shop = shopOf({ has: "Wall lamp with cord", lacks: "Wall lamp without cord", plain: "Wall lamp" });
    expect(idsOf(shop, query)).toEqual(["lacks", "plain", "has"]);
    expect(found(shop, query).meta).toMatchObject({ query_unwanted: ["cord"], query_executed: "lamp" });
  });
  test.each([
    ["es", "sin", "camiseta pin metal"],
    ["de", "ohne", "camiseta bohne metal"],
    ["it", "senza", "camiseta lenza metal"],
    ["es", "sin", "camiseta sim metal"],
  ])("another word is no negator: %s, %s, %s", (locale, word, query) => {
    const shop = shopOf(
      { metal: "Camiseta metal", roja: { title: "Camiseta roja", description: `Camiseta ${word} mangas` } },
      { locale },
    );
    expect(idsOf(shop, query)[0]).toBe("metal");
    expect(found(shop, query).meta).not.toHaveProperty("query_unwanted");
  });
  test("parts of one word are wanted and unwanted each", () => {
    const shop = shopOf({ has: "Wall lamp with cord", lacks: "Wall lamp without cord", plain: "Wall lamp" });
    expect(idsOf(shop, "wall lampwithoutcord")).toEqual(["lacks", "plain", "has"]);
    expect(found(shop, "wall lampwithoutcord").meta).toMatchObject({
      query_unwanted: ["cord"],
      query_executed: "wall OR lamp",
    });
    const sandals = shopOf({ women: "Women sandals", straps: "Sandals with straps for women", men: "Sandals for men" });
    expect(idsOf(sandals, "sandals without strapsforwomen")).toEqual(["women", "straps"]);
    expect(found(sandals, "sandals without strapsforwomen").meta).toMatchObject({ query_unwanted: ["straps"] });
  });
  test("stop words in other words need not be there, and end what is unwanted", () => {
    const shop = shopOf({ women: "Women sandals", phrase: "Sandals for women", men: "Sandals for men" });
    expect(found(shop, "sandals forwomen").meta).toMatchObject({ query_executed: "sandals OR women" });
    expect(found(shop, "sandals without straps forwomen").meta).toMatchObject({ query_executed: "sandals OR women" });
  });
  test("a quoted phrase stays one", () => {
    const shop = shopOf({ out: "Kamera with out of box lens", other: "Kamera without lens" });
    expect(idsOf(shop, 'kamera "with out"')).toContain("out");
  });
});

describe("6: no, free", () => {
  const bottles = { straw: "Water bottle with straw", sport: "Sport water bottle", free: "Straw free water bottle" };
  test("unwanted", () => {
    const shop = shopOf(bottles);
    expect(idsOf(shop, "water bottle no straw")).toEqual(["free", "sport", "straw"]);
    expect(found(shop, "water bottle no straw").meta).toMatchObject({ query_unwanted: ["straw"] });
    expect(idsOf(shop, "water bottle without straw")).toEqual(["free", "sport", "straw"]);
  });
  test("a name", () => {
    const shop = shopOf({ ...bottles, none: "Water bottle, no straw", sock: "No show socks" });
    expect(idsOf(shop, "water bottle no straw")[0]).toBe("none");
    expect(idsOf(shop, "no show socks")[0]).toBe("sock");
    expect(found(shop, "no show socks").meta).not.toHaveProperty("query_unwanted");
  });
  test("only the next word, and no numbers", () => {
    const shop = shopOf({ ...bottles, perfume: "Perfume 5" });
    expect(found(shop, "no straw bottle").meta).toMatchObject({ query_unwanted: ["straw"], query_executed: "bottle" });
    expect(found(shop, "perfume no 5").meta).not.toHaveProperty("query_unwanted");
  });
});
