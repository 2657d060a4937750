/**
 * Compounds of documents, from the configuration to the search (WordSplitterDataProcessor):
 *
 * 1. Parts are found in the target field: in one segment, one by one, over shards, whatever else is in the index and
 *    whatever its language.
 * 2. A PATCH makes the target anew; the number of what is patched at once changes nothing.
 */
import { expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { indexOf, LittleShop, type Source } from "../support/little-shop.ts";

const config = indexOf({
  "data-processor-configuration": {
    processors: ["WordSplitterDataProcessor"],
    configuration: {
      "[de.cxp.ocs.preprocessor.impl.WordSplitterDataProcessor]": {
        fieldName: "title_words",
        "fields.0": "title",
        "fields.1": "material",
        words: "Zauberwuz",
      },
    },
  },
  "field-configuration": {
    fields: {
      // Not searched itself: what is found is found by its words.
      title: { usage: ["Result"] },
      title_words: { usage: ["Search", "Result"] },
    },
  },
});

const documents: Source[] = [
  { id: "shelf", data: { title: "Bücherregal weiß" } },
  { id: "book", data: { title: "Kochbuch" } },
  { id: "shoe", data: { title: "Laufschuhe", material: ["Baumwollstoff", "Leder"] } },
  { id: "glove", data: { title: "Lederhandschuhe" } },
  { id: "sock", data: { title: "Zauberwuzsocken" } },
];

test("1: parts are found", () => {
  const shop = new LittleShop(documents, config);
  const found = (q: string): string => shop.ids(`q=${q}`);
  expect(found("regal")).toBe("shelf");
  expect(found("schuhe")).toBe("shoe");
  expect(found("handschuhe")).toBe("glove");
  expect(found("leder").split(" ").toSorted()).toEqual(["glove", "shoe"]);
  expect(found("stoff")).toBe("shoe");
  expect(found("socken")).toBe("sock");
  expect(found("buch")).toBe("book");
  // The other products of an index do not matter.
  for (const { id, data } of documents) {
    const alone = new LittleShop([{ id, data }], config);
    const shown = (one: LittleShop): unknown =>
      one
        .ask("")
        .slices.flatMap(({ hits }) => hits)
        .find(({ document }) => document.id === id)?.document;
    expect(shown(alone)).toEqual(shown(shop));
  }
});

test("2: a PATCH makes the words anew", () => {
  const plan = compileFieldPlan(config, "de");
  const merged = plan.merge(documents[2], { id: "shoe", data: { title: "Wanderstiefel" } });
  if (!merged.ok) throw new Error(merged.reason);
  expect(plan.show(merged.document, null).data).toMatchObject({
    title: "Wanderstiefel",
    title_words: "Wander stiefel Baumwolle stoff Leder",
  });
  const outcome = plan.read(merged.document, new Uint8Array());
  if (outcome.status !== "indexable") throw new Error(outcome.status);
  expect(outcome.product.texts).toEqual([{ field: "title_words", text: "Wander stiefel Baumwolle stoff Leder" }]);
});
