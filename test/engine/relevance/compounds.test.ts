/**
 * Where words grow together: a compound finds its parts, in either order, with what the language puts between them;
 * parts find the compound; the last part alone does where no product has it. (The same over several shards:
 * sharded-words.property.test.ts.)
 */
import { expect, test } from "vitest";
import { shopOf } from "../stages/shop.ts";
import { testTable } from "./language-shops.ts";

testTable(
  {
    da: "lamp: bord lampe, lampe bord; shelf: bogreol; towel: bomuldshåndklæde, hånd klæde",
    de:
      "shoe: lauf schuhe, Schuhe Lauf; lamp: Schreibtisch Lampe; " +
      "shelf: Bücherregal, buecherregal, Bücherregale, Regale; towel: Baumwollhandtuch; " +
      "head: Kopf Hörer",
    nl:
      "shoe: hardloop schoenen, schoenen; lamp: bureau lamp; shelf: boekenkast, boekenkasten; " +
      "towel: hand doek; head: kop telefoon",
    sv:
      "shoe: löpar skor; lamp: bord lampa, lampa bord; shelf: bokhylla, hylla; " +
      "towel: bomullshandduk; head: hör lurar",
  },
  { languages: ["da", "de", "nl", "sv"] },
);

test("words of four letters, and of four letters in the compound", () => {
  const titles = { cord: "Cordhosen blau", bike: "Mountainbike", horse: "Schaukelpferd", lamp: "Lampe" };
  const shop = shopOf(titles, { locale: "de" });
  expect(["hose", "hosen", "bike", "erde"].map((q) => shop.ids(q))).toEqual([["cord"], ["cord"], ["bike"], []]);
});

test("a word that is only in a large category does not hide the compounds that end with it", () => {
  const titles = ["Steppjacke warm", "Strickkleid blau", "Hemd weiß"];
  const clothes = Object.fromEntries(
    titles.map((title, i) => [`other${i}`, { title, category: "Mode & Schuhe/Bekleidung" }]),
  );
  const shoes = { run: { title: "Damen Laufschuhe leicht", category: "Sport/Laufen" } };
  expect(shopOf({ ...clothes, ...shoes }, { locale: "de" }).ids("schuhe")[0]).toBe("run");
});

test("a word that compounds end with may still be the beginning of another", () => {
  const shop = shopOf({ front: "Vorderhand", bag: "Handtasche", towel: "Handtuch" }, { locale: "de" });
  expect(shop.ids("hand").toSorted()).toEqual(["bag", "front", "towel"]);
});

test("a compound that no product has is read as its end", () => {
  const bags = { shoulder: "Tasche Leder", sports: "Tasche Sport", book: "Notebook 15 Zoll", hat: "Damenhut" };
  const shop = shopOf({ ...bags, board: "Surf board" }, { locale: "de" });
  expect(shop.ids("notebooktasche").toSorted()).toEqual(["shoulder", "sports"]);
  expect(shop.search("q=damentasche").meta).toMatchObject({ query_correction: { damentasche: ["tasche"] } });
  expect(shop.ids("damentasche leder")[0]).toBe("shoulder");
  expect(shopOf(bags).ids("damentasche")).toEqual([]);
  // "besteck" takes two edits, "fahrradhelm" one.
  const home = shopOf(
    { knife: "Besteck", wool: "Decke", bike: "Fahrradhelm", head: "Helm", sheet: "Bettlaken" },
    { locale: "de" },
  );
  expect(["bettdecke", "fahradhelm"].map((q) => home.ids(q))).toEqual([["wool"], ["bike"]]);
});

test("and as other compounds with this end", () => {
  const titles = { cover: "Decke Wolle", day: "Tagesdecke", sheet: "Bettlaken" };
  expect(shopOf(titles, { locale: "de" }).ids("bettdecke").toSorted()).toEqual(["cover", "day"]);
});

test("its end is no word that only looks like one", () => {
  const shoe = { title: "Schuh ocker", description: "Auch als Geschenk" };
  const shop = shopOf({ shoe, glass: "Weinglas", grill: "Grill 500 W als ein Geschenk" }, { locale: "de" });
  expect(["gartenschlauch", "wandersocken"].map((q) => shop.ids(q))).toEqual([[], []]);
  // Nor is "wein" a "w" and an "ein".
  expect(shop.ids("wein")).toEqual(["glass"]);
});

test("a compound that no product has is read as its parts, wherever they stand, rather than misspelt", () => {
  const shop = shopOf({ parts: "Schuhe für Fußball", typo: "Fußbalschuhe" }, { locale: "de" });
  expect(shop.ids("fussballschuhe")).toEqual(["parts"]);
});
