/** Hostile searches and suggestions. */
import type { Answer } from "../service.ts";
import { CONFIG, repeat, wideIndex, type Attack, type Target } from "./target.ts";

const LIGATURE = "\ufdfa";
const misspelt = (count: number, from = 0): string => repeat(count, (i) => `temr${(i + from) % 5_003}`).join(" ");

/** Texts of many words that all products of `commonIndex` have some of: a search of 35 takes just under a turn. */
const COMMON_WORDS = repeat(60, (i) => `common${"abcdefghij"[i % 10]}${"klmnop"[Math.floor(i / 10)]}`);

async function commonIndex(target: Target): Promise<string> {
  const index = "common";
  if ((await target.get(`/search-api/v1/search/${index}?limit=0`)).status === 200) return index;
  const words = (product: number): string[] =>
    repeat(20, (i) => COMMON_WORDS[(product * 7 + i * i * 3 + i) % 60] ?? "");
  await target.put(
    index,
    repeat(6_000, (i) => ({ id: `c${i}`, data: { title: `shoe ${i}`, description: words(i).join(" ") } })),
  );
  return index;
}

async function search(target: Target, query: string): Promise<readonly Answer[]> {
  const index = await wideIndex(target);
  return [await target.get(`/search-api/v1/search/${index}?${query}`)];
}

async function arranged(target: Target, body: unknown): Promise<readonly Answer[]> {
  const index = await wideIndex(target);
  return [await target.json("POST", `/search-api/v1/search/arranged/${index}`, body)];
}

const searching = (name: string, query: () => string): Attack => [name, (target) => search(target, query())];
const arranging = (name: string, body: () => unknown): Attack => [name, (target) => arranged(target, body())];
const sets = (type: string, count: number, query: (i: number) => string): unknown => ({
  q: "shoe",
  arrangedProductSets: repeat(count, (i) => ({ name: `s${i}`, type, query: query(i), limit: 100 })),
});
const all = (value: string): string => `limit=10000&highlight=*&fields=*&q=${value}`;

export const SEARCHES: readonly Attack[] = [
  searching("40 attributes filtered by 25 values each", () =>
    repeat(40, (i) => `attribute${i}=${repeat(25, (v) => `value${v}`).join(",")}`).join("&"),
  ),
  searching("40 negated filters, everything as a facet", () => repeat(40, (i) => `attribute${i}=!value${i}`).join("&")),
  searching("1,024 ranges of one number", () => repeat(1_024, (i) => `price=${i},${i + 1}`).join("&")),
  searching("64 filters that are no fields, and 10,000 names", () => repeat(3_000, (i) => `unknown${i}=x`).join("&")),
  searching(
    "words, sort, highlight and all fields of 10,000 hits",
    () => `${all("shoe+model")}&sort=-price,title,brand,stock`,
  ),
  searching(
    "a sort by 16 fields with filters",
    () => `${all("shoe")}&sort=${repeat(16, (i) => `attribute${i}.value${i}`).join(",")}`,
  ),
  searching(
    "trace of everything with 42 words",
    () => `limit=100&trace=Explain,Request,Timing,Stages,all&q=${encodeURIComponent(misspelt(42))}`,
  ),
  searching("42 misspelt words", () => `q=${encodeURIComponent(misspelt(60))}`),
  searching("42 unfinished words", () => `typing=true&q=${repeat(60, (i) => `t${i % 10}`).join("+")}`),
  searching("1,000 letters without a space", () => `q=${"ab".repeat(500)}`),
  searching("one letter 500 times", () => `q=${"a+".repeat(500)}`),
  searching("1,000 ligatures that are 18 letters each", () => `q=${encodeURIComponent(LIGATURE.repeat(1_000))}`),
  searching("999 combining marks on a letter", () => `q=${encodeURIComponent(`a${"\u0301\u0323".repeat(499)}`)}`),
  searching("zero-width text", () => `q=${encodeURIComponent("\u200b\u200d\ufeff".repeat(333))}`),
  searching("quotes that are not closed", () => `q=${'"a+'.repeat(300)}`),
  searching("40 phrases", () => `q=${repeat(40, (i) => `%22term${i}+term${i + 17}%22`).join("+")}`),
  searching("hyphens and dots", () => `q=${repeat(200, (i) => `t-${i}.x`).join("+")}`),
  searching("numbers with units", () => `q=${repeat(42, (i) => `${i}gb+${i}+gb`).join("+")}`),
  searching("parameters with NULs", () => `q=%00%00shoe%00&brand=%00&sort=%00&fields=%00`),
  searching("20 facet queries of 1,000 letters", () =>
    repeat(20, (i) => `facetQuery=attribute${i}:${"v".repeat(1_000)}`).join("&"),
  ),
  searching("20 facet queries of one letter", () => repeat(20, (i) => `facetQuery=attribute${i}:v`).join("&")),
  [
    "facet queries over 180,000 values",
    async (target) => {
      const index = "values";
      for (let part = 0; part < 12; part++) {
        const color = (product: number): string[] => repeat(150, (i) => `colour ${(part * 100 + product) * 150 + i}`);
        const products = repeat(100, (i) => ({ id: `v${part}-${i}`, data: { title: "shoe", color: color(i) } }));
        await target.put(index, products);
      }
      const texts = ["xolour nothing", "olou", "9"];
      return Promise.all(
        texts.map((text) =>
          target.get(`/search-api/v1/search/${index}?limit=0&facetQuery=color:${encodeURIComponent(text)}`),
        ),
      );
    },
  ],
  searching("500 patterns of stars", () => `limit=1000&fields=${repeat(500, () => "*a*").join(",")}`),
  searching(
    "500 patterns to highlight",
    () => `${all("shoe+term1+term2")}&highlight=${repeat(400, (i) => `x${i}*`).join(",")}`,
  ),
  [
    "paging that is no number",
    async (target) => {
      const index = await wideIndex(target);
      const values = ["-1", "1.5", "1e3", "NaN", "0x10", "", "99999999999999999999", "%00", "%D9%A3"];
      const answers: Answer[] = [];
      for (const value of values) {
        for (const name of ["limit", "offset", "query_stage", "aggSampling"]) {
          answers.push(await target.get(`/search-api/v1/search/${index}?${name}=${value}`));
        }
      }
      return answers;
    },
  ],
  searching("an offset behind everything", () => `offset=9007199254740993&limit=10000`),
  searching("the last page of everything", () => `offset=2990&limit=10000&sort=price`),
  arranging("64 sets of 42 misspelt words", () => sets("dynamic", 64, (i) => misspelt(42, i * 42))),
  arranging("a query string of 100,000 parentheses", () =>
    sets("querystring", 1, () => `${"(".repeat(100_000)}shoe${")".repeat(100_000)}`),
  ),
  arranging("64 query strings of 1,000 ORs", () =>
    sets("querystring", 64, (i) => repeat(1_000, (v) => `term${v + i}`).join(" OR ")),
  ),
  arranging("query strings of NOTs", () => sets("querystring", 64, () => "NOT ".repeat(1_000).concat("shoe"))),
  arranging("wildcards", () => sets("querystring", 64, () => repeat(50, () => "*e*r*m*1*").join(" OR "))),
  arranging("ranges, boosts and fuzziness without sense", () =>
    sets("querystring", 64, (i) => `price:[* TO *]^1e400 title:{a TO z}~9999 /.*/ ${i}^-1`),
  ),
  arranging("prefixes of one letter", () =>
    sets("querystring", 64, () => repeat(200, (i) => `${"abcdeft"[i % 7]}*`).join(" ")),
  ),
  arranging("10,000 ids of 90 letters", () => ({
    arrangedProductSets: [{ name: "s", type: "static", ids: repeat(10_000, (i) => `${"x".repeat(85)}${i}`) }],
  })),
  arranging("variant terms of half a megabyte", () => ({
    q: "shoe",
    arrangedProductSets: [
      {
        name: "s",
        type: "static",
        ids: repeat(100, (i) => `w${i}`),
        variantBoostTerms: misspelt(60_000),
      },
    ],
  })),
  arranging("field weights of 20,000 fields", () => ({
    arrangedProductSets: [
      {
        name: "s",
        type: "querystring",
        query: "shoe term1",
        fieldWeights: Object.fromEntries(repeat(20_000, (i) => [`f${i}`, 1e308])),
      },
    ],
  })),
  arranging("sets with filters, sorts and separate slices", () => ({
    q: "shoe",
    limit: 10_000,
    arrangedProductSets: repeat(64, (i) => ({
      name: `s${i}`,
      type: "dynamic",
      query: `shoe term${i}`,
      sort: "-price,title",
      limit: 1_000,
      asSeparateSlice: true,
      filters: Object.fromEntries(repeat(64, (f) => [`attribute${f}`, `!value${f}`])),
    })),
  })),
  arranging("an arranged body of 100,000 levels", () => "[".repeat(100_000)),
  arranging(
    "numbers beyond all numbers",
    () =>
      '{"limit":1e999,"offset":-0,"arrangedProductSets":[{"type":"dynamic","name":1e999,"query":-0,"limit":-1e999}]}',
  ),
  [
    "suggestions of adversarial shapes",
    async (target) => {
      const index = await wideIndex(target);
      const texts = [
        "a",
        " ",
        "%",
        "a".repeat(8_000),
        "s ".repeat(4_000),
        LIGATURE.repeat(800),
        `e${"\u0301".repeat(4_000)}`,
        "\u200b".repeat(2_000),
        misspelt(500),
        '"'.repeat(2_000),
        "\u0000",
        "\ud83d".repeat(10).toWellFormed(),
      ];
      const answers: Answer[] = [];
      for (const text of texts) {
        const query = encodeURIComponent(text);
        answers.push(await target.get(`/suggest-api/v1/${index}/suggest?limit=100&userQuery=${query}`));
      }
      return answers;
    },
  ],
  [
    "60 suggestions of 42 misspelt words at once",
    async (target) => {
      const index = await wideIndex(target);
      const queries = repeat(60, (i) => encodeURIComponent(misspelt(42, i * 42)));
      return Promise.all(queries.map((query) => target.get(`/suggest-api/v1/${index}/suggest?userQuery=${query}`)));
    },
  ],
  [
    "suggestions with 5,000 filters",
    async (target) => {
      const index = await wideIndex(target);
      const filter = repeat(5_000, (i) => `f${i}`).join(",");
      return [await target.get(`/suggest-api/v1/${index}/suggest?userQuery=sh&filter=${filter}`)];
    },
  ],
  [
    "200 searches of everything at once",
    async (target) => {
      const index = await wideIndex(target);
      return Promise.all(
        repeat(200, (i) => target.get(`/search-api/v1/search/${index}?limit=1000&q=shoe+term${i}&highlight=*`)),
      );
    },
  ],
  [
    "60 searches of 35 common words at once",
    async (target) => {
      const index = await commonIndex(target);
      const queries = repeat(60, (i) => repeat(35, (word) => COMMON_WORDS[(i + word) % 60]).join("+"));
      return Promise.all(queries.map((query) => target.get(`/search-api/v1/search/${index}?q=${query}`)));
    },
  ],
  [
    "scores of extreme functions",
    async (target) => {
      const index = await wideIndex(target);
      const path = `${CONFIG}/tenant/${index}`;
      const functions = repeat(400, (i) => ({
        type: "script_score",
        weight: 1e300,
        options: {
          "script-code": `${"(".repeat(60)}1e308 * doc['price'].value ^ 99 ^ ${i}${")".repeat(60)}`,
        },
      }));
      const answers = [
        await target.json("PUT", path, {
          "scoring-configuration": { "score-mode": "multiply", "score-functions": functions },
        }),
        ...(await search(target, "q=shoe&limit=100&trace=Explain")),
      ];
      await target.send({ method: "DELETE", path });
      return answers;
    },
  ],
];
