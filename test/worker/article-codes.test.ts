// A query that is one article code shows the variant that has it as a value of its own (query/variants/named.ts):
// 1. whatever words other variants share with it, in any field, as text, number, element of a list or attribute;
// 2. among the variants that pass the filters, and are equal by sort and boost terms, where the strategy shows any;
// 3. with its score, its stock and the explanation;
// 4. a private code names none;
// 5. repeated, and after an update.
// With one shard and with two.
import { beforeAll, describe, test } from "vitest";
import type { ResultHit, SearchResult } from "../../src/interface/index.ts";
import { freshName, json, ok, call, publish, send } from "./support.ts";

const DOCUMENTS = [
  {
    id: "shoe",
    data: { title: "Shoe blue red 1" },
    variants: [
      { data: { artNr: "4711-01", color: "red", price: 1, stock: 1 } },
      { data: { artNr: "4711", color: "blue", price: 2, ean: 4000000000017 } },
      { data: { artNr: "4711-02", color: "red", price: 3, skus: ["x", "AB-1"] } },
      { data: { artNr: "4711-03", color: "red", price: 4, other: "AB-1-XL" } },
      { data: { artNr: "RED-1", color: "blue", price: 5 }, attributes: [{ name: "maker", value: "Q7/1" }] },
      { data: { artNr: "BLUE-1", color: "red", price: 6 }, attributes: [{ name: "maker", value: "1/Q7" }] },
      { data: { artNr: "ART10", color: "red", price: 7 } },
      { data: { artNr: "ART-10", color: "red", price: 8 } },
    ],
  },
  ...Array.from({ length: 20 }, (_, i) => ({ id: `p${i}`, data: { title: `Hat ${i}` }, variants: [{ data: {} }] })),
];

describe.for([1, 2])("%i shard(s)", (shards) => {
  const name = freshName("codes");
  const strategies = new Map<string, string>();

  async function first(query: string, tenant = name): Promise<ResultHit> {
    const { slices } = await json<SearchResult>(`/search-api/v1/search/${tenant}?${query}`);
    return slices.flatMap(({ hits }) => hits)[0];
  }

  async function shown(query: string, tenant = name): Promise<unknown> {
    return (await first(query, tenant)).document.data["price"] ?? null;
  }

  beforeAll(async () => {
    await publish(name, DOCUMENTS, shards);
    for (const strategy of ["pickAlways", "pickIfSingleHit", "pickIfDrilledDown"]) {
      const tenant = freshName("codes-tenant");
      strategies.set(strategy, tenant);
      const configured = { "index-name": name, "variant-picking-strategy": strategy };
      await ok(await call(`/admin-api/v1/config/tenant/${tenant}`, send("PUT", configured)));
    }
  });

  test.for([
    ["4711", 2],
    ["4711-01", 1],
    ["4000000000017", 2],
    ["ab-1", 3],
    ["AB-1-XL", 4],
    ["RED-1", 5],
    ["blue-1", 6],
    ["Q7/1", 5],
    ["1/Q7", 6],
    ["ART10", 7],
    ["ART-10", 8],
    // Two words are not one code.
    ["4711 01", 1],
    ["shoe", null],
  ] as const)("%s (1)", async ([q, price], { expect }) => {
    expect(await shown(`q=${encodeURIComponent(q)}`)).toBe(price);
  });

  test("filters, sorts, strategies (2)", async ({ expect }) => {
    expect(await shown("q=4711&color=red")).toBeNull();
    expect(await shown("q=4711&color=blue")).toBe(2);
    expect(await shown("q=4711&sort=price")).toBe(1);
    expect(await shown("q=4711&sort=color")).toBe(2);
    expect(await shown("q=4711", strategies.get("pickAlways"))).toBe(2);
    expect(await shown("q=4711", strategies.get("pickIfDrilledDown"))).toBe(2);
    expect(await shown("q=4711", strategies.get("pickIfSingleHit"))).toBeNull();
    const arranged = async (variantBoostTerms: string): Promise<unknown> => {
      const body = {
        q: "4711",
        arrangedProductSets: [{ type: "static", name: "s", ids: ["shoe"], variantBoostTerms }],
      };
      const { slices } = await json<SearchResult>(`/search-api/v1/search/arranged/${name}`, send("POST", body));
      return slices[0].hits[0].document.data["price"] ?? null;
    };
    expect(await arranged("blue")).toBe(2);
    expect(await arranged("4711-03")).toBe(4);
  });

  test("score, stock, explanation (3)", async ({ expect }) => {
    const { metaData } = await first("q=4711&trace=Explain");
    const { explain, ...others } = metaData ?? {};
    expect(others).toMatchObject({ variant_score: expect.any(Number) });
    expect(others).not.toHaveProperty("sold_out");
    const { variant, lines } = explain as { variant: { picked: number }; lines: readonly string[] };
    expect(variant.picked).toBe(1);
    expect(lines).toContain('variant 1 is shown (pickIfBestScored): it has the code "4711"');
    expect(lines.filter((line) => line.startsWith("no variant"))).toEqual([]);
  });

  test("again, and after updates (5)", async ({ expect }) => {
    for (let i = 0; i < 3; i++) expect(await shown("q=4711")).toBe(2);
    const [{ variants }] = DOCUMENTS as unknown as readonly { variants: { data: object }[] }[];
    const swapped = variants.toSpliced(0, 2, ...variants.slice(0, 2).toReversed());
    swapped[0] = { data: { ...swapped[0].data, price: 20 } };
    await ok(await call(`/indexer-api/v1/update/${name}`, send("PATCH", { id: "shoe", variants: swapped })));
    expect(await shown("q=4711")).toBe(20);
  });
});

test("a private code (4)", async ({ expect }) => {
  const name = freshName("codes-private");
  const fields = {
    title: { name: "title", usage: ["Search", "Result"] },
    color: { name: "color", "field-level": "variant", usage: ["Search", "Result"] },
    secret: { name: "secret", "field-level": "variant", usage: ["Filter"], private: true },
  };
  await ok(await call(`/admin-api/v1/config/index/${name}`, send("PUT", { "field-configuration": { fields } })));
  await publish(name, [
    {
      id: "a",
      data: { title: "Shoe" },
      variants: [{ data: { color: "a1 b", secret: "s" } }, { data: { color: "a1 c", secret: "a1" } }],
    },
  ]);
  const { slices } = await json<SearchResult>(`/search-api/v1/search/${name}?q=a1`);
  expect(slices[0].hits[0].document.data).toEqual({ title: "Shoe" });
});
