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

  let count = 0;
  const isAsked = (): boolean => shards === 1 || long || count++ % 3 === seed % 3;
  const asked = CLAIMS.filter(({ isOnce }) => shards === 1 || isOnce !== true)
    .map(({ of, claims }) => ({ of, claims: claims.filter(isAsked) }))
    .filter(({ claims }) => claims.length > 0);
  describe.each(asked)("$of", ({ claims }) => {
    const titled = claims.map((claim) => [claim.claim || claim.why, claim] as const);
    test.for(titled)("%s", async ([, { ask, expected }], { expect }) => {
      expect(await ask(place)).toEqual(expected);
    });
  });
}
