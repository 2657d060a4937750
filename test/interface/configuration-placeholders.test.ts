/**
 * Placeholders in configuration files:
 *
 * 1. What stands for what: keys of the file, defaults, nested ones, nothing.
 * 2. What refers to itself, or grows beyond all measure, is refused with its path. Nothing is made before it is counted.
 * 3. Texts without placeholders stay as they are.
 */
import fc from "fast-check";
import { describe, test } from "vitest";
import { LIMITS, withoutPlaceholders } from "../../src/interface/index.ts";
import { forAll, runs } from "../support/property.ts";

const FILE = {
  suggest: { locale: "en", "group.key": "type", limit: 8, enable: true },
  "index-name": "shop",
  list: ["a", { b: "c" }],
  twice: "${indexName}-${suggest.locale}",
};

function filled(text: string): unknown {
  const [document] = withoutPlaceholders([{ ...FILE, text }]).documents;
  return (document as { readonly text: unknown }).text;
}

describe("placeholders", () => {
  test.for([
    ["${suggest.locale}", "en"],
    ["${suggest.group.key}", "type"],
    ["${index_name}/${suggest.limit}/${suggest.enable}", "shop/8/true"],
    ["${list[1].b}", "c"],
    ["${twice}", "shop-en"],
    ["${NONE:default}", "default"],
    ["a ${NONE:} b", "a  b"],
    ["${URL:http://x:80/}", "http://x:80/"],
    ["${NONE:${OTHER:${suggest.locale}}}", "en"],
    ["${NONE:{}}", "{}"],
    ["${suggest.${WHICH:locale}}", "en"],
    ["${suggest}", "${suggest}"],
    ["${NONE}", "${NONE}"],
    ["\\${suggest.locale}", "\\${suggest.locale}"],
    ["${open", "${open"],
    ["${open ${suggest.locale}", "${open ${suggest.locale}"],
    ["\\${a} ${suggest.locale}", "\\${a} en"],
    ["$suggest.locale {}", "$suggest.locale {}"],
  ])("1: %s is %s", ([text = "", expected], { expect }) => {
    expect(filled(text)).toBe(expected);
  });

  test("1: what has no value is named, groups of replacements are not", ({ expect }) => {
    const { documents, warnings } = withoutPlaceholders([
      { ocs: { tenants: [{ name: "${A}" }] } },
      { name_replacement: "${group}", b: "${ocs.tenants[0].name}${c}", c: 1 },
    ]);
    expect(documents[1]).toEqual({ name_replacement: "${group}", b: "${A}1", c: 1 });
    expect(warnings.map(({ path }) => path)).toEqual(["ocs.tenants[0].name", "b"]);
    expect(warnings[0]?.message).toContain("${A} has no value here");
  });

  test("1: of several documents the last has the value", ({ expect }) => {
    expect(withoutPlaceholders([{ a: 1, b: "${a}" }, { a: 2 }]).documents[0]).toEqual({ a: 1, b: "2" });
  });

  test("2", ({ expect }) => {
    const errors = (document: unknown): unknown => withoutPlaceholders([document]).errors.map(({ path }) => path);
    expect(errors({ a: "${b}", b: "x${c}", c: "${a}", d: 1 })).toEqual(["a", "b", "c"]);
    expect(errors({ a: "${a:1}" })).toEqual(["a"]);
    const doubling = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, `\${k${i + 1}}\${k${i + 1}}`]));
    expect(errors({ ...doubling, k40: "0123456789".repeat(10) })).not.toEqual([]);
    // No characters come of it, but more names than there are atoms.
    const chain = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, `\${k${i + 1}}\${k${i + 1}}`]));
    expect(errors({ ...chain, k2000: "" })).not.toEqual([]);
    expect(errors({ a: "${x:".repeat(500) + "}".repeat(500) })).toEqual(["a"]);
    const open = { a: "${".repeat(200_000), b: `\${${".".repeat(200_000)}}` };
    expect(withoutPlaceholders([open])).toMatchObject({ documents: [open], errors: [] });
    const many = Array.from({ length: 2_000 }, (_, i) => `\${n${i}:}`).join("");
    expect(errors({ a: many })).toEqual(["a"]);
  });

  const LONG = "x".repeat(100_000);
  test.for([
    ["a long text", { a: LONG, text: "${a}".repeat(2_500) }],
    ["long texts in a list", { a: LONG, text: ["${a}${a}", "${a}".repeat(20), "${a}".repeat(20)] }],
    ["a long text behind another name", { a: LONG, b: "${a}", text: "${b}".repeat(2_500) }],
    ["long defaults", { text: `\${none:${LONG}}`.repeat(50) }],
    ["long defaults that are not used", { x: "1", a: `\${x:${LONG}}`, text: "${a}".repeat(1_400) }],
    ["unresolved names", { a: `\${${"n".repeat(100_000)}}`, text: "${a}".repeat(1_400) }],
    ["warnings with a long path", { [LONG]: Array.from({ length: 100 }, () => "${none}") }],
  ] as const)("2: %s", ([, document], { expect }) => {
    const most = LIMITS.configurationCharacters.value;
    const { documents, warnings, errors } = withoutPlaceholders([document]);
    expect(errors).toEqual([{ path: expect.any(String), message: expect.stringContaining(String(most)) }]);
    expect(errors[0]?.path).toMatch(/^(?:text|x+)/);
    expect(JSON.stringify([documents, warnings]).length).toBeLessThan(1.1 * most);
  });

  test("3", ({ expect }) => {
    let deep: unknown = "${suggest.locale}";
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(withoutPlaceholders([deep]).warnings).toEqual([]);
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("${"));
    forAll(runs(100), plain, (value) => {
      expect(withoutPlaceholders([value])).toEqual({ documents: [value], warnings: [], errors: [] });
    });
  });
});
