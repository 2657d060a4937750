/**
 * What our own ladder finds, in words a shopper types (ladder.ts).
 *
 *  1. Each step is reached by the words it is for, and is named in `meta`.
 *  2. Exact before prefix before split and joined before typos before fewer words: what an earlier step finds, a later one does not
 *     water down.
 *  3. Corrected words are reported.
 *  4. Stop words are not required beside other words.
 *  5. Codes, numbers and units are found in their other writings, and are never misspelt.
 *  6. Nothing is empty without cause.
 */
import { describe, expect, test } from "vitest";
import { shopOf } from "./shop.ts";

const shop = shopOf({
  headphones: "Acme wireless headphones",
  phone: "Smart phone with large head room",
  shirt: "Cotton T-Shirt blue",
  tshirt: "Tshirt for kids",
  nike: { title: "Running shoes", brand: "Nike" },
  nice: { title: "Nice shoes" },
  laptop: "Laptop 15.6 inch, 512GB",
  tv: 'Television 55" 4K',
  cable: "Cable XYZ-123 2,5 m",
  code: "Adapter ABC456",
  bag: "Bag for the gym",
  keyboard: "Keyboard with backlight",
});

describe("1: steps", () => {
  test.each([
    ["running shoes", "AllTerms", ["nike"]],
    ["keyb", "Prefix", ["keyboard"]],
    ["wireless headph", "Prefix", ["headphones"]],
    ["key board", "SplitJoin", ["keyboard"]],
    ["wireless head phones", "SplitJoin", ["headphones"]],
    ["backlit keyborad", "MostTerms", ["keyboard"]],
    ["keyborad", "OneTypo", ["keyboard"]],
    ["televison", "OneTypo", ["tv"]],
    ["tlevison", "TwoTypos", ["tv"]],
    ["running shoes purple", "MostTerms", ["nike"]],
  ] as const)("%s", (q, strategy, ids) => {
    const { meta } = shop.search(new URLSearchParams({ q }).toString());
    expect([meta["query_strategy"], shop.ids(q)]).toEqual([strategy, [...ids]]);
  });
});

test("2: earlier steps are not watered down", () => {
  // "nice" is a word of the shop: Nike is one letter away and not meant.
  expect(shop.ids("nice")).toEqual(["nice"]);
  expect(shop.ids("phone")).toEqual(["phone"]);
  expect(shop.ids("headphones")[0]).toBe("headphones");
});

test("3: corrections are reported", () => {
  const { meta } = shop.search("q=wireless+headfones");
  expect(meta).toMatchObject({
    query_corrected: "wireless headphones",
    query_correction: { headfones: ["headphones"] },
  });
  expect(shop.search("q=wireless+headphones").meta).not.toHaveProperty("query_corrected");
});

test("4: stop words", () => {
  for (const q of ["keyboard gym", "a keyboard for the gym"]) {
    expect(shop.ids(q).toSorted()).toEqual(["bag", "keyboard"]);
  }
  expect(shop.ids("bag with gym")).toEqual(["bag"]);
  expect(shop.search("q=for+the").matchCount).toBeGreaterThan(0);
});

describe("5: codes, numbers, units", () => {
  test.each([
    ["xyz123", ["cable"]],
    ["xyz 123", ["cable"]],
    ["XYZ-123", ["cable"]],
    ["abc 456", ["code"]],
    ["abc-456", ["code"]],
    ["15.6in laptop", ["laptop"]],
    ["laptop 15,6 zoll", ["laptop"]],
    ["512 gb laptop", ["laptop"]],
    ["55in television", ["tv"]],
    ["t-shirt blue", ["shirt"]],
    ["tshirt blue", ["shirt"]],
    ["abc457", []],
    ["xyz 124 cable 2.5", ["cable"]],
  ])("%s", (q, ids) => {
    expect(shop.ids(q)).toEqual(ids);
  });
});

test("6: an unknown word leaves the others", () => {
  expect(shop.ids("blorgh keyboard")).toEqual(["keyboard"]);
  expect(shop.ids("blorgh")).toEqual([]);
});

describe("German words", () => {
  const german = shopOf(
    {
      split: "Schuhe für Fußball",
      whole: "Fußballschuhe Herren",
      arbeit: "Arbeitsschuhe S3",
      socke: "Wollsocken grau",
      jacke: "Jacke aus Leder",
    },
    { locale: "de" },
  );
  test.each([
    ["fussballschuhe", ["whole"]],
    ["Fußballschuh", ["whole"]],
    ["lederjacke", ["jacke"]],
    ["Lederjacken", ["jacke"]],
    ["schuhe fussball", ["split"]],
    ["arbeit schuhe", ["arbeit"]],
    ["schuhe arbeit", ["arbeit"]],
    ["wolle socken", ["socke"]],
    // A part finds what it stands in by itself, not the compounds that the shop writes whole.
    ["socke", []],
  ])("%s", (q, ids) => {
    expect(german.ids(q)).toEqual(ids);
  });
  test("a compound finds its parts where nothing has it whole", () => {
    const parts = shopOf({ a: "Schuhe für Fußball" }, { locale: "de" });
    expect(parts.ids("fussballschuhe")).toEqual(["a"]);
    const whole = shopOf({ a: "Fußballschuhe" }, { locale: "de" });
    expect(whole.ids("Schuhe Fußball")).toEqual(["a"]);
  });
});
