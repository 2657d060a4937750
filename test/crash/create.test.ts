// PUT on a missing index creates it and writes its documents. Dying in between leaves
//
// 1. no index, an empty one, or one with the whole bulk; never a part of it
// 2. and the same PUT can be sent again: all documents are there then, in one index
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as elapse } from "node:timers/promises";
import { expect, test } from "vitest";
import { seed } from "../support/property.ts";
import { Random } from "./random.ts";
import { bundleWorker } from "../../scripts/local-worker.ts";
import { Service } from "./service.ts";

const KILLS = 8;
const DOCUMENTS = 7;

test.for([1, 4])(`${KILLS} kills while PUTs create indexes, shards: %i`, async (shards) => {
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), "aisle-create-"));
  const places = {
    code: join(folder, "code"),
    state: join(folder, "state"),
    variables: { SHARDS_MIN: String(shards) },
  };
  let service: Service | null = null;
  try {
    await bundleWorker(places.code);
    service = await Service.start(places);
    for (let kill = 0; kill < KILLS; kill++) {
      const index = `new-${kill}`;
      const running = service;
      const bulks = ["a", "b"].map((name) =>
        Array.from({ length: DOCUMENTS }, (_, i) => ({ id: `${name}${i}`, data: { title: `lamp ${name}` } })),
      );
      const put = (to: Service, bulk: readonly object[]): ReturnType<Service["send"]> =>
        to.send("PUT", `/indexer-api/v1/update/${index}?langCode=en`, bulk);
      const sent = bulks.map((bulk) => put(running, bulk));
      await elapse(random.between(0, 120));
      await running.kill();
      const answers = await Promise.all(sent);

      service = await Service.start(places);
      const found = await countsOf(service, index);
      answers.forEach((answer, i) => {
        if (answer !== null) expect(answer.status).toBe(200);
        expect(answer === null ? [0, DOCUMENTS] : [DOCUMENTS]).toContain(found[i]);
      });
      for (const bulk of bulks) expect((await put(service, bulk))?.status).toBe(200);
      expect(await countsOf(service, index)).toEqual([DOCUMENTS, DOCUMENTS]);
    }
  } finally {
    await service?.kill();
    await rm(folder, { recursive: true, force: true });
  }
});

/** How many documents of each bulk there are. */
async function countsOf(service: Service, index: string): Promise<number[]> {
  const answer = await service.send("GET", `/search-api/v1/search/${index}?q=lamp&limit=100`);
  if (answer?.status === 404) return [0, 0];
  expect(answer?.status).toBe(200);
  const { slices } = JSON.parse(answer?.text ?? "") as { slices: { hits: { document: { id: string } }[] }[] };
  const ids = slices.flatMap(({ hits }) => hits.map(({ document }) => document.id));
  return ["a", "b"].map((name) => ids.filter((id) => id.startsWith(name)).length);
}
