// Sources of hits that are kept in memory:
//  1. what is kept is what was added, with the same numbers in it, and never more than its bytes
//  2. a page whose documents have every size, published, in the log or patched, shows them as they are, also the second time
import { describe, test } from "vitest";
import { HotSources } from "../../src/objects/shard/state/index.ts";
import { apply, importAll, read, searchFor, uniqueName } from "./support/index.ts";

const MOST_BYTES = 2 * 2_097_152 + 2 * 16_384;

describe("what is kept (1)", () => {
  const at = (offset: number, numbers?: ReadonlyMap<string, number>) => ({
    block: "b",
    chunk: 1,
    offset,
    ...(numbers !== undefined && { numbers }),
  });

  test("has the numbers of the place it is asked for", ({ expect }) => {
    const hot = new HotSources();
    const cheap = new Map([["price", 1]]);
    hot.add(at(4), { text: "{}", sizeBytes: 2 });
    hot.add(at(8, cheap), { text: '{"p":1}', sizeBytes: 7 });
    expect(hot.get(at(4))?.text).toBe("{}");
    expect(hot.get(at(4, cheap))).toBeNull();
    expect(hot.get(at(8, cheap))?.text).toBe('{"p":1}');
    expect(hot.get(at(8, new Map(cheap)))).toBeNull();
    expect(hot.get(at(8))).toBeNull();
    expect(hot.get(at(12))).toBeNull();
  });

  test("is bounded, and what is asked for stays", ({ expect }) => {
    const hot = new HotSources();
    const text = "é".repeat(2_000);
    for (let i = 0; i < 3_000; i++) {
      hot.add(at(i), { text, sizeBytes: 4_000 });
      expect(hot.get(at(0))).not.toBeNull();
      expect(hot.sizeBytes).toBeLessThan(MOST_BYTES);
    }
    expect(hot.get(at(1))).toBeNull();
    hot.add(at(5_000), { text: "x".repeat(9_000), sizeBytes: 9_000 });
    expect(hot.get(at(5_000))).toBeNull();
  });
});

test("2: a page of all sizes", async ({ expect }) => {
  const name = uniqueName("sizes");
  const sizes = [0, 1_900, 1_950, 2_000, 2_050, 7_990, 8_060, 8_120, 8_190, 8_260, 33_000];
  const product = (size: number, word: string, price: number) => ({
    id: `p${size}`,
    data: {
      title: `shoe ${size}`,
      price,
      text: `-${`${word} é `.repeat(size / (word.length + 4))}`,
    },
  });
  const expected = new Map(sizes.map((size) => [`p${size}`, product(size, "first", 5)]));
  await importAll(name, [...expected.values()]);
  const check = async (): Promise<void> => {
    for (let turn = 0; turn < 2; turn++) {
      const { slices } = await searchFor(name, "shoe");
      expect(slices[0]?.hits.length).toBe(sizes.length);
      for (const { document } of slices[0]?.hits ?? []) {
        const data = expected.get(document.id)?.data;
        expect(document.data).toMatchObject(data ?? {});
        expect(await read(name, document.id)).toEqual(data);
      }
    }
  };
  await check();
  for (const price of [6, 7]) {
    for (const size of sizes) expected.set(`p${size}`, product(size, "first", price));
    const documents = sizes.map((size) => ({ id: `p${size}`, data: { price } }));
    await apply(name, { kind: "patch", documents });
    await check();
  }
  for (const word of ["second", "third"]) {
    const documents = sizes.filter((_, i) => i % 2 === 0).map((size) => product(size, word, 8));
    for (const one of documents) expected.set(one.id, one);
    await apply(name, { kind: "put", documents });
    await check();
  }
});
