/**
 * The contract's schema (zod) and the decoder (by hand, because it is fast) are two statements of one thing.
 *
 *  1. For random documents, most of them nearly right, both say the same: valid or not.
 *  2. The random documents are not all valid and not all invalid (the property would prove nothing).
 *  3. What the built-in preset rejects beyond the schema is a value that is no number in a number field.
 */
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG, Product } from "../../src/interface/index.ts";
import { fieldsOnly } from "./support/configs.ts";
import { forAll } from "../support/property.ts";

const runs = inject("long") ? 50_000 : 1_000;

/** No number fields, so that only structure decides. */
const STRUCTURE_ONLY = fieldsOnly([], { catchAll: true });

const anything = fc.oneof(fc.jsonValue(), fc.constantFrom("", " ", "x", 5, true, null, [], {}));
/** Mostly `arbitrary`, sometimes anything or nothing at all. */
function nearly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: anything });
}
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("a", "\u00a0", "\ud800", "ä".repeat(256), "ä".repeat(257)),
);
/** Longer than a name may be, which is a limit of the decoder alone. */
const id = fc.oneof(text, fc.constantFrom("x".repeat(513), ".", "..", 2 ** 53 - 1, 2 ** 53, -(2 ** 53)), fc.integer());
const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const attribute = fc.record(
  { name: nearly(text), value: nearly(scalar), code: nearly(text) },
  { requiredKeys: ["name", "value"] },
);
const category = fc.record({ id: nearly(text), name: nearly(text) }, { requiredKeys: ["name"] });
const path = fc.array(nearly(category), { maxLength: 3 });
const row = {
  id: nearly(id),
  data: nearly(
    fc.dictionary(
      text.filter((name) => name !== "__proto__"),
      nearly(fc.oneof(scalar, attribute, path)),
      { maxKeys: 3 },
    ),
  ),
  attributes: nearly(fc.array(nearly(attribute), { maxLength: 3 })),
  categories: nearly(fc.array(nearly(path), { maxLength: 2 })),
};
const variant = fc.record(row, { requiredKeys: [] });
const product = fc.record(
  { ...row, variants: nearly(fc.array(nearly(variant), { maxLength: 2 })) },
  { requiredKeys: ["id", "data"] },
);

test("1, 2. schema and decoder agree", () => {
  const plan = compileFieldPlan(STRUCTURE_ONLY, "en");
  const counts = { valid: 0, invalid: 0 };
  forAll(runs, nearly(product), (generated) => {
    const sent: unknown = JSON.parse(JSON.stringify(generated) ?? "null");
    const outcome = plan.read(sent, new Uint8Array());
    const schema = Product.safeParse(sent);
    if ((outcome.status !== "rejected") !== schema.success) {
      const reason = outcome.status === "rejected" ? outcome.reason : schema.error?.message;
      throw new Error(`decoder ${outcome.status}, schema ${schema.success}: ${reason}`);
    }
    counts[schema.success ? "valid" : "invalid"]++;
  });
  expect(counts.valid).toBeGreaterThan(runs / 10);
  expect(counts.invalid).toBeGreaterThan(runs / 10);
});

test("3. beyond the schema", () => {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  forAll(runs, product, fc.oneof(text, fc.integer()), (generated, price) => {
    const sent = JSON.parse(JSON.stringify(generated)) as { data: unknown };
    if (!Product.safeParse(sent).success) return;
    const outcome = plan.read({ ...sent, variants: null, data: { title: "x", price } }, new Uint8Array());
    if (outcome.status === "rejected") {
      expect(outcome.reason).toMatch(/^(data|attributes).*must be a number/);
    }
  });
});
