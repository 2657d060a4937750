/** Requests made from openapi.json: of the form it describes, and of forms that it does not. */
import fc from "fast-check";

export type Json = Readonly<Record<string, unknown>>;

export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Json; readonly responses: Readonly<Record<string, DescribedResponse>> };
}

export interface DescribedResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>;
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query";
    readonly required: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
  readonly responses: Readonly<Record<string, DescribedResponse | { readonly $ref: string }>>;
}

export interface FuzzRequest {
  readonly operation: DescribedOperation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** Texts that have broken something somewhere. */
const ODD_TEXTS = [
  "",
  " ",
  ".",
  "..",
  "%",
  "%2e%2e",
  "%00",
  "\u0000",
  "__proto__",
  "constructor",
  "null",
  "undefined",
  "NaN",
  "-1",
  "0",
  "1e309",
  "99999999999999999999",
  "true",
  "a,b",
  ",",
  "-",
  "*",
  "!",
  "[* TO *]",
  "1-2",
  "'\"`<script>",
  "ünïcode 😀",
  "\ud800",
  "(a|aa)+c",
  "((((((((((",
  "{}",
  "[]",
  "a".repeat(3_000),
  "shoe ".repeat(300),
  "\r\nx-injected: 1",
];

const oddText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
);
const oddValue = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, [], {}, [[]], [null], { id: null }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** What a response is, where it is a reference to a component. */
export function responseOf(
  { components }: Described,
  { responses }: DescribedOperation,
  status: number,
): DescribedResponse | undefined {
  const response = responses[status];
  return response !== undefined && "$ref" in response
    ? components.responses[response.$ref.slice("#/components/responses/".length)]
    : response;
}

/** Mostly of the schema. `known`: names that exist; `root`: where its references lead. */
function valueOf(schema: Json, known: readonly string[], root: Described): fc.Arbitrary<unknown> {
  const fits = fitting(schema, known, root, 3);
  return fc.oneof({ weight: 6, arbitrary: fits }, { weight: 1, arbitrary: oddValue });
}

function fitting(schema: Json, known: readonly string[], root: Described, depth: number): fc.Arbitrary<unknown> {
  const inside = (one: unknown): fc.Arbitrary<unknown> =>
    depth === 0 ? fc.constant(null) : mostly(one as Json, known, root, depth - 1);
  const { $ref, anyOf, oneOf, allOf, const: only, enum: members, type } = schema;
  if (typeof $ref === "string") {
    const found = $ref
      .split("/")
      .slice(1)
      .reduce<unknown>((at, step) => (at as Json)[step], root);
    return inside(found);
  }
  const choices = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.map(inside));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(members)) return fc.constantFrom(...(members as unknown[]));
  switch (type) {
    case "string":
      return fc.oneof(fc.constantFrom(...known, "en", "title", "shoe", "price"), oddText);
    case "integer":
      return fc.oneof(fc.nat({ max: 30 }), fc.constantFrom(-1, 10_001, 2 ** 31, 2 ** 53));
    case "number":
      return fc.oneof(fc.nat({ max: 30 }), fc.double({ noNaN: true }));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(inside(schema["items"] ?? {}), { maxLength: 3 });
    case "object":
      return objectOf(schema, inside);
    default:
      return oddValue;
  }
}

function mostly(schema: Json, known: readonly string[], root: Described, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema, known, root, depth) }, { weight: 1, arbitrary: oddValue });
}

function objectOf(schema: Json, inside: (one: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema["properties"] ?? {}) as Json);
  const required = (schema["required"] ?? []) as readonly string[];
  const others = schema["additionalProperties"];
  const entries = properties.map(([name, one]) =>
    fc
      .tuple(inside(one), fc.nat({ max: 20 }))
      .map(([value, drawn]): [string, unknown][] =>
        (required.includes(name) ? drawn > 0 : drawn > 10) ? [[name, value]] : [],
      ),
  );
  const open =
    others === undefined || others === false
      ? fc.constant([])
      : fc.array(fc.tuple(fc.oneof(fc.constantFrom("title", "price", "brand", "category"), oddText), inside(others)), {
          maxLength: 3,
        });
  return fc.tuple(fc.tuple(...entries), open).map(([own, more]) => Object.fromEntries([...own.flat(), ...more]));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A lone surrogate cannot be sent in an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const oddHeaders = fc.constantFrom<readonly [string, string]>(
  ["content-type", "text/plain"],
  ["content-type", "application/x-www-form-urlencoded"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-encoding", "gzip"],
  ["accept-encoding", "br;q=1, *;q=0"],
  ["accept", "image/png"],
  ["authorization", "Basic ????"],
  ["authorization", "Bearer x"],
  ["if-none-match", "*"],
  ["if-none-match", 'W/"x", "y'],
  ["prefer", "return=minimal"],
  ["range", "bytes=0-1"],
  ["origin", "null"],
  ["x-forwarded-host", "evil.example"],
);

/**
 * Of one operation of `root`. `named`: names for its path parameters that exist; `bodies`: whole bodies that make
 * sense.
 */
export function requestsOf(
  root: Described,
  operation: DescribedOperation,
  method: string,
  template: string,
  named: readonly string[],
  bodies: readonly unknown[],
): fc.Arbitrary<FuzzRequest> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
  const inQuery = operation.parameters.filter((parameter) => parameter.in === "query");
  const path = fc
    .tuple(
      ...inPath.map(() =>
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...named) },
          // Whoever parses an address takes steps of dots out of it: they ask for another path.
          { weight: 1, arbitrary: oddText.filter((text) => !/^(?:\.|%2e){0,2}$/i.test(text)) },
        ),
      ),
    )
    .map((values) => {
      let at = 0;
      return template.replaceAll(/\{[^}]+\}/g, () => encoded(values[at++] ?? ""));
    });
  const query = fc
    .tuple(
      fc.tuple(
        ...inQuery.map(({ name, required, schema }) =>
          fc
            .tuple(valueOf(schema, named, root), fc.nat({ max: 20 }))
            .map(([value, drawn]) =>
              (required ? drawn > 0 : drawn > 14) ? [`${name}=${encoded(textOf(value))}`] : [],
            ),
        ),
      ),
      fc.array(fc.tuple(fc.oneof(fc.constantFrom("price", "brand", "q", "title", "size.id"), oddText), oddText), {
        maxLength: 2,
      }),
      fc.constantFrom("", "", "", "&", "&=", "&%", "&q=%ff", "&a[]=1"),
    )
    .map(([own, more, tail]) => {
      const all = [...own.flat(), ...more.map(([name, value]) => `${encoded(name)}=${encoded(value)}`)];
      return all.join("&") + tail;
    });
  const headers = fc
    .tuple(
      fc.constantFrom("application/json", "application/json", "application/yaml"),
      fc.array(oddHeaders, { maxLength: 1 }),
    )
    .map(([type, odd]) => Object.fromEntries([["content-type", type], ...odd]));
  const content = operation.requestBody?.content["application/json"];
  const body = operation.requestBody === undefined ? fc.constant(null) : bodyOf(content?.schema, named, bodies, root);
  return fc.tuple(path, query, headers, body).map(([at, asked, sent, bytes]) => ({
    operation,
    method: method.toUpperCase(),
    path: asked === "" ? at : `${at}?${asked}`,
    headers: sent,
    body: bytes,
  }));
}

function bodyOf(
  schema: Json | undefined,
  named: readonly string[],
  bodies: readonly unknown[],
  root: Described,
): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const value = schema === undefined ? oddValue : valueOf(schema, named, root);
  const meant = bodies.length === 0 ? value : fc.constantFrom(...bodies);
  const text = fc.oneof(value, meant).map(textOf);
  return fc.oneof(
    { weight: 8, arbitrary: text },
    { weight: 1, arbitrary: fc.tuple(text, fc.nat({ max: 200 })).map(([it, end]) => it.slice(0, end)) },
    { weight: 1, arbitrary: oddText },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "[".repeat(5_000),
        `${"[".repeat(2_000)}${"]".repeat(2_000)}`,
        `{"a":${"{".repeat(500)}`,
        "\ufeff{}",
        "a: &a [*a]",
        "a: *b",
        "--- \n---",
        "? [x]: y",
        `{"documents":[${"0,".repeat(2_000)}0]}`,
      ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => new Uint8Array(bytes)) },
  );
}
