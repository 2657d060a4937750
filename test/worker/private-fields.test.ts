// Private fields over HTTP (docs/security.md "Private fields"), on one shard and on four:
// 1. No answer holds a value that a document has under a private name: hits, documents, facets, highlights, links, sort
//    options, suggestions, traces, whatever is asked; nor does the export for the role read.
// 2. Filters, sorts, sets and query strings on a private field act as if there were no such field.
// 3. Rules filter by it and scoring functions rank by it, and neither is told, nor a score that it takes part in.
// 4. Names by expression, spelt as a source name, of attributes, of variants and of categories are kept as well; with
//    nothing but private fields configured the preset holds for everything else.
// 5. What contradicts itself is refused with its path: usages that answer questions, ids, names that a public field
//    reads.
// 6. An administrator's export is the backup: it has everything.
import { beforeAll, describe, test } from "vitest";
import type { SearchResult } from "../../src/interface/index.ts";
import { basic, call, callWith, errorOf, freshName, idsOf, ok, publish, send } from "./support.ts";
import { table } from "../support/table.ts";

/** Stands in every private value, and nowhere else. */
const SECRET = "hushhush";

const USERS = JSON.stringify({
  chief: { password: "1", roles: ["admin"] },
  reader: { password: "2", roles: ["read"] },
});

const FIELDS = {
  fields: [
    { name: "title", type: "string", usage: ["Search", "Result", "Sort"] },
    { name: "brand", type: "string", usage: ["Search", "Result", "Facet"] },
    { name: "price", type: "number", usage: ["Result", "Facet", "Sort"] },
    { name: "category", type: "category", usage: ["Result", "Facet"] },
    { name: "group", usage: ["Filter"], "source-names": ["Group"], private: true },
    { name: "margin", type: "number", usage: ["Score", "Filter"], private: true },
    { name: "supplier", "field-level": "both", private: true },
  ],
  "dynamic-fields": [
    { "source-names": ["^internal_"], "field-level": "both", usage: ["Score"], private: true },
    { "source-names": [".*"], "field-level": "both", usage: ["Search", "Result", "Facet", "Sort"] },
  ],
};

const documents = Array.from({ length: 24 }, (_, i) => ({
  id: `p${i}`,
  data: {
    title: `running shoe ${i}`,
    brand: "Acme",
    price: 10 + i,
    Group: `${SECRET}${i % 3}`,
    margin: 770_000 + i,
    supplier: SECRET,
    internal_note: SECRET,
    internal_rank: 880_000 + i,
    colour: i % 2 === 0 ? "red" : "blue",
  },
  attributes: [
    { name: "supplier", value: SECRET, code: SECRET },
    { name: "internal_code", value: SECRET },
    { name: "width", value: "wide" },
  ],
  categories: [[{ name: "Shoes" }]],
  variants: [
    {
      id: `v${i}`,
      data: { size: "42", supplier: SECRET, internal_note: SECRET },
      attributes: [{ name: "internal_code", value: SECRET }],
    },
  ],
}));

async function configured(prefix: string, fields: object): Promise<string> {
  const index = freshName(prefix);
  await ok(await call(`/admin-api/v1/config/index/${index}`, send("PUT", { "field-configuration": fields })));
  return index;
}

/** The index and a tenant over it and a second index: the latter is searched in rounds. */
const index = { one: "", tenant: "" };

beforeAll(async () => {
  index.one = await configured("private", FIELDS);
  const other = await configured("private-other", FIELDS);
  index.tenant = freshName("private-both");
  await publish(index.one, documents.slice(0, 16));
  await publish(
    other,
    documents.slice(16).map((document) => ({ ...document, id: `o${document.id}` })),
  );
  const rules = freshName("private-rules");
  const text = `shoe =>
  FILTER: * group:${SECRET}0
  FILTER: * -(supplier:${SECRET} AND title:boot)
  UP(2): * supplier:${SECRET}
  UP(2): * (supplier:${SECRET} OR brand:acme)
  UP(2): supplier:${SECRET}
`;
  await ok(await call(`/admin-api/v1/config/rules/${rules}`, { method: "PUT", body: text }));
  for (const name of [index.one, index.tenant]) {
    const section = {
      ...(name === index.tenant && { "index-name": `${index.one},${other}` }),
      "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
      "plugin-configuration": { QuerqyQueryExpander: { common_rules_url: rules } },
      "scoring-configuration": {
        "score-functions": [
          { field: "margin", type: "field_value_factor", weight: 3 },
          { field: "internal_rank", type: "field_value_factor" },
        ],
      },
      "facet-configuration": { facets: [{ "source-field": "group" }, { "source-field": "supplier" }] },
      "sort-configuration": [{ field: "margin" }, { field: "price" }],
    };
    await ok(await call(`/admin-api/v1/config/tenant/${name}`, send("PUT", section)));
  }
});

/** Every private value: the text, the margins and the ranks. */
function leaks(answer: string): string[] {
  return answer.match(/hushhush\w*|\b7700[0-2]\d\b|\b8800[0-2]\d\b/g) ?? [];
}

/** Without what the request itself has said, which links repeat. */
async function answerOf(path: string, init?: RequestInit): Promise<string> {
  // Not text(): the runtime warns of text whose content type does not begin with "text/".
  return new TextDecoder().decode(await (await ok(await call(path, init))).arrayBuffer());
}

async function found(tenant: string, query: string): Promise<SearchResult> {
  return JSON.parse(await answerOf(`/search-api/v1/search/${tenant}?${query}`)) as SearchResult;
}

describe.for(["one", "tenant"] as const)("%s", (which) => {
  test.for([
    "",
    "q=running",
    "q=running+shoe&limit=100",
    "q=shoe&trace=Explain,Request,EsQuery",
    "trace=Explain,Request,EsQuery&limit=50",
    "q=runing&highlight=*&fields=*",
    "highlight=*&fields=*&q=hushhus",
    "facetQuery=brand:a&facetQuery=colour:r",
    "typing=true&q=hush",
    "sort=-price&limit=100",
  ])("no answer to %j (1)", async (query, { expect }) => {
    const answer = await answerOf(`/search-api/v1/search/${index[which]}?${query}`);
    expect(answer).toContain('"slices"');
    expect(leaks(answer).filter((word) => !query.includes(word))).toEqual([]);
  });

  test("documents (1)", async ({ expect }) => {
    const answer = await answerOf(`/search-api/v1/doc/${index[which]}/p3`);
    expect(leaks(answer)).toEqual([]);
    expect(JSON.parse(answer)).toEqual({
      id: "p3",
      data: { title: "running shoe 3", brand: "Acme", price: 13, colour: "blue" },
      attributes: [{ name: "width", value: "wide" }],
      categories: [[{ name: "Shoes" }]],
      variants: [{ id: "v3", data: { size: "42" }, attributes: [], categories: null }],
    });
  });

  test("arranged searches (1, 2)", async ({ expect }) => {
    const set = { name: "s", type: "dynamic", query: "running", limit: 3 };
    const asked = (more: object): Promise<string> =>
      answerOf(
        `/search-api/v1/search/arranged/${index[which]}`,
        send("POST", { q: "running", arrangedProductSets: [{ ...set, ...more }] }),
      );
    const plain = JSON.parse(await asked({})) as SearchResult;
    expect(leaks(JSON.stringify(plain))).toEqual([]);
    for (const probe of [
      { filters: { group: `${SECRET}1` } },
      { filters: { margin: "770003" } },
      { sort: "-margin" },
      { sort: "internal_rank" },
    ]) {
      expect(idsOf(JSON.parse(await asked(probe)) as SearchResult)).toEqual(idsOf(plain));
    }
    const byText = { type: "querystring", query: `supplier:${SECRET} OR group:${SECRET}1` };
    const sets = [{ ...set, ...byText, asSeparateSlice: true }];
    const answer = JSON.parse(
      await answerOf(
        `/search-api/v1/search/arranged/${index[which]}`,
        send("POST", { arrangedProductSets: sets, includeMainResult: false }),
      ),
    ) as SearchResult;
    expect(idsOf(answer)).toEqual([]);
  });

  test.for([
    `group=${SECRET}1`,
    "group.id=1",
    "Group=x",
    "!margin=770001",
    "margin=770001",
    "margin=!770001",
    "margin=0,770003",
    `supplier=${SECRET}`,
    "internal_rank=880001",
    "sort=margin",
    "sort=-margin",
    "sort=-internal_rank",
    `sort=group.${SECRET}1`,
    "sort=margin.id.1",
    `facetQuery=group:${SECRET}`,
    `facetQuery=supplier:h`,
  ])("%s asks nothing (2)", async (probe, { expect }) => {
    // With the rule that filters by the field itself, and without words.
    for (const q of ["q=shoe", ""]) {
      const plain = await found(index[which], `${q}&limit=50`);
      const probed = await found(index[which], `${q}&limit=50&${probe}`);
      expect(idsOf(probed)).toEqual(idsOf(plain));
      expect(probed.slices.map(({ matchCount }) => matchCount)).toEqual(
        plain.slices.map(({ matchCount }) => matchCount),
      );
    }
  });

  test("words of private fields find nothing (2)", async ({ expect }) => {
    for (const q of [SECRET, `${SECRET}1`, "770003"]) {
      expect((await found(index[which], `q=${q}`)).slices[0]?.matchCount).toBe(0);
    }
  });

  test("facets and sort options do not name them (1)", async ({ expect }) => {
    const answer = await found(index[which], "limit=1");
    const facets = answer.slices[0]?.facets?.map(({ fieldName }) => fieldName) ?? [];
    expect(facets).toContain("brand");
    expect(facets.filter((name) => /group|margin|supplier|internal/.test(name))).toEqual([]);
    expect([...new Set(answer.sortOptions.map(({ field }) => field))]).toEqual(["price"]);
  });

  test("no score is told, nor what is left of it (3)", async ({ expect }) => {
    for (const q of ["", "q=running"]) {
      const path = `/search-api/v1/search/${index[which]}?${q}&trace=Explain`;
      const answer = JSON.parse(await answerOf(path)) as {
        slices: { hits: { metaData: Record<string, unknown> }[] }[];
      };
      for (const { metaData } of answer.slices[0]?.hits ?? []) {
        expect(metaData).not.toHaveProperty("variant_score");
        expect(metaData).toMatchObject({
          score: "NaN",
          explain: { score: null, scoring: { functions: [], score: null, final: null } },
        });
        expect(JSON.stringify(metaData)).toContain("private fields take part in the score");
      }
    }
  });

  test("rules filter by them, scores follow them (3)", async ({ expect }) => {
    const all = await found(index[which], "limit=50");
    const ruled = await found(index[which], "q=shoe&limit=50");
    const third = idsOf(all).filter((id) => Number(id.replace(/\D/g, "")) % 3 === 0);
    expect(new Set(idsOf(ruled))).toEqual(new Set(third));
    const numbers = idsOf(all).map((id) => Number(id.replace(/\D/g, "")));
    expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  });
});

test("suggestions: have none of it (1)", async ({ expect }) => {
  for (const query of ["hush", "77", "acm", "run"]) {
    const answer = await answerOf(`/suggest-api/v1/${index.one}/suggest?userQuery=${query}`);
    expect(leaks(answer)).toEqual([]);
  }
});

describe("the export", () => {
  async function exported(user: string, password: string): Promise<string> {
    const path = `/admin-api/v1/indexes/${index.one}/documents`;
    const response = await ok(await callWith({ AUTH_USERS: USERS }, path, basic(user, password)));
    return new TextDecoder().decode(await response.bytes());
  }

  test("for the role read has no private values, and is complete otherwise (1)", async ({ expect }) => {
    const text = await exported("reader", "2");
    expect(leaks(text)).toEqual([]);
    const lines = text.trim().split("\n");
    expect(lines).toHaveLength(16);
    const [p3] = lines.map((line): unknown => JSON.parse(line)).filter((one) => (one as { id: string }).id === "p3");
    expect(p3).toEqual({
      id: "p3",
      data: { title: "running shoe 3", brand: "Acme", price: 13, colour: "blue" },
      attributes: [{ name: "width", value: "wide" }],
      categories: [[{ name: "Shoes" }]],
      variants: [{ id: "v3", data: { size: "42" }, attributes: [] }],
    });
  });

  test("for administrators is the backup (6)", async ({ expect }) => {
    const lines = (await exported("chief", "1")).trim().split("\n");
    const sent = new Map(documents.map((document): [string, unknown] => [document.id, document]));
    expect(lines).toHaveLength(16);
    for (const line of lines) {
      const document = JSON.parse(line) as { id: string };
      expect(document).toEqual(sent.get(document.id));
    }
  });
});

describe("with the preset (4)", () => {
  const data = { title: "lamp", brand: "Zenith", price: 5, Price: 6, cost: 3, wattage: 40 };

  async function shop(fields: object): Promise<string> {
    const name = await configured("private-preset", fields);
    const categories = [[{ name: "Light" }, { name: "Desk" }]];
    const other = { ...data, title: "lamp two", wattage: 60 };
    await publish(name, [
      { id: "1", data, categories },
      { id: "2", data: other, categories },
    ]);
    return name;
  }

  test("everything else is as it was", async ({ expect }) => {
    const name = await shop({ fields: [{ name: "cost", private: true }] });
    const answer = await found(name, "q=lamp&wattage=40");
    expect(idsOf(answer)).toEqual(["1"]);
    const document: unknown = JSON.parse(await answerOf(`/search-api/v1/doc/${name}/1`));
    const { cost: _, ...rest } = data;
    expect(document).toMatchObject({ data: rest });
    expect(JSON.stringify([answer, document])).not.toContain("cost");
  });

  test("a field of the preset is private under all its names", async ({ expect }) => {
    const name = await shop({
      fields: [
        { name: "price", private: true },
        { name: "brand", private: true },
        { name: "category", type: "category", private: true },
      ],
      "dynamic-fields": [{ "source-names": ["^watt"], private: true }],
    });
    const document = await answerOf(`/search-api/v1/doc/${name}/1`);
    expect(JSON.parse(document)).toEqual({
      id: "1",
      data: { title: "lamp", cost: 3 },
      attributes: null,
      categories: null,
    });
    const answer = await answerOf(`/search-api/v1/search/${name}?q=lamp&trace=Explain`);
    for (const secret of ["Zenith", "Light", "Desk", "wattage", "price", "category_lvl"])
      expect(answer).not.toContain(secret);
    for (const q of ["zenith", "light", "desk"]) expect((await found(name, `q=${q}`)).slices[0]?.matchCount).toBe(0);
  });
});

test.for(table<[string, object, string, string]>`
    usages | ${{ fields: [{ name: "a", private: true, usage: ["Filter", "Search"] }] }}
      | ${"field-configuration.fields[0].usage"} | ${"cannot have the usage Search"}
    a result | ${{ "dynamic-fields": [{ "source-names": ["x"], private: true, usage: "Result" }] }}
      | ${"field-configuration.dynamic-fields[0].usage"} | ${"cannot have the usage Result"}
    ids | ${{ fields: [{ name: "id", type: "id", private: true }] }} | ${"field-configuration.fields[0].type"}
      | ${"cannot be an id"}
    a source of another field
      | ${{
        fields: [
          { name: "cost", private: true, "source-names": ["Cost"] },
          { name: "total", usage: ["Search"], "source-names": ["price", "Cost"] },
        ],
      }}
      | ${"field-configuration.fields[1]"} | ${"keeps back"}
    no flag | ${{ fields: [{ name: "a", private: "secret" }] }} | ${"field-configuration.fields[0].private"}
      | ${"true or false"}
  `)("what is refused: %s (5)", async ([, fields, path, message], { expect }) => {
  const response = await call(
    `/admin-api/v1/config/index/${freshName("refused")}`,
    send("PUT", { "field-configuration": fields }),
  );
  const { type, details } = await errorOf(response);
  expect(type).toBe("invalid_configuration");
  const { problems } = details as { problems: { path: string; message: string }[] };
  expect(problems.map((problem) => problem.path)).toEqual([path]);
  expect(problems[0]?.message).toContain(message);
});
