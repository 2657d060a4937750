/**
 * Generates openapi.json (3.1) from the operations table, the examples and the zod schemas. Parts that a deployment
 * does not expose are left out.
 *
 * Schemas with an id (`.meta({ id })`) are components; all others are inlined.
 */
import * as z from "zod";
import { Document, ERRORS, ErrorBody, SearchQuery, type ErrorType } from "../interface/index.ts";
import { isPublic } from "./auth.ts";
import { EXAMPLES, type Examples } from "./operations/examples.ts";
import { OPERATIONS, errorsOf, type Answer, type Operation } from "./operations/index.ts";
import { exposes, type Part, type Settings } from "./settings.ts";

type Json = Readonly<Record<string, unknown>>;
type Direction = "input" | "output";

const EXAMPLE_MS = Date.UTC(2026, 10, 23);

const COMPONENTS = "#/components/schemas/";

const TAGS: Readonly<Record<Part | "service", string>> = {
  search: "Search, documents by id and tenants.",
  suggest: "Completions of the typed text.",
  indexer: "Full imports and updates of single documents.",
  admin: "Configuration, rules, indexes and metrics.",
  service: "Health, this description and the pages.",
};

/** Operations of this deployment. */
export function exposedOperations(settings: Settings): readonly Operation[] {
  return OPERATIONS.filter(({ part }) => part === null || exposes(settings, part));
}

/** @param origin of the deployment: `https://search.example` */
export function openApiDocument(settings: Settings, origin: string): Json {
  const operations = exposedOperations(settings);
  const components = new Components();
  // Models that no operation refers to: a search sends parameters, a bulk has products.
  if (exposes(settings, "search")) components.schema(SearchQuery, "input");
  if (exposes(settings, "indexer")) components.schema(Document, "input");
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {});
    path[operation.method] = describeOperation(operation, settings, components);
  }
  const tags = new Set(operations.map(tagOf));
  return {
    openapi: "3.1.0",
    info: {
      title: "Aisle",
      version: "1",
      description:
        "Product search: full imports, updates, search, suggestions and administration. " +
        "Every error has the body `Error`; `type` identifies it.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: origin, description: "This deployment" }],
    tags: [...tags].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: components.schemas(),
      responses: components.responses(),
      securitySchemes: {
        "basic-auth": {
          type: "http",
          scheme: "basic",
          description: "A user with the role that the operation requires.",
        },
      },
    },
  };
}

function tagOf({ part }: Operation): Part | "service" {
  return part ?? "service";
}

function describeOperation(operation: Operation, settings: Settings, components: Components): Json {
  const { id, part, body } = operation;
  const examples = EXAMPLES[id] ?? {};
  return {
    operationId: id,
    summary: operation.summary,
    tags: [tagOf(operation)],
    // An empty requirement in addition to the scheme makes credentials optional.
    security: part === null ? [] : isPublic(settings, part) ? [{}, { "basic-auth": [] }] : [{ "basic-auth": [] }],
    parameters: operation.parameters.map(({ name, in: place, required, schema, doc }) => ({
      name,
      in: place,
      required,
      description: doc,
      schema: components.schema(schema, "input"),
      ...exampleOf(examples.parameters?.[name]),
    })),
    ...(body !== null && {
      requestBody: { required: true, content: bodyContent(operation, body, examples, components) },
    }),
    responses: responsesOf(operation, examples, components),
  };
}

function bodyContent(
  { alsoYaml }: Operation,
  body: NonNullable<Answer["body"]>,
  { body: example, yaml }: Examples,
  components: Components,
): Json {
  return {
    ...contentOf(body, "input", example, components),
    ...(alsoYaml === true && contentOf("application/yaml", "input", yaml, components)),
  };
}

function responsesOf(operation: Operation, { answer }: Examples, components: Components): Json {
  const responses: Record<string, unknown> = {};
  for (const { status, doc, body } of operation.answers) {
    responses[status] = {
      description: doc,
      ...(body !== null && { content: contentOf(body, "output", answer, components) }),
    };
  }
  const errors = Map.groupBy(errorsOf(operation), (type): number => ERRORS[type].status);
  for (const [status, types] of [...errors].toSorted(([a], [b]) => a - b)) {
    responses[status] = components.error(types);
  }
  return responses;
}

function contentOf(body: NonNullable<Answer["body"]>, io: Direction, example: unknown, components: Components): Json {
  const [type, schema] =
    typeof body === "string" ? [body, { type: "string" }] : ["application/json", components.schema(body, io)];
  return { [type]: { schema, ...exampleOf(example) } };
}

function exampleOf(example: unknown): Json {
  return example === undefined ? {} : { example };
}

/** Shared components. Converts zod schemas to JSON Schema, and those with an id to references. */
class Components {
  readonly #schemas = new Map<string, Json>();
  readonly #responses = new Map<string, Json>();

  schema(schema: z.ZodType, io: Direction): Json {
    // In a list, because the outermost schema is never a reference.
    const { $defs = {}, prefixItems } = z.toJSONSchema(z.tuple([schema]), {
      io,
      unrepresentable: "any",
      target: "draft-2020-12",
      override: ({ jsonSchema }) => simplify(jsonSchema),
    });
    for (const [id, found] of Object.entries($defs)) {
      const named = withReferences(found);
      const known = this.#schemas.get(id);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(named)) {
        throw new Error(`two schemas have the id ${id}`);
      }
      this.#schemas.set(id, named);
    }
    return withReferences(prefixItems?.[0] ?? {});
  }

  /** The errors of one status, as a reference, because most operations share them. */
  error(types: readonly ErrorType[]): Json {
    const name = types.join(".");
    const [first] = types;
    if (!this.#responses.has(name) && first !== undefined) {
      const { doc: message, status: code } = ERRORS[first];
      const errorId = "0b0f1a52-5a0e-4a55-9d0f-2f6d5f1f2c11";
      const example: ErrorBody = { message, code, type: first, errorId, timestamp: EXAMPLE_MS };
      this.#responses.set(name, {
        description: types.map((type) => `${type}: ${ERRORS[type].doc}`).join("\n"),
        content: { "application/json": { schema: this.schema(ErrorBody, "output"), example } },
      });
    }
    return { $ref: `#/components/responses/${name}` };
  }

  responses(): Json {
    return Object.fromEntries(this.#responses);
  }

  /** Schemas by name; choices between components get a discriminator. */
  schemas(): Json {
    const all: Record<string, Json> = {};
    for (const [id, schema] of [...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const { anyOf, oneOf } = schema;
      const discriminator = this.#discriminator(oneOf ?? anyOf);
      all[id] = discriminator === null ? schema : { ...schema, discriminator };
    }
    return all;
  }

  /** The discriminator of components with a constant `type`. */
  #discriminator(choices: unknown): Json | null {
    if (!Array.isArray(choices)) return null;
    const mapping: Record<string, string> = {};
    for (const { $ref } of choices as readonly Json[]) {
      if (typeof $ref !== "string") return null;
      const component = this.#schemas.get($ref.slice(COMPONENTS.length));
      const type = (component?.["properties"] as Json | undefined)?.["type"] as Json | undefined;
      if (typeof type?.["const"] !== "string") return null;
      mapping[type["const"]] = $ref;
    }
    return { propertyName: "type", mapping };
  }
}

/**
 * Removes unhelpful constraints: that answers have no other members (they may get some), that integers are safe, and
 * `anything` as the last of several forms (values that are accepted but ignored).
 */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  const { anyOf } = schema;
  if (anyOf !== undefined) schema.anyOf = anyOf.filter((form) => Object.keys(form).length > 0);
}

function withReferences(schema: unknown): Json {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", COMPONENTS) : value,
  );
  return JSON.parse(text) as Json;
}
