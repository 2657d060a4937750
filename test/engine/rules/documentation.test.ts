// 1. Every rules text in docs/rules.md can be read.
// 2. The mistakes it shows are those that are told.
// 3. The limits it names are those of the table.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRules } from "../../../src/index-engine/query/rules/index.ts";
import { LIMITS } from "../../../src/interface/index.ts";
import { problemsOf } from "./support.ts";

const PAGE = readFileSync(new URL("../../../docs/rules.md", import.meta.url), "utf8");

function blocks(language: string): string[] {
  return [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map((match) => match[1] ?? "");
}

test("examples (1)", () => {
  expect(blocks("rules").length).toBeGreaterThan(6);
  for (const block of blocks("rules")) {
    expect(problemsOf(block)).toEqual([]);
    const read = parseRules(block);
    // An example that does nothing explains nothing.
    for (const rule of read.ok ? read.value.rules : []) expect(rule.instructions).not.toEqual([]);
  }
});

test("mistakes (2)", () => {
  const [broken = ""] = blocks("broken");
  const [problems = ""] = blocks("problems");
  expect(problemsOf(broken).map((problem) => problem.replace(/^(\d+):(\d+) /, "line $1, column $2: "))).toEqual(
    problems.trim().split("\n"),
  );
});

test("limits (3)", () => {
  expect(PAGE).toContain(`at most ${LIMITS.rules.value.toLocaleString("en")} rules and 1 MB`);
  expect(LIMITS.configurationBytes.value).toBe(2 ** 20);
  expect(PAGE).toContain(`phrases at most ${LIMITS.ruleWords.value} words`);
});
