/** Asks all claims in one place; on several shards every third one in short runs, because each takes twice as long. */
import { afterAll, afterEach, beforeAll, describe, test } from "vitest";
import { long, seed } from "../../support/property.ts";
import { CLAIMS } from "./index.ts";
import { openPlace, type OpenPlace } from "./place.ts";

const PLACE_MS = 60_000;

export function askClaims(shards: 1 | 2): void {
  let place: OpenPlace;
  beforeAll(async () => {
    place = await openPlace(shards);
  }, PLACE_MS);
  afterEach(() => place.tidy());
  afterAll(() => place.close(), PLACE_MS);

  const claimed = CLAIMS.filter(({ isOnce }) => shards === 1 || isOnce !== true);
  describe.each(claimed)("$of", ({ claims }) => {
    // No section without any.
    const chosen = seed % Math.min(3, claims.length);
    const asked = claims.filter((_, i) => shards === 1 || long || i % 3 === chosen);
    const titled = asked.map((claim) => [claim.claim || claim.why, claim] as const);
    test.for(titled)("%s", async ([, { ask, expected }], { expect }) => {
      expect(await ask(place)).toEqual(expected);
    });
  });
}
