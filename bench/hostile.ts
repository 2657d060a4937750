/**
 * Sends hostile requests over HTTP to the built Worker while another client searches. Prints each
 * answer, its time, and the slowest concurrent search.
 *
 *   npm run node -- bench/hostile.ts [words ...]   only requests with one of the words in their name
 */
import { connect } from "node:net";
import { Client, serviceCpuSeconds, startService } from "./service.ts";
import { describeLoad, machineLoad } from "./measure.ts";

const INDEX = "hostile";
const UPDATE = `/indexer-api/v1/update/${INDEX}?langCode=en`;
const CONFIG = "/admin-api/v1/config";
const SEARCH = `/search-api/v1/search/${INDEX}?q=shoe`;
const only = process.argv.slice(2);

const service = await startService({ variables: { LOG: "errors" } });
const client = new Client(service.url, 32);
const other = new Client(service.url, 2);

type Answer = Awaited<ReturnType<Client["send"]>>;

async function json(
  method: "GET" | "PUT" | "POST" | "PATCH",
  path: string,
  body?: unknown,
): Promise<Answer> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return client.send({ method, path, ...(text !== undefined && { body: text }) });
}

async function session(): Promise<unknown> {
  return JSON.parse((await json("GET", `/indexer-api/v1/full/start/${INDEX}?locale=en`)).text);
}

function named(count: number, value: unknown = "x"): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, value]));
}

function small(count: number, name = "d"): string {
  return Array.from(
    { length: count },
    (_, i) => `{"id":"${name}${i}","data":{"title":"shoe ${i}"}}`,
  ).join(",");
}

/** The times of the concurrent client. */
async function searchedBeside<T>(work: () => Promise<T>): Promise<[T, number, number]> {
  let isOver = false;
  let longestMs = 0;
  let failed = 0;
  const searching = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      const { status } = await other.send({ method: "GET", path: SEARCH });
      longestMs = Math.max(longestMs, performance.now() - startMs);
      if (status !== 200) failed++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const worked = await work().finally(() => {
    isOver = true;
  });
  // The last search may be the slowest.
  await searching;
  if (failed > 0) console.log(`   ${failed} searches beside it failed`);
  return [worked, longestMs, failed];
}

/** An upload that stalls after its headers. */
function stalled(path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    let text = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 50000000\r\n\r\n{"session":`,
      );
    });
    socket.on("data", (bytes) => {
      text += bytes.toString();
      const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      if (status === undefined) return;
      resolve({ status: Number(status), text });
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve({ status: 0, text: "closed without an answer" }));
  });
}

const ATTACKS: readonly (readonly [name: string, attack: () => Promise<readonly Answer[]>])[] = [
  [
    "a product of 2,000 searched attributes, 20 products",
    async () => [
      await json(
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
    async () => [
      await json("PUT", UPDATE, [
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
    async () => {
      const answers: Answer[] = [];
      for (let bulk = 0; bulk < 4; bulk++) {
        answers.push(
          await json(
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
    async () => [
      await json(
        "PUT",
        UPDATE,
        Array.from({ length: 7_500 }, (_, i) => ({
          id: `l${i}`,
          data: { title: `shoe ${i}`, description: `word${i} `.repeat(200) },
        })),
      ),
    ],
  ],
  [
    "a PUT of 16 MB of `0,`",
    async () => [await json("PUT", UPDATE, `[${"0,".repeat(8_000_000)}0]`)],
  ],
  [
    "130,000 small documents before the session",
    async () => [
      await json(
        "POST",
        "/indexer-api/v1/full/add",
        `{"documents":[${small(130_000)}],"session":${JSON.stringify(await session())}}`,
      ),
    ],
  ],
  [
    "40,000 names in data",
    async () => [await json("PUT", UPDATE, [{ id: "names", data: named(40_000) }])],
  ],
  [
    "1,000 names in data of 500 documents",
    async () => [
      await json("POST", "/indexer-api/v1/full/add", {
        session: await session(),
        documents: Array.from({ length: 500 }, (_, i) => ({
          id: `t${i}`,
          data: named(1_000, `x${i}`),
        })),
      }),
    ],
  ],
  [
    "a filter that every link repeats",
    async () => [
      await json(
        "PUT",
        UPDATE,
        Array.from({ length: 396 }, (_, p) => ({
          id: `f${p}`,
          data: { title: "shoe", brand: "Acme", colour: `colour ${p % 99}` },
        })),
      ),
      await json("POST", `/search-api/v1/search/arranged/${INDEX}`, {
        q: "shoe colour",
        filters: { brand: `!${"\u{1f600}".repeat(16_000)}`, colour: "!x" },
      }),
    ],
  ],
  [
    "6,000 category paths of 20 long levels, and a search",
    async () => [
      await json(
        "PUT",
        UPDATE,
        Array.from({ length: 6_000 }, (_, p) => ({
          id: `c${p}`,
          data: {
            title: "shoe",
            category: [
              Array.from({ length: 20 }, (__, i) => `${"x".repeat(88)}${i}-${p}`).join("/"),
            ],
          },
        })),
      ),
      await json("GET", SEARCH),
    ],
  ],
  [
    "placeholders that lead to two others each",
    async () => [
      await json(
        "PUT",
        CONFIG,
        Object.fromEntries(
          Array.from({ length: 9_000 }, (_, i) => [`k${i}`, `\${k${i + 1}}\${k${i + 1}}`]),
        ),
      ),
    ],
  ],
  [
    "YAML of 70,000 keys",
    async () => [
      await json(
        "PUT",
        CONFIG,
        Array.from({ length: 70_000 }, (_, i) => `key${i}: ${i}`).join("\n"),
      ),
    ],
  ],
  [
    "a list of 200,000 wrong entries",
    async () => [
      await json("PUT", `${CONFIG}/tenant/${INDEX}`, {
        "facet-configuration": { facets: Array.from({ length: 200_000 }, () => 0) },
      }),
    ],
  ],
  [
    "20 `done`s of one index",
    async () => {
      const sessions: unknown[] = [];
      for (let i = 0; i < 20; i++) {
        const one = await session();
        sessions.push(one);
        await json("POST", "/indexer-api/v1/full/add", {
          session: one,
          documents: [{ id: "1", data: { title: "shoe" } }],
        });
      }
      return Promise.all(sessions.map((one) => json("POST", "/indexer-api/v1/full/done", one)));
    },
  ],
  [
    "four uploads that stall, and an add",
    async () => {
      const uploads = Array.from({ length: 4 }, () => stalled("/indexer-api/v1/full/add"));
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const add = await json("POST", "/indexer-api/v1/full/add", {
        session: await session(),
        documents: [{ id: "1", data: { title: "shoe" } }],
      });
      return [add, ...(await Promise.all(uploads))];
    },
  ],
  [
    "1,000 names that nobody knows",
    async () => {
      const answers: Answer[] = [];
      for (let i = 0; i < 40; i++) {
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 25 }, (_, j) =>
              json("GET", `/search-api/v1/search/nobody${i * 25 + j}?q=x`),
            ),
          )),
        );
      }
      return answers;
    },
  ],
  [
    "a condition (a|aa)+c",
    async () => [
      await json("PUT", `${CONFIG}/tenant/${INDEX}`, {
        "query-configuration": { s: { condition: { matchingRegex: "(a|aa)+c" } } },
      }),
      await json("GET", `/search-api/v1/search/${INDEX}?q=${"a".repeat(900)}`),
      await client.send({ method: "PUT", path: `${CONFIG}/tenant/${INDEX}`, body: "{}" }),
    ],
  ],
  [
    "rules of 1 MB until there is no room",
    async () => {
      const text = Array.from(
        { length: 15_000 },
        (_, i) => `word${i} other word of shoe =>\n  SYNONYM: boot${i} boot boot\n`,
      ).join("\n");
      const answers: Answer[] = [];
      for (let i = 0; i < 18; i++)
        answers.push(
          await json(
            "PUT",
            `${CONFIG}/rules/r${i}`,
            text.slice(0, text.lastIndexOf("\n\n", 1_040_000)),
          ),
        );
      answers.push(await json("GET", "/health"), await json("GET", SEARCH));
      return answers;
    },
  ],
];

function summary(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status, text } of answers) {
    const type = /"type":"([a-z_]+)"/.exec(text)?.[1] ?? "";
    const what =
      status >= 400 || status === 0 ? `${status} ${type}` : `${status} (${text.length} B)`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => (count === 1 ? what : `${count} x ${what}`)).join(", ");
}

try {
  await json("PUT", UPDATE, `[${small(2_000, "base")}]`);
  console.log(
    `answered after, longest search beside it, CPU of the service. ${describeLoad(machineLoad())}`,
  );
  for (const [name, attack] of ATTACKS) {
    if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
    const startMs = performance.now();
    const startCpuSeconds = serviceCpuSeconds();
    const [answers, longestMs] = await searchedBeside(attack);
    const tookMs = performance.now() - startMs;
    const cpuSeconds = serviceCpuSeconds() - startCpuSeconds;
    console.log(
      `${name.padEnd(52)} ${tookMs.toFixed(0).padStart(6)} ms ${longestMs.toFixed(0).padStart(6)} ms ${cpuSeconds.toFixed(1).padStart(6)} s  ${summary(answers)}`,
    );
  }
} finally {
  client.close();
  other.close();
  await service.stop();
}
