/**
 * The last word may be the beginning of another.
 *
 * 1. An unknown last word is; a known one with `typing=true`, which then stands for both.
 * 2. Only the last one, and from two letters.
 * 3. Of alike titles those with the word itself come first.
 * 4. With `typing=true`, a last word that begins others is neither misspelt nor several words.
 * 5. With `typing=true`, a last word of one letter is optional beside other words.
 * 6. A short number is the beginning of another only with `typing=true`.
 */
import { expect, test } from "vitest";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { shopOf } from "../stages/shop.ts";
import { found, idsOf } from "./shops.ts";

const shop = shopOf({
  light: "White light",
  lighter: "White lighter",
  lightning: "White lightning cable",
  lamp: "Lamp white",
});

test("1: known and unknown words", () => {
  expect(idsOf(shop, "q=white ligh")).toEqual(idsOf(shop, "q=white ligh&typing=true"));
  expect(idsOf(shop, "q=white ligh").slice(0, 3).toSorted()).toEqual(["light", "lighter", "lightning"]);
  expect(idsOf(shop, "q=light")).toEqual(["light"]);
  expect(idsOf(shop, "q=light&typing=true").toSorted()).toEqual(["light", "lighter", "lightning"]);
  expect(found(shop, "q=light&typing=true").meta["query_executed"]).toBe("light*");
  expect(found(shop, "q=light&typing=false").meta["query_executed"]).toBe("light");
});

test("2: the last word, two letters", () => {
  expect(idsOf(shop, "q=light white&typing=true")[0]).toBe("light");
  expect(found(shop, "q=light white&typing=true").meta["query_executed"]).toBe("light OR white*");
  expect(idsOf(shop, "q=l")).toEqual([]);
  expect(idsOf(shop, "q=li").toSorted()).toEqual(["light", "lighter", "lightning"]);
});

test("3: the word itself", () => {
  expect(idsOf(shop, "q=light&typing=true")[0]).toBe("light");
  expect(idsOf(shop, "q=white light&typing=true")[0]).toBe("light");
});

test("4: the beginning of a word", () => {
  const titles = {
    women: "Dress for women",
    home: "Home decor",
    bluetooth: "Bluetooth headset",
    blue: "Blue to go cup",
  };
  const things = shopOf(titles);
  expect(idsOf(things, "q=wome").toSorted()).toEqual(["home", "women"]);
  expect(idsOf(things, "q=wome&typing=true")).toEqual(["women"]);
  expect(idsOf(things, "q=blueto")).toEqual(["blue"]);
  expect(idsOf(things, "q=blueto&typing=true")).toEqual(["bluetooth"]);
  expect(idsOf(things, "q=wonen&typing=true")).toEqual(["women"]);
});

test("5: one letter", () => {
  const titles = { tv: "Television 65 inch", tee: "T shirt 65 cotton", radio: "Radio 65 stations" };
  const things = shopOf(titles);
  expect(idsOf(things, "q=television t&typing=true")).toEqual(["tv"]);
  expect(idsOf(things, "q=television t").toSorted()).toEqual(["tee", "tv"]);
  expect(idsOf(things, "q=65 t&typing=true")[0]).toBe("tee");
  expect(idsOf(things, "q=t&typing=true")).toEqual(["tee"]);
});

test("6: numbers", () => {
  const things = shopOf({ hub: "Hub USB", tent: "Tent 3.05 kg", code: "Charger 30456" });
  expect(idsOf(things, "q=usb 3.0")).toEqual(["hub"]);
  expect(idsOf(things, "q=usb 3.0&typing=true").toSorted()).toEqual(["hub", "tent"]);
  expect(idsOf(things, "q=3045")).toEqual(["code"]);
});

test("the parameter", () => {
  expect(parseSearchParameters("q=a&typing=TRUE").isTyping).toBe(true);
  for (const query of ["q=a", "q=a&typing=", "q=a&typing=false", "q=a&typing=0"]) {
    expect(parseSearchParameters(query)).not.toHaveProperty("isTyping");
  }
});
