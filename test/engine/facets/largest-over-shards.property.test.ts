/**
 * The largest entries of a field over several shards that send hashes instead of all entries (partial.ts, "Many
 * entries"), by the slow account (counting.ts): equal counts, spellings and ids that differ, keys with equal hashes; all
 * entries, or those that pass a test.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { MergedFacets, answerFacetFollowUps, countFacets } from "../../../src/index-engine/answer/facets/index.ts";
import { EAGERNESS, facetPartial } from "../../../src/index-engine/answer/facets/partial.ts";
import { hashText } from "../../../src/index-engine/answer/facets/key-hashes.ts";
import { compareKeys } from "../../../src/index-engine/answer/facets/keys.ts";
import { run } from "../../../src/index-engine/base/index.ts";
import type { ResolvedFilter } from "../../../src/index-engine/query/filter/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import type { FieldValue, IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { builtInTenantConfig } from "../../../src/interface/index.ts";
import { forAll, runs } from "../../support/property.ts";
import { plainRequest } from "../support/request.ts";
import { build, product, term } from "../support/products.ts";
import { countInputs, countSlowly, writtenEntry } from "./counting.ts";

/** Two known pairs of FNV-1a. */
const TWINS = ["costarring", "liquid", "declinate", "macallums"];
const WORDS = [...TWINS, ..."red blue green pink navy beige gold grey black white".split(" ")];
const FIELD = "colour";
const tenant = builtInTenantConfig("shop", ["shop"]);

const value = fc.record({
  // The first ones are frequent.
  word: fc.oneof(fc.nat(3), fc.nat(WORDS.length - 1)),
  spelling: fc.nat(1),
  id: fc.constantFrom(null, "7", "8"),
});
const shards = fc.array(fc.array(fc.array(value, { maxLength: 3 }), { minLength: 1, maxLength: 40 }), {
  minLength: 2,
  maxLength: 4,
});

function valueOf({ word, spelling, id }: typeof value extends fc.Arbitrary<infer T> ? T : never): FieldValue {
  const text = spelling === 0 ? WORDS[word] : WORDS[word].toUpperCase();
  return { ...term(FIELD, text), id };
}

function filterBy(value: string): ResolvedFilter {
  const texts = [[value.toUpperCase()]];
  return { field: FIELD, kind: "term", byId: false, negated: false, values: texts[0], texts, ranges: [], post: true };
}

test("the known pairs have equal hashes", () => {
  for (let i = 0; i < TWINS.length; i += 2) expect(hashText(TWINS[i])).toBe(hashText(TWINS[i + 1]));
});

test("whatever the shards send, the largest entries are exact", () => {
  let rounds = 0;
  let atOnce = 0;
  forAll(
    runs(300, 80),
    shards,
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 0, max: 8 }),
    // A filter on the field, so that an entry is selected.
    fc.option(fc.nat(WORDS.length - 1)),
    fc.constantFrom(undefined, undefined, (key: string | number) => String(key) >= "g"),
    (values, limit, hashedFrom, largest, selected, isWithin) => {
      const written = values.map((own, shard) =>
        own.map((each, i) => product(`s${shard}p${i}`, { values: each.map(valueOf) })),
      );
      const all = countSlowly(
        written.flat().map((one: IndexableProduct) => one.values),
        FIELD,
        "term",
      );
      const expected = all
        .filter(({ key }) => isWithin?.(key) !== false)
        .sort((a, b) => b.count - a.count || compareKeys(a.key, b.key))
        .slice(0, limit);
      const counts = written.map((products) => {
        // Two segments each, so that entries of a shard are joined.
        const half = products.length >> 1;
        const parts = [products.slice(0, half), products.slice(half)].filter((part) => part.length > 0);
        const reader = Reader.of(parts.map((part) => build(part).segment));
        return run(countFacets(countInputs(reader, () => true, new Map(), true)));
      });
      const eagerness = { ...EAGERNESS, hashedFrom, largest };
      const plan = { language: "en", field: () => true };
      const execution = { matchCount: 1, filters: selected === null ? [] : [filterBy(WORDS[selected])] };
      const request = plainRequest({ withFacets: true });
      const merged = new MergedFacets(
        counts.map((own) => run(facetPartial({ counts: own, execution, tenant, plan, request }, eagerness))),
      );
      for (let round = 0; ; round++) {
        expect(round).toBeLessThan(4);
        const field = merged.field(FIELD, "term");
        const top = field?.top(limit, isWithin) ?? [];
        const entry = selected === null ? null : (field?.entry(WORDS[selected]) ?? null);
        const followUps = merged.takeFollowUps();
        if (followUps.length === 0) {
          const named = selected === null ? undefined : all.find(({ key }) => key === WORDS[selected]);
          expect(entry === null ? undefined : writtenEntry(entry)).toEqual(named);
          const found = top.map((entry) => writtenEntry(entry));
          expect(found.sort((a, b) => b.count - a.count || compareKeys(a.key, b.key))).toEqual(expected);
          if (round === 0) atOnce++;
          rounds += round;
          return;
        }
        merged.supply(
          followUps,
          counts.map((own) => answerFacetFollowUps({ counts: own, tenant }, followUps, eagerness)),
        );
      }
    },
  );
  expect(rounds).toBeGreaterThan(10);
  expect(atOnce).toBeGreaterThan(3);
});
