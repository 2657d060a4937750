// Twin of facets/term-bytes.ts: JSON.stringify, toLowerCase and encodeValue of the string.
import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainLatin, writeLinkKey } from "../../../src/index-engine/answer/facets/term-bytes.ts";
import { encodeValue, isWritable } from "../../../src/index-engine/answer/links/index.ts";
import { GrowableBytes } from "../../../src/index-engine/base/index.ts";
import { runs } from "../../support/property.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Any Latin-1 character, those that links treat apart more often, and a few beyond. */
const characters = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  fc.constantFrom(..."!%2Cc,+ ~'()*\"\\ÄÖÜßÿ×÷µ", "Ā", "ſ", "K", "İ", "😀"),
);

test("writes keys as encodeValue does", () => {
  fc.assert(
    fc.property(fc.array(characters, { maxLength: 12 }), (parts) => {
      const text = parts.join("");
      const bytes = encoder.encode(text);
      const isLatin = [...text].every((one) => one.charCodeAt(0) < 256);
      expect(isPlainLatin(bytes, bytes.length)).toBe(isLatin && JSON.stringify(text) === `"${text}"`);
      if (!isPlainLatin(bytes, bytes.length)) return;
      const to = new GrowableBytes();
      const length = writeLinkKey(to, bytes, bytes.length);
      const key = text.toLowerCase();
      const isPossible = key !== "" && isWritable(key);
      expect(length).toBe(isPossible ? encodeValue(key).length : -1);
      expect(decoder.decode(to.view())).toBe(isPossible ? encodeValue(key) : "");
    }),
    { numRuns: runs(2_000) },
  );
});
