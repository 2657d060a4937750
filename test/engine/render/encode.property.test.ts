/** Links made of bytes are those made of strings, whatever the text. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { GrowableBytes } from "../../../src/index-engine/base/index.ts";
import {
  areWritable,
  encodeValue,
  isWritable,
  pushEncoded,
} from "../../../src/index-engine/answer/links/index.ts";

const character = fc.oneof(
  fc.constantFrom(..." ,!%2cC/.*-_~'()&=+\"\\Aaé漢😀\u0000\u001f"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
);

test("encoding, and what a link cannot have", () => {
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), fc.boolean(), (characters, lowers) => {
      const text = characters.join("").toWellFormed();
      const bytes = new TextEncoder().encode(text);
      expect(areWritable(bytes, bytes.length)).toBe(isWritable(text));
      const to = new GrowableBytes();
      pushEncoded(to, bytes, bytes.length, lowers);
      const asked = lowers ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
      expect(new TextDecoder().decode(to.view())).toBe(encodeValue(asked));
    }),
    { numRuns: 500 },
  );
});
