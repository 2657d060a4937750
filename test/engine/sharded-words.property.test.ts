/**
 * Words over several shards are read as by one shard that has everything, whatever each shard knows: misspelt, joined
 * and split words, compounds, numbers with units (query/stages/term-expansion.ts).
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { builtInTenantConfig } from "../../src/interface/index.ts";
import { forAllAsync, runs } from "../support/property.ts";
import { fields, germanFields } from "./support/catalogue.ts";
import { documentSegment } from "./support/indexing.ts";
import { plainRequest } from "./support/request.ts";
import { searchClones, type TestShard } from "./support/sharding.ts";

const tenant = builtInTenantConfig("shop", ["shop"]);

const GERMAN =
  "topf liter halb tasche sport schul jacke winter regen garten schlauch ohne rot zoll lampe l t pferd arbeit";
const ENGLISH =
  "head phones shoe shoes with out door running gaming mouse house sun glasses inch case usb c t no sugar liter";
const NUMBERS = "5 8 15 2.5 15.6";
const UNITS = "l liter gb zoll inch kg";

/** An edit: which one, where, and a letter. */
const edit = fc.tuple(fc.nat(3), fc.nat(9), fc.constantFrom(..."aeinrst"));

function misspelt(word: string, [kind, place, letter]: [number, number, string]): string {
  const at = place % word.length;
  const [before, after] = [word.slice(0, at), word.slice(at + 1)];
  const edits = [before + after, before + letter + word.slice(at), before + letter + after];
  return edits[kind] ?? before + after.slice(0, 1) + word.charAt(at) + after.slice(1);
}

/** Words made of few roots, so that shards share some of them. */
function wordsOf(roots: readonly string[]): fc.Arbitrary<string> {
  const root = fc.constantFrom(...roots);
  const joined = fc.tuple(root, root).map(([one, other]) => one + other);
  const measure = fc
    .tuple(fc.constantFrom(...NUMBERS.split(" ")), fc.constantFrom("", " "), fc.constantFrom(...UNITS.split(" ")))
    .map((parts) => parts.join(""));
  const typo = fc.tuple(fc.oneof(root, joined), edit).map(([word, one]) => misspelt(word, one));
  return fc.oneof({ weight: 3, arbitrary: root }, joined, typo, measure, fc.constantFrom(...NUMBERS.split(" ")));
}

const asked = fc.boolean().chain((isGerman) =>
  fc
    .uniqueArray(fc.constantFrom(...(isGerman ? GERMAN : ENGLISH).split(" ")), { minLength: 3, maxLength: 7 })
    .chain((roots) => {
      const text = fc.array(wordsOf(roots), { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
      // Often enough the same title many times, because frequent words are not corrected.
      const titles = fc.array(fc.tuple(text, fc.constantFrom(1, 1, 1, 12)), { maxLength: 5 });
      return fc.record({
        plan: fc.constant(isGerman ? germanFields : fields),
        shards: fc.array(titles, { minLength: 2, maxLength: 4 }),
        queries: fc.array(text, { minLength: 1, maxLength: 5 }),
        isTyping: fc.boolean(),
      });
    }),
);

test("words are read as by one shard", async () => {
  await forAllAsync(runs(300, 40), asked, async ({ plan, shards, queries, isTyping }) => {
    const documents = shards.map((titles, shard) =>
      titles.flatMap(([title, times], i) =>
        Array.from({ length: times }, (_, copy) => ({ id: `s${shard}t${i}c${copy}`, data: { title } })),
      ),
    );
    const sources = new Map(documents.flat().map((document) => [document.id, document]));
    const shardOf = (own: (typeof documents)[number]): TestShard => ({
      reader: own.length === 0 ? Reader.empty : Reader.of([documentSegment(own, plan)]),
      fields: plan,
      sources,
      physicalName: "ocs-1-shop-en",
    });
    const whole = [shardOf(documents.flat())];
    const parts = documents.map(shardOf);
    for (const q of queries) {
      const request = plainRequest({ q, isTyping });
      const [expected, found] = [
        await searchClones(whole, request, tenant),
        await searchClones(parts, request, tenant),
      ];
      expect({ q, ...JSON.parse(found.json) }).toEqual({ q, ...JSON.parse(expected.json) });
    }
  });
});
