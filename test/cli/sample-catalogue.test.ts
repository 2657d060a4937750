/**
 * Properties of the sample catalogue
 *  1. It is the same in every run.
 *  2. It is what it says: over 2,000 English products in four departments, several hundred German ones with umlauts and
 *     compounds, ids and titles different, categories three deep, variants with colour and size.
 *  3. Every product is a document of the interface; attributes have codes that stand for one value.
 *  4. It has the rough edges of a real shop: products out of stock, without price, brand or image, in several
 *     categories.
 */
import { describe, expect, test } from "vitest";
import { choicesOf } from "../../cli/sample-catalogue/family.ts";
import {
  SAMPLE_LANGUAGES,
  sampleCatalogue,
  sampleNdjson,
  type SampleProduct,
} from "../../cli/sample-catalogue/index.ts";
import { Product } from "../../src/interface/index.ts";

const catalogues = { en: sampleCatalogue("en"), de: sampleCatalogue("de") };
const departments = (products: readonly SampleProduct[]): Set<string> =>
  new Set(products.map(({ categories }) => categories[0][0].name));

describe("the sample catalogue", () => {
  test("1: the same in every run", () => {
    for (const language of SAMPLE_LANGUAGES) {
      const [first, second] = [sampleNdjson(language), sampleNdjson(language)];
      expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
      expect(JSON.stringify(sampleCatalogue(language))).toBe(JSON.stringify(catalogues[language]));
    }
  });

  test("2: English", () => {
    expect(catalogues.en.length).toBeGreaterThan(2_000);
    expect([...departments(catalogues.en)].sort()).toEqual([
      "Clothing & Shoes",
      "Electronics",
      "Home & Kitchen",
      "Sports & Outdoor",
    ]);
    for (const department of departments(catalogues.en)) {
      const inside = catalogues.en.filter(({ categories }) => categories[0][0].name === department);
      expect(inside.length).toBeGreaterThan(400);
    }
    const sized = catalogues.en.filter((product) =>
      product.variants?.some(({ attributes }) => {
        const names = attributes.map(({ name }) => name);
        return names.includes("color") && names.includes("size");
      }),
    );
    expect(sized.length).toBeGreaterThan(600);
  });

  test("2: German", () => {
    expect(catalogues.de.length).toBeGreaterThan(400);
    const text = catalogues.de.map(({ data }) => data["title"]).join(" ");
    for (const letter of ["ä", "ö", "ü", "ß", "Ü"]) expect(text).toContain(letter);
    for (const compound of ["Kaffeevollautomat", "Winterjacke", "Fahrradhelm", "Bücherregal"]) {
      expect(text).toContain(compound);
    }
  });

  test.each(SAMPLE_LANGUAGES)("2: ids and titles differ, categories are three deep (%s)", (language) => {
    const products = catalogues[language];
    const ids = products.flatMap(({ id, variants }) => [id, ...(variants ?? []).map((one) => one.id)]);
    expect(new Set(ids).size).toBe(ids.length);
    // A product without its brand in the title may be named like another.
    const titles = products.filter(({ data }) => "brand" in data).map(({ data }) => data["title"]);
    expect(new Set(titles).size).toBe(titles.length);
    for (const { categories } of products) expect(categories[0]).toHaveLength(3);
    for (const { data } of products) {
      expect(data["title"]).toMatch(/^[A-ZÄÖÜ0-9].*[^ ,]$/);
      expect(data["title"]).not.toMatch(/[{}|*=]|undefined| ,/);
      expect(data["description"]).not.toMatch(/[{}|*=]|undefined| [,.]/);
    }
  });

  test.each(SAMPLE_LANGUAGES)("3: documents of the interface (%s)", (language) => {
    const codes = new Map<string, string | number>();
    for (const product of catalogues[language]) {
      expect(() => Product.parse(product)).not.toThrow();
      const everything = [...product.attributes, ...(product.variants ?? []).flatMap((one) => one.attributes)];
      for (const { name, value, code } of everything) {
        expect(code).toMatch(/^[a-z0-9-]+$/);
        const known = codes.get(`${name}=${code}`);
        if (known !== undefined) {
          expect(value).toBe(known);
        }
        codes.set(`${name}=${code}`, value);
      }
      const { ean } = product.data;
      const sum = [...String(ean)].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0);
      expect(sum % 10).toBe(0);
    }
  });

  test.each(SAMPLE_LANGUAGES)("4: rough edges (%s)", (language) => {
    const products = catalogues[language];
    const share = (test: (product: SampleProduct) => boolean): number => products.filter(test).length / products.length;
    expect(share(({ data }) => data["stock"] === 0)).toBeGreaterThan(0.03);
    expect(share(({ data }) => data["stock"] === 0)).toBeLessThan(0.15);
    for (const member of ["price", "brand"]) {
      expect(share(({ data }) => !(member in data))).toBeGreaterThan(0.005);
      expect(share(({ data }) => !(member in data))).toBeLessThan(0.05);
    }
    expect(share(({ data }) => !("imageUrl" in data))).toBeGreaterThan(0.05);
    expect(share(({ categories }) => categories.length > 1)).toBeGreaterThan(0.1);
    expect(share(({ variants }) => variants === undefined)).toBeGreaterThan(0.1);
  });
});

test("the grammar of word lists", () => {
  expect(choicesOf("Linen|55-Inch*1.6=55|Men's=Men")).toEqual([
    { text: "Linen", factor: 1, value: "Linen" },
    { text: "55-Inch", factor: 1.6, value: 55 },
    { text: "Men's", factor: 1, value: "Men" },
  ]);
  expect(() => choicesOf("a||b")).toThrow('no choice: ""');
});
