/**
 * Documents as the interface has them (service-interface.md, "Document", "Attribute", "Product").
 *
 * The zod schemas are the contract and the source of openapi.json. Import and update read documents with the hand-written
 * decoder of `index-engine/fields` instead (an order of magnitude faster); a test holds the two against each other.
 */
import { z } from "zod";

export const Attribute = z.object({
  name: z.string().describe("URL-friendly name; the filter parameter of this attribute"),
  value: z.union([z.string(), z.number()]).describe("display value"),
  code: z.string().nullish().describe("stable id of the value; filter with `<name>.id=<code>`"),
});
export type Attribute = z.infer<typeof Attribute>;

export const Category = z.object({
  id: z.string().nullish().describe("filter with `<field>.id=<id>`"),
  name: z.string(),
});
export type Category = z.infer<typeof Category>;

/** Root first: `[{name: "Men"}, {name: "Shoes"}]`. */
export const CategoryPath = z.array(Category);
export type CategoryPath = z.infer<typeof CategoryPath>;

export const DataValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  Attribute,
  Category,
  z.array(z.union([z.string(), z.number(), z.boolean(), Attribute, Category, CategoryPath])),
  z.record(z.string(), z.unknown()),
]);

export const Document = z.object({
  id: z.union([z.string(), z.number()]),
  data: z.record(z.string(), DataValue),
  attributes: z.array(Attribute).nullish(),
  categories: z.array(CategoryPath).nullish(),
});

export const Product = Document.extend({
  variants: z.array(Document.partial({ id: true, data: true })).nullish(),
});

/** A document in an answer: `attributes` and `categories` are null when absent (contract, "Document"). */
export interface DocumentBody {
  id: string;
  data: Record<string, unknown>;
  attributes: unknown[] | null;
  categories: unknown[] | null;
  variants?: DocumentBody[];
}

export const DocumentAnswer = z.object({
  id: z.string(),
  data: z.record(z.string(), z.unknown()),
  attributes: z.array(Attribute).nullable(),
  categories: z.array(CategoryPath).nullable(),
  variants: z.array(z.unknown()).optional(),
});
