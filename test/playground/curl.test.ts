// The line for a shell:
// 1. a POSIX shell reads every quoted text as that text;
// 2. a command says method, address, type and body, and never who is signed in;
// 3. a shell that runs it calls what was meant.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, test } from "vitest";
import { curlCommand, shellQuoted } from "../../src/playground/logic/curl.ts";
import { get, post } from "../../src/playground/logic/requests.ts";
import { forAll, runs } from "../support/property.ts";

const ORIGIN = "http://127.0.0.1:8787";

/** Words of a command as the shell hands them on. */
function words(command: string): string[] {
  const script = `for word in ${command}; do printf '%s\\0' "$word"; done`;
  return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

test("1: quoting: any text without NUL, which no shell can hold", ({ expect }) => {
  const text = fc
    .array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("'", '"', "\\", "$(x)", "`", "!", "\n")))
    .map((parts) => parts.join("").replaceAll("\0", ""));
  forAll(runs(30), fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
    expect(words(texts.map(shellQuoted).join(" "))).toEqual(texts);
  });
});

describe("the command (2, 3)", () => {
  test("2: a search", ({ expect }) => {
    expect(curlCommand(ORIGIN, get("/search-api/v1/search/a?q=it's"), false)).toBe(
      String.raw`curl 'http://127.0.0.1:8787/search-api/v1/search/a?q=it'\''s'`,
    );
  });

  test("2: credentials are names of variables", ({ expect }) => {
    expect(curlCommand(ORIGIN, get("/metrics"), true)).toBe(
      `curl 'http://127.0.0.1:8787/metrics' \\\n  --user "$AISLE_USER:$AISLE_PASSWORD"`,
    );
  });

  test("3: words of a request with a body", ({ expect }) => {
    const request = { ...post("/x", "@it's\n$HOME"), method: "PUT" };
    expect(words(curlCommand(ORIGIN, request, false))).toEqual([
      "curl",
      `${ORIGIN}/x`,
      "--request",
      "PUT",
      "--header",
      "content-type: application/json",
      "--data-raw",
      "@it's\n$HOME",
    ]);
    // curl sends POST by itself where there is a body.
    expect(words(curlCommand(ORIGIN, post("/x", "{}"), false))).not.toContain("--request");
    const removal = { ...get("/x"), method: "DELETE" };
    expect(words(curlCommand(ORIGIN, removal, false))).toContain("DELETE");
  });
});
