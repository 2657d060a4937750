/**
 * Documents shown without objects (src/index-engine/documents/show-text.ts):
 * 1. are the bytes of those shown through objects, whatever is stored and configured;
 * 2. are most documents of usual shapes;
 * 3. whatever names documents have, they are the bytes of 1, found as fast, and little memory is kept of them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { GrowableU32 } from "../../src/index-engine/base/bytes.ts";
import { compileFieldPlan } from "../../src/index-engine/documents/compile.ts";
import { parseDocument } from "../../src/index-engine/documents/json.ts";
import { RuleBook } from "../../src/index-engine/documents/rules.ts";
import { TextShower } from "../../src/index-engine/documents/show-text.ts";
import { BUILT_IN_INDEX_CONFIG, type IndexConfig } from "../../src/interface/index.ts";
import { mulberry32 } from "../support/mulberry32.ts";
import { runs } from "../support/property.ts";
import { fieldOf, fieldsOnly } from "./support/configs.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const BARE = fieldsOnly([
  fieldOf("title", { level: "both", sourceNames: ["name"] }),
  fieldOf("price", { level: "both", type: "number" }),
  fieldOf("image", { level: "both", type: "raw", sourceNames: ["size"] }),
  fieldOf("stock", { level: "both", usages: ["Score"] }),
  fieldOf("group", { level: "both", type: "category", sourceNames: ["colour"] }),
]);
const CONFIGS: readonly IndexConfig[] = [
  BUILT_IN_INDEX_CONFIG,
  BARE,
  { ...BARE, catchAll: true },
  { ...BARE, processors: BUILT_IN_INDEX_CONFIG.processors },
  { ...BARE, dynamicFields: [fieldOf("any", { level: "both", sourceNames: ["^c"] })], catchAll: true },
  { ...BARE, fields: [...BARE.fields, fieldOf("brand", { level: "both", isPrivate: true })], catchAll: true },
];

const NAMES = "title name price image size stock colour brand ü 7 7G c".split(" ");

const text = fc.constantFrom(
  "Shoe",
  "",
  " ",
  "Größe 42",
  " x",
  "\u00a0",
  'a"b',
  "\\",
  "\n",
  "a\tb",
  "\u0001",
  "€ 5",
  "A/B",
  "12",
  "😀",
);
const number = fc.constantFrom(..."0 5 -3 12.5 0.001 1.50 1e3 -0 1e-7 1234567890123456".split(" "));
const scalar = fc.oneof(
  { weight: 5, arbitrary: text.map((one) => JSON.stringify(one)) },
  { weight: 3, arbitrary: number },
  fc.constantFrom("true", "false", "null"),
);
const list = fc.array(scalar, { maxLength: 3 }).map((items) => `[${items.join(" , ")}]`);
const member = (names: readonly string[], value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...names), value).map(([name, one]) => `"${name}" :${one}`);
const object = (of: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...of).map((members) => `{ ${members.filter((one) => one !== "").join(",")} }`);
const attribute = object([
  member(
    ["name"],
    fc.constantFrom(...NAMES).map((name) => `"${name}"`),
  ),
  member(["value"], scalar),
  fc.oneof(
    fc.constant(""),
    member(
      ["code", "id"],
      fc.oneof(
        number,
        text.map((one) => JSON.stringify(one)),
      ),
    ),
  ),
]);
const category = object([
  fc.oneof(fc.constant(""), member(["id"], scalar)),
  member(
    ["name"],
    text.map((one) => JSON.stringify(one)),
  ),
]);
const path = fc.array(category, { maxLength: 3 }).map((nodes) => `[${nodes.join(",")}]`);
const listOf = (one: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(one, { maxLength: 4 }).map((all) => `[ ${all.join(",")} ]`) },
    fc.constant("null"),
  );
const value = fc.oneof({ weight: 8, arbitrary: scalar }, list, attribute, path);
const document = fc
  .tuple(
    member(["id"], fc.constantFrom('"A1"', "17", "12345678901234567")),
    member(
      ["data"],
      fc.array(member(NAMES, value), { maxLength: 5 }).map((all) => `{${all.join(",")}}`),
    ),
    fc.oneof(fc.constant(""), member(["attributes"], listOf(attribute))),
    fc.oneof(fc.constant(""), member(["categories"], listOf(path))),
    fc.oneof(fc.constant(""), member(["variants", "other"], fc.constant('[{"data":{"price":1}}]'))),
  )
  .chain((members) => fc.shuffledSubarray(members, { minLength: members.length }))
  .map((members) => `{${members.filter((one) => one !== "").join(",\n")}}`)
  // No text has such a character.
  .chain((spaced) => fc.constantFrom(spaced, spaced.replaceAll(/\s*([[\]{}:,])\s*/g, "$1")));

test("1: the same bytes", () => {
  const plans = CONFIGS.map((config) => compileFieldPlan(config, "en"));
  let [compared, copied] = [0, 0];
  const showers = CONFIGS.map((config) => TextShower.of(new RuleBook(config), config));
  fc.assert(
    fc.property(document, (json) => {
      const bytes = encoder.encode(json);
      plans.forEach((plan, i) => {
        let expected: string;
        try {
          expected = JSON.stringify(plan.show(parseDocument(json), null));
        } catch {
          // Never stored: the import rejects it.
          return;
        }
        compared++;
        if ((showers[i]?.show(bytes) ?? null) !== null) copied++;
        expect(decoder.decode(plan.showJson(bytes, null))).toBe(expected);
      });
    }),
    { numRuns: runs(3_000, 600), seed: 20_261_125 },
  );
  expect(copied).toBeGreaterThan(compared / 10);
});

test("1: malformed UTF-8", () => {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const random = mulberry32(5);
  for (let round = 0; round < 3_000; round++) {
    const bytes = encoder.encode('{"id":"A1","data":{"title":"Gr\u00f6\u00dfe \u20ac \ud83d\ude00 42"}}');
    const at = 30 + Math.floor(random() * 16);
    bytes[at] = 128 + Math.floor(random() * 128);
    const expected = JSON.stringify(plan.show(parseDocument(decoder.decode(bytes)), null));
    expect([...plan.showJson(bytes, null)]).toEqual([...encoder.encode(expected)]);
  }
});

test("2: usual documents", () => {
  const shower = TextShower.of(new RuleBook(BUILT_IN_INDEX_CONFIG), BUILT_IN_INDEX_CONFIG);
  const shown = shower?.show(
    encoder.encode(
      JSON.stringify({
        id: "A1",
        data: { title: "Laufschuh für Größe 42", price: 99.95, sizes: ["41", "42"], isNew: true },
        attributes: [
          { name: "width", value: 12, code: "w" },
          { name: "colour", value: "red" },
          { name: "colour", value: "blue" },
        ],
        categories: [
          [
            { id: "1", name: "Men" },
            { id: "2", name: "Shoes" },
          ],
        ],
      }),
    ),
  );
  expect(JSON.parse(decoder.decode(shown ?? undefined))).toMatchObject({
    id: "A1",
    data: {
      title: "Laufschuh für Größe 42",
      price: 99.95,
      sizes: ["41", "42"],
      isNew: "true",
      width: { name: "width", code: "w", value: "12" },
      colour: [{ value: "red" }, { value: "blue" }],
      category: ["Men/Shoes"],
    },
  });
});

const PRIME = 0x01000193;
const BLOCK = 8;

/** Names of equal length, bytes and FNV-1a hash: 2^pairs of them, each of `pairs` blocks that collide in pairs. */
function collidingNames(pairs: number): string[] {
  const random = mulberry32(7);
  const letter = (): string => String.fromCharCode(97 + Math.floor(random() * 26));
  const blockOf = (): string => Array.from({ length: BLOCK }, letter).join("");
  let hash = BLOCK * pairs;
  let names = [""];
  for (let pair = 0; pair < pairs; pair++) {
    const seen = new Map<number, string>();
    for (;;) {
      const block = blockOf();
      let next = hash;
      for (const byte of encoder.encode(block)) next = Math.imul(next ^ byte, PRIME);
      const other = seen.get(next);
      if (other === undefined || other === block) {
        seen.set(next, block);
        continue;
      }
      names = names.flatMap((name) => [name + other, name + block]);
      hash = next;
      break;
    }
  }
  return names;
}

function documentOf(names: readonly string[]): Uint8Array {
  const data = Object.fromEntries(names.map((name) => [name, "x"]));
  return encoder.encode(JSON.stringify({ id: "A1", data }));
}

test("3: names whose hashes are equal", () => {
  const alike = collidingNames(12);
  const others = alike.map((_, i) => `name-${i}`.padEnd(BLOCK * 12, "y"));
  // Each candidate's hash is read before it is compared.
  const reads = vi.spyOn(GrowableU32.prototype, "at");
  try {
    const [hostile, ordinary] = [alike, others].map((names) => {
      const shower = TextShower.of(new RuleBook(BUILT_IN_INDEX_CONFIG), BUILT_IN_INDEX_CONFIG);
      reads.mockClear();
      expect(shower?.show(documentOf(names))).not.toBeNull();
      return reads.mock.calls.length;
    });
    expect(ordinary).toBeGreaterThan(0);
    // Not thousands of others for each name.
    expect(hostile).toBeLessThan(2 * ordinary);
  } finally {
    reads.mockRestore();
  }
});

test("3: names without end", () => {
  const plan = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const shower = TextShower.of(new RuleBook(BUILT_IN_INDEX_CONFIG), BUILT_IN_INDEX_CONFIG);
  let copied = 0;
  for (let i = 0; i < 60; i++) {
    const names = Array.from({ length: 500 }, (_, j) => `n${i * 500 + j}`.padEnd(i % 7 === 0 ? 400 : 9, "z"));
    const source = documentOf(names);
    const expected = JSON.stringify(plan.show(parseDocument(decoder.decode(source)), null));
    const shown = shower?.show(source) ?? null;
    if (shown === null) continue;
    copied++;
    expect(decoder.decode(shown)).toBe(expected);
  }
  expect(copied).toBeGreaterThan(50);
});

test("3: what is kept of large documents", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const keptBytes = async (): Promise<number> => {
    // What was let go in this turn is freed after it.
    for (let i = 0; i < 3; i++) {
      await new Promise(setImmediate);
      collect();
    }
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    return arrayBuffers + heapUsed;
  };
  const shower = TextShower.of(new RuleBook(BUILT_IN_INDEX_CONFIG), BUILT_IN_INDEX_CONFIG);
  const large = encoder.encode(JSON.stringify({ id: "A1", data: { list: Array(300_000).fill("x") } }));
  const names = Array.from({ length: 38 }, (_, i) =>
    documentOf(Array.from({ length: 1_000 }, (__, j) => `n${i}-${j}`.padEnd(500, "z"))),
  );
  shower?.show(documentOf(["a"]));
  const before = await keptBytes();
  expect(shower?.show(large)).not.toBeNull();
  // The places of its quotes and commas take 7 MB.
  expect((await keptBytes()) - before).toBeLessThan(2_000_000);
  for (const source of names) shower?.show(source);
  // Their names take 19 MB.
  expect((await keptBytes()) - before).toBeLessThan(8_000_000);
});
