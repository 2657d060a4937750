// Slicing an address says what the runtime's URL and URLSearchParams say:
// 1. names and values of any query, with broken escapes, bytes that are no UTF-8 and lone surrogates;
// 2. the path of an address as it was sent, and its query.
import fc from "fast-check";
import { test } from "vitest";
import { queryPairs, rawPath, rawQuery } from "../../src/worker/address.ts";
import { forAll } from "../support/property.ts";

const PIECES = [
  ..."a b=&+%?#/!,é😀".split(""),
  ..."%20 %2B %2b %26 %3D %C3%A9 %F0%9F%98%80 %EF%BB%BF %C3 %FF %2 %zz %00 == &&".split(" "),
];
const query = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((all) => all.join(""));

test("a query: has the pairs of URLSearchParams (1)", ({ expect }) => {
  forAll(2_000, query, (text) => {
    expect([...queryPairs(text)]).toEqual([...new URLSearchParams(text)]);
  });
});

test.for([
  ["http://host/a/b?c=/d#e", "/a/b", "c=/d"],
  ["https://host:80/a%2Fb/%2e%2e", "/a%2Fb/%2e%2e", ""],
  ["http://host", "/", ""],
  ["http://host/a#b?c", "/a", ""],
] as const)("an address: %s (2)", ([url, path, sent], { expect }) => {
  expect(rawPath(url)).toBe(path);
  expect(rawQuery(url)).toBe(sent);
});
