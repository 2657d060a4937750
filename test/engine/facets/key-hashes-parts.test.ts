// Hashes of the keys of a facet (src/index-engine/answer/facets/key-hashes.ts) are read in parts, once per segment:
// others run in between, two searches go on with it in turn, and both have all hashes.
import { expect, test } from "vitest";
import { hashText } from "../../../src/index-engine/answer/facets/index.ts";
import { keyHashes } from "../../../src/index-engine/answer/facets/key-hashes.ts";
import { work, type Parts } from "../../../src/index-engine/base/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { BUILT_IN_INDEX_CONFIG } from "../../../src/interface/index.ts";
import { documentSegment } from "../support/indexing.ts";

const VALUES = 40_000;
const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");

test("hashes in parts", () => {
  const brands = Array.from({ length: VALUES }, (_, i) => `maker ${i}`);
  const documents = [0, 1, 2, 3].map((part) => {
    const brand = brands.slice((part * VALUES) / 4, ((part + 1) * VALUES) / 4);
    return { id: String(part), data: { title: "shoe", brand } };
  });
  const segment = documentSegment(documents, fields);
  const field = segment.facets.field("brand", "term");
  if (field === null) throw new Error("no brands");
  const begun = (): Parts<Uint32Array> => work.inParts(keyHashes(segment, field), { steps: 100_000 });
  const both = [begun(), begun()];
  let turns = 0;
  const found: Uint32Array[] = [];
  for (let open = both; open.length > 0;) {
    open = open.filter((one) => {
      const step = one.next();
      if (step.done === true) found.push(step.value);
      else turns++;
      return step.done !== true;
    });
  }
  expect(turns).toBeGreaterThan(1);
  const expected = brands.map((brand) => hashText(brand)).sort((a, b) => a - b);
  for (const hashes of found) expect([...hashes].sort((a, b) => a - b)).toEqual(expected);
  expect(begun().next().done).toBe(true);
});
