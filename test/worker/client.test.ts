/**
 * packages/client against the real Worker:
 * 1. an import in several bulks, with progress and rejections, then search, facets, pages, documents, suggestions;
 * 2. an import that fails, is aborted, or has too many rejections leaves the index as it was;
 * 3. put, patch, delete and what each document came to;
 * 4. an arranged search;
 * 5. errors: status, type, problems; credentials;
 * 6. what is repeated, and what is not.
 */
import { exports } from "cloudflare:workers";
import { describe, test } from "vitest";
import {
  AisleClient,
  AisleError,
  mainSlice,
  type ImportProgress,
  type Product,
  type TransportOptions,
} from "../../packages/client/src/index.ts";
import { callWith, freshName, HOST } from "./support.ts";

const fetchWorker = (request: Request): Promise<Response> => exports.default.fetch(request);
const clientWith = (options: Partial<TransportOptions> = {}): AisleClient =>
  new AisleClient({ url: `${HOST}/`, fetch: fetchWorker, ...options });
const aisle = clientWith();

const COLORS = ["Red", "Blue", "Green, dark"];
function products(count: number): Product[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `P${at}`,
    data: { title: `Shirt number ${at}`, price: at + 0.5, brand: at % 2 === 0 ? "Even" : "Odd" },
    categories: [[{ name: "Men" }, { name: at % 2 === 0 ? "Tops/Shirts" : "Trousers" }]],
    variants: [{ id: `P${at}-v`, data: { color: COLORS[at % 3] } }],
  }));
}

async function* slowly(list: readonly Product[]): AsyncGenerator<Product> {
  for (const product of list) {
    await Promise.resolve();
    yield product;
  }
}

async function imported(count: number): Promise<string> {
  const index = freshName("client");
  await aisle.import(index, products(count), { locale: "en" });
  return index;
}

describe("the client", () => {
  test("1: imports and finds", async ({ expect }) => {
    const index = freshName("client");
    const steps: ImportProgress[] = [];
    const broken = { id: " ", data: {} };
    const outcome = await aisle.import(index, slowly([...products(40), broken]), {
      locale: "en",
      bulkBytes: 1_000,
      concurrency: 3,
      onProgress: (progress) => steps.push({ ...progress }),
    });
    expect(outcome).toMatchObject({ sent: 41, indexed: 40, rejected: 1 });
    expect(outcome.rejections).toEqual([{ position: 40, id: null, reason: expect.any(String) as string }]);
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.at(-1)).toEqual({ sent: 41, indexed: 40, rejected: 1 });

    const result = await aisle.search<{ title: string; price: number }>(index, {
      filters: {
        brand: ["Even", "Nobody"],
        price: { from: 2, to: 30 },
        category: { path: ["Men", "Tops/Shirts"] },
        color: { not: ["Red", "Blue"] },
      },
      sort: [{ field: "price", descending: true }],
      limit: 2,
      fields: ["title", "price"],
    });
    const slice = mainSlice(result);
    // Even, from 2 to 30, dark green: 2, 8, 14, 20, 26.
    expect(slice?.matchCount).toBe(5);
    expect(slice?.hits.map(({ document }) => document.data)).toEqual([
      { title: "Shirt number 26", price: 26.5 },
      { title: "Shirt number 20", price: 20.5 },
    ]);
    const brands = slice?.facets?.find(({ fieldName }) => fieldName === "brand");
    expect(brands?.entries.map(({ key, selected }) => [key, selected])).toEqual([["Even", true]]);

    const ids: string[] = [];
    const found = { filters: { color: "Green, dark" }, sort: "price", limit: 5, facets: false };
    for await (const page of aisle.pages(index, found)) {
      expect(page.facets).toBeNull();
      ids.push(...page.hits.map(({ document }) => document.id));
    }
    expect(ids).toEqual(Array.from({ length: 13 }, (_, at) => `P${3 * at + 2}`));

    const typed = await aisle.search(index, { q: "shir", typing: true, highlight: ["title"] });
    const [hit] = mainSlice(typed)?.hits ?? [];
    expect(hit?.metaData?.highlights?.title?.[0]?.html).toContain("<em>Shirt</em>");
    const values = await aisle.search(index, { facetQuery: { brand: "ev" }, limit: 0 });
    expect(mainSlice(values)?.facets?.[0]?.entries).toMatchObject([{ key: "Even", docCount: 20 }]);

    expect((await aisle.document<{ price: number }>(index, "P7")).data.price).toBe(7.5);
    expect(await aisle.suggest(index, "ev")).toMatchObject([{ phrase: "Even", type: "brand" }]);
    expect(await aisle.suggest(index, " ")).toEqual([]);
    expect(await aisle.tenants()).toContain(index);
  });

  test("2: leaves the index alone when an import does not end well", async ({ expect }) => {
    const index = await imported(3);
    const count = async (): Promise<number | undefined> => mainSlice(await aisle.search(index, {}))?.matchCount;
    const locale = "en";

    async function* failing(): AsyncGenerator<Product> {
      yield* products(5);
      await Promise.resolve();
      throw new Error("the feed broke off");
    }
    await expect(aisle.import(index, failing(), { locale })).rejects.toThrow("the feed broke off");

    const controller = new AbortController();
    const aborted = aisle.import(index, slowly(products(50)), {
      locale,
      bulkBytes: 1,
      signal: controller.signal,
      onProgress: () => controller.abort(new Error("enough")),
    });
    await expect(aborted).rejects.toThrow("enough");

    await expect(aisle.import(index, [], { locale })).rejects.toMatchObject({ type: "no_documents" });
    const none = [{ id: "bad", data: { price: "none" } }];
    await expect(aisle.import(index, none, { locale, maxRejectedShare: 1 })).rejects.toMatchObject({
      type: "no_documents",
    });
    expect(await count()).toBe(3);
    const emptied = await imported(3);
    await aisle.import(emptied, [], { locale, allowEmpty: true });
    expect(mainSlice(await aisle.search(emptied, {}))?.matchCount).toBe(0);

    const refused = aisle.import(index, [...products(5), { id: "", data: {} }], { locale });
    await expect(refused).rejects.toMatchObject({
      name: "AisleError",
      type: "too_many_rejected",
      problems: [{ path: "documents[5]" }],
    });
    await aisle.import(index, [...products(5), { id: "", data: {} }], { locale, maxRejectedShare: 0.5 });
    expect(await count()).toBe(5);

    const run = await aisle.startImport(index, { locale });
    await aisle.resumeImport(run.session).add(products(2));
    await run.cancel();
    await expect(run.done()).rejects.toMatchObject({ type: "session_cancelled", status: 400 });
    expect(await count()).toBe(5);

    const other = await aisle.startImport(index, { locale });
    await other.add(products(2));
    await other.done();
    // As after an answer that got lost.
    await other.done();
    expect(await count()).toBe(2);
  });

  test("3: puts, patches, deletes", async ({ expect }) => {
    const index = freshName("client");
    await expect(aisle.put(index, products(1))).rejects.toMatchObject({ type: "invalid_locale" });
    expect(await aisle.put(index, products(2), { langCode: "en" })).toEqual({ P0: "CREATED", P1: "CREATED" });
    const again = [{ id: "P0", data: { title: "Other" } }];
    expect(await aisle.put(index, again, { replaceExisting: false })).toEqual({ P0: "DISMISSED" });
    const patched = await aisle.patch(index, [{ id: "P0", data: { price: 99 } }, { id: "P9" }]);
    expect(patched).toEqual({ P0: "UPDATED", P9: "NOT_FOUND" });
    expect((await aisle.document(index, "P0")).data).toMatchObject({ title: "Shirt number 0", price: 99 });
    await aisle.put(index, [{ id: "a,b", data: { title: "Comma" } }]);
    expect(await aisle.delete(index, ["a,b", "P9"])).toEqual({ "a,b": "DELETED", P9: "NOT_FOUND" });
    expect(await aisle.delete(index, ["a,b"])).toEqual({ "a,b": "NOT_FOUND" });
    expect(await aisle.delete(index, [])).toEqual({});
  });

  test("4: arranges", async ({ expect }) => {
    const index = await imported(6);
    const result = await aisle.arranged(index, {
      q: "shirt",
      sets: [
        { type: "static", name: "first", ids: ["P4", "P2"] },
        { type: "dynamic", name: "odd", query: "shirt", filters: { brand: "Odd" }, limit: 1, asSeparateSlice: true },
      ],
      filters: { price: { to: 5 }, color: { not: "Red" } },
      typing: true,
      highlight: ["title"],
      highlightTag: "mark",
      facets: false,
      limit: 3,
    });
    expect(result.slices.map(({ label }) => label)).toEqual(["odd", null]);
    const main = mainSlice(result);
    expect(main?.hits.map(({ document }) => document.id)).toEqual(["P4", "P2"]);
    expect(main?.hits[0]?.metaData?.highlights?.title?.[0]?.html).toContain("<mark>Shirt</mark>");
    expect(main?.facets).toBeNull();
  });

  test("5: says what went wrong", async ({ expect }) => {
    await expect(aisle.search("nobody-has-this", {})).rejects.toMatchObject({
      name: "AisleError",
      status: 404,
      type: "index_not_found",
      errorId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
    await expect(aisle.search("any", { limit: -1 })).rejects.toMatchObject({
      status: 400,
      type: "invalid_parameter",
      problems: [{ path: "limit" }],
    });
    await expect(aisle.search("any", { filters: { brand: "!x" } })).rejects.toThrow(TypeError);

    const users = '{"jé":{"password":"a:ü","roles":["index"]}}';
    const closed = (request: Request): Promise<Response> =>
      callWith({ AUTH_USERS: users }, request.url.slice(HOST.length), request);
    const started = (options: Partial<TransportOptions>): Promise<unknown> =>
      clientWith({ fetch: closed, ...options }).startImport(freshName("client"), { locale: "en" });
    await expect(started({})).rejects.toMatchObject({ status: 401 });
    await expect(started({ user: "jé", password: "wrong" })).rejects.toMatchObject({ status: 401 });
    expect(await started({ user: "jé", password: "a:ü" })).toBeDefined();
  });

  test("6: repeats what is safe", async ({ expect }) => {
    const index = await imported(1);
    let calls = 0;
    /** As something between the client and the service would answer, `times` times. */
    const failing = (times: number, failure: () => Response): AisleClient => {
      calls = 0;
      return clientWith({
        retry: { attempts: 3, baseMs: 1, patienceMs: 5_000 },
        fetch: (request) => (calls++ < times ? Promise.resolve(failure()) : fetchWorker(request)),
      });
    };
    const busy = (after: string) => () =>
      Response.json(
        { message: "Slow down", type: "too_many_requests", code: 429 },
        { status: 429, headers: { "retry-after": after } },
      );
    const gone = (): Response => {
      throw new TypeError("the connection was reset");
    };
    const broken = (): Response => new Response("<html>Bad gateway</html>", { status: 502 });

    await failing(2, busy("0")).search(index, {});
    expect(calls).toBe(3);
    await expect(failing(3, busy("0")).search(index, {})).rejects.toMatchObject({
      type: "too_many_requests",
      retryAfterMs: 0,
    });
    expect(calls).toBe(3);
    // Longer than anybody waits.
    await expect(failing(1, busy("6")).search(index, {})).rejects.toMatchObject({ retryAfterMs: 6_000 });
    const startMs = Date.now();
    await failing(1, busy("1")).search(index, {});
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(990);

    for (const failure of [gone, broken]) {
      await failing(2, failure).search(index, {});
      await failing(2, failure).put(index, products(1));
      await failing(2, failure).import(index, products(1), { locale: "en" });
      // Nobody knows whether it was carried out: a second one would deny the first.
      const removing = failing(1, failure).delete(index, ["P0"]);
      await expect(removing).rejects.toBeInstanceOf(AisleError);
      const adding = failing(1, failure).put(index, products(1), { replaceExisting: false });
      await expect(adding).rejects.toBeInstanceOf(AisleError);
      expect(calls).toBe(1);
    }
    await expect(failing(3, gone).search(index, {})).rejects.toMatchObject({ status: 0, type: "no_answer" });
    await failing(1, busy("0")).delete(index, ["P0"]);

    const never = clientWith({
      timeoutMs: 20,
      retry: { attempts: 1 },
      fetch: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    });
    await expect(never.search(index, {})).rejects.toMatchObject({
      type: "no_answer",
      message: expect.stringContaining("in 20 ms") as string,
    });
    const reason = new Error("not wanted any more");
    const late = never.search(index, {}, { signal: AbortSignal.abort(reason) });
    await expect(late).rejects.toBe(reason);
    const waiting = new AbortController();
    const paused = failing(9, busy("5")).search(index, {}, { signal: waiting.signal });
    setTimeout(() => waiting.abort(reason), 10);
    await expect(paused).rejects.toBe(reason);
  });
});
