// Requests made from openapi.json at random, valid and not, against an index that is there and names that are not:
// 1. every answer has a status that the operation documents, and a body that is valid by its schema; no defect (500);
// 2. afterwards the service still searches.
//
// The configuration is one document for all tests of the run: it is put back.
import fc from "fast-check";
import { afterAll, beforeAll, test } from "vitest";
import * as z from "zod";
import { runs, seed } from "../support/property.ts";
import { requestsOf, responseOf, type Described, type DescribedOperation, type Json } from "./fuzz-requests.ts";
import { call, freshName, send, startImport } from "./support.ts";

const CONFIG = "/admin-api/v1/config";
const index = freshName("fuzz");
const NAMED = [index, index, "fuzz-nobody", "title", "p1"];

const products = Array.from({ length: 12 }, (_, i) => ({
  id: `p${i}`,
  data: { title: `Shoe ${i}`, brand: ["Acme", "Bolt"][i % 2], price: i, category: ["Men/Shoes"] },
  variants: [{ id: `p${i}-a`, data: { color: "red", size: i } }],
}));

let described: Described;
let before: unknown;

beforeAll(async () => {
  before = await (await call(CONFIG)).json();
  described = await (await call("/openapi.json")).json();
  await fill();
});

afterAll(async () => {
  const restored =
    Object.keys(before as object).length === 0
      ? await call(CONFIG, { method: "DELETE" })
      : await call(CONFIG, send("PUT", before));
  await restored.text();
});

async function fill(): Promise<void> {
  const put = await call(`/indexer-api/v1/update/${index}?langCode=en`, send("PUT", products));
  if (put.status !== 200) throw new Error(await put.text());
  await put.text();
}

/** Bodies that make sense, by operation: a schema alone seldom makes a session or a rule. */
function bodiesOf({ operationId }: DescribedOperation, session: unknown): readonly unknown[] {
  switch (operationId) {
    case "add":
      return [
        { session, documents: products },
        { documents: products, session },
      ];
    case "done":
    case "cancel":
      return [session];
    case "putDocuments":
    case "patchDocuments":
      return [products, { documents: products }, products[0]];
    case "putRules":
      return ["shoe =>\n  SYNONYM: boot\n", "a =>\n  UP(100000): b\n", "x => FILTER: price:[1 TO 2]"];
    case "putIndexConfiguration":
      return [{ "field-configuration": { "dynamic-fields": [{ name: "d", "source-names": ["(a|aa)+c"] }] } }];
    case "arrangedSearch":
      return [
        { q: "shoe", arrangedProductSets: [{ type: "dynamic", query: "shoe", limit: 3 }] },
        { arrangedProductSets: [{ type: "static", ids: ["p1", "p2"] }] },
        { arrangedProductSets: [{ type: "querystring", query: "title:shoe AND NOT price:[1 TO 3]" }] },
      ];
    default:
      return [];
  }
}

const validators = new Map<Json, z.ZodType>();

function problemOf(operation: DescribedOperation, response: Response, body: string): string | null {
  const { status } = response;
  if (status === 500) return `a defect: ${body}`;
  const documented = responseOf(described, operation, status);
  if (documented === undefined) return `undocumented: ${body.slice(0, 300)}`;
  const { type: error } = status >= 400 && body !== "" ? (JSON.parse(body) as { type?: string }) : {};
  if (error !== undefined && !documented.description.includes(`${error}: `))
    return `of an undocumented type: ${body.slice(0, 300)}`;
  if (documented.content === undefined) return body === "" ? null : "a body where none is documented";
  const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
  const json = documented.content["application/json"];
  if (json === undefined) return type in documented.content ? null : `of type ${type}`;
  // Prefer: return=minimal, and answers to HEAD.
  if (body === "") return null;
  if (type !== "application/json") return `of type ${type}`;
  let validator = validators.get(json.schema);
  if (validator === undefined) {
    // Standing alone: what it refers to goes with it.
    const alone = JSON.stringify({ ...json.schema, $defs: described.components.schemas });
    validator = z.fromJSONSchema(
      JSON.parse(alone.replaceAll('"#/components/schemas/', '"#/$defs/')) as Parameters<typeof z.fromJSONSchema>[0],
    );
    validators.set(json.schema, validator);
  }
  const parsed = validator.safeParse(JSON.parse(body));
  return parsed.success ? null : `${z.prettifyError(parsed.error)}: ${body.slice(0, 300)}`;
}

test("what openapi.json describes: is what is answered (1, 2)", async ({ expect }) => {
  const session = await startImport(index);
  const operations = Object.entries(described.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestsOf(described, operation, method, template, NAMED, bodiesOf(operation, session)),
    ),
  );
  expect(operations.length).toBeGreaterThan(25);
  const found: string[] = [];
  for (const request of fc.sample(fc.oneof(...operations), { numRuns: runs(600, 300), seed })) {
    const { operation, method, path, headers, body } = request;
    const response = await call(path, { method, headers, redirect: "manual", ...(body !== null && { body }) });
    const answered = new TextDecoder().decode(await response.arrayBuffer());
    const problem = problemOf(operation, response, answered);
    if (problem !== null) {
      const sent = typeof body === "string" ? body.slice(0, 300) : String(body);
      found.push(`${method} ${path.slice(0, 300)} ${JSON.stringify(headers)} ${sent}\n  ${response.status} ${problem}`);
    }
  }
  expect(found.join("\n")).toBe("");
  // What was put may have made the index unsearchable by configuration, not the service.
  await (await call(CONFIG, { method: "DELETE" })).text();
  await fill();
  const answer = await call(`/search-api/v1/search/${index}?q=shoe`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ slices: [{ matchCount: products.length }] });
});
