/**
 * `GET /admin-api/v1/indexes/{name}/documents`.
 *
 * 1. Every live document comes once, as it was sent, one a line: published ones, updated ones, none that was deleted.
 * 2. What comes can be imported again and answers the same.
 * 3. A document with line breaks between its tokens is one line.
 * 4. An index that is not there is 404; the call needs the role read.
 */
import { describe, test } from "vitest";
import { call, callWith, errorOf, freshName, publish, send } from "./support.ts";

interface Sent {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function product(id: string, title: string): Sent {
  return { id, data: { title, price: 1 } };
}

async function exported(index: string): Promise<Sent[]> {
  const response = await call(`/admin-api/v1/indexes/${index}/documents`);
  // Not text(): the runtime warns of text whose content type does not begin with "text/".
  const text = new TextDecoder().decode(await response.bytes());
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Sent);
}

describe("export", () => {
  test("1, 2: every live document, and back again", async ({ expect }) => {
    const index = freshName("export");
    const sent = Array.from({ length: 600 }, (_, i) => product(`p${i}`, `shoe number ${i}`));
    await publish(index, sent);
    await call(`/indexer-api/v1/update/${index}`, send("PUT", [product("p7", "sock"), product("new", "hat")]));
    await call(`/indexer-api/v1/update/${index}?id=p8,p9`, { method: "DELETE" });

    const expected = new Map(sent.map((document) => [document.id, document]));
    expected.set("p7", product("p7", "sock"));
    expected.set("new", product("new", "hat"));
    expected.delete("p8");
    expected.delete("p9");
    const documents = await exported(index);
    expect(documents.length).toBe(expected.size);
    expect(new Map(documents.map((document) => [document.id, document]))).toEqual(expected);

    const copy = freshName("export-copy");
    await publish(copy, documents);
    const answers = await Promise.all(
      [index, copy].map(async (name) => {
        const response = await call(`/search-api/v1/search/${name}?q=shoe&sort=title&limit=1000`);
        const { slices }: { slices: { matchCount: number; hits: { document: unknown }[] }[] } = await response.json();
        return slices.map(({ matchCount, hits }) => [matchCount, hits.map(({ document }) => document)]);
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test("3: one line a document, however it was written", async ({ expect }) => {
    const index = freshName("export-lines");
    await publish(index, []);
    const text = '{\n  "id": "a",\r\n  "data": {"title": "two\\nlines"}\n}';
    await call(`/indexer-api/v1/update/${index}?langCode=en`, send("PUT", text));
    expect(await exported(index)).toEqual([{ id: "a", data: { title: "two\nlines" } }]);
  });

  test("4: refused", async ({ expect }) => {
    const missing = await call(`/admin-api/v1/indexes/${freshName("none")}/documents`);
    expect([missing.status, (await errorOf(missing)).type]).toEqual([404, "index_not_found"]);
    const stranger = await callWith({}, "/admin-api/v1/indexes/x/documents");
    expect(stranger.status).toBe(401);
  });
});
