/** Hostile requests that belong to no single part: names of prototypes, odd encodings, chains, storms of requests. */
import { gzipSync } from "node:zlib";
import type { Answer } from "../service.ts";
import { CONFIG, repeat, wideIndex, type Attack, type Sent, type Target } from "./target.ts";

const UPDATE = "/indexer-api/v1/update/odd?langCode=en";
/** Index names are lower-case. */
const PROTOTYPE_INDEXES = ["__proto__", "constructor"];
const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "length", "then"];

async function inTurn(target: Target, requests: readonly Sent[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const request of requests) answers.push(await target.send(request));
  return answers;
}

const get = (path: string): Sent => ({ method: "GET", path });
const sent = (method: string, path: string, body: unknown): Sent => ({
  method,
  path,
  body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
});

/** An object with this member, also where that is the prototype's. */
const member = (name: string, value: string): string => `{${JSON.stringify(name)}:${value}}`;

/** Whether objects have got a member by one of the requests before. */
async function polluted(target: Target): Promise<readonly Answer[]> {
  const { text, status } = await target.get(`/search-api/v1/search/${await wideIndex(target)}?q=shoe&limit=1`);
  return [text.includes("polluted") ? { status: 500, text: "objects have a new member" } : { status, text }];
}

export const ODDITIES: readonly Attack[] = [
  [
    "odd: indexes called like members of prototypes",
    async (target) => {
      const answers: Answer[] = [];
      for (const name of PROTOTYPE_INDEXES) {
        answers.push(
          await target.put(name, [{ id: name, data: { title: "shoe" } }]),
          ...(await inTurn(target, [
            get(`/search-api/v1/search/${name}?q=shoe`),
            get(`/search-api/v1/doc/${name}/${name}`),
            get(`/suggest-api/v1/${name}/suggest?userQuery=sh`),
            sent("PUT", `${CONFIG}/tenant/${name}`, { "index-name": name }),
            sent("PUT", `${CONFIG}/index/${name}`, { "index-settings": { "replica-count": 1 } }),
            sent("PUT", `${CONFIG}/rules/${name}`, "shoe =>\n  SYNONYM: boot"),
            sent("PUT", `${CONFIG}/suggest/${name}/queries`, [{ query: "shoe", weight: 1 }]),
            get(`/search-api/v1/search/${name}?q=boot`),
            get("/search-api/v1/tenants"),
            get(`/admin-api/v1/indexes/${name}`),
            { method: "POST", path: `/admin-api/v1/indexes/${name}/reindex` },
            get(CONFIG),
            { method: "DELETE", path: `${CONFIG}/tenant/${name}` },
            { method: "DELETE", path: `${CONFIG}/index/${name}` },
            { method: "DELETE", path: `${CONFIG}/rules/${name}` },
            { method: "DELETE", path: `${CONFIG}/suggest/${name}/queries` },
            { method: "DELETE", path: `/admin-api/v1/indexes/${name}` },
            get(`/search-api/v1/search/${name}?q=shoe`),
          ])),
        );
      }
      return [...answers, ...(await polluted(target))];
    },
  ],
  [
    "odd: fields, attributes, values and categories called like them",
    async (target) => {
      const data = PROTOTYPE_NAMES.map((name) => `${JSON.stringify(name)}:${JSON.stringify(name)}`).join(",");
      const attributes = PROTOTYPE_NAMES.map((name) => ({ name, value: name, code: name }));
      const categories = PROTOTYPE_NAMES.map((name) => [{ id: name, name }]);
      const documents = PROTOTYPE_NAMES.map(
        (id) =>
          `{"id":${JSON.stringify(id)},"data":{"title":"shoe ${id}",${data}},` +
          `"attributes":${JSON.stringify(attributes)},"categories":${JSON.stringify(categories)},` +
          `"variants":[{"id":${JSON.stringify(id)},"data":{${data}}}]}`,
      );
      const answers: Answer[] = [await target.put("odd", `[${documents.join(",")}]`)];
      const search = "/search-api/v1/search/odd?q=shoe";
      for (const name of PROTOTYPE_NAMES) {
        answers.push(
          ...(await inTurn(target, [
            get(`${search}&${name}=${name}&sort=-${name}&fields=${name}&highlight=${name}`),
            get(`${search}&category=${name}&facetQuery=${name}:${name}`),
            get(`/search-api/v1/doc/odd/${name}`),
            sent(
              "POST",
              "/search-api/v1/search/arranged/odd",
              `{"q":"shoe","filters":${member(name, `"${name}"`)},"arrangedProductSets":[{"type":"querystring",` +
                `"name":"${name}","query":"${name}:${name}","fieldWeights":${member(name, "1")}},` +
                `{"type":"static","ids":["${name}"]},{"type":"${name}","name":"${name}"}]}`,
            ),
            sent("PATCH", UPDATE, `[{"id":"${name}","data":${member(name, '{"polluted":1}')}}]`),
            { method: "DELETE", path: `${UPDATE}&id=${name}` },
          ])),
        );
      }
      return [...answers, ...(await polluted(target))];
    },
  ],
  [
    "odd: configurations with members of prototypes",
    async (target) => {
      const path = `${CONFIG}/tenant/odd`;
      const bodies = [
        '{"__proto__":{"polluted":1},"index-name":"wide"}',
        '{"constructor":{"prototype":{"polluted":1}}}',
        '{"facet-configuration":{"facets":[{"source-field":"__proto__"},{"source-field":"constructor"}]}}',
        "__proto__:\n  polluted: 1\n",
        "? {a: b}\n: {__proto__: {polluted: 1}}\n",
        "a: &a {polluted: 1}\n<<: *a\n__proto__: *a\n",
        "__proto__.polluted = 1\nconstructor.prototype.polluted = 1\n",
        "a = ${__proto__}\nb = ${constructor.prototype}\nc = ${?toString}\n",
        '{"scoring-configuration":{"score-functions":[{"type":"script_score","options":{"script-code":"doc[\'__proto__\'].value + doc.constructor.value"}}]}}',
      ];
      const answers: Answer[] = [];
      for (const body of bodies) {
        for (const method of ["PUT", "PATCH"]) answers.push(await target.json(method, path, body));
        answers.push(await target.get("/search-api/v1/search/odd?q=shoe"));
      }
      await target.send({ method: "DELETE", path });
      return [...answers, ...(await polluted(target))];
    },
  ],
  [
    "odd: bodies of other types and encodings",
    async (target) => {
      const documents = '[{"id":"odd","data":{"title":"shoe"}}]';
      const form = "--x\r\ncontent-disposition: form-data; name=documents\r\n\r\n[]\r\n--x--\r\n";
      const bodies: readonly (readonly [type: string, body: string | Uint8Array])[] = [
        ["multipart/form-data; boundary=x", form],
        ["multipart/form-data", "--".repeat(500_000)],
        ["application/x-www-form-urlencoded", `documents=${encodeURIComponent(documents)}`],
        ["application/json; charset=utf-16", Buffer.from(documents, "utf16le")],
        ["application/json", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(documents)])],
        ["application/json", `\ufeff${documents}`],
        ["application/json", `\ufeff\ufeff${documents}`],
        ["application/json", Buffer.concat([Buffer.from(documents.slice(0, -9)), Buffer.from([0xc3, 0x28, 0xff])])],
        ["application/json", Buffer.from([0xed, 0xa0, 0x80, 0xf4, 0x90, 0x80, 0x80, 0xc0, 0xaf])],
        ["application/json", '[{"id":"odd","id":"other","data":{"title":"a"},"data":{"title":"b"},"data":null}]'],
        ["application/json", '{"documents":[{"id":"1"}],"documents":[{"id":"2"}],"documents":5}'],
        ["application/json", '{"session":{},"session":{},"documents":[],"documents":[{}]}'],
        ["application/json", "[NaN,Infinity,-Infinity,undefined,0x10,1e99999,.5,01,+1,'a']"],
        ["application/json", `[${"1e308,".repeat(100_000)}1e400]`],
        ["application/json", `{"id":${"9".repeat(1_000_000)}}`],
        ["application/json", `{"a":"${"\\ud800".repeat(100_000)}"}`],
      ];
      const answers: Answer[] = [];
      for (const [type, body] of bodies) {
        const headers = { "content-type": type };
        answers.push(
          ...(await inTurn(target, [
            { ...sent("PUT", UPDATE, body), headers },
            { ...sent("PATCH", UPDATE, body), headers },
            { ...sent("POST", "/indexer-api/v1/full/add", body), headers },
            { ...sent("POST", "/indexer-api/v1/full/done", body), headers },
            { ...sent("POST", "/search-api/v1/search/arranged/hostile", body), headers },
            { ...sent("PUT", `${CONFIG}/tenant/odd`, body), headers },
            { ...sent("PUT", `${CONFIG}/rules/odd`, body), headers },
          ])),
        );
      }
      await inTurn(target, [
        { method: "DELETE", path: `${CONFIG}/tenant/odd` },
        { method: "DELETE", path: `${CONFIG}/rules/odd` },
      ]);
      return answers;
    },
  ],
  [
    "odd: a gzip bomb of 90 MB, as gzip and as it is",
    async (target) => {
      // Of 90 parts, because compressing it would hold up the searches of this process.
      const part = gzipSync(Buffer.alloc(1_000_000, 0x5b));
      const bomb = Buffer.concat(repeat(90, () => part));
      return inTurn(
        target,
        ["gzip", "identity", "deflate, gzip"].flatMap((encoding) =>
          ["/indexer-api/v1/full/add", "/indexer-api/v1/full/done"].map((path) => ({
            ...sent("POST", path, bomb),
            headers: { "content-encoding": encoding },
          })),
        ),
      );
    },
  ],
  [
    "odd: numbers as filters",
    async (target) => {
      const index = await wideIndex(target);
      const values = ["NaN,Infinity", "-Infinity,", ",", ",,,,", "1e400,", "-1e400,1e400", "0x10,0b1", "1_000,", "٣,٤"];
      const names = ["price", "stock", "size", "category", "id", "title", "brand"];
      return inTurn(
        target,
        values.flatMap((value) =>
          names.map((name) => get(`/search-api/v1/search/${index}?${name}=${encodeURIComponent(value)}`)),
        ),
      );
    },
  ],
  [
    "odd: 10,000 rules that lead to each other",
    async (target) => {
      const index = await wideIndex(target);
      const text = repeat(
        10_000,
        (i) => `term${i % 5_003} =>\n  SYNONYM: term${(i + 1) % 5_003} term${(i + 7) % 5_003}\n`,
      ).join("\n");
      const answers = await inTurn(target, [
        sent("PUT", `${CONFIG}/rules/odd`, text),
        sent("PUT", `${CONFIG}/tenant/odd`, {
          "index-name": index,
          "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
          "plugin-configuration": { "[QuerqyQueryExpander]": { common_rules_url: "odd" } },
        }),
        get(`/search-api/v1/search/odd?q=${repeat(42, (i) => `term${i}`).join("+")}&limit=100`),
        get(`/search-api/v1/search/odd?q=${repeat(42, (i) => `term${i}`).join("+")}&trace=Explain`),
      ]);
      for (const entry of ["tenant", "rules"]) await target.send({ method: "DELETE", path: `${CONFIG}/${entry}/odd` });
      return answers;
    },
  ],
  [
    "odd: pages, sorts and facets of everything with variants",
    async (target) => {
      const index = await wideIndex(target);
      const search = `/search-api/v1/search/${index}`;
      return inTurn(target, [
        get(`${search}?q=shoe&offset=2999&limit=10000&sort=-size,ean`),
        get(`${search}?q=shoe&offset=3000&limit=10000&size=36,39&sort=size`),
        get(`${search}?q=shoe&offset=9999&limit=10000&size=36`),
        get(`${search}?q=shoe&offset=10000&limit=1`),
        get(`${search}?offset=1e308&limit=-1`),
        get(`${search}?offset=-1&limit=1e308`),
        get(`${search}?q=shoe&sort=${repeat(16, (i) => `attribute${i}`).join(",")}`),
        get(`${search}?q=shoe&sort=${repeat(17, (i) => `attribute${i}`).join(",")}`),
        get(`${search}?${repeat(2_000, () => "q=shoe").join("&")}`),
        get(`${search}?${repeat(2_000, () => "sort=price").join("&")}`),
        get(`${search}?${repeat(2_000, () => "trace=Explain").join("&")}`),
        get(`${search}?${repeat(1_200, (i) => `price=${i}`).join("&")}`),
      ]);
    },
  ],
  [
    "odd: 100 suggestions of 10,000 letters",
    async (target) => {
      const index = await wideIndex(target);
      return Promise.all(
        repeat(100, (i) =>
          target.get(`/suggest-api/v1/${index}/suggest?userQuery=${"shoeterm".repeat(1_250)}${i}&limit=100`),
        ),
      );
    },
  ],
  [
    "odd: 60 reindexes and rollbacks at once",
    async (target) => {
      await target.put("odd", [{ id: "1", data: { title: "shoe" } }]);
      const answers = await Promise.all(
        repeat(60, (i) =>
          target.send({ method: "POST", path: `/admin-api/v1/indexes/odd/${i % 3 === 0 ? "rollback" : "reindex"}` }),
        ),
      );
      return [...answers, await target.get("/search-api/v1/doc/odd/1")];
    },
    // A rollback ends a reindex.
    ["index_unavailable"],
  ],
  [
    "odd: an index deleted while it is written and searched",
    async (target) =>
      Promise.all(
        repeat(120, (i) => {
          if (i % 4 === 0) return target.send({ method: "DELETE", path: "/admin-api/v1/indexes/odd" });
          if (i % 4 === 1) return target.get("/search-api/v1/search/odd?q=shoe");
          return target.put("odd", [{ id: `${i}`, data: { title: "shoe" } }]);
        }),
      ),
  ],
  [
    "odd: 300 versions of a tenant at once, beside searches of it",
    async (target) => {
      const index = await wideIndex(target);
      const path = `${CONFIG}/tenant/odd`;
      const answers = await Promise.all(
        repeat(300, (i) =>
          i % 3 === 0
            ? target.get("/search-api/v1/search/odd?q=shoe")
            : target.json("PUT", path, { "index-name": index, "facet-configuration": { "max-facets": i } }),
        ),
      );
      await target.send({ method: "DELETE", path });
      return answers;
    },
  ],
  [
    "odd: 20 changes of the configuration a second",
    async (target) => {
      const index = await wideIndex(target);
      const path = `${CONFIG}/tenant/odd`;
      const answers = await Promise.all(
        repeat(100, async (i) => {
          await new Promise((resolve) => setTimeout(resolve, i * 50));
          return target.json("PUT", path, { "index-name": index, "facet-configuration": { "max-facets": i } });
        }),
      );
      await target.send({ method: "DELETE", path });
      return answers;
    },
  ],
  [
    "odd: ids of every length and kind in addresses",
    async (target) => {
      const ids = ["%2F", "%252F", "a%2Fb", "%F0%9F%91%9F", "%ED%A0%80", "%00", "%0A", "+", "%20", ".", "..", "%2E%2E"];
      const long = [511, 512, 513, 6_000].map((length) => "x".repeat(length));
      return inTurn(
        target,
        [...ids, ...long].flatMap((id) => [
          get(`/search-api/v1/doc/odd/${id}`),
          { method: "DELETE", path: `${UPDATE}&id=${id}` },
          { method: "DELETE", path: `/admin-api/v1/indexes/${id}` },
          get(`${CONFIG}/tenant/${id}`),
          sent("PUT", `${CONFIG}/rules/${id}`, "x =>\n  DELETE: x"),
          { method: "DELETE", path: `${CONFIG}/rules/${id}` },
        ]),
      );
    },
  ],
  [
    "odd: 1,000 hits to highlight in marks, joiners and right-to-left text",
    async (target) => {
      const title = `shoe ${"\u202e\u0645\u0631\u062d\u0628\u0627\u200d\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u0300\ufe0f ".repeat(60)}`;
      const answers = [
        await target.put(
          "odd",
          repeat(1_000, (i) => ({ id: `m${i}`, data: { title: `${title}${i}`, brand: "\u0130\u0131\u1e9e\ufb03" } })),
        ),
        await target.get(
          `/search-api/v1/search/odd?limit=1000&highlight=*&q=${encodeURIComponent(title.slice(0, 900))}`,
        ),
        await target.get(`/search-api/v1/search/odd?q=${encodeURIComponent("\u0130\u0131\u1e9e\ufb03".repeat(240))}`),
        await target.get(`/suggest-api/v1/odd/suggest?userQuery=${encodeURIComponent("\u0130\u1e9e".repeat(400))}`),
      ];
      await target.send({ method: "DELETE", path: "/admin-api/v1/indexes/odd" });
      return answers;
    },
  ],
  [
    "odd: adds whose clients go away in the middle, and an add",
    async (target) => {
      const session = await target.session("gone");
      const start =
        `POST /indexer-api/v1/full/add HTTP/1.1\r\nhost: x\r\ncontent-length: 20000000\r\n\r\n` +
        `{"session":${JSON.stringify(session)},"documents":[`;
      const documents = repeat(20_000, (i) => `{"id":"${i}","data":{"title":"shoe ${i}"}},`).join("");
      await Promise.all(repeat(8, () => target.cutOff(start + documents)));
      const added = await target.json("POST", "/indexer-api/v1/full/add", {
        session,
        documents: [{ id: "1", data: { title: "shoe" } }],
      });
      return [added, await target.json("POST", "/indexer-api/v1/full/cancel", session)];
    },
  ],
];
