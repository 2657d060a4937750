/**
 * Files as shops have them, through the command's own import into the real service under Miniflare.
 *  1. Each is live afterwards, and the first page of a search shows its products as a shopper expects them.
 *  2. --update changes prices and stocks; what is not there, or refused, is named with its reason.
 *  3. An import that was killed leaves a session, which the next import cancels.
 *  4. More rejected documents than the share: the live index stays.
 *  5. The Worker that imports on a schedule: full imports and updates, packed or not, what has not changed is left
 *     alone, one feed that fails stops no other; patches of more than one request may write are sent in parts.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCatalogue, type ImportOptions } from "../../cli/import/run.ts";
import { systemTiming } from "../../cli/import/retry.ts";
import { openSource } from "../../cli/import/source.ts";
import { updateCatalogue } from "../../cli/import/update.ts";
import feedWorker from "../../packages/feed-worker/src/index.ts";
import { bundleWorker, startWorker, type LocalWorker } from "../../scripts/local-worker.ts";
import { FILES } from "../feeds/support.ts";
import { table } from "../support/table.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const node = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));

let folder = "";
let service: LocalWorker;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aisle-feeds-"));
  await bundleWorker(join(folder, "code"));
  service = await startWorker({ code: join(folder, "code"), state: join(folder, "state"), onLog: () => undefined });
}, 120_000);
afterAll(async () => {
  await service.dispose();
  await rm(folder, { recursive: true, force: true });
});

function surroundings(): {
  screen: { write(text: string): void };
  said: () => string;
  timing: typeof systemTiming;
  signal: AbortSignal;
} {
  let said = "";
  return {
    screen: { write: (text) => void (said += text) },
    said: () => said,
    timing: systemTiming,
    signal: new AbortController().signal,
  };
}

function options(indexName: string): ImportOptions {
  return {
    url: service.origin,
    user: null,
    password: null,
    indexName,
    locale: "en",
    bulkBytes: 2_000,
    parallel: 2,
    mapping: null,
    maxRejectedPercent: 0,
    cacheFolder: join(folder, "cache"),
    skipBadLines: false,
    allowEmpty: false,
    tenantCheck: true,
  };
}

async function importFile(path: string, indexName: string): Promise<void> {
  const source = await openSource(path, process.stdin);
  if (source === null) throw new Error("a file is there");
  await importCatalogue(source, options(indexName), surroundings());
}

interface Found {
  readonly count: number;
  readonly hits: readonly { readonly id: string; readonly data: Readonly<Record<string, unknown>> }[];
  readonly facets: readonly string[];
}

async function search(indexName: string, query: string): Promise<Found> {
  const response = await fetch(`${service.origin}/search-api/v1/search/${indexName}?${query}`);
  expect(response.status).toBe(200);
  const { slices } = (await response.json()) as {
    slices: { matchCount: number; hits: { document: Found["hits"][number] }[]; facets: { fieldName: string }[] }[];
  };
  const [slice] = slices;
  return {
    count: slice.matchCount,
    hits: slice.hits.map(({ document: { id, data } }) => ({ id, data })),
    facets: slice.facets.map(({ fieldName }) => fieldName),
  };
}

/** File, search, products found, what the first of them shows, and a search that a filter narrows, with its hits. */
const CASES: readonly [string, string, number, Record<string, unknown>, string, readonly string[]][] = table`
  german.csv | ${"q=damenschuh"} | ${1}
    | ${{
      title: 'Damenschuh "Elsa"',
      price: 1299,
      size: "38",
      description: "Schön & bequem\nMit Absatz\nZweite Zeile",
    }}
    | ${"price=,20"} | ${["1002"]}
  shopify-products.csv | ${"q=organic+tee&color=Blue"} | ${1}
    | ${{ title: "Organic Tee", brand: "Fjällwear", price: 19.9, stock: 7, artNr: "TEE-B-S" }} | ${"color=Red&size=M"}
    | ${["organic-tee"]}
  shopify-products.json | ${"q=trail+runner"} | ${1}
    | ${{ title: "Trail Runner", description: "Light shoe for trails" }} | ${"shoe_size=43"} | ${["7431001"]}
  woocommerce-products.csv | ${"q=belt"} | ${1} | ${{ title: "Belt", price: 55, listPrice: 65, stock: 12 }}
    | ${"color=Green&size=Medium"} | ${["woo-vneck-tee"]}
  magento-products.csv | ${"q=duffle"} | ${1} | ${{ title: "Joust Duffle Bag", price: 34, stock: 55 }}
    | ${"size=S&price=20-25"} | ${["WS03"]}
  google-merchant.xml | ${"q=regenjacke&size=S"} | ${1}
    | ${{ title: 'Regenjacke "Sylt" <Damen>', price: 99.9, brand: "Nordwind" }} | ${"category=Damen/Jacken"}
    | ${["RJ-100"]}
  google-merchant-atom.xml | ${"q=kaffee"} | ${1} | ${{ title: "Kaffee Übersee 250 g", price: 8.95 }}
    | ${"price=1000-2000"} | ${["K-8"]}
  google-merchant.tsv | ${"q=sofa&color=Blau"} | ${1}
    | ${{ title: 'Sofa "Älva" 3-Sitzer', price: 1399, color: "Blau" }} | ${"category=M%C3%B6bel/Lampen"} | ${["B1"]}
  flat.ndjson | ${"q=laptop"} | ${1} | ${{ title: 'Laptop 14"', price: 1299, brand: "Volt" }} | ${"ports=HDMI"}
    | ${["LP-1"]}
  array.json | ${"q=parfum&size=50+ml"} | ${1} | ${{ title: "Eau de Parfum", brand: "Fleur", price: 79.9 }}
    | ${"category=Beauty/Pflege"} | ${["502"]}
  jtl-german.csv | ${"q=schraube+m8"} | ${1}
    | ${{ title: "Schraube M8 x 40, verzinkt", artNr: "04711", price: 12.99, stock: 1200 }}
    | ${"category=Befestigung/D%C3%BCbel"} | ${["04713"]}
  shopware.csv | ${"q=babybody&size=62"} | ${1}
    | ${{ title: "Bio Babybody", brand: "Naturkind", price: 14.9, stock: 3, artNr: "SW10000.1" }}
    | ${"category=Neuheiten"} | ${["a0"]}
  excel-unicode.txt | ${"q=sencha"} | ${1}
    | ${{ title: "Green Tea Sencha, loose", price: 12.5, stock: 1200, brand: "Chaya" }}
    | ${"category=Accessories/Teapots"} | ${["1004"]}
  elasticsearch.jsonl | ${"q=pixel"} | ${1}
    | ${{ title: "Pixel 8a", brand: "Google", price: 499, currency: "USD", stock: 0 }}
    | ${"category=Electronics/Laptops"} | ${["es3"]}
  nested-variants.json | ${"q=running+tights&size=S"} | ${1}
    | ${{ title: "Running Tights Flow", brand: "Velocita", price: 59, listPrice: 79, stock: 12 }}
    | ${"color=Terracotta"} | ${["901"]}
  namespaces.xml | ${"q=stehlampe"} | ${1}
    | ${{ title: "Stehlampe Arco", brand: "Lumo", price: 249, stock: 4, color: "Schwarz" }}
    | ${"category=Wohnen/Sofas"} | ${["P2"]}
  google-variants.tsv | ${"q=gloves+xl"} | ${1}
    | ${{ title: "Work Gloves", variantTitle: "Size XL", price: 8.99, size: "XL" }} | ${"size=44"} | ${["TG5"]}
  documents.ndjson | ${"q=document+one"} | ${1} | ${{ title: "Document one", price: 1.5 }} | ${"price=2-3"}
    | ${["D2"]}
`;

const nameOf = (file: string): string => file.replaceAll(/[^a-z]+/g, "-");

test.each(CASES)("files of shops: %s (1)", async (file, query, count, shown, filter, filtered) => {
  const index = nameOf(file);
  await importFile(FILES + file, index);
  const found = await search(index, query);
  expect(found.count).toBeGreaterThanOrEqual(count);
  expect(found.hits[0]?.data).toMatchObject(shown);
  expect((await search(index, filter)).hits.map(({ id }) => id)).toEqual(filtered);
});

test("what repeats is named, and prices make no facet of currencies (1)", async () => {
  const index = "repeated";
  const file = join(folder, "repeated.csv");
  const rows = Array.from({ length: 40 }, (_, at) => `P${at};Thing ${at};${at + 5},00 €;${at + 9},00 €`);
  await writeFile(file, `sku;title;price;list price\n${rows.join("\n")}\nP1;Other;7,00 €;8,00 €\n`);
  const source = await openSource(file, process.stdin);
  if (source === null) throw new Error("a file is there");
  const { said, ...around } = surroundings();
  await importCatalogue(source, options(index), around);
  expect(said()).toContain("1 id comes more than once, the last document of each counts: P1\n");
  const response = await fetch(`${service.origin}/search-api/v1/search/${index}?q=&limit=1`);
  const { slices } = (await response.json()) as {
    slices: { facets: { fieldName: string }[]; hits: { document: { data: object } }[] }[];
  };
  expect(slices[0]?.facets.map(({ fieldName }) => fieldName)).toEqual(["price"]);
  expect(slices[0]?.hits[0]?.document.data).toMatchObject({ currency: "EUR" });
});

test("what is sold out in all variants is said, and no longer once one is in stock (1)", async () => {
  const index = "sold-out";
  const file = join(folder, "sold-out.csv");
  const feed = (stock: number): string =>
    `id,item_group_id,title,size,price,stock\n1,J,Jacket,S,9,0\n2,J,Jacket,M,9,${stock}\n3,,Cap,,5,0\n`;
  const shown = async (): Promise<unknown> => {
    const response = await fetch(`${service.origin}/search-api/v1/search/${index}?q=`);
    const { slices } = (await response.json()) as {
      slices: { hits: { document: { id: string }; metaData: Record<string, unknown> }[] }[];
    };
    return slices[0]?.hits.map(({ document, metaData }) => [document.id, metaData["sold_out"]]);
  };
  await writeFile(file, feed(0));
  await importFile(file, index);
  // The cap says it with its own stock.
  expect(await shown()).toEqual([
    ["3", undefined],
    ["J", true],
  ]);
  await writeFile(file, feed(2));
  const source = await openSource(file, process.stdin);
  if (source === null) throw new Error("a file is there");
  const updating = { ...options(index), method: "PATCH", locale: null } as const;
  await updateCatalogue(source, updating, surroundings());
  expect(await shown()).toEqual([
    ["J", undefined],
    ["3", undefined],
  ]);
});

test("updates: prices and stocks (2)", async () => {
  const index = "updated";
  await importFile(`${FILES}woocommerce-products.csv`, index);
  const change = async (maxRejectedPercent: number): Promise<string> => {
    const source = await openSource(`${FILES}prices.csv`, process.stdin);
    if (source === null) throw new Error("a file is there");
    const { said, ...around } = surroundings();
    const updating = { ...options(index), method: "PATCH", locale: null, maxRejectedPercent } as const;
    const summary = await updateCatalogue(source, updating, around);
    expect(said()).toContain("line 3, id no-such: rejected: there is no such product");
    return summary;
  };
  await expect(change(5)).rejects.toThrow(
    "1 of 2 documents was not taken, more than 5 % (--max-rejected); the others are live (1 updated, 1 not found)" +
      "; the index has no product no-such",
  );
  expect(await change(100)).toMatch(/^updated: 1 unchanged, 1 not found, in /);
  const [belt] = (await search(index, "q=belt")).hits;
  expect(belt?.data).toMatchObject({ title: "Belt", price: 49.9, stock: 3, listPrice: 65 });
  const file = join(folder, "prices.ndjson");
  await writeFile(file, JSON.stringify({ id: belt?.id, data: { stock: "some" } }));
  const source = await openSource(file, process.stdin);
  if (source === null) throw new Error("a file is there");
  const { said, ...around } = surroundings();
  const updating = { ...options(index), method: "PATCH", locale: null, maxRejectedPercent: 100 } as const;
  await updateCatalogue(source, updating, around);
  expect(said()).toContain('rejected: data.stock must be a number (field stock), not "some"');
});

test("an import that was killed: is cancelled by the next one (3)", async () => {
  const index = "killed";
  const args = ["-", "--index", index, "--locale", "en", "--url", service.origin, "--bulk-bytes", "1"];
  const child = spawn(node, [join(root, "cli/import.ts"), ...args], {
    cwd: root,
    stdio: ["pipe", "ignore", "ignore"],
    env: { ...process.env, AISLE_CACHE: join(folder, "cache") },
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.stdin.on("error", () => undefined);
  // A feed is opened when its first 64 KB are there; the rest never comes.
  const line = (at: number): string => `{"id":"${at}","data":{"title":"t ${"x".repeat(1_000)}"}}\n`;
  for (let at = 0; at < 500; at++) child.stdin.write(line(at));
  const files = async (): Promise<string[]> =>
    (await readdir(join(folder, "cache")).catch(() => [])).filter((name) => name.startsWith(`import-${index}-`));
  await expect.poll(files, { timeout: 30_000 }).toHaveLength(1);
  child.kill("SIGKILL");
  await ended;
  const left = JSON.parse(await readFile(join(folder, "cache", (await files())[0]), "utf8")) as {
    session: { temporaryIndexName: string };
  };

  const source = await openSource(`${FILES}documents.ndjson`, process.stdin);
  if (source === null) throw new Error("a file is there");
  const { said, ...around } = surroundings();
  await importCatalogue(source, options(index), around);
  expect(said()).toContain(
    `its session ${left.session.temporaryIndexName} is cancelled. This import starts from the beginning`,
  );
  expect(await files()).toEqual([]);
  const done = await fetch(`${service.origin}/indexer-api/v1/full/done`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(left.session),
  });
  expect(await done.json()).toMatchObject({ type: "session_cancelled" });
});

test("too many rejected documents: leave the live index as it is (4)", async () => {
  const index = "guarded";
  await importFile(`${FILES}german.csv`, index);
  const path = join(folder, "broken.csv");
  await writeFile(path, "sku,title\nA,One\n,Two\n,Three\n");
  await expect(importFile(path, index)).rejects.toThrow(
    "2 of 3 documents were rejected, more than 0 % (--max-rejected)",
  );
  expect((await search(index, "q=")).count).toBe(2);
});

test("on a schedule: the feeds of a run (5)", async () => {
  const files = new Map<string, Buffer>([
    ["/feed.xml", await readFile(`${FILES}google-merchant.xml`)],
    ["/packed.csv.gz", gzipSync(await readFile(`${FILES}woocommerce-products.csv`))],
    ["/prices.csv", Buffer.from("sku,price\nwoo-belt,44.50\n")],
    ["/bad.csv", Buffer.from("sku,title\nA,One\n,Two\n,Three\n")],
    ["/unknown.csv", Buffer.from("sku,price\nnobody-1,5\nnobody-2,6\n")],
  ]);
  const statuses: string[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    const body = files.get(url);
    const status = body === undefined ? 404 : headers["if-none-match"] === '"1"' ? 304 : 200;
    statuses.push(`${url} ${status}`);
    response.writeHead(status, { etag: '"1"' });
    response.end(status === 200 ? body : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const versions = new Map<string, string>();
  const cron = "*/15 * * * *";
  const env = {
    AISLE: {
      fetch: (request: Request) => {
        const { pathname, search: query } = new URL(request.url);
        return fetch(new Request(`${service.origin}${pathname}${query}`, request));
      },
    },
    FEEDS: [
      { url: `${at}/bad.csv`, index: "scheduled-bad", locale: "en" },
      { url: `${at}/missing.csv`, index: "scheduled-missing", locale: "en" },
      { url: `${at}/feed.xml`, index: "scheduled-xml", locale: "de", cron },
      { url: `${at}/packed.csv.gz`, index: "scheduled-csv", locale: "en" },
      { url: `${at}/prices.csv`, index: "scheduled-csv", locale: "en", mode: "update" },
      { url: `${at}/unknown.csv`, index: "scheduled-csv", locale: "en", mode: "update" },
      { url: `${at}/never.csv`, index: "never", locale: "en", cron: "0 0 1 1 *" },
    ] as const,
    VERSIONS: {
      get: (key: string) => Promise.resolve(versions.get(key) ?? null),
      put: (key: string, value: string) => Promise.resolve(void versions.set(key, value)),
    },
  };
  try {
    const error: unknown = await feedWorker.scheduled({ cron }, env).catch((one: unknown) => one);
    expect(String((error as AggregateError).errors.join("; "))).toMatch(
      /2 of 3 products were rejected; line 3[^]*missing\.csv answered with status 404[^]*2 of 2 products were rejected; unknown/,
    );
    expect((await search("scheduled-xml", "q=regenjacke")).count).toBe(1);
    const [belt] = (await search("scheduled-csv", "q=belt")).hits;
    expect(belt?.data).toMatchObject({ title: "Belt", price: 44.5, stock: 12 });
    statuses.length = 0;
    await feedWorker.scheduled({ cron }, env).catch(() => undefined);
    expect(statuses.sort()).toEqual([
      "/bad.csv 200",
      "/feed.xml 304",
      "/missing.csv 404",
      "/packed.csv.gz 304",
      "/prices.csv 304",
      // Refused the first time, so it was not remembered.
      "/unknown.csv 200",
    ]);
    statuses.length = 0;
    // Another locale, mode or mapping needs the same feed again.
    const changed = { url: `${at}/prices.csv`, index: "scheduled-csv", locale: "de" } as const;
    await feedWorker.scheduled({ cron }, { ...env, FEEDS: [{ ...changed, mode: "update" }] });
    expect(statuses).toEqual(["/prices.csv 200"]);
  } finally {
    server.close();
  }
});

test("on a schedule: patches of large documents (5)", async () => {
  const server = createServer((_, response) => {
    response.end(`sku,availability\n${Array.from({ length: 5 }, (_row, i) => `p${i},in stock\n`).join("")}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stock.csv`;
  const sent: string[][] = [];
  const env = {
    AISLE: {
      fetch: async (request: Request) => {
        const ids = ((await request.json()) as { id: string }[]).map(({ id }) => id);
        if (ids.length > 2) return Response.json({ message: "too large", type: "body_too_large" }, { status: 413 });
        sent.push(ids);
        return Response.json(Object.fromEntries(ids.map((id) => [id, "UPDATED"])));
      },
    },
    FEEDS: [{ url, index: "large", locale: "en", mode: "update" }] as const,
    VERSIONS: { get: () => Promise.resolve(null), put: () => Promise.resolve() },
  };
  try {
    await feedWorker.scheduled({ cron: "*/15 * * * *" }, env);
    expect(sent).toEqual([["p0", "p1"], ["p2"], ["p3", "p4"]]);
  } finally {
    server.close();
  }
});
