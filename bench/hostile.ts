/**
 * Sends hostile requests over HTTP to the built Worker while another client searches. Prints each
 * answer, its time, and the slowest concurrent search; marks undocumented answers, and failed searches.
 *
 *   npm run node -- bench/hostile.ts [words ...]   only requests with one of the words in their name
 */
import { Agent } from "node:http";
import { ERRORS } from "../src/interface/index.ts";
import { CONFIGURATIONS } from "./hostile/configurations.ts";
import { CONNECTIONS } from "./hostile/connections.ts";
import { DOCUMENTS } from "./hostile/documents.ts";
import { ODDITIES } from "./hostile/oddities.ts";
import { REQUESTS } from "./hostile/requests.ts";
import { SEARCHES } from "./hostile/searches.ts";
import { smallDocuments, Target, wideIndex } from "./hostile/target.ts";
import { describeLoad, machineLoad } from "./measure.ts";
import { serviceCpuSeconds, startService, type Answer } from "./service.ts";

const INDEX = "hostile";
const SEARCH = `/search-api/v1/search/${INDEX}?q=shoe`;
const ATTACKS = [...REQUESTS, ...SEARCHES, ...DOCUMENTS, ...CONNECTIONS, ...CONFIGURATIONS, ...ODDITIES];
const only = process.argv.slice(2);

const service = await startService({ variables: { LOG: "errors" } });
const agents = [32, 2].map((maxSockets) => new Agent({ keepAlive: true, maxSockets }));
const [target, other] = agents.map((agent) => new Target(service.url, agent));

/** The times of the concurrent client. */
async function searchedBeside<T>(work: () => Promise<T>): Promise<[T, number]> {
  let isOver = false;
  let longestMs = 0;
  const failed: Answer[] = [];
  const searching = (async () => {
    while (!isOver) {
      const startMs = performance.now();
      const answer = await other.get(SEARCH);
      longestMs = Math.max(longestMs, performance.now() - startMs);
      if (answer.status !== 200) failed.push(answer);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const worked = await work().finally(() => {
    isOver = true;
  });
  // The last search may be the slowest.
  await searching;
  if (failed.length > 0) console.log(`!! ${failed.length} searches beside it failed: ${summary(failed)}`);
  return [worked, longestMs];
}

function summary(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const { status, text } = answer;
    const what = status >= 400 || status === 0 ? `${status} ${typeOf(answer)}` : `${status} (${text.length} B)`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => (count === 1 ? what : `${count} x ${what}`)).join(", ");
}

function typeOf({ text }: Answer): string {
  return /"type":"([a-z_]+)"/.exec(text)?.[1] ?? "";
}

/** HTTP itself refuses some requests, and closes a connection that says nothing sensible. */
const OF_HTTP: ReadonlySet<number> = new Set([0, 400, 404, 405, 413, 414, 431, 501]);

function isDocumented(answer: Answer, busy: readonly string[]): boolean {
  const { status } = answer;
  const type = typeOf(answer);
  if (status === 503 && busy.includes(type)) return true;
  if (status >= 500 || status === 0) return status === 501 || status === 0;
  if (status < 400) return true;
  return Object.hasOwn(ERRORS, type) || (type === "" && OF_HTTP.has(status));
}

try {
  await target.put(INDEX, `[${smallDocuments(2_000, "base")}]`);
  await wideIndex(target);
  console.log(`answered after, longest search beside it, CPU of the service. ${describeLoad(machineLoad())}`);
  for (const [name, attack, busy = []] of ATTACKS) {
    if (only.length > 0 && !only.some((word) => name.includes(word))) continue;
    const startMs = performance.now();
    const startCpuSeconds = serviceCpuSeconds();
    const [answers, longestMs] = await searchedBeside(() => attack(target));
    const tookMs = performance.now() - startMs;
    const cpuSeconds = serviceCpuSeconds() - startCpuSeconds;
    console.log(
      `${name.padEnd(52)} ${tookMs.toFixed(0).padStart(6)} ms ${longestMs.toFixed(0).padStart(6)} ms ${cpuSeconds.toFixed(1).padStart(6)} s  ${summary(answers)}`,
    );
    for (const answer of answers) {
      if (isDocumented(answer, busy) && tookMs < 60_000) continue;
      console.log(`!! ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
} finally {
  for (const agent of agents) agent.destroy();
  await service.stop();
}
