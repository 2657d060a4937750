// Bodies of PUT and PATCH:
// 1. a list, a wrapper and a single document give the documents JSON.parse finds, byte for byte where they stand;
// 2. what is neither is 400 invalid_body, what is no JSON is 400 with the byte;
//    a body is scanned in steps of 64 KB, whatever ends between two of them;
// 3. a document nested too deeply is 400, however the body is formed; more documents than updateDocuments are 413.
import fc from "fast-check";
import { describe, test } from "vitest";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";
import { splitDocuments } from "../../src/worker/update-reader.ts";
import { forAll, runs } from "../support/property.ts";

function split(text: string): { readonly documents: readonly Uint8Array[]; readonly steps: number } {
  const splitting = splitDocuments(new TextEncoder().encode(text));
  for (let steps = 1; ; steps++) {
    const step = splitting.next();
    if (step.done === true) return { documents: step.value, steps };
  }
}

function read(text: string): unknown[] {
  return split(text).documents.map((bytes): unknown => JSON.parse(new TextDecoder().decode(bytes)));
}

function typeOf(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ServiceError) return error.type;
    throw error;
  }
  return "none";
}

const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
const document = fc.dictionary(
  fc.string({ unit: "grapheme" }).filter((key) => key !== "__proto__" && key !== "documents"),
  value,
);
const indent = fc.constantFrom(undefined, 1, "\t");

describe("documents (1)", () => {
  test("of a list", ({ expect }) => {
    forAll(runs(200), fc.array(value, { maxLength: 6 }), indent, (documents, space) => {
      expect(read(JSON.stringify(documents, null, space))).toEqual(JSON.parse(JSON.stringify(documents)));
    });
  });

  test("of a wrapper, whatever else is in it", ({ expect }) => {
    forAll(
      runs(200),
      fc.array(value, { maxLength: 4 }),
      document,
      document,
      indent,
      (documents, before, after, space) => {
        const members: Record<string, unknown> = { ...before, documents, ...after };
        delete members["id"];
        expect(read(JSON.stringify(members, null, space))).toEqual(JSON.parse(JSON.stringify(documents)));
      },
    );
  });

  test("alone", ({ expect }) => {
    forAll(runs(200), document, indent, (one, space) => {
      expect(read(JSON.stringify(one, null, space))).toEqual([JSON.parse(JSON.stringify(one))]);
    });
  });

  test.for([
    ["[]", []],
    ["\ufeff [ 1 , {} ] ", [1, {}]],
    ["{}", [{}]],
    ['{"id":"1","documents":[{"id":"2"}]}', [{ id: "1", documents: [{ id: "2" }] }]],
    ['{"documents":[1],"documents":[2,3]}', [2, 3]],
    ['{"d\\u006fcuments":[1]}', [1]],
    ['{"documents":[],"x":[7,8]}', []],
  ] as const)("%s", ([text, documents], { expect }) => {
    expect(read(text)).toEqual(documents);
  });
});

const STEP_BYTES = 65_536;

test("in steps (1)", ({ expect }) => {
  expect(split("[]").steps).toBe(1);
  expect(split(`[${" ".repeat(STEP_BYTES - 2)}]`).steps).toBe(1);
  expect(split(`["${"a".repeat(16 * STEP_BYTES)}"]`).steps).toBe(17);
  const wrapper = '{"x":[7],"d\\u006fcuments":[{"id":"1","n":-1.5e3},12,"é",true,[]],"y":"z"}';
  const one = '{"id":"1","documents":[{"id":"\\\\"}],"n":12.5}';
  const list = '[{"id":"1"},12,"\\"",null,[{}]]';
  for (const text of [wrapper, one, list]) {
    for (let before = STEP_BYTES - text.length; before <= STEP_BYTES; before++) {
      expect(read(`\ufeff${" ".repeat(before)}${text}`)).toEqual(read(text));
    }
  }
  expect(read(wrapper)).toEqual([{ id: "1", n: -1500 }, 12, "é", true, []]);
  expect(typeOf(`[${"1,".repeat(STEP_BYTES)}2]`)).toBe("none");
  expect(typeOf(`[${" ".repeat(STEP_BYTES)}1 2]`)).toBe("bad_request");
});

describe("other bodies (2, 3)", () => {
  test.for(["", " ", "[1", "[1,]", "{]", "nope", "[1] x"])("%j is no JSON", (text, { expect }) => {
    expect(typeOf(text)).toBe("bad_request");
  });
  test.for(["1", '"text"', "null", "true"])("%s is no document", (text, { expect }) => {
    expect(typeOf(text)).toBe("invalid_body");
  });
  test("number of documents", ({ expect }) => {
    const most = LIMITS.updateDocuments.value;
    const list = (count: number): string => `[${"0,".repeat(count - 1)}0]`;
    expect(read(list(most))).toHaveLength(most);
    expect(typeOf(list(most + 1))).toBe("body_too_large");
    expect(typeOf(`{"documents":${list(most + 1)}}`)).toBe("body_too_large");
  });

  test("depth", ({ expect }) => {
    const levels = LIMITS.documentDepth.value;
    const deep = (count: number): string => "[".repeat(count) + "]".repeat(count);
    const document = (count: number): string => `{"id":"a","data":{"x":${deep(count - 2)}},"z":1}`;
    for (const [count, type] of [
      [levels, "none"],
      [levels + 1, "invalid_body"],
    ] as const) {
      expect(typeOf(`[${deep(count)}]`)).toBe(type);
      expect(typeOf(`[{},${document(count)},{}]`)).toBe(type);
      expect(typeOf(document(count))).toBe(type);
      expect(typeOf(`{"documents":[{},${document(count)},{}]}`)).toBe(type);
      expect(typeOf(`{"data":[[]],"documents":[],"id":"a","x":${deep(count - 1)}}`)).toBe(type);
    }
    expect(typeOf(`[${deep(200_000)}]`)).toBe("bad_request");
  });
  test.for(["null", "{}", '{"id":"x","data":{}}', "1", '"a"'])(
    "documents that are no list: %s",
    (value, { expect }) => {
      expect(typeOf(`{"documents":${value}}`)).toBe("invalid_body");
      expect(typeOf(`{"documents":${value},"id":"a"}`)).toBe("none");
    },
  );
});
