// How many of some groups one accepted row has at most, and whether one has a certain number, are what looking at every posting of every row
// says: for words, beginnings, several words together or as a phrase; in one field and in several; in lists of one block and of many.
import fc from "fast-check";
import { expect, test } from "vitest";
import { bitsOf, hasBit } from "../../src/index-engine/bits.ts";
import { STEM_PREFIX } from "../../src/index-engine/model.ts";
import { Probe } from "../../src/index-engine/query/probe.ts";
import { SearchContext } from "../../src/index-engine/query/index.ts";
import {
  fieldWeights,
  type TermGroup,
  type WholeAlternative,
} from "../../src/index-engine/rank/index.ts";
import { Reader } from "../../src/index-engine/reader.ts";
import { mulberry32 } from "../support/mulberry32.ts";
import { runs } from "../support/property.ts";
import { fields } from "./support/catalogue.ts";
import { documentSegment } from "./support/indexing.ts";

/** The first is in nearly every product, the last in hardly one. */
const WORDS = Array.from({ length: 24 }, (_, i) => `${"abcdef"[i % 6]}${"klmn"[i % 4]}o${i}x`);
const PRODUCTS = 3_000;

const random = mulberry32(7);
const chosen = (): string[] => WORDS.filter((_, i) => random() < 1.1 / (1 + i * i * 0.4));
const segment = documentSegment(
  Array.from({ length: PRODUCTS }, (_, i) => ({
    id: `p${i}`,
    data: { title: chosen().join(" "), description: chosen().reverse().join(" ") },
  })),
  fields,
);
const context = new SearchContext(Reader.of([segment]), fields);

const word = fc.constantFrom(...WORDS, "missing");
const simple: fc.Arbitrary<TermGroup> = fc
  .uniqueArray(word, { minLength: 1, maxLength: 12 })
  .map((terms) => ({
    word: terms[0],
    alternatives: terms.map((term) => ({ term, factor: 1 })),
  }));
const whole: fc.Arbitrary<WholeAlternative> = fc.oneof(
  fc.constantFrom("a", "ak", "bl", "zz").map((prefix) => ({
    kind: "prefix" as const,
    prefix,
    factor: 0.7,
  })),
  fc.record({
    kind: fc.constant("all" as const),
    groups: fc.array(simple, { minLength: 1, maxLength: 3 }),
    factor: fc.constant(0.9),
    slop: fc.constantFrom(null, 0, 1),
    origin: fc.constantFrom("split" as const, "synonym" as const),
  }),
);
const group: fc.Arbitrary<TermGroup> = fc
  .tuple(simple, fc.array(whole, { maxLength: 2 }), fc.boolean())
  .map(([one, wholes, isBare]) =>
    wholes.length === 0 ? one : { ...one, alternatives: isBare ? [] : one.alternatives, wholes },
  );

test("the most groups of a row, and whether it has as many as required", () => {
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 1, maxLength: 7 }),
      fc.option(fc.array(fc.nat(PRODUCTS - 1), { maxLength: 400 })),
      fc.constantFrom(["title"], ["description"], ["title", "description"]),
      (groups, allowed, names) => {
        const weights = fieldWeights(
          names.map((field) => ({ field, weight: 2 })),
          new Map(),
        );
        const scorer = context.scorer(0, weights, context.statistics);
        const accept = allowed === null ? null : bitsOf(allowed, PRODUCTS);

        const rowsOfTerm = (term: string): Set<number> => {
          const list = segment.terms.find(term);
          const count = list < 0 ? 0 : segment.postings.count(list);
          const rows = new Uint32Array(count);
          const codes = new Uint32Array(count);
          if (list >= 0) segment.postings.decode(list, rows, codes);
          return new Set([...rows].filter((row, i) => scorer.score(1, row, codes[i]) > 0));
        };
        const terms = Array.from({ length: segment.terms.size }, (_, i) => segment.terms.get(i));
        const rowsOfGroup = ({ alternatives, wholes }: TermGroup): Set<number> => {
          const rows = new Set(alternatives.flatMap(({ term }) => [...rowsOfTerm(term)]));
          for (const one of wholes ?? []) {
            if (one.kind === "prefix") {
              for (const term of terms) {
                if (term.startsWith(STEM_PREFIX) || !term.startsWith(one.prefix)) continue;
                for (const row of rowsOfTerm(term)) rows.add(row);
              }
              continue;
            }
            const parts = one.groups.map(rowsOfGroup);
            const common = [...parts[0]].filter((row) => parts.every((part) => part.has(row)));
            const isPhrase =
              one.slop === null ? null : context.phraseTest(0, one, one.slop, weights);
            for (const row of common.sort((a, b) => a - b)) {
              if (isPhrase === null || isPhrase(row)) rows.add(row);
            }
          }
          return rows;
        };
        const counts = new Map<number, number>();
        for (const one of groups) {
          for (const row of rowsOfGroup(one)) {
            if (accept === null || hasBit(accept, row)) counts.set(row, (counts.get(row) ?? 0) + 1);
          }
        }
        const most = Math.max(0, ...counts.values());

        const probe = new Probe(context, 0, { accept, scorer, weights });
        for (const atLeast of [0, 1, 3]) {
          expect(probe.mostGroups(groups, atLeast)).toBe(Math.max(most, atLeast));
        }
        for (let required = 1; required <= groups.length + 1; required++) {
          expect(probe.has(groups, required)).toBe(most >= required);
        }
      },
    ),
    { numRuns: runs(150) },
  );
});
