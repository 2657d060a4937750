/**
 * The audit of the reference's behaviour and of docs/options.md: every claim of test/worker/claims is asked over HTTP, of
 * one shard after an import and of two after updates and a reindex (claims/place.ts). docs/conformance.md lists them.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import { CLAIMS } from "./claims/index.ts";
import { openPlace, type OpenPlace } from "./claims/place.ts";

describe.each([1, 2] as const)("over %i shards", (shards) => {
  let place: OpenPlace;
  beforeAll(async () => {
    place = await openPlace(shards);
  }, 60_000);
  afterAll(() => place.close(), 60_000);

  const claimed = CLAIMS.filter(({ isOnce }) => shards === 1 || isOnce !== true);
  describe.each(claimed)("$of", ({ claims }) => {
    const titled = claims.map((claim) => [claim.claim || claim.why, claim] as const);
    test.for(titled)("%s", async ([, { ask, expected }], { expect }) => {
      expect(await ask(place)).toEqual(expected);
    });
  });
});
