/**
 * Production Workers refuse `new Function`, which zod uses to compile object schemas if possible. The tests' runtime
 * allows it, so without this they would test different code than production runs. index.ts imports it first.
 *
 * zod is always imported as a namespace (checked by scripts/check-deploy.ts): its member `z` would include all of zod,
 * with messages in fifty languages, half a megabyte that a Worker must load before it answers.
 *
 * Messages follow a path, as in `session.finalIndexName: is missing` (docs/behaviour.md 2.3). They speak of JSON, which
 * clients send, and not of types of JavaScript. Other problems keep zod's own message.
 */
import * as z from "zod";

const EXPECTED: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** A problem before its message is made; its members depend on the code. */
type Problem = Parameters<z.core.$ZodErrorMap>[0];

z.config({ jitless: true, customError: messageOf });

function messageOf(problem: Problem): string | undefined {
  switch (problem.code) {
    case "invalid_type":
      return problem.input === undefined ? "is missing" : mustBe([EXPECTED[problem.expected]], problem.input);
    case "invalid_value":
      return problem.input === undefined ? "is missing" : oneOf(problem.values);
    case "invalid_union":
      // Of a discriminator.
      if (Array.isArray(problem.options)) return oneOf(problem.options);
      if (problem.input === undefined) return "is missing";
      return mustBe(
        (problem.errors ?? []).map(([first]) => expectedBy(first)),
        problem.input,
      );
    case "too_small":
      return isNumeric(problem.origin) ? `must be at least ${problem.minimum}` : undefined;
    case "too_big":
      return isNumeric(problem.origin) ? `must be at most ${problem.maximum}` : undefined;
    default:
      return undefined;
  }
}

/** Undefined, so that zod's own message is used, if something else than a type is expected. */
function mustBe(expected: readonly (string | undefined)[], input: unknown): string | undefined {
  if (expected.length === 0 || expected.includes(undefined)) return undefined;
  if (typeof input === "number" && expected.includes(EXPECTED["int"])) return `must be ${expected.join(" or ")}`;
  return `must be ${expected.join(" or ")}, not ${kindOf(input)}`;
}

/** What a branch of a union expects instead of the value itself, not of its members. */
function expectedBy(issue: z.core.$ZodIssue | undefined): string | undefined {
  return issue?.code === "invalid_type" && issue.path.length === 0 ? EXPECTED[issue.expected] : undefined;
}

/** Not the value itself, which may be a secret. */
function kindOf(input: unknown): string {
  if (input === null) return "null";
  if (Array.isArray(input)) return "a list";
  switch (typeof input) {
    case "string":
      return "a string";
    case "number":
      return "a number";
    case "boolean":
      return String(input);
    default:
      return "an object";
  }
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.map(String).join(", ")}`;
}

function isNumeric(origin: string): boolean {
  return origin === "number" || origin === "int";
}
