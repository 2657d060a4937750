/**
 * Where words grow together: a compound finds its parts, in either order, with what the language puts between them;
 * parts find the compound; the last part alone does where no product has it.
 */
import { expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { searchAll } from "../../../src/index-engine/search.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../../src/interface/index.ts";
import { parseSearchParameters } from "../../../src/worker/parameters.ts";
import { shopOf } from "../stages/shop.ts";
import { documentSegment } from "../support/indexing.ts";
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

const german = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "de");
const readerOf = (titles: readonly string[]): Reader =>
  Reader.of([
    documentSegment(
      titles.map((title) => ({ id: title, data: { title } })),
      german,
    ),
  ]);

test.each([
  ["rollers", ["Rolle Papier", "Motorrollers Zubehör"], ["Uhr gold"]],
  ["wanders", ["Wand Regal"], ["Kletterwanders Schuh"]],
  ["jacke", ["Regenjacke"], ["Jackett", "Winterjacke"]],
  ["jacke", ["Regenjacke", "Jacke"], ["Winterjacke"]],
  ["laufhose", ["Hose grau", "Laufschuh"], ["Jacke", "Hose blau"]],
  ["bettdecke", ["Bettbezug", "Decke blau"], ["Tagesdecke"]],
  ["laufhose", ["Laufhose"], ["Hose blau"]],
])("%s finds the same compounds over one reader and over two", (q, first, second) => {
  const tenant = builtInTenantConfig("shop", ["shop"]);
  const idsIn = (readers: readonly Reader[]): string[] =>
    searchAll(readers, parseSearchParameters(`q=${q}`), tenant, german).hits.map(({ id }) => id);
  const alone = idsIn([readerOf([...first, ...second])]);
  expect(alone.length).toBeGreaterThan(0);
  expect(idsIn([readerOf(first), readerOf(second)])).toEqual(alone);
});

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
