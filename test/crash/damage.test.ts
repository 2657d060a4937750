// Objects in R2 that were altered, torn or lost while no process was running.
//
// 1. damaged documents of a generation that goes live, or is live, are never shown: the right document, or 503
// 2. a live generation serves, takes updates and can be rolled back to after everything of it in R2 is damaged: its shard has it all
// (Damaged segments and manifests, found by `done`: objects/storage-faults.test.ts.)
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seed } from "../support/property.ts";
import { DAMAGES, damage, forge, storedObjects } from "./disk.ts";
import { Random } from "./random.ts";
import { bundleWorker } from "../../scripts/local-worker.ts";
import { Service } from "./service.ts";
import { comparable } from "./twin.ts";

const random = new Random(seed);
let folder = "";
let service: Service | null = null;
let shards = 1;

async function restart(between: () => void = () => undefined): Promise<void> {
  await service?.kill();
  between();
  service = await Service.start({
    code: join(folder, "code"),
    state: join(folder, "state"),
    variables: { SHARDS_MIN: String(shards) },
  });
}

async function ask(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await service?.send(method, path, body);
  if (answer === undefined || answer === null) throw new Error(`${method} ${path}: no answer`);
  return answer;
}

interface Handle {
  readonly finalIndexName: string;
  readonly temporaryIndexName: string;
}

async function start(index: string): Promise<Handle> {
  return JSON.parse((await ask("GET", `/indexer-api/v1/full/start/${index}?locale=en`)).text);
}

function titled(title: string, count = 6): object[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `d${i}`,
    data: { title: `${title} ${i}`, price: i, brand: i % 2 === 0 ? "acme" : "globex" },
  }));
}

async function add(session: Handle, documents: readonly object[]): Promise<void> {
  const answer = await ask("POST", "/indexer-api/v1/full/add", { session, documents });
  expect(answer).toEqual({ status: 200, text: String(documents.length) });
}

async function done(session: Handle): Promise<number> {
  return (await ask("POST", "/indexer-api/v1/full/done", session)).status;
}

async function importTitled(index: string, title: string): Promise<Handle> {
  const session = await start(index);
  await add(session, titled(title));
  expect(await done(session)).toBe(200);
  return session;
}

async function answersOf(index: string): Promise<string[]> {
  const answers: string[] = [];
  for (const query of ["", "q=lamp", "q=shoe", "sort=-price&limit=3", "brand=acme"]) {
    const answer = await ask("GET", `/search-api/v1/search/${index}?${query}`);
    expect(answer.status).toBe(200);
    answers.push(comparable(JSON.parse(answer.text) as object));
  }
  return answers;
}

async function titlesOf(index: string): Promise<(string | number)[]> {
  const titles: (string | number)[] = [];
  for (let i = 0; i < 6; i++) {
    const { status, text } = await ask("GET", `/search-api/v1/doc/${index}/d${i}`);
    titles.push(status === 200 ? String(JSON.parse(text).data.title) : status);
  }
  return titles;
}

/** Files of the objects whose key has this beginning and this ending. */
function filesOf(beginning: string, ending: string): string[] {
  return [...storedObjects(join(folder, "state"))]
    .filter(([key]) => key.startsWith(beginning) && key.endsWith(ending))
    .map(([, file]) => file);
}

describe.for([1, 4])("shards: %i", (count) => {
  beforeAll(async () => {
    shards = count;
    folder = await mkdtemp(join(tmpdir(), "aisle-damage-"));
    await bundleWorker(join(folder, "code"));
    await restart();
  }, 120_000);

  afterAll(async () => {
    await service?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test("1. documents whose bytes were forged are not shown", async () => {
    const index = "forged";
    await importTitled(index, "lamp");
    const before = await titlesOf(index);
    const session = await start(index);
    await add(session, titled("shoe"));
    await restart(() => {
      for (const file of filesOf(`imports/${session.temporaryIndexName}/`, ".blk"))
        forge(file, "shoe", "lamb");
    });
    const status = await done(session);
    const right = status === 200 ? [0, 1, 2, 3, 4, 5].map((i) => `shoe ${i}`) : before;
    (await titlesOf(index)).forEach((title, i) => expect([right[i], 503]).toContain(title));
    const found = await ask("GET", `/search-api/v1/search/${index}?q=shoe`);
    expect(found.text).not.toContain("lamb");
    expect([200, 503]).toContain(found.status);
  });

  test.for(DAMAGES)("1. done with documents that are %s", async (how) => {
    const index = `documents-${how}`;
    await importTitled(index, "lamp");
    const before = await titlesOf(index);
    const session = await start(index);
    await add(session, titled("shoe"));
    await restart(() => {
      for (const file of filesOf(`imports/${session.temporaryIndexName}/`, ".blk"))
        damage(file, how);
    });
    const status = await done(session);
    const right = status === 200 ? [0, 1, 2, 3, 4, 5].map((i) => `shoe ${i}`) : before;
    (await titlesOf(index)).forEach((title, i) => expect([right[i], 503]).toContain(title));
  });

  test("2. a live and a kept generation of which R2 has lost everything", async () => {
    const index = "cached";
    await importTitled(index, "lamp");
    const lamps = await answersOf(index);
    // What was read is in the shard's SQLite.
    await titlesOf(index);
    await importTitled(index, "shoe");
    const shoes = await answersOf(index);
    await titlesOf(index);

    await restart(() => {
      for (const beginning of [
        `imports/ocs-1-${index}-`,
        `imports/ocs-2-${index}-`,
        `indexes/${index}/`,
      ])
        for (const file of filesOf(beginning, "")) damage(file, random.pick(DAMAGES));
    });
    expect(await answersOf(index)).toEqual(shoes);
    const put = await ask("PUT", `/indexer-api/v1/update/${index}`, [titled("boot")[2]]);
    expect(put.status).toBe(200);
    expect((await titlesOf(index))[2]).toBe("boot 2");
    expect((await ask("POST", `/admin-api/v1/indexes/${index}/rollback`)).status).toBe(200);
    expect(await answersOf(index)).toEqual(lamps);
    await restart();
    expect(await answersOf(index)).toEqual(lamps);
  });
});
