// What a client may ask of answers besides hits and facets, through HTTP (each alone: client.test.ts and
// instantsearch.test.ts; over several shards: sharded-search.test.ts):
// 1. nextLink walks through all hits with all of them, and is null at the end and in arranged searches;
// 2. an arranged search has them in its body, beside the filters or among them;
// 3. what cannot be is 400 with the name of the parameter;
// 4. without the parameters, and with empty ones, an answer has the same bytes.
import { beforeAll, describe, test } from "vitest";
import {
  SearchResultSchema,
  type Facet,
  type SearchResult,
  type SearchResultSlice,
} from "../../src/interface/index.ts";
import { call, errorOf, freshName, publish, send } from "./support.ts";

const BRANDS = ["Adobe", "Acme", "Colorado", "Nike"];
const documents = Array.from({ length: 9 }, (_, i) => ({
  id: `p${i}`,
  data: {
    title: `Running shoe ${i}`,
    brand: BRANDS[i % 4],
    description: `A <b>shoe</b> & more, number ${i}`,
    price: 10 + i,
  },
  attributes: [{ name: "color", value: i % 2 === 0 ? "red" : "blue" }],
}));

const one = freshName("one");
beforeAll(() => publish(one, documents));

async function answered(response: Response): Promise<SearchResult> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const result: SearchResult = await response.json();
  SearchResultSchema.parse(result);
  return result;
}

async function search(query: string): Promise<SearchResult> {
  return answered(await call(`/search-api/v1/search/${one}?${query}`));
}

async function arranged(body: object): Promise<SearchResult> {
  return answered(await call(`/search-api/v1/search/arranged/${one}`, send("POST", body)));
}

function main({ slices }: SearchResult): SearchResultSlice {
  const slice = slices.find(({ label }) => label === null);
  if (slice === undefined) throw new Error("no main slice");
  return slice;
}

function values(facet: Facet | undefined): unknown[] {
  return (facet?.entries ?? []).map(({ key, docCount }) => [key, docCount]);
}

test("the next page (1)", async ({ expect }) => {
  const asked = "q=shoe&limit=4&fields=title&highlight=title&facetQuery=brand%3Aa";
  const ids: string[] = [];
  let next: string | null = `?${asked}`;
  let pages = 0;
  while (next !== null) {
    const page = main(await search(next.slice(1)));
    expect(values(page.facets?.[0])).toHaveLength(3);
    for (const { document, metaData } of page.hits) {
      ids.push(document.id);
      expect(Object.keys(document.data)).toEqual(["title"]);
      expect(metaData?.["highlights"]).toHaveProperty("title");
    }
    next = page.nextLink;
    pages++;
    if (next !== null) expect(next).toBe(`?q=shoe&limit=4&offset=${pages * 4}&${asked.slice(15)}`);
  }
  expect([pages, ids.toSorted()]).toEqual([3, documents.map(({ id }) => id)]);
});

describe("arranged searches (2)", () => {
  const view = { fields: "title", highlight: ["title", "brand"], facetQuery: ["brand:ado"] };
  const sets = [{ type: "static", name: "Top", ids: ["p3"], asSeparateSlice: true }];

  test("in the body", async ({ expect }) => {
    const answer = await arranged({ q: "shoe", limit: 3, arrangedProductSets: sets, ...view });
    const [top] = answer.slices;
    expect(top).toMatchObject({ label: "Top", nextLink: null });
    expect(top?.hits).toMatchObject([
      {
        document: { id: "p3", data: { title: "Running shoe 3" } },
        metaData: { highlights: { title: [{ html: "Running <em>shoe</em> 3" }] } },
      },
    ]);
    const { facets, nextOffset, nextLink } = main(answer);
    expect([values(facets?.[0]), nextOffset, nextLink]).toEqual([
      [
        ["Adobe", 3],
        ["Colorado", 2],
      ],
      3,
      null,
    ]);
  });

  test("among the filters", async ({ expect }) => {
    const body = { q: "shoe", arrangedProductSets: sets };
    const filters = { fields: "title", highlight: "title,brand", facetQuery: "brand:ado" };
    const { tookInMillis: _, ...among } = await arranged({ ...body, filters });
    const { tookInMillis: __, ...beside } = await arranged({ ...body, ...view });
    expect(among).toEqual(beside);
  });
});

describe("what cannot be (3)", () => {
  test.for([
    ["highlight=title&highlightTag=script", "highlightTag"],
    ["facetQuery=brand", "facetQuery"],
    ["facetQuery=:ado", "facetQuery"],
    [Array.from({ length: 21 }, () => "facetQuery=brand:a").join("&"), "facetQuery"],
    [`fields=${Array.from({ length: 501 }, (_, i) => `f${i}`).join()}`, "fields"],
    [`highlight=${Array.from({ length: 501 }, (_, i) => `f${i}`).join()}`, "highlight"],
  ])("%.40s", async ([query, path], { expect }) => {
    const error = await errorOf(await call(`/search-api/v1/search/${one}?${query}`));
    expect(error).toMatchObject({ type: "invalid_parameter", details: { problems: [{ path }] } });
  });

  test("in a body", async ({ expect }) => {
    const body = send("POST", { highlight: 5 });
    const error = await errorOf(await call(`/search-api/v1/search/arranged/${one}`, body));
    expect(error).toMatchObject({ type: "invalid_body" });
  });
});

test("nothing asked, nothing changed (4)", async ({ expect }) => {
  const text = async (query: string): Promise<string> =>
    (await (await call(`/search-api/v1/search/${one}?${query}`)).text()).replace(/^\{"tookInMillis":\d+/, "");
  const plain = await text("q=red+shoe&limit=2");
  // The Worker writes the time over what is there up to the first comma.
  expect(plain).toMatch(/^,"inputURI":/);
  for (const nothing of ["fields=", "highlight=", "highlightTag=mark", "facetQuery="]) {
    expect(await text(`q=red+shoe&limit=2&${nothing}`)).toBe(plain);
  }
  const [hit] = (JSON.parse(plain.replace(/^,/, "{")) as SearchResult).slices[0]?.hits ?? [];
  expect(Object.keys(hit?.metaData ?? {})).toEqual(["score", "sort_values", "version"]);
  expect(Object.keys(hit?.document ?? {})).toEqual(["id", "data", "attributes", "categories"]);
});
