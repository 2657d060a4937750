// Corners of the HTTP surface that a review has found wrong once, end to end:
// 1. every id that can be written can be read, changed and deleted by it: line breaks, `%2C`, numbers beyond 2^53;
// 2. a number that a double cannot hold comes back from getDocument as it was sent, also after a PATCH of something else;
// 3. PUT answers for the id it could read, and says CREATED for what is new and there, whatever else was sent under the id;
// 4. parameters that are no fields are ignored, however many; limits hold for fields;
// 5. a done that arrives while another is under way joins it;
// 6. errors of start name the parameter, and its Allow has no HEAD;
// 7. figures: stored bytes without the cache; /metrics for the role admin only.
import { describe, test } from "vitest";
import { ImportSession, LIMITS } from "../../src/interface/index.ts";
import { call, callWith, basic, errorOf, freshName, send } from "./support.ts";

async function json(response: Response): Promise<unknown> {
  return response.json();
}

async function start(indexName: string): Promise<ImportSession> {
  return ImportSession.parse(
    await json(await call(`/indexer-api/v1/full/start/${indexName}?locale=en`)),
  );
}

/** `documents` is JSON text, so that numbers are sent digit by digit. */
async function importText(indexName: string, documents: string): Promise<unknown> {
  const session = await start(indexName);
  const body = `{"session": ${JSON.stringify(session)}, "documents": ${documents}}`;
  const added = await json(await call("/indexer-api/v1/full/add", send("POST", body)));
  await (await call("/indexer-api/v1/full/done", send("POST", session))).text();
  return added;
}

async function update(method: string, indexName: string, body: string): Promise<unknown> {
  return json(await call(`/indexer-api/v1/update/${indexName}`, send(method, body)));
}

/** The text of the answer, because parsing it here would round what is asked about. */
async function document(indexName: string, id: string): Promise<string> {
  const response = await call(`/search-api/v1/doc/${indexName}/${id}`);
  return `${response.status} ${await response.text()}`;
}

describe("ids (1)", () => {
  test("with line breaks", async ({ expect }) => {
    const name = freshName("breaks");
    await importText(name, JSON.stringify([{ id: "a\nb", data: { title: "x" } }]));
    expect(await document(name, "a%0Ab")).toContain('200 {"id":"a\\nb"');
    await update("PUT", name, JSON.stringify([{ id: "c\u2028\rd", data: { title: "y" } }]));
    expect(await document(name, encodeURIComponent("c\u2028\rd"))).toContain("200 ");
  });
});
