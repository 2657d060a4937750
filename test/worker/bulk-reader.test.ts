// The streaming reader of import bodies:
// 1. any JSON text, cut at any chunk borders, is accepted exactly when JSON.parse accepts it;
// 2. the documents it finds are those JSON.parse finds, in order, and the session is the same;
// 3. it does not matter whether the session comes before or after the documents, nor what other members there are;
// 4. every way a body can be wrong is refused with the path or the byte;
// 5. limits: a document that is too large or too deep is reported in its place, and nothing else is lost.
import fc from "fast-check";
import { describe, test } from "vitest";
import { LIMITS, ServiceError } from "../../src/interface/index.ts";
import { BulkReader, type BulkItem, type BulkLimits } from "../../src/worker/bulk-reader.ts";
import { JsonScanner, TOKEN } from "../../src/worker/json-scanner.ts";
import { forAll, runs } from "../support/property.ts";

const numRuns = runs(200);
const SESSION = { finalIndexName: "shop", temporaryIndexName: "ocs-1-shop-en" };

/** Cuts `bytes` at the given positions; each chunk is a copy of its own, as from a network. */
function cut(bytes: Uint8Array, borders: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(borders.map((border) => border % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...sorted, bytes.length].map((end, index) => bytes.slice(index === 0 ? 0 : sorted[index - 1], end));
}

function read(text: string | Uint8Array, borders: readonly number[] = [], limits?: BulkLimits): BulkItem[] {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const reader = new BulkReader(limits);
  const items = cut(bytes, borders).flatMap((chunk) => reader.push(chunk));
  reader.end();
  return items;
}

function documentsOf(items: readonly BulkItem[]): unknown[] {
  return items
    .filter((item) => item.kind === "document")
    .map((item): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(item.bytes)));
}

function failure(call: () => unknown): ServiceError {
  try {
    call();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

function scans(text: string, borders: readonly number[]): boolean {
  const scanner = new JsonScanner();
  try {
    for (const chunk of cut(new TextEncoder().encode(text), borders)) {
      scanner.feed(chunk);
      while (scanner.next() !== TOKEN.none);
    }
    scanner.end();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const borders = fc.array(fc.nat(100_000), { maxLength: 12 });
// `__proto__` as a name would be lost by JSON.stringify, not by the reader.
const name = fc.string({ unit: "binary" }).filter((text) => text !== "__proto__");
const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });

/** JSON.stringify, but with every character of some strings as \\u escapes and with white space of all kinds. */
function spell(input: unknown, salt: number): string {
  const space = ["", " ", "\n", "\r\n\t"][salt % 4];
  const text = JSON.stringify(input, null, salt % 3 === 0 ? " " : undefined);
  const escaped =
    salt % 5 === 0
      ? text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      : text;
  return `${space}${escaped}${space}`;
}

describe("the scanner", () => {
  test("accepts what JSON.parse accepts, wherever the text is cut (1)", ({ expect }) => {
    forAll(numRuns, value, borders, fc.nat(60), (input, cuts, salt) => {
      expect(scans(spell(input, salt), cuts)).toBe(true);
    });
  });

  test("refuses what JSON.parse refuses: damaged texts (1)", ({ expect }) => {
    const damage = fc.record({
      at: fc.nat(10_000),
      drop: fc.nat(2),
      put: fc.constantFrom("", ...'{}[],:"\\0-+.eE1 tnu\u0001é'),
    });
    forAll(runs(1_000), value, fc.array(damage, { minLength: 1, maxLength: 3 }), borders, (input, changes, cuts) => {
      let text = JSON.stringify(input);
      for (const { at, drop, put } of changes) {
        const where = at % (text.length + 1);
        text = text.slice(0, where) + put + text.slice(where + drop);
      }
      expect(scans(text, cuts)).toBe(parses(text));
    });
  });

  test.for([
    "",
    "01",
    "-",
    "1.",
    ".5",
    "1e",
    "1e+",
    "+1",
    "tru",
    "nulll",
    "[1,]",
    "{,}",
    '{"a":}',
    '{"a" 1}',
    "[1}",
    "1 2",
    '"\\x"',
    '"\\u12g4"',
    '"\n"',
    "[",
    '{"a":1',
    "]",
  ])("refuses %j (1)", (text, { expect }) => {
    expect(parses(text)).toBe(false);
    expect(scans(text, [])).toBe(false);
  });
});

describe("a bulk", () => {
  const member = fc.tuple(
    name.filter((text) => text !== "session" && text !== "documents"),
    value,
  );

  test("holds what JSON.parse finds in it, however it is cut (2, 3)", ({ expect }) => {
    forAll(
      numRuns,
      fc.array(value, { minLength: 1, maxLength: 5 }),
      fc.uniqueArray(member, { selector: ([key]) => key, maxLength: 3 }),
      fc.boolean(),
      fc.nat(60),
      borders,
      (documents, others, sessionFirst, salt, cuts) => {
        const entries: [string, unknown][] = sessionFirst
          ? [["session", SESSION], ...others, ["documents", documents]]
          : [["documents", documents], ...others, ["session", { ...SESSION, extra: [1, { a: "]" }] }]];
        const text = spell(Object.fromEntries(entries), salt);
        const parsed = JSON.parse(text) as { documents: unknown[] };
        const items = read(text, cuts);
        expect(items[0]).toEqual({ kind: "session", session: SESSION });
        expect(items.slice(1).map((item) => (item.kind === "session" ? -1 : item.position))).toEqual(
          documents.map((_, index) => index),
        );
        expect(documentsOf(items)).toEqual(parsed.documents);
      },
    );
  });

  test("one byte at a time, with a byte order mark and escaped member names", ({ expect }) => {
    const text = `\ufeff{"\\u0073ession":${JSON.stringify(SESSION)},"docum\\u0065nts":[{"id":"ä\\"]}\\\\","x":"😀\\ud83d\\ude00"}]}`;
    const bytes = new TextEncoder().encode(text);
    const items = read(bytes, [...bytes.keys()]);
    expect(items[0]?.kind).toBe("session");
    expect(documentsOf(items)).toEqual([{ id: 'ä"]}\\', x: "😀😀" }]);
  });
});

describe("bad bodies are refused (4)", () => {
  const session = JSON.stringify(SESSION);
  test.for([
    ["", "bad_request", "byte 0"],
    ["   ", "bad_request", "byte 3"],
    ["nonsense", "bad_request", "byte 1"],
    [`{"session":${session},"documents":[{"id":"1",}]}`, "bad_request", "byte"],
    [`{"session":${session},"documents":[{"id":"1"}]`, "bad_request", "too early"],
    [`{"session":${session},"documents":[{"id":"1"}]} x`, "bad_request", "more text"],
    ["[]", "invalid_body", "must be an object"],
    ["12", "invalid_body", "must be an object"],
    ["{}", "invalid_body", "session is missing; documents is missing"],
    [`{"session":${session}}`, "invalid_body", "documents is missing"],
    [`{"session":${session},"documents":[]}`, "invalid_body", "documents is empty"],
    [`{"session":${session},"documents":{}}`, "invalid_body", "documents must be a list"],
    [`{"session":${session},"documents":null}`, "invalid_body", "documents must be a list"],
    [`{"documents":[{}]}`, "invalid_body", "session is missing"],
    [`{"session":null,"documents":[{}]}`, "invalid_body", "session "],
    [`{"session":{"finalIndexName":"a"},"documents":[{}]}`, "invalid_body", "session.temporaryIndexName"],
    [
      `{"session":{"finalIndexName":1,"temporaryIndexName":"b"},"documents":[{}]}`,
      "invalid_body",
      "session.finalIndexName",
    ],
    [`{"session":${session},"session":${session},"documents":[{}]}`, "invalid_body", "session is given twice"],
    [`{"session":${session},"documents":[{}],"documents":[{}]}`, "invalid_body", "documents is given twice"],
  ] as const)("%j", ([text, type, message], { expect }) => {
    const whole = failure(() => read(text));
    expect(whole.type).toBe(type);
    expect(whole.message).toContain(message);
    const bytes = new TextEncoder().encode(text);
    expect(failure(() => read(text, [...bytes.keys()])).message).toBe(whole.message);
  });

  test("the byte named is the offending one", ({ expect }) => {
    const text = `{"session":${session},"documents":[{"id":"é"},{"id" "2"}]}`;
    const position = new TextEncoder().encode(text.slice(0, text.indexOf('"2"'))).length;
    expect(failure(() => read(text, [20, 40])).details).toEqual({ position });
  });
});

describe("limits (5)", () => {
  const limits: BulkLimits = { documentBytes: 40, bufferBytes: 1_000, documentDepth: 4 };

  test("a large document and a deep one are reported in their places", ({ expect }) => {
    const documents = [{ id: "1" }, { id: "2", text: "x".repeat(50) }, { id: "3" }, [[[[[4]]]]], [[[[5]]]]];
    const text = JSON.stringify({ session: SESSION, documents });
    forAll(50, borders, (cuts) => {
      const items = read(text, cuts, limits);
      expect(documentsOf(items)).toEqual([documents[0], documents[2], documents[4]]);
      expect(items.filter((item) => item.kind === "rejected")).toEqual([
        { kind: "rejected", position: 1, reason: "is 70 bytes long, more than 40" },
        { kind: "rejected", position: 3, reason: "is nested deeper than 4 levels" },
      ]);
    });
  });

  test("what is dropped is not held", ({ expect }) => {
    const reader = new BulkReader(limits);
    const push = (text: string): number => {
      reader.push(new TextEncoder().encode(text));
      return reader.heldBytes;
    };
    expect(push(`{"session":${JSON.stringify(SESSION)},"documents":[{"id":"1",`)).toBe(10);
    expect(push('"text":"')).toBe(18);
    for (let i = 0; i < 5; i++) expect(push("x".repeat(30))).toBeLessThanOrEqual(limits.documentBytes);
    expect(push('"},{"id"')).toBe(5);
  });

  test("documents wait for a late session up to a limit", ({ expect }) => {
    const few = JSON.stringify({ documents: Array.from({ length: 9 }, () => ({ i: "123" })), session: SESSION });
    expect(documentsOf(read(few, [30, 60], limits))).toHaveLength(9);
    const many = JSON.stringify({ documents: Array.from({ length: 10 }, () => ({ i: "123" })), session: SESSION });
    expect(failure(() => read(many, [30, 60], limits)).type).toBe("body_too_large");
    const first = JSON.stringify({ session: SESSION, documents: Array.from({ length: 10 }, () => ({ i: "123" })) });
    expect(documentsOf(read(first, [], limits))).toHaveLength(10);
  });

  test("200,000 small documents wait for a late session", ({ expect }) => {
    const documents = Array.from({ length: 200_000 }, () => ({}));
    const text = JSON.stringify({ documents, session: SESSION });
    expect(documentsOf(read(text, []))).toHaveLength(documents.length);
  });

  test("a bulk of more documents than anybody sends", ({ expect }) => {
    const bulk = (count: number): string =>
      `{"session":${JSON.stringify(SESSION)},"documents":[${"0,".repeat(count - 1)}0]}`;
    const most = LIMITS.importDocuments.value;
    expect(documentsOf(read(bulk(most), []))).toHaveLength(most);
    const error = failure(() => read(bulk(most + 1), []));
    expect(error).toMatchObject({ type: "body_too_large", details: { limit: "importDocuments" } });
  });
});
