// The `categories` member is kept back however a private field of categories is spelt (docs/security.md "Private
// fields"): nothing that a document is read into or shown as has it.
import { test } from "vitest";
import { compileFieldPlan, parseDocument } from "../../src/index-engine/documents/index.ts";
import { indexOf } from "./support/little-shop.ts";

const SENT = JSON.stringify({ id: "1", data: { title: "lamp" }, categories: [[{ name: "Secret", id: "9" }]] });

const CONFIGURED: readonly (readonly Readonly<Record<string, unknown>>[])[] = [
  [{ name: "category", type: "category", private: true }],
  [{ name: "categories", type: "category", private: true }],
  [{ name: "foo", type: "category", "source-names": ["categories"], private: true }],
  [
    { name: "shopcat", type: "category", usage: ["Facet", "Result"] },
    { name: "dept", type: "category", private: true },
  ],
  [{ name: "categories", private: true }],
  [{ name: "category", private: true }],
];

test.for(CONFIGURED)("private categories: %j", (...[fields, { expect }]) => {
  const plan = compileFieldPlan(indexOf({ "field-configuration": { fields } }), "en");
  const document = parseDocument(SENT);
  const outcome = plan.read(document, new TextEncoder().encode(SENT));
  if (outcome.status !== "indexable") throw new Error(outcome.status);
  const { source: _, ...product } = outcome.product;
  expect(JSON.stringify(product)).not.toMatch(/secret/i);
  const stored: unknown = JSON.parse(SENT);
  for (const shown of [plan.show(stored, null), plan.whole(stored), plan.public(stored)]) {
    expect(JSON.stringify(shown)).not.toMatch(/secret/i);
  }
});
