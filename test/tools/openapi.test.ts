// The description of the interface, judged by others:
// 1. two independent validators find openapi.json well-formed, every reference resolved, and every example true to its
//    schema; and they find what was broken on purpose;
// 2. every operation has examples: of required parameters, of its body, of its first answer.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, test } from "vitest";
import { describedInterface } from "../../scripts/openapi-client.ts";

interface Exemplified {
  readonly example?: unknown;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly (Exemplified & { readonly name: string; readonly required: boolean })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Exemplified>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Exemplified>> }>>;
}

let text: string;

beforeAll(async () => {
  text = JSON.stringify(await describedInterface());
});

/** By JSON Schema: the official one of OpenAPI 3.1, with Ajv; then every reference. */
async function bySchema(source: string): Promise<string[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(source) as Record<string, unknown>);
  if (!valid) return [JSON.stringify(errors)];
  try {
    validator.resolveRefs();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

/** By rules of its own: types of nodes, references, unique ids, parameters of paths, examples. */
async function byRules(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "no-invalid-media-type-examples": "error",
      "no-invalid-parameter-examples": "error",
      "operation-operationId-unique": "error",
      // The deployment that the tests describe is that of this machine.
      "no-server-example.com": "off",
      // `SearchQuery` and `Document` are models that no operation names by themselves.
      "no-unused-components": "off",
      // What a deployment says of itself has no error of the client.
      "operation-4xx-response": "off",
    },
  });
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

describe("validators (1)", () => {
  test("find nothing", async ({ expect }) => {
    expect(await bySchema(text)).toEqual([]);
    expect(await byRules(text)).toEqual([]);
  });

  test("find what is broken", async ({ expect }) => {
    const dangling = text.replaceAll("#/components/schemas/ResultHit", "#/components/schemas/Hit");
    expect(dangling).not.toBe(text);
    expect(await bySchema(dangling)).not.toEqual([]);
    expect(await byRules(dangling)).not.toEqual([]);
    const unknown = text.replace('"requestBody":', '"requestBodies":');
    expect(await bySchema(unknown)).not.toEqual([]);
    expect(await byRules(unknown)).not.toEqual([]);
    for (const [right, wrong] of [
      ['"tookInMillis":4', '"tookInMillis":"four"'],
      ['"type":"static","name":"picked"', '"type":"picked"'],
      ['"example":"running shoes"', '"example":[1]'],
    ] as const) {
      const broken = text.replace(right, wrong);
      expect(broken, right).not.toBe(text);
      expect(await byRules(broken), right).not.toEqual([]);
    }
  });
});

test("examples everywhere (2)", ({ expect }) => {
  const { paths } = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  expect(operations.length).toBeGreaterThan(30);
  const missing: string[] = [];
  for (const { operationId, parameters, requestBody, responses } of operations) {
    const known: [string, Exemplified][] = [
      ...parameters
        .filter(({ required }) => required)
        .map((parameter): [string, Exemplified] => [parameter.name, parameter]),
      ...Object.entries(requestBody?.content ?? {}),
      ...Object.values(responses).flatMap(({ content }) => Object.entries(content ?? {})),
    ];
    for (const [where, { example }] of known) {
      if (example === undefined) missing.push(`${operationId}: ${where}`);
    }
  }
  expect(missing).toEqual([]);
});
