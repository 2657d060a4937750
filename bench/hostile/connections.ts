/** Hostile addresses, headers, methods and connections. */
import type { Answer } from "../service.ts";
import { repeat, type Attack } from "./target.ts";

const SEARCH = "/search-api/v1/search/hostile";
const raw = (name: string, text: () => string, ends = true): Attack => [
  name,
  async (target) => [await target.raw(text(), ends)],
];
const head = (method: string, path: string, ...headers: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, "host: x", ...headers].join("\r\n")}\r\n\r\n`;

export const CONNECTIONS: readonly Attack[] = [
  [
    "methods that nobody knows",
    async (target) => {
      const answers: Answer[] = [];
      for (const method of ["TRACE", "PROPFIND", "PURGE", "LINK", "SEARCH", "HEAD", "OPTIONS"]) {
        for (const path of [SEARCH, "/admin-api/v1/config", "/indexer-api/v1/full/done"]) {
          answers.push(await target.send({ method, path }));
        }
      }
      return answers;
    },
  ],
  [
    "methods in headers and parameters",
    async (target) => {
      const names = ["x-http-method-override", "x-http-method", "x-method-override"];
      const answers: Answer[] = [];
      for (const name of names) {
        const headers = { [name]: "DELETE" };
        const path = "/admin-api/v1/indexes/hostile?_method=DELETE";
        answers.push(await target.send({ method: "GET", path, headers }));
        answers.push(await target.send({ method: "POST", path, headers }));
      }
      return answers;
    },
  ],
  [
    "addresses in many encodings",
    async (target) => {
      const paths = [
        "//search-api/v1/search/hostile",
        "/search-api//v1/search/hostile",
        "/search-api/v1/search/%68ostile",
        "/search-api/v1/search/%2568ostile",
        "/search-api/v1/search/hostile%2F..%2Fother",
        "/search-api/v1/search/..%2f..%2fadmin-api%2fv1%2fconfig",
        "/search-api/v1/doc/hostile/%2e%2e",
        "/search-api/v1/doc/hostile/%00",
        "/search-api/v1/doc/hostile/%ff%fe",
        "/search-api/v1/doc/hostile/a;b?c",
        "/SEARCH-API/v1/search/hostile",
        "/search-api/v1/search/hostile/",
        "/search-api/v1/search/__proto__",
        "/search-api/v1/search/constructor?q=x",
        `/search-api/v1/search/${"x".repeat(8_000)}`,
        `/search-api/v1/doc/hostile/${"y".repeat(8_000)}`,
        "/admin-api/v1/config/tenant/__proto__",
        "/admin-api/v1/config/history/99999999999999999999",
        "/admin-api/v1/config/history/-1?entry=tenant/x",
        "/admin-api/v1/config/history?entry=%00/%00",
        "/health/../admin-api/v1/config",
      ];
      const answers: Answer[] = [];
      for (const path of paths) answers.push(await target.get(path));
      return answers;
    },
  ],
  [
    "long headers",
    async (target) => {
      const headers: readonly Readonly<Record<string, string>>[] = [
        { authorization: `Basic ${"QQ".repeat(6_000)}` },
        { "if-none-match": repeat(1_000, (i) => `"tag${i}"`).join(", ") },
        { "if-match": '"'.repeat(8_000) },
        { origin: `https://${"a.".repeat(5_000)}x` },
        { accept: "*/*;q=0.0001,".repeat(900) },
        { prefer: "return=representation, ".repeat(500) },
        { "access-control-request-headers": repeat(1_000, (i) => `x-h${i}`).join(", ") },
        { "sec-fetch-site": "cross-site", "sec-fetch-mode": "x".repeat(9_000) },
        { "content-type": `application/json; ${"charset=".repeat(1_000)}` },
        { range: "bytes=0-,".repeat(900) },
      ];
      const answers: Answer[] = [];
      for (const one of headers) {
        answers.push(await target.send({ method: "GET", path: `${SEARCH}?q=shoe`, headers: one }));
        answers.push(await target.send({ method: "OPTIONS", path: SEARCH, headers: one }));
        const path = "/admin-api/v1/config/tenant/long";
        answers.push(await target.send({ method: "PUT", path, headers: one, body: "{" }));
      }
      return answers;
    },
  ],
  [
    "an address of 60,000 parameters",
    async (target) => [
      await target.get(`${SEARCH}?${repeat(1_400, (i) => `p${i}=v`).join("&")}`),
      await target.get(`${SEARCH}?${"&".repeat(15_000)}`),
      await target.get(`${SEARCH}?${"%".repeat(15_000)}`),
      await target.get(`${SEARCH}?q=${"%E0%A4%A".repeat(1_000)}`),
    ],
  ],
  raw(
    "a chunked body that ends early",
    () => `${head("PUT", "/indexer-api/v1/update/odd?langCode=en", "transfer-encoding: chunked")}ff\r\n[{"id"`,
  ),
  raw(
    "a body shorter than announced",
    () => `${head("PUT", "/indexer-api/v1/update/odd?langCode=en", "content-length: 5000")}[{"id":"1"`,
  ),
  raw(
    "an add that ends in a document",
    () => `${head("POST", "/indexer-api/v1/full/add", "content-length: 90000000")}{"session":{"finalIndexName":"x"`,
  ),
  raw("two lengths", () => `${head("POST", "/indexer-api/v1/full/done", "content-length: 2", "content-length: 20")}{}`),
  raw(
    "a length and chunks",
    () =>
      `${head("POST", "/indexer-api/v1/full/done", "content-length: 2", "transfer-encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`,
  ),
  raw("a negative length", () => `${head("PUT", "/admin-api/v1/config", "content-length: -1")}{}`),
  raw("no HTTP", () => "\u0016\u0003\u0001\u0002\u0000\r\n\r\n"),
  [
    "100 searches whose clients are gone",
    async (target) => {
      await Promise.all(repeat(100, (i) => target.raw(head("GET", `${SEARCH}?q=shoe+${i}&limit=1000`), true)));
      return [await target.get(`${SEARCH}?q=shoe`)];
    },
  ],
];
