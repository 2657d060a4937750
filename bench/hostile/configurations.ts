/** Hostile configurations and rules, each with a search or an update under it. */
import type { Answer } from "../service.ts";
import { CONFIG, repeat, wideIndex, type Attack, type Target } from "./target.ts";

/** A tenant's entry, searches under it, and its end. */
const tenant = (
  name: string,
  entry: () => unknown,
  queries: readonly string[] = ["q=shoe", "q=shoe+term1+term2&limit=100"],
): Attack => [
  name,
  async (target) => {
    const index = await wideIndex(target);
    const path = `${CONFIG}/tenant/hurt`;
    const sent = entry();
    const body = typeof sent === "string" ? sent : { "index-name": index, ...(sent as object) };
    const answers = [await target.json("PUT", path, body)];
    for (const query of queries) answers.push(await target.get(`/search-api/v1/search/hurt?${query}`));
    await target.send({ method: "DELETE", path });
    return answers;
  },
];

/** An index's entry, documents indexed under it, and its end. */
const index = (name: string, entry: () => unknown, documents: () => unknown): Attack => [
  name,
  async (target) => {
    const path = `${CONFIG}/index/configured`;
    const answers = [await target.json("PUT", path, entry())];
    await target.send({ method: "DELETE", path: "/admin-api/v1/indexes/configured" });
    answers.push(await target.put("configured", documents()));
    await target.send({ method: "DELETE", path });
    return answers;
  },
];

const rules = (name: string, text: () => string, queries: readonly string[]): Attack => [
  name,
  async (target) => {
    const index = await wideIndex(target);
    const answers = [await target.send({ method: "PUT", path: `${CONFIG}/rules/hurt`, body: text() })];
    answers.push(
      await target.json("PUT", `${CONFIG}/tenant/hurt`, {
        "index-name": index,
        "query-processing": { "user-query-analyzer": "QuerqyQueryExpander" },
        "plugin-configuration": { "[QuerqyQueryExpander]": { common_rules_url: "hurt" } },
      }),
    );
    for (const query of queries) answers.push(await target.get(`/search-api/v1/search/hurt?${query}`));
    for (const entry of ["tenant", "rules"]) await target.send({ method: "DELETE", path: `${CONFIG}/${entry}/hurt` });
    return answers;
  },
];

async function refused(target: Target, bodies: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const body of bodies) {
    answers.push(await target.json("PUT", `${CONFIG}/tenant/refused`, body));
    answers.push(await target.json("PATCH", `${CONFIG}/tenant/refused`, body));
    answers.push(await target.json("PUT", `${CONFIG}/suggest/refused/queries`, body));
  }
  return answers;
}

const processor = (name: string, settings: unknown): unknown => ({
  "data-processor-configuration": {
    processors: [name],
    configuration: { [name]: settings },
  },
});
const longTexts = (text: string): unknown => repeat(12, (i) => ({ id: `p${i}`, data: { title: text, other: "shoe" } }));

export const CONFIGURATIONS: readonly Attack[] = [
  tenant("2,000 facets", () => ({
    "facet-configuration": {
      "max-facets": 2_000,
      facets: repeat(2_000, (i) => ({
        "source-field": `attribute${i}`,
        "multi-select": true,
        "min-value-count": 0,
        "min-facet-coverage": 0,
        "show-unselected-options": true,
      })),
    },
  })),
  tenant(
    "40 multi-select facets, each filtered",
    () => ({
      "facet-configuration": {
        "max-facets": 100,
        facets: repeat(40, (i) => ({ "source-field": `attribute${i}`, "multi-select": true })),
      },
    }),
    [repeat(40, (i) => `attribute${i}=!value${i}`).join("&")],
  ),
  tenant("2,000 stages with conditions", () => ({
    "query-configuration": Object.fromEntries(
      repeat(2_000, (i) => [`s${i}`, { condition: { matchingRegex: `.*.*.*x${i}` }, "weighted-fields": { title: i } }]),
    ),
  })),
  tenant(
    "300 stages that find nothing",
    () => ({
      "query-configuration": Object.fromEntries(
        repeat(300, (i) => [
          `s${i}`,
          {
            strategy: "DefaultQuery",
            "weighted-fields": { title: 1, description: 2 },
            settings: { minShouldMatch: "100%", fuzziness: "2" },
          },
        ]),
      ),
    }),
    [`q=${repeat(42, (i) => `temrr${i}`).join("+")}`],
  ),
  tenant("15,000 weighted fields", () => ({
    "relevance-configuration": {
      "weighted-fields": Object.fromEntries(repeat(15_000, (i) => [`attribute${i}`, i])),
    },
  })),
  tenant("6,000 sort options", () => ({
    "sort-configuration": repeat(6_000, (i) => ({
      label: `l${i}`,
      field: `attribute${i % 40}.value${i}`,
    })),
  })),
  tenant("2,000 scoring functions", () => ({
    "scoring-configuration": {
      "score-functions": repeat(2_000, (i) => ({
        field: "price",
        type: "field_value_factor",
        weight: i,
        options: { modifier: "log1p", factor: 1e300 },
      })),
    },
  })),
  tenant("1,500 random scores", () => ({
    "scoring-configuration": {
      "score-functions": repeat(1_500, () => ({ field: "price", type: "random_score", weight: 1 })),
    },
  })),
  tenant(
    "19,000 preprocessors",
    () => ({
      "query-processing": { "user-query-preprocessors": repeat(19_000, () => "AsciifyUserQueryPreprocessor") },
    }),
    [`q=${"a".repeat(1_000)}`],
  ),
  tenant("a script of 100,000 signs", () => ({
    "scoring-configuration": {
      "score-functions": [
        {
          type: "script_score",
          options: { "script-code": `1${"+doc['price'].value".repeat(5_000)}` },
        },
        { type: "script_score", options: { "script-code": "-".repeat(100_000).concat("1") } },
      ],
    },
  })),
  tenant("the filter of a tenant with 1,000 values", () => ({
    filters: {
      brand: repeat(1_000, (i) => `brand${i}`).join(","),
      price: "0,1000",
      ...Object.fromEntries(repeat(40, (i) => [`attribute${i}`, `!value${i}`])),
    },
  })),
  tenant("20,000 indexes", () => ({ "index-name": repeat(19_000, (i) => `i${i}`).join() })),
  tenant("64 times the same index", () => ({ "index-name": repeat(64, () => "wide").join() })),
  rules(
    "a word with 10,000 synonyms",
    () => `shoe =>\n${repeat(10_000, (i) => `  SYNONYM(100000): term${i}\n`).join("")}`,
    ["q=shoe", "q=shoe&trace=Explain&limit=100"],
  ),
  rules(
    "synonyms of synonyms of 42 words",
    () =>
      repeat(300, (i) => `term${i} =>\n${repeat(30, (s) => `  SYNONYM: term${i * 7 + s} term${s}\n`).join("")}`).join(
        "\n",
      ),
    [`q=${repeat(42, (i) => `term${i}`).join("+")}`],
  ),
  rules(
    "inputs of stars and brackets",
    () =>
      repeat(5_000, (i) => `NOT (${"(".repeat(20)}*x${i} AND NOT y${i}*${")".repeat(20)}) =>\n  DELETE: z\n`).join(
        "\n",
      ),
    ["q=shoe", `q=${repeat(42, (i) => `term${i}`).join("+")}`],
  ),
  rules(
    "boosts of everything",
    () => `shoe =>\n${repeat(3_000, (i) => `  UP(1e300): * brand:brand${i} price:${i}\n`).join("")}`,
    ["q=shoe", "q=shoe&limit=100&trace=Explain"],
  ),
  rules("filters of everything", () => `shoe =>\n${repeat(3_000, (i) => `  FILTER: * -brand:none${i}\n`).join("")}`, [
    "q=shoe",
  ]),
  rules("20,000 rules of a word", () => repeat(20_000, (i) => `a =>\n  SYNONYM: b${i}\n`).join("\n"), [
    `q=${"a+".repeat(42)}`,
  ]),
  rules(
    "400 synonyms of two words for each of 42 words",
    () =>
      repeat(42, (i) => `term${i} =>\n${repeat(400, (s) => `  SYNONYM: term${s % 40} word${s}\n`).join("")}`).join(
        "\n",
      ),
    [`q=${repeat(42, (i) => `term${i}`).join("+")}`],
  ),
  index(
    "expressions on long texts",
    () =>
      processor("ReplacePatternInValuesDataProcessor", {
        title: "((a|aa)+)*$",
        title_replacement: "$0$0$0",
        other: "(x*)*y",
      }),
    () => longTexts("a".repeat(900_000)),
  ),
  index(
    "replacements that grow",
    () =>
      processor("ReplacePatternInValuesDataProcessor", {
        title: "",
        title_replacement: "x".repeat(10_000),
      }),
    () => longTexts("a".repeat(100_000)),
  ),
  index(
    "splitting into fields",
    () =>
      processor("SplitValueDataProcessor", {
        FieldName: "title",
        title_regEx: " ",
        title_idxToDest: "-1:part",
      }),
    () => longTexts("ab ".repeat(30_000)),
  ),
  index(
    "3,000 dynamic fields and 2,000 names",
    () => ({
      "field-configuration": {
        "dynamic-fields": repeat(3_000, (i) => ({
          "source-names": [`.*a.*b.*${i}$`],
          usage: ["Search", "Facet"],
        })),
      },
    }),
    () =>
      repeat(4, (p) => ({
        id: `n${p}`,
        data: Object.fromEntries(repeat(1_900, (i) => [`${"ab".repeat(200)}${p}-${i}`, "x"])),
      })),
  ),
  index(
    "one name that 500 fields read",
    () => ({
      "field-configuration": {
        fields: repeat(2_000, (i) => ({
          name: `f${i}`,
          "source-names": ["title"],
          usage: ["Search", "Facet", "Sort", "Result"],
        })),
      },
    }),
    () => longTexts("shoe ".repeat(2_000)),
  ),
  [
    "configurations that are refused",
    async (target) =>
      refused(target, [
        `a: &a [${"x,".repeat(9)}x]\n${repeat(9, (i) => `b${i}: &b${i} [${`*${i === 0 ? "a" : `b${i - 1}`},`.repeat(9)}x]`).join("\n")}`,
        "a: !!js/function 'function(){}'",
        "<<: *nobody",
        "a = ${b}\nb = ${a}",
        `a = x\n${"a = ${a}${a}\n".repeat(60)}`,
        'include "http://127.0.0.1/x"\ninclude file("/etc/passwd")',
        `${"a.".repeat(5_000)}a=1`,
        `${"\\".repeat(100_000)}`,
        `"${"\\u0000".repeat(50_000)}"`,
        `phrase\n${'"'.repeat(200_001)}`,
        `${"a\t:\n".repeat(30_000)}`,
        `${"- ".repeat(50_000)}x`,
        `${"? ".repeat(50_000)}x`,
        `${"{".repeat(100_000)}`,
        "\ufeff\ufeff{}",
        "# only a comment",
        "null",
        "---\n---\n...",
      ]),
  ],
  [
    "100 versions of 900 kB",
    async (target) => {
      const answers: Answer[] = [];
      for (let i = 0; i < 100; i++) {
        answers.push(await target.json("PUT", `${CONFIG}/rules/versions`, `# ${i}\n# ${"x".repeat(900_000)}`));
      }
      answers.push(await target.get(`${CONFIG}/history`));
      await target.send({ method: "DELETE", path: `${CONFIG}/rules/versions` });
      return answers;
    },
  ],
];
