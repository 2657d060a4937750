/** Requests that once hurt the service. */
import type { Answer } from "../service.ts";
import { CONFIG, smallDocuments, type Attack } from "./target.ts";

const INDEX = "hostile";
const UPDATE = `/indexer-api/v1/update/${INDEX}?langCode=en`;
const SEARCH = `/search-api/v1/search/${INDEX}?q=shoe`;

/** An upload that stalls after its headers. */
const STALLED = 'POST /indexer-api/v1/full/add HTTP/1.1\r\nhost: x\r\ncontent-length: 50000000\r\n\r\n{"session":';

function named(count: number, value: unknown = "x"): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, value]));
}

export const REQUESTS: readonly Attack[] = [
  [
    "a product of 2,000 searched attributes, 20 products",
    async (target) => [
      await target.json(
        "PUT",
        UPDATE,
        Array.from({ length: 20 }, (_, p) => ({
          id: `a${p}`,
          data: { title: "shoe" },
          attributes: Array.from({ length: 1_999 }, (__, i) => ({
            name: `attribute${(i * 7 + p) % 2_500}`,
            value: `word${i} other${p}`,
          })),
        })),
      ),
    ],
  ],
  [
    "a product of 5,000 attributes",
    async (target) => [
      await target.json("PUT", UPDATE, [
        {
          id: "many",
          data: { title: "shoe" },
          attributes: Array.from({ length: 5_000 }, (_, i) => ({ name: `a${i}`, value: "x" })),
        },
      ]),
    ],
  ],
  [
    "70,000 field names over 40 products",
    async (target) => {
      const answers: Answer[] = [];
      for (let bulk = 0; bulk < 4; bulk++) {
        answers.push(
          await target.json(
            "PUT",
            UPDATE,
            Array.from({ length: 10 }, (_, p) => ({
              id: `n${bulk}-${p}`,
              data: Object.fromEntries(
                Array.from({ length: 1_750 }, (__, i) => [`f${(bulk * 10 + p) * 1_750 + i}`, "x"]),
              ),
            })),
          ),
        );
      }
      return answers;
    },
  ],
  [
    "a PUT of 16 MB of documents",
    async (target) => [
      await target.json(
        "PUT",
        UPDATE,
        Array.from({ length: 7_500 }, (_, i) => ({
          id: `l${i}`,
          data: { title: `shoe ${i}`, description: `word${i} `.repeat(200) },
        })),
      ),
    ],
  ],
  ["a PUT of 16 MB of `0,`", async (target) => [await target.json("PUT", UPDATE, `[${"0,".repeat(8_000_000)}0]`)]],
  [
    "130,000 small documents before the session",
    async (target) => [
      await target.json(
        "POST",
        "/indexer-api/v1/full/add",
        `{"documents":[${smallDocuments(130_000)}],"session":${JSON.stringify(await target.session(INDEX))}}`,
      ),
    ],
  ],
  [
    "40,000 names in data",
    async (target) => [await target.json("PUT", UPDATE, [{ id: "names", data: named(40_000) }])],
  ],
  [
    "1,000 names in data of 500 documents",
    async (target) => [
      await target.json("POST", "/indexer-api/v1/full/add", {
        session: await target.session(INDEX),
        documents: Array.from({ length: 500 }, (_, i) => ({
          id: `t${i}`,
          data: named(1_000, `x${i}`),
        })),
      }),
    ],
  ],
  [
    "a filter that every link repeats",
    async (target) => [
      await target.json(
        "PUT",
        UPDATE,
        Array.from({ length: 396 }, (_, p) => ({
          id: `f${p}`,
          data: { title: "shoe", brand: "Acme", colour: `colour ${p % 99}` },
        })),
      ),
      await target.json("POST", `/search-api/v1/search/arranged/${INDEX}`, {
        q: "shoe colour",
        filters: { brand: `!${"\u{1f600}".repeat(16_000)}`, colour: "!x" },
      }),
    ],
  ],
  [
    "6,000 category paths of 20 long levels, and a search",
    async (target) => [
      await target.json(
        "PUT",
        UPDATE,
        Array.from({ length: 6_000 }, (_, p) => ({
          id: `c${p}`,
          data: {
            title: "shoe",
            category: [Array.from({ length: 20 }, (__, i) => `${"x".repeat(88)}${i}-${p}`).join("/")],
          },
        })),
      ),
      await target.json("GET", SEARCH),
    ],
  ],
  [
    "placeholders that lead to two others each",
    async (target) => [
      await target.json(
        "PUT",
        CONFIG,
        Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`k${i}`, `\${k${i + 1}}\${k${i + 1}}`])),
      ),
    ],
  ],
  [
    "YAML of 70,000 keys",
    async (target) => [
      await target.json("PUT", CONFIG, Array.from({ length: 70_000 }, (_, i) => `key${i}: ${i}`).join("\n")),
    ],
  ],
  [
    "a list of 200,000 wrong entries",
    async (target) => [
      await target.json("PUT", `${CONFIG}/tenant/${INDEX}`, {
        "facet-configuration": { facets: Array.from({ length: 200_000 }, () => 0) },
      }),
    ],
  ],
  [
    "an arranged search with 100,000 filters",
    async (target) => {
      const filters = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [i.toString(36), ""]));
      return [await target.json("POST", `/search-api/v1/search/arranged/${INDEX}`, { filters })];
    },
  ],
  [
    "20 `done`s of one index",
    async (target) => {
      const sessions: unknown[] = [];
      for (let i = 0; i < 20; i++) {
        const one = await target.session(INDEX);
        sessions.push(one);
        await target.json("POST", "/indexer-api/v1/full/add", {
          session: one,
          documents: [{ id: "1", data: { title: "shoe" } }],
        });
      }
      return Promise.all(sessions.map((one) => target.json("POST", "/indexer-api/v1/full/done", one)));
    },
  ],
  [
    "four uploads that stall, and an add",
    async (target) => {
      const uploads = Array.from({ length: 4 }, () => target.raw(STALLED, false));
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const add = await target.json("POST", "/indexer-api/v1/full/add", {
        session: await target.session(INDEX),
        documents: [{ id: "1", data: { title: "shoe" } }],
      });
      return [add, ...(await Promise.all(uploads))];
    },
  ],
  [
    "1,000 names that nobody knows",
    async (target) => {
      const answers: Answer[] = [];
      for (let i = 0; i < 40; i++) {
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 25 }, (_, j) => target.json("GET", `/search-api/v1/search/nobody${i * 25 + j}?q=x`)),
          )),
        );
      }
      return answers;
    },
  ],
  [
    "a condition (a|aa)+c",
    async (target) => [
      await target.json("PUT", `${CONFIG}/tenant/${INDEX}`, {
        "query-configuration": { s: { condition: { matchingRegex: "(a|aa)+c" } } },
      }),
      await target.json("GET", `/search-api/v1/search/${INDEX}?q=${"a".repeat(900)}`),
      await target.send({ method: "PUT", path: `${CONFIG}/tenant/${INDEX}`, body: "{}" }),
    ],
  ],
  [
    "rules of 1 MB until there is no room",
    async (target) => {
      const text = Array.from(
        { length: 15_000 },
        (_, i) => `word${i} other word of shoe =>\n  SYNONYM: boot${i} boot boot\n`,
      ).join("\n");
      const answers: Answer[] = [];
      for (let i = 0; i < 18; i++)
        answers.push(
          await target.json("PUT", `${CONFIG}/rules/r${i}`, text.slice(0, text.lastIndexOf("\n\n", 1_040_000))),
        );
      answers.push(await target.json("GET", "/health"), await target.json("GET", SEARCH));
      return answers;
    },
  ],
];
