/**
 * Documents of the HTTP interface (docs/behaviour.md 1.1).
 *
 * The zod schemas are the contract and the source of openapi.json. Import and update read documents with the
 * hand-written decoder of `index-engine/documents` instead (1 to 3 times faster, bench/fields.ts, and it decodes while
 * checking); a test compares the two.
 */
import * as z from "zod";
import { LIMITS } from "./limits.ts";

/** A name must not be blank; a blank value means absent. */
const Name = z.string().regex(/\S/u);
/** Ids of values and variants: shops send both numbers and strings. */
const LooseId = z.union([z.string(), z.number()]);

export const Attribute = z
  .object({
    name: Name.describe("URL-friendly name; the filter parameter of this attribute"),
    value: z
      .union([z.string(), z.number(), z.boolean()])
      .describe('display value; a boolean becomes "true" or "false", a blank one is ignored'),
    code: LooseId.nullish().describe("stable id of the value; filter with `<name>.id=<code>`"),
  })
  .meta({ id: "Attribute", description: "A named property of a document." });
export type Attribute = z.infer<typeof Attribute>;

export const Category = z
  .object({
    id: LooseId.nullish().describe("filter with `<field>.id=<id>`"),
    name: z.union([Name, z.number()]),
  })
  .meta({ id: "Category", description: "One level of a category path." });
export type Category = z.infer<typeof Category>;

/** Root first: `[{name: "Men"}, {name: "Shoes"}]`. */
export const CategoryPath = z.array(Category).meta({ id: "CategoryPath", description: "A category path, root first." });
export type CategoryPath = z.infer<typeof CategoryPath>;

/** Known forms first; other values are accepted, ignored and listed in the report of `add`. */
export const DataValue = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    Attribute,
    Category,
    z.array(z.union([z.string(), z.number(), z.boolean(), Attribute, Category, CategoryPath])),
    z.unknown(),
  ])
  .meta({
    id: "Document_data_value",
    description: "The value of a data field. Values of any other form are accepted and ignored.",
  });

const DocumentId = z.union([
  z
    .string()
    .regex(/\S/u)
    .refine((id) => id !== "." && id !== "..", "must not be a step of a path")
    .refine((id) => id.isWellFormed(), "must be valid Unicode text")
    .refine(
      (id) => new TextEncoder().encode(id).byteLength <= LIMITS.documentIdBytes.value,
      `must be at most ${LIMITS.documentIdBytes.value} bytes of UTF-8`,
    ),
  // Larger numbers are rounded when parsed, so different ids would become equal.
  z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
]);

export const Document = z
  .object({
    id: DocumentId,
    data: z.record(z.string(), DataValue),
    attributes: z.array(Attribute.nullable()).nullish(),
    categories: z.array(CategoryPath.nullable()).nullish(),
  })
  .meta({ id: "Document", description: "A flat record of fields, as sent." });

const Variant = Document.extend({
  id: LooseId.nullish(),
  data: z.record(z.string(), DataValue).nullish(),
}).meta({
  id: "Variant",
  description: "A variant of a product: the fields that differ from the product.",
});

export const Product = Document.extend({ variants: z.array(Variant).nullish() }).meta({
  id: "Product",
  description: "A document with its variants, which together are one hit.",
});

/** A document in an answer: `attributes` and `categories` are null when absent (contract, "Document"). */
export interface DocumentBody {
  id: string;
  data: Record<string, unknown>;
  attributes: unknown[] | null;
  categories: unknown[] | null;
  variants?: DocumentBody[];
}

/** An attribute in an answer: always texts. */
const AttributeAnswer = z
  .object({
    name: z.string(),
    value: z.string(),
    code: z.string().nullish(),
  })
  .meta({ id: "AttributeAnswer", description: "An attribute in an answer. Its value is text." });

const CategoryAnswer = z
  .object({ name: z.string(), id: z.string().nullish() })
  .meta({ id: "CategoryAnswer", description: "One level of a category path in an answer." });

const DocumentAnswerMembers = {
  id: z.string(),
  data: z.record(z.string(), z.unknown()),
  attributes: z.array(AttributeAnswer).nullable(),
  categories: z.array(z.array(CategoryAnswer)).nullable(),
};

const VariantAnswer = z
  .object(DocumentAnswerMembers)
  .meta({ id: "VariantAnswer", description: "A variant in an answer." });

export const DocumentAnswer = z.object({ ...DocumentAnswerMembers, variants: z.array(VariantAnswer).optional() }).meta({
  id: "DocumentAnswer",
  description: "A document in an answer. Absent members are null.",
});
