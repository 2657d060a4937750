/** The description of one operation, and helpers for descriptions. */
import * as z from "zod";
import type { ErrorType } from "../../interface/index.ts";
import type { Part } from "../settings.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  /** A list is a repeated parameter; each member of an object is a query parameter of that name. */
  readonly schema: z.ZodType;
  readonly doc: string;
}

export interface Answer {
  readonly status: number;
  readonly doc: string;
  /** Null: no body. A text: a content type other than JSON. */
  readonly body: z.ZodType | string | null;
}

export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** With `{parameters}`. */
  readonly path: string;
  /** Null: available in every deployment, without credentials. */
  readonly part: Part | null;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Null: no body. A text: a content type other than JSON. */
  readonly body: z.ZodType | string | null;
  /** The body may be YAML as well as JSON. */
  readonly alsoYaml?: true;
  readonly answers: readonly Answer[];
  /** In addition to the errors that every operation of its part can return. */
  readonly errors: readonly ErrorType[];
}

/** An operation as a table has it: what is absent is empty. */
export type WrittenOperation = Omit<Operation, "part" | "parameters" | "body" | "errors"> &
  Partial<Pick<Operation, "parameters" | "body" | "errors">>;

export function operationsOf(part: Part | null, written: readonly WrittenOperation[]): readonly Operation[] {
  return written.map((one) => ({ part, parameters: [], body: null, errors: [], ...one }));
}

export const text = z.string();
export const count = z.number().int().min(0);
export const anyJson = z.unknown();

export function inPath(name: string, doc: string): Parameter {
  return { name, in: "path", required: true, schema: text, doc };
}

export function inQuery(name: string, schema: z.ZodType, doc: string, required = false): Parameter {
  return { name, in: "query", required, schema, doc };
}
