// One request cannot take a shard away from the others:
// 1. a search that takes more work than LIMITS.searchSteps is 400 search_too_expensive, on one shard and on four; one
//    that pauses for others answers the same on both, several at a time;
// 2. afterwards the same shard answers as before;
// 3. sorts and filters beyond their limits are 400 with the path of the value; links repeat the part of q that counts;
// 4. hits that take more than LIMITS.answerBytes are 400 answer_too_large, which names the largest limit that fits, on
//    one shard and on four;
// 5. so are documents that take four times as much, however little of them is shown;
// 6. links that take more than LIMITS.answerFrameBytes are 400 answer_too_large, on one shard and on four, and without
//    facets the same search is answered;
// 7. documents whose names or category paths would fill tables and answers are dismissed; long values are no facet
//    entries, but filters find them;
// 8. the report of a bulk is bounded, whatever is wrong with how many documents, and their ids.
import { beforeAll, describe, test } from "vitest";
import { AddReport, LIMITS, type SearchResult } from "../../src/interface/index.ts";
import { long } from "../support/property.ts";
import { call, errorOf, freshName, publish, send, startImport } from "./support.ts";
import { table } from "../support/table.ts";

const one = freshName("budget-one");
const four = freshName("budget-four");
const large = freshName("budget-large");
const largeFour = freshName("budget-large-four");

const BOTH = [
  ["one shard", one],
  ["four shards", four],
] as const;

/** A third of the products have a word of a kind; every product has them all of another. */
const WORDS = Array.from({ length: 300 }, (_, i) => `word${i}x`);
const products = Array.from({ length: 1_000 }, (_, i) => ({
  id: `p${i}`,
  data: { title: `Shoe ${i}`, brand: "Acme", colour: `colour ${i % 99}`, description: WORDS.join(" "), price: i },
}));

/** Not indexed, so that only the answers are large. */
const LARGE_CHARACTERS = 400_000;
const LARGE_COUNT = 90;
/** Enough for too many hits; for too many documents only in the long run, because an import of 72 MB takes seconds. */
const COUNT_OF_FOUR = long ? LARGE_COUNT : 24;
/** Against hanging: two imports of up to 72 MB. */
const LARGE_IMPORTS_MS = 120_000;
const largeProducts = Array.from({ length: LARGE_COUNT }, (_, i) => ({
  id: `p${i}`,
  data: { title: `Boot ${i}`, price: i, image: `https://example.com/${"ü".repeat(LARGE_CHARACTERS)}` },
}));

beforeAll(async () => {
  await publish(one, products);
  await publish(four, products, 4);
  await publish(large, largeProducts);
  await publish(largeFour, largeProducts.slice(0, COUNT_OF_FOUR), 4);
}, LARGE_IMPORTS_MS);

async function answered(response: Response): Promise<SearchResult> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

function search(index: string, parameters: Record<string, string>): Promise<Response> {
  return call(`/search-api/v1/search/${index}?${new URLSearchParams(parameters).toString()}`);
}

function arranged(index: string, body: object): Promise<Response> {
  return call(`/search-api/v1/search/arranged/${index}`, send("POST", body));
}

describe.each(BOTH)("work (1, 2): %s", (_, index) => {
  const clauses = (count: number): object => ({
    q: "shoe",
    arrangedProductSets: [
      { type: "querystring", query: Array.from({ length: count }, (__, i) => WORDS[i % WORDS.length]).join(" OR ") },
    ],
  });

  test("too many clauses", async ({ expect }) => {
    const before = await answered(await search(index, { q: "shoe", sort: "price" }));
    const error = await errorOf(await arranged(index, clauses(50_000)));
    expect(error).toMatchObject({ type: "search_too_expensive", code: 400 });
    const after = await answered(await search(index, { q: "shoe", sort: "price" }));
    expect(after.slices).toEqual(before.slices);
  });

  test("one that pauses", async ({ expect }) => {
    const set = { type: "dynamic", query: "shoe", sort: "-price", limit: 300 };
    const body = { arrangedProductSets: Array.from({ length: LIMITS.productSets.value }, () => set), limit: 60 };
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(async () => answered(await arranged(index, body))));
    expect(first.slices[0]?.hits.map(({ document: { id } }) => id)).toEqual(
      Array.from({ length: 60 }, (__, i) => `p${products.length - 1 - i}`),
    );
    for (const { slices } of others) expect(slices).toEqual(first.slices);
  });

  test("what an ordinary client sends is far below", async ({ expect }) => {
    const few = await answered(await arranged(index, clauses(50)));
    expect(few.slices[0]?.matchCount).toBe(products.length);
    const words = { q: WORDS.slice(0, LIMITS.queryTerms.value).join(" ") };
    expect((await answered(await search(index, words))).slices[0]?.matchCount).toBe(products.length);
  });
});

describe("sizes (3)", () => {
  const criteria = (count: number): string => Array.from({ length: count }, (_, i) => `field${i}`).join(",");

  test.for([
    ["criteria", criteria(LIMITS.sortCriteria.value + 1)],
    ["characters", "f".repeat(LIMITS.sortCharacters.value + 1)],
  ])("a sort of too many %s", async ([, sort], { expect }) => {
    const inAddress = await errorOf(await search(one, { sort }));
    expect(inAddress).toMatchObject({ type: "invalid_parameter", details: { problems: [{ path: "sort" }] } });
    const inBody = await errorOf(await arranged(one, { sort }));
    expect(inBody).toMatchObject({ type: "invalid_body", details: { problems: [{ path: "sort" }] } });
    const inSet = await errorOf(
      await arranged(one, { arrangedProductSets: [{ type: "dynamic", query: "shoe", sort }] }),
    );
    expect(inSet).toMatchObject({
      type: "invalid_body",
      details: { problems: [{ path: "arrangedProductSets[0].sort" }] },
    });
  });

  test("a sort at its limit", async ({ expect }) => {
    const sort = criteria(LIMITS.sortCriteria.value);
    expect((await search(one, { sort })).status).toBe(200);
  });

  test("filters of too many characters, of fields only", async ({ expect }) => {
    const long = "v".repeat(LIMITS.filterCharacters.value + 1);
    const error = await errorOf(await arranged(one, { filters: { brand: long } }));
    expect(error).toMatchObject({ type: "invalid_parameter", details: { problems: [{ path: "brand" }] } });
    expect((await arranged(one, { filters: { unknown: long } })).status).toBe(200);
  });

  test("a long q: links have what counts of it", async ({ expect }) => {
    const q = "shoe ".repeat(1_000);
    const { inputURI, sortOptions } = await answered(await search(one, { q }));
    const counts = new URLSearchParams({ q: q.slice(0, LIMITS.queryCharacters.value) }).toString();
    expect(inputURI).toBe(`?${counts}`);
    expect(sortOptions.length).toBeGreaterThan(0);
    for (const { link } of sortOptions) expect(link.startsWith(`${counts}&sort=`)).toBe(true);
  });
});

describe.each(BOTH)("links (6): %s", (_, index) => {
  // Four bytes, three characters each in a link.
  const brand = `!${"\u{1f600}".repeat(LIMITS.filterCharacters.value / 2 - 1)}`;

  test("that repeat a long filter", async ({ expect }) => {
    const error = await errorOf(await arranged(index, { filters: { brand } }));
    expect(error).toMatchObject({ type: "answer_too_large", details: { problems: [{ path: "withFacets" }] } });
    const without = await answered(await arranged(index, { filters: { brand }, withFacets: false }));
    expect(without.slices[0]?.matchCount).toBe(products.length);
  });
});

describe("documents (7)", () => {
  const long = (limit: number): string => "n".repeat(limit + 1);
  const { categoryLevels, categoryCharacters, nameCharacters } = LIMITS;
  const dismissed: readonly (readonly [string, object])[] = table`
    a category of too many levels | ${{ data: { category: "a/".repeat(categoryLevels.value + 1) } }}
    a long category | ${{ data: { category: long(categoryCharacters.value) } }}
    a category with a long id | ${{ data: {}, categories: [[{ name: "a", id: long(categoryCharacters.value) }]] }}
    a long name | ${{ data: { [long(nameCharacters.value)]: "x" } }}
    a long name of an attribute | ${{ data: {}, attributes: [{ name: long(nameCharacters.value), value: "x" }] }}
    a long code | ${{ data: { fit: { name: "fit", value: "x", code: long(nameCharacters.value) } } }}
    a long name of a variant | ${{ data: {}, variants: [{ data: { [long(nameCharacters.value)]: "x" } }] }}
  `;

  test("names and category paths", async ({ expect }) => {
    const index = freshName("budget-names");
    const documents = dismissed.map(([id, document]) => ({ id, ...document }));
    const path = `/indexer-api/v1/update/${index}?langCode=en`;
    const put = await call(path, send("PUT", [...documents, { id: "good", data: { title: "x" } }]));
    expect(await put.json()).toEqual({
      ...Object.fromEntries(dismissed.map(([id]) => [id, "DISMISSED"])),
      good: "CREATED",
    });
  });

  test("long values", async ({ expect }) => {
    const index = freshName("budget-values");
    const brand = long(LIMITS.configuredFacetValueCharacters.value);
    const documents = ["a", "b", "c", "d"].map((id) => ({
      id,
      data: { title: "shoe", brand: id < "c" ? brand : `Brand ${id}` },
    }));
    const path = `/indexer-api/v1/update/${index}?langCode=en`;
    await (await call(path, send("PUT", documents))).text();
    const all = await answered(await search(index, {}));
    const facet = all.slices[0]?.facets?.find(({ fieldName }) => fieldName === "brand");
    expect(facet?.entries.map(({ key }) => key).toSorted()).toEqual(["Brand c", "Brand d"]);
    const filtered = await answered(await arranged(index, { filters: { brand } }));
    expect(filtered.slices[0]?.matchCount).toBe(2);
  });
});

describe.each([
  ["one shard", large, LARGE_COUNT],
  ["four shards", largeFour, COUNT_OF_FOUR],
] as const)("answers (4, 5): %s", (_, index, count) => {
  /** Of a hit that is shown whole, and of its document, with what is around its text. */
  const hitBytes = 2 * LARGE_CHARACTERS;

  /** Pages of these parameters with a limit that is too large; answers what their refusal says. */
  async function largest(fitting: number, shown: Record<string, string>): Promise<string> {
    const page = (limit: number): Promise<Response> => search(index, { ...shown, limit: `${limit}` });
    const refused = await errorOf(await page(count));
    const fits = await answered(await page(fitting));
    if (fits.slices[0]?.hits.length !== fitting) throw new Error("hits are missing");
    const one = await page(fitting + 1);
    const next = await errorOf(one);
    if (refused.type !== "answer_too_large" || next.type !== refused.type) throw new Error("type");
    if (next.message !== refused.message) throw new Error(`${next.message} ${refused.message}`);
    return refused.message;
  }

  test("too many large hits (4)", async ({ expect }) => {
    const fitting = Math.floor(LIMITS.answerBytes.value / hitBytes);
    expect(await largest(fitting, {})).toContain(`limit=${fitting} fits`);
  });

  test.runIf(count === LARGE_COUNT)("too many large documents (5)", async ({ expect }) => {
    const fitting = Math.floor((4 * LIMITS.answerBytes.value) / hitBytes);
    expect(await largest(fitting, { fields: "title" })).toContain(`limit=${fitting} fits`);
  });

  test("all pages together are the whole", async ({ expect }) => {
    const ids: string[] = [];
    for (let offset = 0; offset < count; offset += 20) {
      const page = { limit: "20", offset: `${offset}`, sort: "price" };
      const { slices } = await answered(await search(index, page));
      ids.push(...(slices[0]?.hits ?? []).map(({ document: { id } }) => id));
    }
    expect(ids).toEqual(largeProducts.slice(0, count).map(({ id }) => id));
  });
});

describe.each(BOTH)("pages of many windows: %s", (_, index) => {
  test("are whole, in their order", async ({ expect }) => {
    const { slices } = await answered(await search(index, { limit: "1000", sort: "-price" }));
    const ids = slices[0]?.hits.map(({ document: { id } }) => id);
    expect(ids).toEqual(products.map(({ id }) => id).toReversed());
  });
});

test("a report of a bulk in which nearly everything is wrong (8)", async ({ expect }) => {
  const index = freshName("budget-report");
  const session = JSON.stringify(await startImport(index));
  const longId = "i".repeat(LIMITS.documentBytes.value / 2);
  const most = LIMITS.reportEntries.value;
  // 1,000 values of unknown shape each: of 100 of them 101 documents more than fill the list.
  const odd = Array.from(
    { length: most / 100 + 1 },
    (_, i) => `{"id":"o${i}","data":{"odd":[${"[[0]],".repeat(999)}[[0]]]}}`,
  );
  const documents = [`{"id":"${longId}","data":{}}`, ...Array<string>(most).fill("{}"), ...odd];
  const body = `{"session":${session},"documents":[${documents.join(",")}]}`;
  const added = await call("/indexer-api/v1/full/add?report=true", send("POST", body));
  const { indexed, rejected, ignored } = AddReport.parse(await added.json());
  expect([indexed, rejected.length, ignored.length]).toEqual([odd.length, most, most]);
  expect(rejected[0]?.id?.length).toBeLessThan(2 * LIMITS.documentIdBytes.value);
  expect(ignored.filter(({ position }) => position === most + 1)).toHaveLength(100);
});
