/**
 * openapi.json (3.1) out of the operations table and the zod schemas. Parts a deployment does not expose are not in
 * it.
 */
import * as z from "zod";
import { ERRORS, ErrorBody, type ErrorType } from "../interface/index.ts";
import { isPublic } from "./auth.ts";
import { OPERATIONS, errorsOf, type Answer, type Operation } from "./operations/index.ts";
import { exposes, type Settings } from "./settings.ts";

type Json = Readonly<Record<string, unknown>>;

/** Operations of this deployment. */
export function exposedOperations(settings: Settings): readonly Operation[] {
  return OPERATIONS.filter(({ part }) => part === null || exposes(settings, part));
}

export function openApiDocument(settings: Settings): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of exposedOperations(settings)) {
    const path = (paths[operation.path] ??= {});
    path[operation.method] = describeOperation(operation, settings);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Aisle",
      version: "1",
      description:
        "Search and indexing service: full imports, updates, search, suggest, administration.",
    },
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, "output") },
      securitySchemes: { "basic-auth": { type: "http", scheme: "basic" } },
    },
  };
}

function describeOperation(operation: Operation, settings: Settings): Json {
  const { part, body } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [part ?? "service"],
    // An empty requirement beside the scheme says that credentials are optional.
    security:
      part === null
        ? []
        : isPublic(settings, part)
          ? [{}, { "basic-auth": [] }]
          : [{ "basic-auth": [] }],
    parameters: operation.parameters.map(({ name, in: place, required, schema, doc }) => ({
      name,
      in: place,
      required,
      description: doc,
      schema: schemaOf(schema, "input"),
    })),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              ...contentOf(body, "input"),
              ...(operation.alsoYaml === true && contentOf("application/yaml", "input")),
            },
          },
        }),
    responses: responsesOf(operation),
  };
}

function responsesOf(operation: Operation): Json {
  const responses: Record<string, unknown> = {};
  for (const { status, doc, body } of operation.answers) {
    responses[status] =
      body === null
        ? { description: doc }
        : { description: doc, content: contentOf(body, "output") };
  }
  const errors = new Map<number, ErrorType[]>();
  for (const type of errorsOf(operation)) {
    const { status } = ERRORS[type];
    errors.set(status, [...(errors.get(status) ?? []), type]);
  }
  for (const [status, types] of [...errors].toSorted(([a], [b]) => a - b)) {
    responses[status] = {
      description: types.map((type) => `${type}: ${ERRORS[type].doc}`).join("\n"),
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    };
  }
  return responses;
}

function contentOf(body: NonNullable<Answer["body"]>, io: "input" | "output"): Json {
  return typeof body === "string"
    ? { [body]: { schema: { type: "string" } } }
    : { "application/json": { schema: schemaOf(body, io) } };
}

/** Recursive schemas refer to themselves by `$defs` inside their own schema, so every schema stands alone. */
function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
  });
  return rest;
}
