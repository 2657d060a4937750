/**
 * Makes the request of an operation from the values of its form.
 *
 *   /search-api/v1/doc/{tenant}/{id}  tenant=sample, id=a/b  ->  /search-api/v1/doc/sample/a%2Fb
 *
 * Empty query parameters are omitted. An object parameter stands for one parameter per member and
 * is entered as a query string.
 */
import { parseQuery, writeQuery, type Parameter } from "./parameters.ts";
import type { ApiRequest } from "./requests.ts";

/** The part of an /openapi.json operation that forms need. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly default?: unknown;
  };
}

export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

export interface FilledIn {
  readonly method: string;
  readonly pathTemplate: string;
  readonly values: readonly { readonly parameter: DescribedParameter; readonly value: string }[];
  /** Null: the operation has no body. */
  readonly body: string | null;
  readonly contentType: string | null;
}

export function operationRequest(filledIn: FilledIn): ApiRequest {
  const { method, pathTemplate, values, body, contentType } = filledIn;
  let path = pathTemplate;
  const query: Parameter[] = [];
  for (const { parameter, value } of values) {
    const { name, in: place } = parameter;
    // A function, because `$&` in a value is literal.
    if (place === "path") path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (isOpen(parameter)) query.push(...parseQuery(value));
    else if (value !== "") query.push([name, value]);
  }
  const written = writeQuery(query);
  return {
    method: method.toUpperCase(),
    path: written === "" ? path : `${path}?${written}`,
    body,
    contentType: body === null ? null : contentType,
  };
}

export function isOpen({ schema }: Pick<DescribedParameter, "schema">): boolean {
  return schema.type === "object";
}
