/**
 * What clients get that send bulks in parallel, each one after the other and without trying again: the answers, the
 * longest wait for one, and the documents a second.
 *
 *   npm run node -- bench/parallel-bulks.ts [URL]      the service there; default: the built Worker
 */
import { describeLoad, machineLoad } from "./measure.ts";
import { Client, startService, type Answer } from "./service.ts";

const CASES = [4, 8, 16].flatMap((clients) => [1, 5].map((megabytes) => ({ clients, megabytes })));
const BULKS_PER_CLIENT = 3;

const [given] = process.argv.slice(2);
const service = given === undefined ? await startService({ variables: { LOG: "errors" } }) : null;
const url = given ?? service?.url ?? "";

function bulk(session: string, name: string, bytes: number): Buffer {
  const documents: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    const words = Array.from({ length: 60 }, (_, word) => `term${(i * 31 + word * 17) % 5_003}`).join(" ");
    const data = { title: `shoe model ${i}`, description: words, brand: `brand${i % 53}`, price: i % 1_000 };
    const document = JSON.stringify({ id: `${name}-${i}`, data });
    documents.push(document);
    size += document.length + 1;
  }
  return Buffer.from(`{"session":${session},"documents":[${documents.join(",")}]}`);
}

try {
  console.log(`${describeLoad(machineLoad())}`);
  for (const { clients, megabytes } of CASES) {
    const client = new Client(url, clients);
    const session = (await client.send({ method: "GET", path: "/indexer-api/v1/full/start/bulks?locale=en" })).text;
    const bodies = Array.from({ length: clients }, (_, i) => bulk(session, `c${i}`, megabytes * 1_000_000));
    const answers: Answer[] = [];
    let longestMs = 0;
    const startMs = performance.now();
    await Promise.all(
      bodies.map(async (body) => {
        for (let i = 0; i < BULKS_PER_CLIENT; i++) {
          const sentMs = performance.now();
          answers.push(await client.send({ method: "POST", path: "/indexer-api/v1/full/add", body }));
          longestMs = Math.max(longestMs, performance.now() - sentMs);
        }
      }),
    );
    const seconds = (performance.now() - startMs) / 1_000;
    const taken = answers.filter(({ status }) => status === 200);
    const documents = taken.reduce((sum, { text }) => sum + Number(text), 0);
    const refused = answers.filter(({ status }) => status !== 200).map(({ status }) => status);
    console.log(
      `${clients} clients, ${megabytes} MB: ${taken.length} taken, ${refused.length} refused ${[...new Set(refused)].join()}, ` +
        `longest ${longestMs.toFixed(0)} ms, ${Math.round(documents / seconds)} documents/s`,
    );
    await client.send({ method: "POST", path: "/indexer-api/v1/full/cancel", body: session });
    client.close();
  }
} finally {
  await service?.stop();
}
