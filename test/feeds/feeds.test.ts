/**
 * Feeds of shops (what a search of them finds: test/cli/feeds-live.test.ts).
 *  1. However a file is cut into chunks, its documents are the same; so are those of the build for browsers.
 *  2. Variants find their product by rows, parent, children or inside of it, in any order; a large file whose variants
 *     stand apart is refused and never loses rows.
 *  3. Drafts, hidden products and costs are not imported; rows without an id are named with their line.
 *  4. Encodings: byte order marks, UTF-16, windows-1252; a file in two encodings is refused where the second begins.
 *  5. What is no feed is named as what it is, with the expected shape.
 *  6. A mapping decides over every guess.
 *  7. Numbers that can be read in two ways follow their column and the file; availability becomes a stock.
 *  8. Objects inside JSON mean what their names say, as search engines export them.
 *  9. What somebody should know before they import is said.
 * 10. The language is that of the texts; where they do not tell, none is said.
 */
import { readFile, readdir } from "node:fs/promises";
import fc from "fast-check";
import { describe, test, vi } from "vitest";
import { csvRecords } from "../../src/feeds/csv.ts";
import { familiesOf } from "../../src/feeds/families.ts";
import { openFeed, type Feed, type FeedModule, type FeedRecord, type Mapping } from "../../src/feeds/index.ts";
import { forAllAsync, runs } from "../support/property.ts";
import { FILES, inChunks, readBytes, readFixture, readText, text } from "./support.ts";

const files = await readdir(FILES);

/** `colour red, size M` */
const attributesOf = (text: string): object[] =>
  text.split(", ").map((one) => ({ name: one.split(" ")[0], value: one.slice(one.indexOf(" ") + 1) }));

async function remarksOf({ mapping, ...feed }: Feed): Promise<readonly string[]> {
  if (mapping === null) throw new Error("columns have a mapping");
  return await feed.remarks(mapping);
}

describe("whole files (1)", () => {
  test.for(files)("1: %s in chunks of any size", async (name, { expect }) => {
    const whole = await readFixture(name);
    expect(whole.documents.length).toBeGreaterThan(0);
    for (const chunkBytes of [1, 7, 1_000]) {
      const cut = await readFixture(name, chunkBytes);
      expect(cut.documents).toEqual(whole.documents);
      expect(cut.feed.mapping).toEqual(whole.feed.mapping);
    }
  });

  test("1: the build for browsers", async ({ expect }) => {
    const built = new URL("../../build/assets/playground/feeds.js", import.meta.url).href;
    const module = (await import(/* @vite-ignore */ built)) as FeedModule;
    for (const name of files) {
      const feed = await module.openFeed(inChunks(await readFile(FILES + name), 999), null);
      const events = {
        onRejected: () => undefined,
        onIgnored: () => undefined,
        onLeftOut: () => undefined,
        onUnreadable: null,
      };
      const documents: unknown[] = [];
      for await (const { json } of feed.documents(feed.mapping, events)) {
        documents.push(JSON.parse(new TextDecoder().decode(json)));
      }
      expect(documents).toEqual((await readFixture(name)).documents);
    }
  });

  test("1: any cells come back from quotes, separators and line breaks", async ({ expect }) => {
    const cell = fc
      .string({ unit: fc.constantFrom("a", "ü", '"', ",", ";", "\n", "|", "x", "1") })
      .map((one) => one.trim());
    await forAllAsync(
      runs(100),
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 }),
      fc.constantFrom(",", ";", "\t", "|"),
      fc.constantFrom("\n", "\r\n"),
      fc.nat({ max: 40 }),
      async (rows, delimiter, newline, chunkBytes) => {
        const quoted = (one: string): string => `"${one.replaceAll('"', '""')}"`;
        const table = [["sku", "note", "more"], ...rows.map((row, at) => [`p${at}`, ...row])];
        const csv = table.map((row) => row.map(quoted).join(delimiter)).join(newline);
        const given: Mapping = {
          version: 1,
          source: {},
          id: ["sku"],
          columns: { note: { kind: "text", field: "note" }, more: { kind: "text", field: "more" } },
        };
        const { documents } = await readText(csv, { given, chunkBytes: chunkBytes + 1 });
        expect(documents.map(({ data }) => [data["note"] ?? "", data["more"] ?? ""])).toEqual(
          rows.map((row) => [...row]),
        );
      },
    );
  });
});

describe("newer and German exports (2, 3)", () => {
  test("Shopify's newer headers", async ({ expect }) => {
    const { feed, documents, leftOut } = await readFixture("shopify-new-headers.csv");
    expect(feed.description).toContain("Shopify product export");
    expect(documents.map(({ id }) => id)).toEqual(["linen-shirt"]);
    const [shirt] = documents;
    expect(shirt.data).toMatchObject({ title: "Linen Shirt", brand: "Fjällwear" });
    expect(shirt.variants?.map(({ id, data }) => [id, data["price"], data["stock"]])).toEqual([
      ["LS-S", 49.9, 3],
      ["LS-M", 52.9, 0],
    ]);
    expect(JSON.stringify(documents)).not.toMatch(/12\.00|"cost/);
    expect(leftOut).toBe(1);
  });

  test("WooCommerce in German", async ({ expect }) => {
    const { feed, documents, leftOut } = await readFixture("woocommerce-german.csv");
    expect(feed.description).toContain("WooCommerce product export");
    expect(documents.map(({ id }) => id)).toEqual(["pulli"]);
    const [sweater] = documents;
    expect(sweater.categories).toEqual([[{ name: "Kleidung" }, { name: "Pullis" }], [{ name: "Angebote" }]]);
    expect(sweater.variants?.map(({ id, data }) => [id, data["price"], data["stock"], data["color"]])).toEqual([
      ["pulli-rot", 39.9, 12, "Rot"],
      ["pulli-blau", 49.9, 0, "Blau"],
    ]);
    expect(leftOut).toBe(2);
  });
});

describe("variants (2)", () => {
  const record = (line: number, values: Readonly<Record<string, string>>): FeedRecord => ({
    line,
    values: new Map(Object.entries(values)),
    children: [],
  });
  const mapping = (by: "rows" | "parent" | "children"): Mapping => ({
    version: 1,
    source: {},
    id: ["sku"],
    variants: { by, column: "link" },
    columns: {},
  });
  /** The obvious way: everything in memory. */
  async function sortedFamilies(
    records: readonly FeedRecord[],
    by: "rows" | "parent" | "children",
  ): Promise<unknown[]> {
    async function* stream(): AsyncGenerator<FeedRecord> {
      yield* records;
    }
    const families: { id: string | null; members: string[] }[] = [];
    for await (const { id, members } of familiesOf(stream(), mapping(by))) {
      families.push({ id, members: members.map(({ values }) => String(values.get("sku"))).sort() });
    }
    return families.sort((a, b) => String(a.id).localeCompare(String(b.id)));
  }

  test("2: in any order", async ({ expect }) => {
    const sizes = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 6 });
    await forAllAsync(
      runs(200),
      sizes,
      fc.constantFrom("parent" as const, "children" as const),
      fc.nat(),
      async (all, by, salt) => {
        const records = all.flatMap((size, product) => {
          const members = Array.from({ length: size }, (_, at) => `v${product}-${at}`);
          const link = by === "children" ? members.join("|") : "";
          return [
            { sku: `p${product}`, link },
            ...members.map((sku) => ({ sku, link: by === "parent" ? `p${product}` : "" })),
          ];
        });
        const shuffled = records
          .map((one, at) => ({ one, rank: Math.sin((at + 1) * (salt + 1)) }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ one }, at) => record(at + 2, one));
        const wanted = all.map((size, product) => ({
          id: `p${product}`,
          members: Array.from({ length: size }, (_, at) => `v${product}-${at}`),
        }));
        expect(await sortedFamilies(shuffled, by)).toEqual(wanted);
      },
    );
  });

  test("2: article numbers that are ids of other products", async ({ expect }) => {
    const products = fc.uniqueArray(fc.record({ id: fc.nat({ max: 9 }), sku: fc.nat({ max: 9 }) }), {
      minLength: 1,
      maxLength: 6,
      comparator: (a, b) => a.id === b.id || a.sku === b.sku,
    });
    const member = fc.record({ at: fc.nat(), kind: fc.constantFrom("sku", "id:", "id") });
    await forAllAsync(
      runs(300),
      products,
      fc.array(member, { maxLength: 8 }),
      fc.nat(),
      async (all, variants, salt) => {
        // An id without `id:` is one where no product has it as its article number.
        const bySku = new Map(all.map(({ sku }) => [sku, sku]));
        const wanted = new Map(all.map(({ sku }): [number, string[]] => [sku, []]));
        const records = all.map(({ id, sku }) => ({ id: String(id), sku: String(sku), link: "" }));
        for (const [i, { at, kind }] of variants.entries()) {
          const { id, sku } = all[at % all.length];
          const link = { sku: `${sku}`, "id:": `id:${id}`, id: `${id}` }[kind];
          wanted.get(kind === "id" ? (bySku.get(id) ?? sku) : sku)?.push(`v${i}`);
          records.push({ id: `${100 + i}`, sku: `v${i}`, link });
        }
        async function* stream(): AsyncGenerator<FeedRecord> {
          const ranked = records.map((one, at) => ({ one, rank: Math.sin((at + 1) * (salt + 1)) }));
          for (const { one } of ranked.toSorted((a, b) => a.rank - b.rank)) yield record(2, one);
        }
        const found = new Map<number, string[]>();
        for await (const { id, members } of familiesOf(stream(), { ...mapping("parent"), id: ["sku", "id"] })) {
          found.set(Number(id), members.map(({ values }) => String(values.get("sku"))).sort());
        }
        expect(found).toEqual(wanted);
      },
    );
  });

  test("2: lists of article numbers, and of ids", async ({ expect }) => {
    const csv = (link: string): string => `id,sku,name,children\n7,B,Blue,\n1,P,Shirt,${link}\n8,7,Lamp,\n9,C,Red,\n`;
    const { feed } = await readText(csv("7|B"));
    const given: Mapping = {
      ...feed.mapping,
      version: 1,
      source: {},
      id: ["sku", "id"],
      variants: { by: "children", column: "children" },
      columns: {},
    };
    for (const [link, members] of [
      ["C|B", ["C", "B"]],
      ["7|B", ["7", "B"]],
      ["9|B", ["C", "B"]],
    ] as const) {
      const { documents } = await readText(csv(link), { given });
      const shirt = documents.find(({ id }) => id === "P");
      expect(shirt?.variants?.map(({ id }) => id).sort()).toEqual([...members].sort());
      expect(documents).toHaveLength(4 - members.length);
    }
  });

  test("2: too far apart in a large file", async ({ expect }) => {
    async function* stream(): AsyncGenerator<FeedRecord> {
      for (let at = 0; at < 100; at++) yield record(at + 2, { sku: `s${at}`, link: `g${at % 50}` });
    }
    const read = async (windowCharacters: number): Promise<number> => {
      let count = 0;
      for await (const { members } of familiesOf(stream(), mapping("rows"), windowCharacters)) count += members.length;
      return count;
    };
    expect(await read(100_000)).toBe(100);
    await expect(read(1_000)).rejects.toThrow(/^line 52: this belongs to the product g0, .*: sort the file/);
  });

  test("2: Shopify: empty titles, rows of pictures, products without options", async ({ expect }) => {
    const { documents } = await readFixture("shopify-products.csv");
    const [tee, card] = documents;
    expect(tee?.data).toMatchObject({
      title: "Organic Tee",
      images: [1, 2, 3].map((at) => `https://cdn.shopify.example/tee-${["red", "back", "size"][at - 1]}.jpg?v=1`),
    });
    expect(tee?.variants?.map(({ id }) => id)).toEqual(["TEE-R-S", "TEE-R-M", "TEE-B-S"]);
    expect(card?.variants).toEqual([{ id: "GC-1", data: { id: "GC-1", artNr: "GC-1", price: 50 } }]);
  });

  test("2: WooCommerce: a parent by SKU and by id, values of all variants stay with them", async ({ expect }) => {
    const { documents } = await readFixture("woocommerce-products.csv");
    expect(documents[0]?.variants?.map(({ id, data }) => [id, data["color"], data["size"], data["price"]])).toEqual([
      ["woo-vneck-tee-red", "Red", "Large", 20],
      ["woo-vneck-tee-green", "Green", "Medium", 17.5],
    ]);
    expect(documents[0]?.data).not.toHaveProperty("color");
  });

  test("2: unknown columns that differ stay with the variant", async ({ expect }) => {
    const csv =
      "id;item_group_id;title;waist;cut;price\n1;J;Jeans;30;slim;49,00\n2;J;Jeans;32;slim;49,00\n3;;Belt;;;9,00\n";
    const { documents } = await readText(csv);
    const jeans = documents.find(({ id }) => id === "J");
    expect(jeans?.data).toEqual({ title: "Jeans", cut: "slim", priceFrom: 49 });
    expect(jeans?.variants?.map(({ data }) => data["waist"])).toEqual([30, 32]);
  });

  test("2: the currency, and the lowest price of variants, for display", async ({ expect }) => {
    const csv =
      "id;item_group_id;title;isbn;price\n1;J;Jeans;97;59,00 €\n2;J;Jeans;98;49,90 €\n3;;Belt;99;EUR 9\n4;;Cap;;$ 5\n";
    const { documents } = await readText(csv);
    const byId = new Map(documents.map((one) => [one.id, one]));
    expect(byId.get("J")).toMatchObject({
      data: { title: "Jeans", currency: "EUR", priceFrom: 49.9 },
      variants: [{ data: { id: "1", price: 59, ean: "97" } }, { data: { id: "2", price: 49.9 } }],
    });
    expect(byId.get("J")?.data).not.toHaveProperty("price");
    expect(byId.get("3")?.data).toEqual({ title: "Belt", ean: "99", price: 9, currency: "EUR" });
    expect(byId.get("4")?.data).toEqual({ title: "Cap", price: 5 });
  });

  test("2: a variant without its product", async ({ expect }) => {
    const csv = "sku,name,parent_sku\nA,One,\nA-1,One red,A\nB-1,Two,B\n";
    const { documents, rejected } = await readText(csv);
    expect(documents.map(({ id }) => id)).toEqual(["A"]);
    expect(rejected).toEqual(["line 4: a variant of B, which is not in the feed"]);
  });

  test("2: changes of variants without their product", async ({ expect }) => {
    const given = (await readText("sku,name,parent_sku,price,stock,image\nA,One,,,,\nA-1,Red,A,9,1,x.jpg\n")).feed
      .mapping;
    const csv = "sku,name,parent_sku,price,stock,image\nA-1,Red,A,8,0,x.jpg\nA-2,Blue,A,7,3,y.jpg\n";
    const { documents, rejected } = await readText(csv, { given, content: "changes" });
    expect(rejected).toEqual([]);
    // What the product says of itself stays: its title and its picture.
    expect(documents).toMatchObject([
      {
        id: "A",
        data: { priceFrom: 7 },
        variants: [
          { id: "A-1", data: { price: 8, stock: 0 } },
          { id: "A-2", data: { price: 7, stock: 3 } },
        ],
      },
    ]);
    expect(Object.keys(documents[0]?.data ?? {})).toEqual(["priceFrom"]);
  });
});

describe("what stays out (3)", () => {
  test("3: drafts, hidden products, costs", async ({ expect }) => {
    for (const [name, gone] of [
      ["shopify-products.csv", "secret-hat"],
      ["woocommerce-products.csv", "woo-draft"],
      ["magento-products.csv", "24-MB99"],
    ] as const) {
      const { documents, leftOut } = await readFixture(name);
      expect(documents.map(({ id }) => id)).not.toContain(gone);
      expect(leftOut).toBe(1);
      expect(JSON.stringify(documents)).not.toMatch(/cost|8\.1\b|11\.00/i);
    }
  });

  test("3: store views of Magento, which would replace their product", async ({ expect }) => {
    const csv =
      "sku,store_view_code,attribute_set_code,product_type,name,price,product_online\n" +
      "D-1,,Default,simple,Standing desk,399,1\nD-1,de,,,Stehtisch,,\n";
    const { documents, leftOut } = await readText(csv);
    const desk = { id: "D-1", data: { title: "Standing desk", price: 399 } };
    expect(documents).toMatchObject([desk]);
    expect(leftOut).toBe(1);
    // Also where products have variants, which may be anywhere in the file.
    const families = await readText(
      "sku,store_view_code,attribute_set_code,product_type,name,price,product_online,configurable_variations\n" +
        "D-1,,Default,simple,Standing desk,399,1,\nD-1,de,,,Stehtisch,,,\n" +
        "C-1,,Default,configurable,Chair,,1,sku=C-2\nC-2,,Default,simple,Chair red,99,1,\n",
    );
    expect(families.documents).toMatchObject([desk, { id: "C-1", variants: [{ id: "C-2" }] }]);
    expect(families.leftOut).toBe(1);
  });

  test("3: records of Algolia: levels are paths, marks are not imported", async ({ expect }) => {
    const record = {
      objectID: "a8",
      name: "Shoe",
      categories: ["Men", "Shoes"],
      hierarchicalCategories: { lvl0: "Men", lvl1: "Men > Shoes" },
      _highlightResult: { name: { value: "<em>Shoe</em>" } },
      _snippetResult: { name: { value: "Shoe" } },
    };
    const { documents } = await readText(JSON.stringify([record]));
    expect(documents).toEqual([
      { id: "a8", data: { title: "Shoe" }, categories: [[{ name: "Men" }, { name: "Shoes" }]] },
    ]);
  });

  test("3: details of a Google feed are attributes, brands of WooCommerce brands", async ({ expect }) => {
    const detail = (name: string, value: string): string =>
      `<g:product_detail><g:section_name>General</g:section_name><g:attribute_name>${name}</g:attribute_name>` +
      `<g:attribute_value>${value}</g:attribute_value></g:product_detail>`;
    const item =
      "<item><g:id>1</g:id><title>Pack</title><link>https://shop.test/1</link><g:price>9 EUR</g:price>" +
      `${detail("Volume", "22 l")}${detail("Weight", "540 g")}</item>`;
    const google = await readText(`<rss><channel>${item}</channel></rss>`);
    expect(google.documents[0]?.attributes).toEqual(attributesOf("volume 22 l, weight 540 g"));
    const woo = await readText("ID,Type,SKU,Name,Regular price,Brands\n1,simple,a,Cap,9,Acme\n");
    expect(woo.documents[0]?.data["brand"]).toBe("Acme");
  });

  test("3: columns of one name, and of the names they get", async ({ expect }) => {
    const csv = (header: string): string => `id,${header}\nA1,x,y,z\n`;
    const columnsOf = async (header: string): Promise<unknown> => {
      const { feed } = await readText(csv(header));
      return Object.keys(feed.mapping?.columns ?? {});
    };
    expect(await columnsOf("A,A (4),A")).toEqual(["id", "A", "A (4)", "A (4) (4)"]);
    expect(await columnsOf(" , ,column 2")).toEqual(["id", "column 2", "column 3", "column 2 (4)"]);
  });

  test("3: many columns are not compared with each other", async ({ expect }) => {
    const includes = vi.spyOn(Array.prototype, "includes");
    try {
      const many = Array.from({ length: 20_000 }, (_, i) => `v${i}`);
      const rows = csvRecords(inChunks(text(`${many.join(",")}\n${many.join(",")}\n`), 1 << 16), ",");
      for await (const { values } of rows) expect(values.size).toBe(many.length);
      expect(includes.mock.calls.length).toBeLessThan(1_000);
    } finally {
      includes.mockRestore();
    }
  });

  test("3: CSV rows with a wrong number of cells", async ({ expect }) => {
    const csv = 'sku,title,price\nA,"One\nline",1\nB,Two\nC,Three,3,4\nD,Four,4,,\nE,Five,5\n';
    const { documents, rejected } = await readText(csv);
    expect(documents.map(({ id }) => id)).toEqual(["A", "D", "E"]);
    expect(rejected).toEqual([
      "line 4: 2 cells, but the first line has 3",
      "line 5: 4 cells, but the first line has 3",
    ]);
  });

  test("3: a quote that is missing is said with its line", async ({ expect }) => {
    const csv = 'sku,title\n1,"One\nmore"\n2,"Two\n3,Three\n4,Four\n';
    await expect(readText(csv)).rejects.toThrow(/^line 4: a quoted cell that begins in this row has no end/);
  });

  test("3: words in a column of stocks that say no number", async ({ expect }) => {
    const { documents, ignored } = await readText(
      "sku,title,price,stock\n1,One,5,7\n2,Two,5,many\n3,Three,5,in stock\n",
    );
    expect(documents.map(({ data }) => data["stock"])).toEqual([7, undefined, 1]);
    expect(ignored).toEqual(['line 3: stock: "many" says no stock']);
  });

  test("3: rows without an id, values that are no numbers", async ({ expect }) => {
    const csv = 'sku,title,price\nA,"One\nline",1\n,Two,2\nC,Three,ask us\n';
    const { documents, rejected, ignored } = await readText(csv);
    expect(documents.map(({ id, data }) => [id, data["price"]])).toEqual([
      ["A", 1],
      ["C", undefined],
    ]);
    expect(rejected).toEqual(['line 4: no id: "sku" is blank']);
    expect(ignored).toEqual(['line 5: price: "ask us" is no price']);
  });
});

test.for([";", ",", "|", "\t", "^"])("1: a first line names the separator %j", async (sign, { expect }) => {
  for (const newline of ["\n", "\r\n"]) {
    const csv = [`sep=${sign}`, `sku${sign}title`, `1${sign}Lamp`, ""].join(newline);
    const { documents } = await readText(csv);
    expect(documents.map(({ id, data }) => [id, data["title"]])).toEqual([["1", "Lamp"]]);
  }
});

describe("encodings (4)", () => {
  const csv = "sku,title\n1,Größe €\n2,Mütze\n";
  const windows = Buffer.from(csv.replace("€", "\x80"), "latin1");
  test.for([
    ["UTF-8", text(csv)],
    ["UTF-8 with a mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text(csv)])],
    ["UTF-16, little end first", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(csv, "utf16le")])],
    ["UTF-16, big end first", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(csv, "utf16le").swap16()])],
    ["UTF-16 without a mark", Buffer.from(csv, "utf16le")],
    ["windows-1252", windows],
  ] as const)("4: %s", async ([, bytes], { expect }) => {
    for (const chunkBytes of [1, 3, 1_000]) {
      const { documents } = await readBytes(bytes, { chunkBytes });
      expect(documents.map(({ data }) => data["title"])).toEqual(["Größe €", "Mütze"]);
    }
  });

  test("4: windows-1252 late in the file", async ({ expect }) => {
    const many = Array.from({ length: 5_000 }, (_, at) => `${at},plain\n`).join("");
    const bytes = Buffer.from(`sku,title\n${many}x,M\xfctze\n`, "latin1");
    const { documents } = await readBytes(bytes, { chunkBytes: 1_000 });
    expect(documents.at(-1)?.data["title"]).toBe("Mütze");
  });

  test("4: two encodings in one file", async ({ expect }) => {
    const bytes = Buffer.concat([text(csv), Buffer.from("3,M\xfctze\n", "latin1")]);
    await expect(readBytes(bytes)).rejects.toThrow(/^line 4: the text is not UTF-8 from about here on/);
  });
});

test.for([
  ["a workbook", "PK\x03\x04\x14\0[Content_Types].xml", "this is an Excel workbook: save it as CSV"],
  ["an old workbook", "\xd0\xcf\x11\xe0\xa1\xb1", "this is an Excel workbook of an old version"],
  ["an archive", "PK\x03\x04\x14\0products.csv", "this is a zip archive"],
  ["a web page", "<!DOCTYPE html><html>", "this is a web page, not a feed"],
  ["XML without products", "<a><b>1</b></a>", "no element looks like a product"],
  ["XML that is cut off", "<rss><channel><item><id>1</id>", "the XML ends inside of <item>"],
  ["a quote without an end", 'sku,title\n1,"One\n2,Two\n', "a quoted cell that begins in this row has no end"],
] as const)("5: no feed: %s", async ([, content, message], { expect }) => {
  await expect(readBytes(Buffer.from(content, "latin1"))).rejects.toThrow(message);
});

describe("mappings (6)", () => {
  test("6: field, kind, separators, prefix and another id", async ({ expect }) => {
    const given: Mapping = {
      version: 1,
      source: { format: "csv", delimiter: "#" },
      id: ["code"],
      columns: {
        name: { kind: "text", field: "title" },
        pics: { kind: "images", field: "imageUrl", list: "+", prefix: "https://cdn.example/" },
        cat: { kind: "categories", path: "::", list: ";", skipLevels: 1 },
        cost: { kind: "price", field: "price", decimal: "," },
        extra: { kind: "attributes", list: ";", pair: ":" },
      },
    };
    const csv =
      "sku#code#name#pics#cat#cost#extra\n1#K1#Pen#a.jpg+b.jpg#Root::Office::Pens;Root::Gifts#1.234#ink:blue;tip:fine\n";
    const { documents } = await readText(csv, { given });
    expect(documents).toEqual([
      {
        id: "K1",
        data: {
          title: "Pen",
          price: 1234,
          imageUrl: "https://cdn.example/a.jpg",
          images: ["https://cdn.example/a.jpg", "https://cdn.example/b.jpg"],
        },
        categories: [[{ name: "Office" }, { name: "Pens" }], [{ name: "Gifts" }]],
        attributes: attributesOf("ink blue, tip fine"),
      },
    ]);
  });
});

describe("numbers and availability (7)", () => {
  test("7: thousands in a column of stocks", async ({ expect }) => {
    const csv =
      "sku;title;preis;bestand;gewicht\n1;One;12,99;15;1,200\n2;Two;5,00;1.200;0,350\n3;Three;1.299;350;2,450\n";
    const { feed, documents } = await readText(csv);
    expect(documents.map(({ data }) => [data["stock"], data["gewicht"], data["price"]])).toEqual([
      [15, 1.2, 12.99],
      [1200, 0.35, 5],
      [350, 2.45, 1299],
    ]);
    expect(feed.mapping?.columns["bestand"]).toMatchObject({ decimal: "," });
    expect(await remarksOf(feed)).toEqual(['bestand: 1.200 is read as 1200. "decimal" in the mapping says otherwise.']);
  });

  test("7: flags beside no number are a stock; beside one they are not", async ({ expect }) => {
    const flags = await readText(
      "sku,title,price,availability\n1,One,5,in stock\n2,Two,5,out of stock\n3,Three,5,soon\n",
    );
    expect(flags.documents.map(({ data }) => [data["availability"], data["stock"]])).toEqual([
      ["in stock", 1],
      ["out of stock", 0],
      ["soon", undefined],
    ]);
    const both = await readText("sku,title,price,in stock,qty\n1,One,5,yes,0\n2,Two,5,no,\n3,Three,5,yes,7\n");
    expect(both.documents.map(({ data }) => data["stock"])).toEqual([0, 0, 7]);
    const counted = await readText('{"id":"1","name":"One","in_stock":12}\n{"id":"2","name":"Two","in_stock":0}\n');
    expect(counted.documents.map(({ data }) => data["stock"])).toEqual([12, 0]);
    const words = await readText("sku,title,stock\n1,One,yes\n2,Two,sold out\n");
    expect(words.documents.map(({ data }) => data["stock"])).toEqual([1, 0]);
  });
});

describe("objects inside JSON (8)", () => {
  test("8: names, prices, pictures, categories, attributes", async ({ expect }) => {
    const product = {
      id: 7,
      name: "Tent",
      manufacturer: { id: 12, name: "Hilleberg", slug: "hilleberg" },
      price: { regular: 899.5, sale: 799, currencyCode: "EUR" },
      image: { url: "https://p.test/1.jpg", alt: "Tent" },
      category: { id: 3, name: "Tents", path: "Outdoor > Tents" },
      specs: { weight: 2.4, color: "Green" },
      attributes: [
        { name: "Season", value: "4" },
        { name: "Persons", value: 2 },
      ],
      in_stock: true,
    };
    const { documents } = await readText(JSON.stringify([product]));
    expect(documents).toEqual([
      {
        id: "7",
        data: {
          title: "Tent",
          brand: "Hilleberg",
          price: 799,
          listPrice: 899.5,
          currency: "EUR",
          imageUrl: "https://p.test/1.jpg",
          weight: 2.4,
          color: "Green",
          availability: true,
          stock: 1,
        },
        categories: [[{ name: "Outdoor" }, { name: "Tents" }]],
        attributes: attributesOf("season 4, persons 2"),
      },
    ]);
  });

  test("8: an attribute is never a title", async ({ expect }) => {
    const product = {
      id: "1",
      variants: [{ sku: "1-a", options: [{ name: "Length", value: "2 m" }], price: 5 }],
      title: "Cable",
    };
    const { documents } = await readText(JSON.stringify([product]));
    expect(documents).toMatchObject([
      {
        id: "1",
        data: { title: "Cable", priceFrom: 5 },
        variants: [{ id: "1-a", attributes: [{ name: "length", value: "2 m" }] }],
      },
    ]);
    expect(documents[0]?.variants?.[0]?.data).not.toHaveProperty("name");
  });

  test("8: hits of Elasticsearch, browsed records of Algolia, extended JSON of MongoDB", async ({ expect }) => {
    const hit = '{"_index":"p","_id":"9","_score":1,"_source":{"name":"Lamp","price":9.5}}\n';
    const browsed = '{"hits":[{"objectID":"9","name":"Lamp","price":9.5}],"cursor":"x"}';
    const extended = '{"_id":{"$oid":"9"},"name":"Lamp","price":{"$numberDecimal":"9.5"}}\n';
    for (const content of [hit, browsed, extended]) {
      const { documents } = await readText(content);
      expect(documents).toEqual([{ id: "9", data: { title: "Lamp", price: 9.5 } }]);
    }
  });
});

describe("columns of known programs (3)", () => {
  const google = "id\ttitle\tlink\tprice\tavailability\titem_group_id\tshipping(country:price)\n";
  test("3: Google: titles of variants, availability, costs of shipping", async ({ expect }) => {
    const rows =
      "1\tJacket Sylt - Red, S\thttps://s.test/1\t9.00 EUR\tin_stock\tJ\tDE:4.90 EUR\n" +
      "2\tJacket Sylt - Blue, M\thttps://s.test/2\t9.00 EUR\tout_of_stock\tJ\tDE:4.90 EUR\n";
    const { feed, documents } = await readText(google + rows);
    expect(documents).toMatchObject([
      {
        id: "J",
        data: { title: "Jacket Sylt", currency: "EUR" },
        variants: [
          { id: "1", data: { variantTitle: "Red, S", stock: 1 } },
          { id: "2", data: { variantTitle: "Blue, M", stock: 0 } },
        ],
      },
    ]);
    expect(JSON.stringify(documents)).not.toContain("4.90");
    expect(feed.mapping?.columns["shipping(country:price)"]).toEqual({ kind: "skip" });
  });

  test("3: Shopify: types are categories where there are no others", async ({ expect }) => {
    const head = "Handle,Title,Type,Product Category,Variant Price,Variant SKU\n";
    const own = await readText(`${head}a,Hat,Hats,,5,A1\n`);
    expect(own.documents[0]?.categories).toEqual([[{ name: "Hats" }]]);
    const both = await readText(`${head}a,Hat,Hats,Apparel > Hats,5,A1\n`);
    expect(both.documents[0]?.categories).toEqual([[{ name: "Apparel" }, { name: "Hats" }]]);
    expect(both.documents[0]?.data["productType"]).toBe("Hats");
  });
});

describe("columns of other programs (3)", () => {
  test("3: the identifier of a product, not its uuid", async ({ expect }) => {
    const lines = [1001, 1002].map((id) =>
      JSON.stringify({ uuid: `a${id}`, identifier: String(id), name: `Shoe ${id}` }),
    );
    const { documents } = await readText(lines.join("\n"));
    expect(documents.map(({ id }) => id)).toEqual(["1001", "1002"]);
  });

  test("3: levels of categories, numbered pictures, purchase prices", async ({ expect }) => {
    const { documents } = await readFixture("jtl-german.csv");
    expect(documents[0]).toEqual({
      id: "04711",
      data: {
        artNr: "04711",
        title: "Schraube M8 x 40, verzinkt",
        shortDescription: "Schraube M8 x 40, verzinkt von Würth",
        description: "Schraube M8 x 40, verzinkt\nFür Profis – „geprüft“.",
        price: 12.99,
        currency: "EUR",
        stock: 1200,
        brand: "Würth",
        imageUrl: "https://j.example/0.jpg",
        images: ["https://j.example/0.jpg", "https://j.example/0-2.jpg"],
        artikelgewicht: 0.85,
        ean: "4004338000000",
        mpn: "H-0",
        availability: "sofort lieferbar",
      },
      categories: [[{ name: "Befestigung" }, { name: "Schrauben" }, { name: "Sechskantschrauben" }]],
    });
  });

  test("3: numbered categories that are no levels", async ({ expect }) => {
    const csv = "sku,title,price,category 1,category 2\n1,One,1,Sale,Men\n2,Two,2,Men,Sale\n3,Three,3,New,Sale\n";
    const { documents } = await readText(csv);
    expect(documents[0]?.categories).toEqual([[{ name: "Sale" }], [{ name: "Men" }]]);
    const tree = "sku,title,price,Main category,Subcategory\n1,One,1,Men,Shoes\n2,Two,2,Men,\n";
    const levels = await readText(tree);
    expect(levels.documents.map(({ categories }) => categories)).toEqual([
      [[{ name: "Men" }, { name: "Shoes" }]],
      [[{ name: "Men" }]],
    ]);
  });

  test("3: prices under any name, pairs, pictures by their addresses, ids by the end of the name", async ({
    expect,
  }) => {
    const csv =
      "Our ref,name,Now only,net price,facts,shot,rabatt\n" +
      "r-1,One,€ 12.99,10.92,Material: wool|Origin: Peru,https://p.test/1.jpg,5\n" +
      "r-2,Two,€ 8.99,8.40,Material: silk,https://p.test/2.webp?x=1,7\n";
    const { documents } = await readText(csv);
    expect(documents).toMatchObject([
      {
        id: "r-1",
        data: { title: "One", price: 12.99, currency: "EUR", imageUrl: "https://p.test/1.jpg" },
        attributes: attributesOf("material wool, origin Peru"),
      },
      { id: "r-2", data: { price: 8.99 } },
    ]);
    expect(documents[0]?.data).not.toHaveProperty("net_price");
  });

  test("3: products and variants that are switched off", async ({ expect }) => {
    const csv =
      "id,parent_id,name,price,active\na,,One,1,1\na-1,a,,1,1\na-2,a,,1,0\nb,,Two,2,0\nc,,Three,3,1\nc-1,c,,3,0\n";
    const { documents, leftOut } = await readText(csv);
    expect(documents.map(({ id, variants = [] }) => [id, variants.map((one) => one.id)])).toEqual([["a", ["a-1"]]]);
    expect(leftOut).toBe(2);
    const all = await readText("sku,name,price,active\n1,One,1,0\n2,Two,2,0\n");
    expect(all.documents).toHaveLength(2);
  });

  test("3: a product shows the picture and the address of a variant that is in stock", async ({ expect }) => {
    const { documents } = await readFixture("nested-variants.json");
    expect(documents[0]?.data["imageUrl"]).toBe("https://n.example/0-Black.jpg");
    const rows =
      "id,item_group_id,title,link,image_link,price,availability\n" +
      "1,J,Jacket,https://s.test/1,https://s.test/1.jpg,9,out of stock\n" +
      "2,J,Jacket,https://s.test/2,https://s.test/2.jpg,9,in stock\n";
    const google = await readText(rows);
    expect(google.documents[0]?.data).toMatchObject({
      imageUrl: "https://s.test/2.jpg",
      productUrl: "https://s.test/2",
    });
  });

  test("3: reviews and other products are not the product", async ({ expect }) => {
    const product = {
      id: "1",
      title: "Cable",
      price: 5,
      reviews: [{ author: "Ann", text: "great laptop" }],
      relatedProducts: [{ title: "Laptop" }],
      materials: [{ id: 3, name: "Copper" }],
    };
    const { documents } = await readText(JSON.stringify([product]));
    expect(documents[0]?.data).toEqual({ title: "Cable", price: 5, materials: "Copper" });
  });
});

describe("before an import (9)", () => {
  test("9: titles, prices, ids, rejections, pictures", async ({ expect }) => {
    const csv = "sku,title,price,image\nA,One,1,/a.jpg\nB,,2,/b.jpg\nA,Three,,/c.jpg\n,Four,4,\nE,Five,ask us,\n";
    const { feed } = await readText(csv);
    expect(await remarksOf(feed)).toEqual([
      'image: /a.jpg is no whole address. Say where pictures are: "prefix": "https://..." in the mapping.',
      "1 of 4 products have no title.",
      "2 of 4 products have no price.",
      "Ids that come more than once, the last product of each counts: A",
      'Rejected: line 5: no id: "sku" is blank',
      'Values that cannot be read: line 6: price: "ask us" is no price',
    ]);
    const bare = await readText("sku,colour\nA,red\n");
    expect(await remarksOf(bare.feed)).toEqual([
      "No column is known to be the title.",
      "No column is known to be the price.",
    ]);
  });

  test("9: of the beginning, and of all", async ({ expect }) => {
    const rows = Array.from({ length: 400 }, (_, at) => `P${at},${at === 350 ? "" : "Thing"},5\n`);
    const open = async (): Promise<Feed> =>
      await openFeed(inChunks(text(`sku,title,price\n${rows.join("")}`), 1_000), null);
    const beginning = await open();
    expect(await remarksOf(beginning)).toEqual([]);
    const all = await open();
    if (all.mapping === null) throw new Error("columns have a mapping");
    expect(await all.remarksOfAll(all.mapping)).toEqual(["1 of 400 products have no title."]);
  });

  test("9: UTF-8 under a mapping that says something else", async ({ expect }) => {
    const { mapping } = (await readText("id,name,price\n1,Hut,5\n")).feed;
    if (mapping === null) throw new Error("columns have a mapping");
    const given = { ...mapping, source: { encoding: "windows-1252" } };
    const { feed } = await readText("id,name,price\n1,Köhler,5\n", { given });
    expect(await remarksOf(feed)).toEqual(['KÃ¶hler is UTF-8 read as windows-1252 ("encoding" in the mapping).']);
  });
});

describe("files as shops keep them (3)", () => {
  const rows = (line: (n: number) => string): string => Array.from({ length: 20 }, (_, n) => line(n)).join("\n");

  test("3: the article number is the id though a row has none, and the EAN stays a field", async ({ expect }) => {
    const { feed, documents } = await readText(
      "Art.-Nr.;Bezeichnung;EAN\n" + rows((n) => `${n === 3 ? "" : `A${n}`};Hut ${n};40010000000${n + 10}`),
    );
    expect(feed.mapping?.id).toEqual(["Art.-Nr.", "EAN"]);
    expect(documents[0]).toEqual({ id: "A0", data: { artNr: "A0", title: "Hut 0", ean: "4001000000010" } });
    expect(documents[3].id).toBe("4001000000013");
  });

  test("3: an id that is a code is an article number, one of a database is not", async ({ expect }) => {
    const codes = await readText(`id,title\n${rows((n) => `X${n},Hat`)}`);
    expect(codes.documents[0]).toEqual({ id: "X0", data: { artNr: "X0", title: "Hat" } });
    const numbers = await readText(`id,title\n${rows((n) => `${n},Hat`)}`);
    expect(numbers.documents[0]).toEqual({ id: "0", data: { title: "Hat" } });
  });

  test("3: a second column of one name is left out unless it says more", async ({ expect }) => {
    const same = await readText("id,title,Color,Color\n1,Hat,red,red\n2,Cap,blue,\n");
    expect(same.documents[0].data).toEqual({ title: "Hat", color: "red" });
    const more = await readText("id,title,Color,Color\n1,Hat,red,green\n");
    expect(more.documents[0].data).toEqual({ title: "Hat", color: "red", color_4: "green" });
  });

  test("3: a stock that some rows say in words is a stock and no availability", async ({ expect }) => {
    const { documents } = await readText("id,title,Bestand\n1,Hut,12\n2,Kappe,auf Lager\n3,Schal,ausverkauft\n");
    expect(documents.map(({ data }) => [data["stock"], data["availability"]])).toEqual([
      [12, undefined],
      [1, undefined],
      [0, undefined],
    ]);
  });
});

test.for([
  [
    "2: variants of another article, in German",
    "Artikelnummer;Bezeichnung;Variante von;Größe\n1;Hose;;\n1-S;Hose S;1;S\n1-M;Hose M;1;M\n",
    [{ id: "1", variants: [{ id: "1-S" }, { id: "1-M" }] }],
  ],
  [
    "3: attributes of Magento in quotes",
    "sku,attribute_set_code,product_type,name,price,product_online,additional_attributes\n" +
      'B-1,Bag,simple,Bag,34,1,"color=""Black, dark"",kind=""""""Gym""""|""""Travel"""""",inch=5"""\n',
    [{ data: { color: "Black, dark" }, attributes: attributesOf('kind Gym, kind Travel, inch 5"') }],
  ],
  [
    "3: umlauts written out",
    '[{"artikelnummer":"A1","titel":"Hut","groesse":"M","verfuegbar":false}]',
    [{ data: { size: "M", stock: 0 } }],
  ],
  [
    "3: WooCommerce's parents under their older German name",
    "ID,Typ,Artikelnummer,Name,Regulärer Preis,Übergeordnet,Attribut 1 Name,Attribut 1 Wert(e)\n" +
      "1,variable,W1,Hut,,,Marke,Nordkap\n2,variation,W1-M,Hut - M,9,W1,Größe,M\n",
    [{ id: "W1", data: { title: "Hut", brand: "Nordkap" }, variants: [{ id: "W1-M", data: { size: "M" } }] }],
  ],
  [
    "3: Google: several colours, the brand of all variants",
    "id\ttitle\tlink\tprice\tcolor\nG1\tHat\thttps://s.example/1\t9 EUR\tBlack/Green\n",
    [{ data: { artNr: "G1", color: ["Black", "Green"] } }],
  ],
  [
    "6: columns called like members of every object",
    "sku,constructor,__proto__,title\n1,a,b,One\n",
    [{ data: { constructor: "a", proto: "b", title: "One" } }],
  ],
] as const)("%s", async ([, content, expected], { expect }) => {
  expect((await readText(content)).documents).toMatchObject(expected);
});

describe("envelopes (8)", () => {
  const product = {
    id: "N1",
    name: { de: "Hut", en: "Hat" },
    categories: [
      {
        id: 1,
        path: [
          { id: 0, name: "Mode" },
          { id: 1, name: "Hüte" },
        ],
      },
    ],
  };
  const expected = [
    { id: "N1", data: { artNr: "N1", title: "Hut" }, categories: [[{ name: "Mode" }, { name: "Hüte" }]] },
  ];

  test.for([
    ["in an object of its own", { meta: { page: 1 }, data: { total: 1, items: [product] } }],
    ["wrapped one by one", { items: [{ product }] }],
    ["GraphQL", { data: { products: { pageInfo: { next: null }, edges: [{ node: product }] } } }],
    ["Elasticsearch", { took: 1, hits: { total: 1, hits: [{ _id: "N1", _source: product }] } }],
  ])("8: %s", async ([, envelope], { expect }) => {
    for (const chunkBytes of [1, 1_000]) {
      const { documents } = await readText(JSON.stringify(envelope), { chunkBytes });
      expect(documents).toMatchObject([expected[0]]);
    }
  });

  test("8: a document's own lists are none", async ({ expect }) => {
    for (const document of [
      { data: { title: "Hat", items: [{ a: 1 }] }, id: "D1" },
      { data: { items: ["a"], title: "Hat" }, id: "D1" },
    ]) {
      const { documents } = await readText(JSON.stringify(document));
      expect(documents).toEqual([document]);
    }
  });
});

test.for([
  ["de", "Bezeichnung: Hut für den Winter, nicht zum Waschen"],
  ["en", "A hat for the winter with the best of your shoes"],
  ["fr", "Un chapeau pour les hivers avec une taille et des gants"],
  ["sv", "En hatt för vintern och med färg som inte är svart"],
  [null, "Velocita Tempo 42"],
  [null, "in stock, in stock, in stock, in stock"],
  // Sizes, codes, classes.
  [null, "S, M; S; S; S, de_DE, de_DE, A, E, A/E, Phones > A"],
])("10: languages: %s", ([language, title], { expect }) =>
  readText(JSON.stringify([{ id: 1, text: title }])).then(({ feed }) => expect(feed.language).toBe(language)),
);
