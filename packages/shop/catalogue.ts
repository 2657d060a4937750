/** Reads the filters and sort options of an index from its answer. */
import { mainSlice, type AisleClient, type Facet } from "../client/src/index.ts";
import { priceFormat, type PriceFormat } from "../../src/playground/logic/prices.ts";

export interface CatalogueFacet {
  readonly name: string;
  readonly label: string;
  readonly kind: "tree" | "values" | "numbers";
  /** For the box that searches values. */
  readonly isLong: boolean;
  /** Number of levels of a tree. */
  readonly depth: number;
}
export interface Catalogue {
  readonly facets: readonly CatalogueFacet[];
  readonly sorts: readonly { readonly label: string; readonly sort: string }[];
  readonly money: PriceFormat;
}

const MOST_FACETS = 9;
const MANY_VALUES = 8;

export async function readCatalogue(aisle: AisleClient, tenant: string): Promise<Catalogue> {
  const result = await aisle.search(tenant, { limit: 0 });
  const facets = mainSlice(result)?.facets ?? [];
  return {
    facets: facets.slice(0, MOST_FACETS).map((facet) => ({
      name: facet.fieldName,
      label: labelOf(facet),
      kind: kindOf(facet),
      isLong: facet.entries.length > MANY_VALUES,
      depth: depthOf(facet.entries),
    })),
    money: priceFormat(facets),
    sorts: result.sortOptions.map(({ field, sortOrder, label }) => ({
      // Default labels such as `price.asc` are not readable.
      label: /\.(asc|desc)$/.test(label)
        ? `${spoken(field)}, ${sortOrder === "ASC" ? "ascending" : "descending"}`
        : label,
      sort: (sortOrder === "ASC" ? "" : "-") + field.replaceAll(",", "%2C"),
    })),
  };
}

function labelOf({ fieldName, meta }: Facet): string {
  return spoken(typeof meta.label === "string" ? meta.label : fieldName);
}

/** `reviewCount` -> `Review count`. */
export function spoken(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Values of a field that is true or false, for shoppers. */
export function spokenValue(value: string): string {
  return value === "true" ? "Yes" : value === "false" ? "No" : value;
}

function kindOf({ type }: Facet): CatalogueFacet["kind"] {
  switch (type) {
    case "hierarchical":
      return "tree";
    case "term":
      return "values";
    case "interval":
    case "range":
      return "numbers";
  }
}

function depthOf(entries: Facet["entries"]): number {
  const below = entries.map((entry) => (entry.type === "hierarchical" ? depthOf(entry.children) : 0));
  return entries.length === 0 ? 0 : 1 + Math.max(...below);
}
