// 1. The trie finds each input exactly where trying every input at every place with a regular expression finds it.
// 2. A rule acts when its condition, evaluated over what the slow search finds, is met; also those that wait for what
//    is absent.
// 3. Superset: whatever synonyms are substituted, in any mix, a query matches every document that its plain words
//    match; and the lattice matches what some mix of substitutions, made one by one, matches.
// 4. With DELETE: what is left is left in order, alternatives lie within it, and nothing is empty.
import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzerFor } from "../../../src/index-engine/analysis/index.ts";
import { applyRules, compileRules, parseRules, type Rewritten } from "../../../src/index-engine/query/rules/index.ts";
import { findSequences, termsOf } from "../../../src/index-engine/query/rules/match.ts";
import type { Condition, InputSequence, ParsedRule } from "../../../src/index-engine/query/rules/model.ts";
import { plainWord, type UserWord } from "../../../src/index-engine/query/user-query/index.ts";
import { forAll, runs } from "../../support/property.ts";

const ANALYZER = analyzerFor("en");

// ---- the slow search

const BETWEEN_TERMS = "\u0001";
const BETWEEN_WORDS = "\u0002";

/** `first+count captured` of every place, by trying all. */
function slowPlaces(sequence: InputSequence, words: readonly UserWord[]): string[] {
  const terms = words.map((word) => word.words.flatMap((part) => ANALYZER.terms(part)));
  const spoken = terms.flatMap((own, at) => (own.length > 0 ? [at] : []));
  const pieces = sequence.words.flatMap(({ text, wildcard }) => {
    const own = ANALYZER.terms(text);
    return own.map((term, at) => {
      const before = wildcard === "before" && at === 0 ? `([^${BETWEEN_WORDS}]+)` : "";
      const behind = wildcard === "behind" && at === own.length - 1 ? `([^${BETWEEN_WORDS}]+)` : "";
      return before + term + behind;
    });
  });
  if (pieces.length === 0) return [];
  const pattern = new RegExp(`^${pieces.join(`[${BETWEEN_TERMS}${BETWEEN_WORDS}]`)}$`);
  const found: string[] = [];
  for (const [from, first] of spoken.entries()) {
    for (const [to, last] of spoken.entries()) {
      if (to < from) continue;
      if (sequence.atStart && from > 0) continue;
      if (sequence.atEnd && to < spoken.length - 1) continue;
      const span = spoken
        .slice(from, to + 1)
        .map((at) => terms[at]?.join(BETWEEN_TERMS))
        .join(BETWEEN_WORDS);
      const match = pattern.exec(span);
      if (match === null) continue;
      const captured =
        match[1]
          ?.split(BETWEEN_TERMS)
          .filter((piece) => piece !== "")
          .join(" ") ?? null;
      found.push(`${first}+${last - first + 1} ${captured}`);
    }
  }
  return found;
}

function sequencesOf(condition: Condition): InputSequence[] {
  switch (condition.kind) {
    case "sequence":
      return [condition.sequence];
    case "and":
    case "or":
      return condition.parts.flatMap(sequencesOf);
    case "not":
      return sequencesOf(condition.part);
  }
}

function slowHolds(condition: Condition, words: readonly UserWord[]): boolean {
  switch (condition.kind) {
    case "sequence":
      return slowPlaces(condition.sequence, words).length > 0;
    case "and":
      return condition.parts.every((part) => slowHolds(part, words));
    case "or":
      return condition.parts.some((part) => slowHolds(part, words));
    case "not":
      return !slowHolds(condition.part, words);
  }
}

// ---- texts and queries of few letters, so that they meet

const simpleWord = fc.constantFrom("a", "b", "ab", "ba", "aab", "a-b", "b-a", "B", "ä", "a-b-a");
const queryWord = fc.oneof(
  { weight: 8, arbitrary: simpleWord.map((text) => plainWord(text)) },
  { weight: 1, arbitrary: fc.constant(plainWord("&")) },
  {
    weight: 1,
    arbitrary: fc
      .array(simpleWord, { minLength: 1, maxLength: 2 })
      .map((words): UserWord => ({ text: words.join(" "), words, isPhrase: true, glued: null })),
  },
);
const query = fc.array(queryWord, { maxLength: 6 });

const sequence = fc
  .record({
    words: fc.array(simpleWord, { minLength: 1, maxLength: 3 }),
    wildcard: fc.constantFrom("none", "none", "before", "behind"),
    place: fc.nat(2),
    start: fc.boolean(),
    end: fc.boolean(),
    bounded: fc.boolean(),
  })
  .map(({ words, wildcard, place, start, end, bounded }) => {
    const at = place % words.length;
    const text = words
      .map((word, position) => (wildcard === "before" && position === at ? `*${word}` : word))
      .join(" ");
    const opening = bounded && start && !text.startsWith("*") ? '"' : "";
    if (wildcard === "behind") return `${opening}${text}*`;
    return `${opening}${text}${bounded && end ? '"' : ""}`;
  });

const { boolean } = fc.letrec<{ boolean: string; one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 2 },
    sequence,
    sequence.map((text) => `NOT ${text}`),
    fc.tuple(fc.constantFrom("", "NOT "), tie("boolean")).map(([not, text]) => `${not}(${text})`),
  ),
  boolean: fc
    .tuple(fc.array(tie("one"), { minLength: 2, maxLength: 3 }), fc.constantFrom(" AND ", " OR "))
    .map(([parts, operator]) => parts.join(operator)),
}));

function rulesOf(text: string): readonly ParsedRule[] {
  const read = parseRules(text);
  if (!read.ok) throw new Error(`${text}\n${JSON.stringify(read.problems)}`);
  return read.value.rules;
}

test("inputs are found where the slow search finds them (1)", () => {
  let places = 0;
  forAll(runs(500), fc.array(sequence, { minLength: 1, maxLength: 8 }), query, (inputs, words) => {
    const rules = rulesOf(inputs.map((input) => `${input} =>`).join("\n"));
    const compiled = compileRules({ rules }, ANALYZER);
    const found = findSequences(compiled, termsOf(words, ANALYZER));
    rules.forEach(({ condition }, number) => {
      const own = found
        .filter((match) => match.sequence === number)
        .map(({ first, count, captured }) => `${first}+${count} ${captured}`);
      const slow = sequencesOf(condition).flatMap((one) => slowPlaces(one, words));
      expect(own.toSorted()).toEqual(slow.toSorted());
      places += slow.length;
    });
  });
  expect(places).toBeGreaterThan(100);
});

test("conditions hold when their parts do (2)", () => {
  let acted = 0;
  forAll(runs(400), fc.array(fc.oneof(sequence, boolean), { minLength: 1, maxLength: 5 }), query, (inputs, words) => {
    const rules = rulesOf(inputs.map((input) => `${input} =>\n UP: x`).join("\n"));
    const { applied } = applyRules(compileRules({ rules }, ANALYZER), words);
    const isEmpty = words.every((word) => word.text === "&");
    const slow = isEmpty ? [] : rules.filter(({ condition }) => slowHolds(condition, words));
    expect(applied.map(({ line }) => line)).toEqual(slow.map(({ line }) => line));
    acted += slow.length;
  });
  expect(acted).toBeGreaterThan(100);
});

// ---- documents

type Edge = { readonly from: number; readonly to: number; readonly words: readonly string[] };

/** A document has a word anywhere, and several words side by side. */
function has(document: readonly string[], words: readonly string[]): boolean {
  const terms = words.flatMap((word) => ANALYZER.terms(word));
  return document.some((_, at) => terms.every((term, step) => document[at + step] === term));
}

function edgesOf({ words, alternatives }: Rewritten): Edge[] {
  return [
    ...words.map((word, at): Edge => ({ from: at, to: at + 1, words: word.words })),
    ...alternatives.map((one): Edge => ({ from: one.first, to: one.first + one.count, words: one.words })),
  ];
}

function matches(edges: readonly Edge[], end: number, document: readonly string[]): boolean {
  const reached = [true];
  for (let at = 0; at < end; at++) {
    if (reached[at] !== true) continue;
    for (const { from, to, words } of edges) if (from === at && has(document, words)) reached[to] = true;
  }
  return reached[end] === true;
}

const term = fc.constantFrom("a", "b", "ab", "ba", "x", "y", "z");
const documents = fc.array(fc.array(term, { maxLength: 6 }), { minLength: 1, maxLength: 12 });
const plainQuery = fc.array(fc.constantFrom("a", "b", "ab", "ba"), { minLength: 1, maxLength: 5 });
const synonymRule = fc.record({
  input: fc.array(fc.constantFrom("a", "b", "ab", "ba"), { minLength: 1, maxLength: 3 }),
  synonyms: fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  deleted: fc.constantFrom("none", "all", "first"),
});

test("any mix of substitutions matches more, and the lattice is all mixes (3)", () => {
  let plainMatches = 0;
  let onlyBySynonym = 0;
  forAll(
    runs(300),
    fc.array(synonymRule, { minLength: 1, maxLength: 5 }),
    plainQuery,
    documents,
    fc.infiniteStream(fc.boolean()),
    (rules, typed, all, coins) => {
      const text = rules
        .map(({ input, synonyms }) =>
          [`${input.join(" ")} =>`, ...synonyms.map((words) => `SYNONYM: ${words.join(" ")}`)].join("\n"),
        )
        .join("\n");
      const words = typed.map((word) => plainWord(word));
      const result = applyRules(compileRules({ rules: rulesOf(text) }, ANALYZER), words);
      const edges = edgesOf(result);
      const plain = edges.slice(0, typed.length);
      const some = [...plain, ...edges.slice(typed.length).filter(() => coins.next().value)];

      // Substitutions one by one: at a place either the word, or a synonym of a rule whose input stands there.
      const mixes = (at: number, document: readonly string[]): boolean => {
        if (at === typed.length) return true;
        if (has(document, [typed[at] ?? ""]) && mixes(at + 1, document)) return true;
        return rules.some(({ input, synonyms }) =>
          typed.some((_, first) => {
            if (!input.every((word, step) => typed[first + step] === word)) return false;
            return synonyms.some((own) => {
              const isForEach = own.length === 1 && input.length > 1;
              const [from, to] = isForEach ? [at, at + 1] : [first, first + input.length];
              return (
                from === at && at >= first && at < first + input.length && has(document, own) && mixes(to, document)
              );
            });
          }),
        );
      };
      for (const document of all) {
        const plainMatch = matches(plain, typed.length, document);
        const someMatch = matches(some, typed.length, document);
        const allMatch = matches(edges, typed.length, document);
        expect(plainMatch).toBe(typed.every((word) => has(document, [word])));
        if (plainMatch) expect(someMatch).toBe(true);
        if (someMatch) expect(allMatch).toBe(true);
        expect(allMatch).toBe(mixes(0, document));
        if (plainMatch) plainMatches++;
        else if (allMatch) onlyBySynonym++;
      }
    },
  );
  expect(plainMatches).toBeGreaterThan(20);
  expect(onlyBySynonym).toBeGreaterThan(20);
});

test("what is left stays in order, alternatives within it (4)", () => {
  let standIns = 0;
  let alternatives = 0;
  forAll(runs(400), fc.array(synonymRule, { minLength: 1, maxLength: 5 }), query, (rules, words) => {
    const text = rules
      .flatMap(({ input, synonyms, deleted }) => [
        `${input.join(" ")} =>`,
        ...synonyms.map((own) => `SYNONYM: ${own.join(" ")}`),
        ...(deleted === "none" ? [] : [deleted === "all" ? "DELETE" : `DELETE: ${input[0]}`]),
      ])
      .join("\n");
    const result = applyRules(compileRules({ rules: rulesOf(text) }, ANALYZER), words);
    let at = 0;
    for (const word of result.words) {
      expect(word.words.length).toBeGreaterThan(0);
      if (word.standsIn) {
        standIns++;
        continue;
      }
      while (at < words.length && words[at]?.text !== word.text) at++;
      expect(at++).toBeLessThan(words.length);
    }
    alternatives += result.alternatives.length;
    for (const { first, count, words: own } of result.alternatives) {
      expect(own.length).toBeGreaterThan(0);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(count).toBeGreaterThanOrEqual(1);
      expect(first + count).toBeLessThanOrEqual(result.words.length);
    }
    const acted = result.applied.length > 0;
    if (!acted) expect(result.words.map((word) => word.text)).toEqual(words.map((word) => word.text));
  });
  expect(standIns).toBeGreaterThan(20);
  expect(alternatives).toBeGreaterThan(20);
});
