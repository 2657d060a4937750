/**
 * How words are read where no stages are configured, in words a shopper types (relevance/readings.ts).
 *
 * 1. Beginnings, joined and split words, typos and other forms find what was meant, and it comes first.
 * 2. Words that the shop has are not taken apart, and not misspelt.
 * 3. Corrections, ignored words and the way to search are reported.
 * 4. Stop words are not required beside other words, and are ignored where nothing has them.
 * 5. Codes, numbers and units are found in their other writings, and are never misspelt.
 * 6. An unknown word leaves the others; where nothing is left, nothing is found.
 * 7. Words in quotes must stand side by side in a title, however they are read.
 * 8. A word written like a tag is a word; tags around words are left out.
 */
import { describe, expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { found, idsOf, many, partialsOf } from "./shops.ts";

const shop = shopOf({
  headphones: "Acme wireless headphones",
  phone: "Smart phone with large head room",
  shirt: "Cotton T-Shirt blue",
  tshirt: "Tshirt for kids",
  nike: { title: "Running shoes", brand: "Nike" },
  nice: { title: "Nice shoes" },
  tights: "Running tights",
  sizes: "Leggings for any shoe s",
  laptop: "Laptop 15.6 inch, 512GB",
  tv: 'Television 55" 4K',
  cable: "Cable XYZ-123 2,5 m",
  code: "Adapter ABC456",
  bag: "Bag for the gym",
  keyboard: "Keyboard with backlight",
});

test.each([
  ["running shoes", "nike"],
  ["runing shoes", "nike"],
  ["keyb", "keyboard"],
  ["wireless headph", "headphones"],
  ["key board", "keyboard"],
  ["wireless head phones", "headphones"],
  ["backlit keyborad", "keyboard"],
  ["keyborad", "keyboard"],
  ["televison", "tv"],
  ["tlevison", "tv"],
  ["felevision", "tv"],
  ["running shoes purple", "nike"],
])("1: %s", (q, id) => {
  expect(idsOf(shop, q)[0]).toBe(id);
});

describe("2: words of the shop", () => {
  test.each([
    // Nike is one letter away.
    ["nice", ["nice"]],
    ["phone", ["phone"]],
    ["headphones", ["headphones"]],
    ["tights", ["tights"]],
  ])("%s", (q, ids) => {
    expect(idsOf(shop, q)).toEqual(ids);
  });
  test("shoes are no shoe in size s", () => {
    const small = shopOf({ set: "Shoe with s lace", shoes: "Shoes", s: "Size s", side: "Shoe s" });
    expect(small.search("q=shoes&trace=Explain").hits[0].id).toBe("shoes");
    expect(idsOf(small, "shoes")).not.toContain("s");
    // A form of "shoes", and no "shoe" with an "s".
    const { hits } = small.search("q=shoes&trace=Explain");
    const set = hits.find(({ id }) => id === "set")?.explanation;
    expect(set?.words[0]?.by).toMatchObject({ because: "stem" });
  });
  test("runing shoes are shoes, and no tights", () => {
    const sport = shopOf({
      shoes: "Running shoes",
      trail: "Trail running shoes for men",
      tights: "Running tights s",
      leggings: "Tights for running",
    });
    expect(idsOf(sport, "runing shoes")).toEqual(["shoes", "trail"]);
  });
});

test("3: what meta says", () => {
  expect(found(shop, "wireless headfones").meta).toMatchObject({
    query_strategy: "relevance",
    query_stage: 0,
    query_executed: "wireless OR headfones~",
    query_corrected: "wireless headphones",
    query_correction: { headfones: ["headphones"] },
  });
  expect(found(shop, "wireless headphones").meta).not.toHaveProperty("query_corrected");
  expect(found(shop, "keyb").meta).toMatchObject({ query_executed: "keyb*" });
  expect(found(shop, "the keyboard by blorgh").meta).toMatchObject({ query_ignored: ["by", "blorgh", "the"] });
  expect(found(shop, "keyboard").meta).not.toHaveProperty("query_ignored");
});

test("4: stop words", () => {
  for (const q of ["keyboard gym", "a keyboard for the gym"]) {
    expect(idsOf(shop, q).toSorted()).toEqual(["bag", "keyboard"]);
  }
  expect(idsOf(shop, "bag with gym")).toEqual(["bag"]);
  expect(found(shop, "for the").matchCount).toBeGreaterThan(0);
  expect(idsOf(shop, "of")).toEqual([]);
});

describe("5: a whole number of inches also stands for those with decimals", () => {
  const screens = shopOf({
    exact: "Laptop 15 inch",
    near: 'Laptop 15.6"',
    german: "Notebook 15,6 Zoll",
    together: "Laptop 15.6in",
    other: "Laptop 17.3 inch",
    wide: 'Laptop with 15.6 GHz, 17.3"',
    knife: "Knife 5 inch",
    longer: "Knife 5.5 inch",
  });
  test.each([
    ["15 inch laptop", ["exact", "near", "together"]],
    ['laptop 15"', ["exact", "near", "together"]],
    ["15in laptop", ["exact", "near", "together"]],
    ["17 inch laptop", ["other", "wide"]],
    ["5 inch knife", ["knife"]],
  ])("%s", (q, ids) => {
    const partial = partialsOf(screens, q);
    const complete = idsOf(screens, q).filter((id) => !partial.includes(id));
    expect(complete.toSorted()).toEqual(ids.toSorted());
  });
  test("the number as typed comes first", () => {
    expect(idsOf(screens, "15 inch laptop")[0]).toBe("exact");
    expect(idsOf(screens, "notebook 15 zoll")[0]).toBe("german");
    // Also if the decimals are rarer.
    const bags = shopOf({
      ...many(9, "exact", (i) => `Case 16", 40 cm, c${i}`),
      ...many(2, "near", (i) => `Paper 16.5" p${i}`),
      ...many(30, "hat", (i) => `Hat h${i}`),
    });
    expect(
      idsOf(bags, "16 inch")
        .slice(0, 9)
        .every((id) => id.startsWith("exact")),
    ).toBe(true);
  });
});

test.each(["6 ft cable", "6' cable", "cable 6ft"])("5: feet, %s", (q) => {
  const cables = shopOf({
    sign: "USB Cable 6' Black",
    word: "USB Cable 6 feet",
    short: "USB Cable 3'",
    pack: "6 Cables",
  });
  const partial = partialsOf(cables, q);
  expect(
    idsOf(cables, q)
      .filter((id) => !partial.includes(id))
      .toSorted(),
  ).toEqual(["sign", "word"]);
});

describe("5: codes, numbers, units", () => {
  test.each([
    ["xyz123", "cable"],
    ["xyz 123", "cable"],
    ["XYZ-123", "cable"],
    ["abc 456", "code"],
    ["abc-456", "code"],
    ["15.6in laptop", "laptop"],
    ["laptop 15,6 zoll", "laptop"],
    ["512 gb laptop", "laptop"],
    ["55in television", "tv"],
    ["t-shirt blue", "shirt"],
    ["tshirt blue", "shirt"],
    ["xyz 124 cable 2.5", "cable"],
  ])("%s", (q, id) => {
    const { hits, meta } = found(shop, q);
    expect([hits[0].id, "query_correction" in meta]).toEqual([id, false]);
  });
  const spares = shopOf({
    digits: { title: "Book", ean: "9783161484100" },
    dashes: { title: "Magazine", ean: "978-0-306-40615-7" },
    spaces: { title: "Filter", artNr: "0 451 103 316" },
    mixed: { title: "Pump", artNr: "XK-204.77/B", oem: "A.12-B.77" },
  });
  test.each([
    ["978-3-16-148410-0", "digits"],
    ["978 3 16 148410 0", "digits"],
    ["9780306406157", "dashes"],
    ["978-0306406157", "dashes"],
    ["978-0-306-40615-7", "dashes"],
    ["0451103316", "spaces"],
    ["0451-103-316", "spaces"],
    ["xk20477b", "mixed"],
    ["a12b77", "mixed"],
  ])("a code with other separators: %s", (q, id) => {
    expect(idsOf(spares, q)[0]).toBe(id);
  });
  test("never misspelt", () => {
    expect(idsOf(shop, "abc457")).toEqual([]);
  });
  test("15 inch finds 15in before 17 inch", () => {
    const inches = shopOf({ far: "Laptop 17in", in: "Laptop 15in", zoll: "Laptop 15 inch" });
    for (const q of ["15 inch laptop", "laptop 15in", 'laptop 15"']) {
      expect(idsOf(inches, q).slice(0, 2).toSorted()).toEqual(["in", "zoll"]);
    }
    for (const q of ["15 inch", "15in"]) expect(idsOf(inches, q).toSorted()).toEqual(["in", "zoll"]);
  });
});

test("6: an unknown word leaves the others", () => {
  expect(idsOf(shop, "blorgh keyboard")).toEqual(["keyboard"]);
  expect(idsOf(shop, "blorgh")).toEqual([]);
  expect(found(shop, "blorgh").meta).toMatchObject({ query_ignored: ["blorgh"] });
});

test("7: a quote does not end within a measure", () => {
  expect(idsOf(shop, '"cable xyz" 123')).toEqual(["cable"]);
  const cables = shopOf({ cable: "Cable 2 x 5 m" });
  expect(idsOf(cables, '"cable 2" m')).toEqual(["cable"]);
});

test("7: quoted words", () => {
  const pads = shopOf({ pad: "Pro controller", other: "Controller, pro edition", phones: "Earphones" });
  expect(idsOf(pads, "controller pro").toSorted()).toEqual(["other", "pad"]);
  expect(idsOf(pads, '"pro controller"')).toEqual(["pad"]);
  expect(idsOf(pads, '"pro kontroller"')).toEqual(["pad"]);
  expect(idsOf(pads, '"ear phones"')).toEqual(["phones"]);
  expect(idsOf(pads, '"pro phones"')).toEqual([]);
  const bands = shopOf({ twice: "Duran Duran poster", once: "Roberto Duran poster" });
  expect(idsOf(bands, '"duran duran"')).toEqual(["twice"]);
});

test("8: tags", () => {
  const things = shopOf({ hat: "Hat", b: "Vitamin B", bag: "Bag" });
  expect(["<hat>", "< hat >", "<b>Hat</b>"].map((q) => idsOf(things, `q=${q}`))).toEqual([["hat"], ["hat"], ["hat"]]);
});
