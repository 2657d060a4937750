/** Hostile documents, updates and imports. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Answer } from "../service.ts";
import { repeat, smallDocuments, type Attack, type Target } from "./target.ts";

const INDEX = "odd";
const UPDATE = `/indexer-api/v1/update/${INDEX}?langCode=en`;
const ADD = "/indexer-api/v1/full/add";

/** One product, and a search that finds it. */
const product = (name: string, document: () => unknown): Attack => [
  name,
  async (target) => [
    await target.put(INDEX, [document()]),
    await target.get(`/search-api/v1/search/${INDEX}?q=shoe&limit=100&highlight=*`),
    await target.send({ method: "DELETE", path: `${UPDATE}&id=odd` }),
  ],
];
/** A body as it is. */
const body = (name: string, text: () => string): Attack => [
  name,
  async (target) => [await target.send({ method: "PUT", path: UPDATE, body: text() })],
];
const titled = (title: string): unknown => ({ id: "odd", data: { title } });

async function add(target: Target, session: unknown, documents: string): Promise<Answer> {
  const text = `{"session":${JSON.stringify(session)},"documents":[${documents}]}`;
  return target.send({ method: "POST", path: ADD, body: text });
}

export const DOCUMENTS: readonly Attack[] = [
  product("a title of a megabyte without a space", () => titled(`shoe${"x".repeat(1_000_000)}`)),
  product("a title of 250,000 words", () => titled(`shoe${" ab".repeat(250_000)}`)),
  product("a title of 100,000 different words", () =>
    titled(`shoe ${repeat(100_000, (i) => i.toString(36)).join(" ")}`),
  ),
  product("a title of ligatures that are 18 letters each", () => titled(`shoe ${"\ufdfa".repeat(300_000)}`)),
  product("a title of ligatures, each a word", () => titled(`shoe${" \ufdfa".repeat(200_000)}`)),
  product("a letter with 400,000 combining marks", () => titled(`shoe e${"\u0301".repeat(400_000)}`)),
  product("combining marks in descending order", () => titled(`shoe e${"\u0345\u0301\u0327".repeat(160_000)}`)),
  product("zero-width text", () => titled(`shoe ${"\u200b\u200d".repeat(160_000)}`)),
  product("markup without end", () => titled(`shoe ${"<a href='".repeat(100_000)}`)),
  product("entities", () => titled(`shoe ${"&amp;&#x41;&lt;".repeat(60_000)}`)),
  product("hyphenated words", () => titled(`shoe ${"a-".repeat(400_000)}`)),
  product("a compound of 100,000 letters", () => titled(`shoe ${"winterjacke".repeat(9_000)}`)),
  product("a number of 100,000 digits", () => titled(`shoe ${"9".repeat(100_000)}gb`)),
  product("200,000 numbers with units", () => titled(`shoe ${"9gb ".repeat(200_000)}`)),
  product("an array of 100,000 numbers", () => ({
    id: "odd",
    data: { title: "shoe", numbers: repeat(100_000, (i) => i / 7) },
  })),
  product("an array of 60,000 texts", () => ({
    id: "odd",
    data: { title: "shoe", colours: repeat(60_000, (i) => `colour ${i}`) },
  })),
  product("an attribute of 30,000 values", () => ({
    id: "odd",
    data: { title: "shoe" },
    attributes: repeat(15_000, (i) => ({ name: "colour", value: `value ${i}`, code: `c${i}` })),
  })),
  product("5,000 variants", () => ({
    id: "odd",
    data: { title: "shoe" },
    variants: repeat(5_000, (i) => ({ id: `v${i}`, data: { size: i, colour: `c${i}`, price: i } })),
  })),
  [
    "40 products of 3,000 variants, explained",
    async (target) => [
      await target.put(
        INDEX,
        repeat(40, (p) => ({
          id: `p${p}`,
          data: { title: "shoe" },
          variants: repeat(3_000, (i) => ({ id: `v${p}-${i}`, data: { size: i, title: `shoe c${i}` } })),
        })),
      ),
      await target.get(`/search-api/v1/search/${INDEX}?q=shoe+c77&trace=Explain&limit=100`),
      await target.send({ method: "DELETE", path: `${UPDATE}&id=${repeat(40, (p) => `p${p}`).join(",")}` }),
    ],
  ],
  [
    "10,000 category paths of 20 levels, and suggestions",
    async (target) => [
      await target.put(
        INDEX,
        repeat(20, (p) => ({
          id: `c${p}`,
          data: { title: "shoe" },
          categories: repeat(500, (i) => repeat(20, (level) => ({ name: `n${p}-${i}-${level}` }))),
        })),
      ),
      await target.get(`/suggest-api/v1/${INDEX}/suggest?userQuery=s`),
      await target.get(`/search-api/v1/search/${INDEX}?facetQuery=category:n`),
      await target.send({ method: "DELETE", path: `${UPDATE}&id=${repeat(20, (p) => `c${p}`).join(",")}` }),
    ],
  ],
  product("90 levels of data", () => ({
    id: "odd",
    data: { title: "shoe", deep: JSON.parse(`${'{"a":'.repeat(90)}1${"}".repeat(90)}`) },
  })),
  product("categories in a circle", () => ({
    id: "odd",
    data: { title: "shoe", category: repeat(900, (i) => `a/b/a/b/a${i}/a`) },
    categories: repeat(300, (i) => [
      { id: "1", name: "a" },
      { id: "2", name: "b" },
      { id: "1", name: `a${i}` },
    ]),
  })),
  product("dates and numbers beyond all", () => ({
    id: "odd",
    data: {
      title: "shoe",
      released: "+275760-09-13T00:00:00.001Z",
      price: "1e400",
      weight: "-0",
      stock: "NaN",
      rank: "٣٤",
    },
  })),
  body(
    "numbers that are none in doubles",
    () =>
      '[{"id":"odd","data":{"title":"shoe","price":1e400,"a":-1e400,"b":-0,"c":1e-400,"d":1' + `${"0".repeat(400)}}}]`,
  ),
  body(
    "ids that are no ids",
    () =>
      `[${[
        '"\\u0000"',
        '"\\n"',
        '"\\ud800"',
        '"."',
        '".."',
        '"../../x"',
        "1e309",
        "-0",
        "null",
        "true",
        "{}",
        "[]",
        '""',
        '" "',
        `"${"x".repeat(513)}"`,
        '"\\u202e"',
        '"__proto__"',
      ]
        .map((id) => `{"id":${id},"data":{"title":"shoe"}}`)
        .join(",")}]`,
  ),
  body(
    "names that are no names",
    () => `[{"id":"odd","data":{"__proto__":"x","constructor":"y","toString":1,"":"z","title":"shoe","\\u0000":"n"}}]`,
  ),
  body(
    "the same member 100,000 times",
    () => `[{"id":"odd","data":{${'"title":"shoe",'.repeat(60_000)}"title":"shoe"}}]`,
  ),
  body("100,000 levels", () => `${"[".repeat(8_000_000)}`),
  body("100,000 ids in one body", () => `[${smallDocuments(100_000)}]`),
  body("100,001 ids in one body", () => `[${'{"id":1},'.repeat(100_000)}{"id":1}]`),
  body("a text that does not end", () => `[{"id":"${"x".repeat(16_000_000)}`),
  body("escapes only", () => `[{"id":"odd","data":{"title":"${"\\u0061".repeat(160_000)}"}}]`),
  body("white space only", () => " ".repeat(16_000_000)),
  [
    "bodies in gzip and brotli",
    async (target) => {
      const text = `[${smallDocuments(1_000)}]`;
      const spaces = gzipSync(Buffer.alloc(1_000_000, 0x20));
      const answers: Answer[] = [];
      for (const [encoding, bytes] of [
        ["gzip", gzipSync(text)],
        ["br", brotliCompressSync(text)],
        // In parts, because compressing it would hold up the searches of this process.
        ["gzip", Buffer.concat(repeat(30, () => spaces))],
        ["gzip, gzip", gzipSync(gzipSync(text))],
        ["x-nothing", Buffer.from(text)],
      ] as const) {
        const headers = { "content-encoding": encoding };
        answers.push(await target.send({ method: "PUT", path: UPDATE, headers, body: bytes }));
      }
      return answers;
    },
  ],
  [
    "400 PUTs and DELETEs of one id",
    async (target) =>
      Promise.all(
        repeat(400, (i) =>
          i % 2 === 0
            ? target.put(INDEX, [titled(`shoe ${i}`)])
            : target.send({ method: "DELETE", path: `${UPDATE}&id=odd` }),
        ),
      ),
  ],
  [
    "200 PATCHes of one product's numbers",
    async (target) => {
      await target.put(INDEX, [{ id: "odd", data: { title: "shoe", price: 1 } }]);
      return Promise.all(repeat(200, (i) => target.json("PATCH", UPDATE, [{ id: "odd", data: { price: i } }])));
    },
  ],
  [
    "5,000 patches of a product of a megabyte",
    async (target) => {
      const answers = [
        await target.put(INDEX, [{ id: "odd", data: { title: "shoe", description: "word ".repeat(200_000) } }]),
      ];
      const patches = repeat(5_000, (i) => ({ id: "odd", data: { title: `shoe ${i}` } }));
      answers.push(await target.json("PATCH", UPDATE, patches));
      await target.send({ method: "DELETE", path: `${UPDATE}&id=odd` });
      return answers;
    },
  ],
  [
    "10,000 ids to delete",
    async (target) => [
      await target.send({
        method: "DELETE",
        path: `${UPDATE}&${repeat(10_000, (i) => `id=d${i}`).join("&")}`,
      }),
      await target.send({
        method: "DELETE",
        path: `${UPDATE}&id=${repeat(10_001, (i) => `d${i}`).join(",")}`,
      }),
    ],
  ],
  [
    "200 new indexes at once",
    async (target) => Promise.all(repeat(200, (i) => target.put(`new-${i}`, [{ id: "1", data: { title: "x" } }]))),
  ],
  [
    "120 sessions that nobody ends",
    async (target) => Promise.all(repeat(120, () => target.get("/indexer-api/v1/full/start/abandoned?locale=en"))),
  ],
  [
    "done twice, add after done, add after cancel",
    async (target) => {
      const post = (step: string, session: unknown): Promise<Answer> =>
        target.json("POST", `/indexer-api/v1/full/${step}`, session);
      const first = await target.session("ended");
      const second = await target.session("ended");
      const large = smallDocuments(40_000);
      return [
        await add(target, first, smallDocuments(10)),
        ...(await Promise.all([post("done", first), post("done", first), post("cancel", first)])),
        await post("done", first),
        await add(target, first, large),
        await add(target, second, smallDocuments(10)),
        ...(await Promise.all([post("cancel", second), post("done", second)])),
        await add(target, second, large),
        await post("done", second),
        await post("cancel", { finalIndexName: "ended", temporaryIndexName: "../../x" }),
        await post("done", { finalIndexName: "ended", temporaryIndexName: "ocs-1-other-en" }),
        await post("done", { finalIndexName: "x".repeat(60_000), temporaryIndexName: "" }),
      ];
    },
  ],
  [
    "an add while its session is cancelled",
    async (target) => {
      const session = await target.session("cancelled");
      const adding = repeat(3, () => add(target, session, smallDocuments(20_000)));
      const cancelled = target.json("POST", "/indexer-api/v1/full/cancel", session);
      return Promise.all([...adding, cancelled]);
    },
  ],
];
