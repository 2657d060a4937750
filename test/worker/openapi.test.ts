// The description of the interface:
// 1. openapi.json has every operation with its parameters, bodies and errors, and a schema of every model
//    (test/tools/openapi.test.ts asks two validators);
// 2. it leaves out parts that are not exposed;
// 3. the docs page names every operation, error and limit and loads nothing from elsewhere;
// 4. both are made once per settings, and name the address that they are asked for at.
import { env } from "cloudflare:workers";
import { describe, test } from "vitest";
import { ERRORS, LIMITS } from "../../src/interface/index.ts";
import { createApp } from "../../src/worker/app.ts";
import { describedBy } from "../../src/worker/docs.ts";
import { OPERATIONS } from "../../src/worker/operations/index.ts";
import { responseOf, type Described as FuzzDescribed, type DescribedOperation } from "./fuzz-requests.ts";
import { HOST, call, callWith } from "./support.ts";

interface Described extends FuzzDescribed {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
}

interface Secured {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, DescribedOperation & { readonly security: unknown }>>>
  >;
}

/** The models of the interface, as its description lists them. */
const MODELS = (
  "ArrangedSearchQuery Attribute BulkImportData Category Document Document_data_value " +
  "DynamicProductSet Facet FacetEntry GenericProductSet HierarchialFacetEntry ImportSession " +
  "IntervalFacetEntry Product ProductSet QueryStringProductSet RangeFacetEntry ResultHit " +
  "SearchQuery SearchResult SearchResultSlice Sorting StaticProductSet Suggestion"
).split(" ");

describe("openapi.json (1, 2)", () => {
  test("has every operation", async ({ expect }) => {
    const response = await call("/openapi.json");
    const described: Described = await response.json();
    expect(described.openapi).toBe("3.1.0");
    for (const { id, method, path, parameters, body, answers, errors } of OPERATIONS) {
      const operation = described.paths[path]?.[method];
      expect(operation?.operationId).toBe(id);
      expect(operation?.parameters.map(({ name }) => name)).toEqual(parameters.map(({ name }) => name));
      expect(operation?.requestBody !== undefined).toBe(body !== null);
      const statuses = Object.keys(operation?.responses ?? {}).map(Number);
      for (const { status } of answers) expect(statuses).toContain(status);
      for (const type of errors) {
        const response = operation && responseOf(described, operation, ERRORS[type].status);
        expect(response?.description).toContain(`${type}: `);
      }
      const inPath = [...path.matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name]) => name);
      expect(parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name)).toEqual(inPath);
    }
  });

  test("schemas are those of the contract", async ({ expect }) => {
    const described: Described = await (await call("/openapi.json")).json();
    const add = described.paths["/indexer-api/v1/full/add"]?.["post"];
    const { schemas } = described.components;
    expect(add?.requestBody?.content["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/BulkImportData",
    });
    expect(schemas["BulkImportData"]).toMatchObject({ type: "object", required: ["session", "documents"] });
    expect(schemas["Error"]).toMatchObject({ required: ["message", "code", "type", "errorId", "timestamp"] });
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining(MODELS));
    expect(schemas["FacetEntry"]).toMatchObject({
      discriminator: { mapping: { term: "#/components/schemas/TermFacetEntry" } },
    });
    expect(described.servers.map(({ url }) => url)).toEqual([HOST]);
  });

  test("who needs credentials, and where YAML may be sent", async ({ expect }) => {
    const search = "/search-api/v1/search/{tenant}";
    for (const [setting, security] of [
      ["true", [{}, { "basic-auth": [] }]],
      ["false", [{ "basic-auth": [] }]],
    ] as const) {
      const response = await callWith({ AUTH_PUBLIC_SEARCH: setting }, "/openapi.json");
      const { paths }: Secured = await response.json();
      expect(paths[search]?.["get"]?.security).toEqual(security);
      const put = paths["/admin-api/v1/config"]?.["put"];
      expect(put?.security).toEqual([{ "basic-auth": [] }]);
      expect(Object.keys(put?.requestBody?.content ?? {})).toEqual(["application/json", "application/yaml"]);
    }
  });

  test("parts that are not exposed are not described", async ({ expect }) => {
    const described: Described = await (await callWith({ EXPOSE: "suggest" }, "/openapi.json")).json();
    expect(Object.keys(described.paths).toSorted()).toEqual(
      ("/ /docs /health /openapi.json /playground/{file} /shop " + "/suggest-api/v1/{indexname}/suggest").split(" "),
    );
  });
});

test("/docs: is complete and self-contained (3)", async ({ expect }) => {
  const response = await call("/docs");
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const page = await response.text();
  for (const { id } of OPERATIONS) expect(page).toContain(`id="${id}"`);
  for (const [type, { status }] of Object.entries(ERRORS))
    expect(page).toContain(`<code>${type}</code></td><td>${status}</td>`);
  for (const [name, { value, unit }] of Object.entries(LIMITS))
    expect(page).toContain(`<code>${name}</code></td><td>${value} ${unit}</td>`);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  // Its script only adds to it.
  for (const { path } of OPERATIONS) expect(page).toContain(`<code>${path.replace("<", "&lt;")}</code>`);
});

test("are made once, for any address (4)", async ({ expect }) => {
  const settings = { EXPOSE: "search", AUTH_PUBLIC_SEARCH: "false" };
  expect(describedBy({ ...settings })).toBe(describedBy({ ...settings }));
  expect(describedBy({ ...settings, AUTH_PUBLIC_SEARCH: "true" })).not.toBe(describedBy(settings));
  const asked = async (address: string): Promise<string> =>
    (await createApp().request(address, {}, { ...env, LOG: "off" })).text();
  for (const origin of ["http://localhost:8787", "https://shop.example", "http://[::1]:8787"]) {
    const { servers } = JSON.parse(await asked(`${origin}/openapi.json`)) as Described;
    expect(servers.map(({ url }) => url)).toEqual([origin]);
    const page = await asked(`${origin}/docs`);
    expect(page).toContain(`${origin}/search-api/v1/search/`);
    expect(page).not.toContain("origin.invalid");
  }
  // An address that would end a text of the page or of its examples is not shown.
  for (const path of ["/openapi.json", "/docs"]) {
    for (const host of ['a"b', "a'b", "a$&b"]) expect(await asked(`http://${host}${path}`)).not.toContain(`//${host}`);
  }
});
