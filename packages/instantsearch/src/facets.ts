/**
 * Converts facets to InstantSearch's format: `{brand: {"A": 3}}`, for a tree one map per level
 * (`{"category.lvl1": {"Men > Shoes": 3}}`), for numbers their range (`facets_stats`).
 */
import type { Facet, FacetEntry, HierarchicalFacetEntry } from "../../client/src/index.ts";
import { fieldOf } from "./conditions.ts";
import { UnsupportedError, type FacetStats, type RenderingContent } from "./protocol.ts";

export interface FacetMaps {
  readonly facets: Record<string, Record<string, number>>;
  readonly facets_stats: Record<string, FacetStats>;
  /** For dynamicWidgets, which shows the facets of this list. */
  readonly renderingContent?: RenderingContent;
}

export interface FacetWish {
  /** Attribute names of the widgets; `*`: all. */
  readonly attributes: readonly string[];
  readonly maxValues: number | undefined;
  readonly separator: string;
}

export function facetMaps(facets: readonly Facet[], wish: FacetWish): FacetMaps {
  const maps = new Map<string, Record<string, number>>();
  const stats = new Map<string, FacetStats>();
  const attributes = wish.attributes.includes("*") ? facets.flatMap(attributesOf) : wish.attributes;
  for (const attribute of attributes) {
    const { name, level } = fieldOf(attribute);
    const facet = facets.find(({ fieldName }) => fieldName === name);
    // Widgets expect the attribute even without values.
    maps.set(attribute, facet === undefined ? {} : countsOf(facet, level, attribute, wish));
    const ends = facet === undefined ? null : endsOf(facet.entries);
    if (ends !== null) stats.set(attribute, ends);
  }
  return {
    facets: Object.fromEntries(maps),
    facets_stats: Object.fromEntries(stats),
    ...(wish.attributes.includes("*") && {
      renderingContent: { facetOrdering: { facets: { order: attributes.filter(isWidget) } } },
    }),
  };
}

/** The names under which widgets ask for a facet: of a tree, one per level. */
function attributesOf({ fieldName, type, entries }: Facet): string[] {
  if (type !== "hierarchical") return [fieldName];
  return Array.from({ length: depthOf(trees(entries)) }, (_, level) => `${fieldName}.lvl${level}`);
}

function depthOf(nodes: readonly HierarchicalFacetEntry[]): number {
  return nodes.length === 0 ? 0 : 1 + Math.max(...nodes.map(({ children }) => depthOf(children)));
}

/** The first level of a tree stands for all. */
function isWidget(attribute: string): boolean {
  return (fieldOf(attribute).level ?? 0) === 0;
}

function countsOf(
  { type, entries }: Facet,
  level: number | null,
  attribute: string,
  wish: FacetWish,
): Record<string, number> {
  if ((type === "hierarchical") !== (level !== null)) {
    throw type === "hierarchical"
      ? new UnsupportedError(
          `refinementList or menu of "${attribute}"`,
          `it has categories: use hierarchicalMenu or breadcrumb with "${attribute}.lvl0", "${attribute}.lvl1", …`,
        )
      : new UnsupportedError(
          `hierarchicalMenu or breadcrumb of "${attribute}"`,
          `"${fieldOf(attribute).name}" holds no categories`,
        );
  }
  const counts =
    level === null
      ? entries.filter((entry) => entry.type === "term").map(({ key, docCount }) => [key, docCount])
      : levelOf(trees(entries), level, [], wish.separator);
  const largest = (counts as [string, number][]).toSorted(([, a], [, b]) => b - a);
  return Object.fromEntries(largest.slice(0, level === null ? wish.maxValues : undefined));
}

export function trees(entries: readonly FacetEntry[]): HierarchicalFacetEntry[] {
  return entries.filter((entry) => entry.type === "hierarchical");
}

function levelOf(
  nodes: readonly HierarchicalFacetEntry[],
  level: number,
  above: readonly string[],
  separator: string,
): [string, number][] {
  return nodes.flatMap(({ key, docCount, children }): [string, number][] => {
    const path = [...above, key];
    return level > 0 ? levelOf(children, level - 1, path, separator) : [[path.join(separator), docCount]];
  });
}

/** Exact for ranges and single values; for intervals whole numbers around the bounds of the outermost ones. */
function endsOf(entries: readonly FacetEntry[]): FacetStats | null {
  const ends = entries
    .flatMap((entry): (number | null)[] => {
      if (entry.type === "term") return [Number(entry.key)];
      return entry.type === "hierarchical" ? [] : [entry.lowerBound, entry.upperBound];
    })
    .filter((end) => end !== null);
  if (ends.length === 0 || ends.some((end) => Number.isNaN(end))) return null;
  const [min, max] = [Math.min(...ends), Math.max(...ends)];
  // `4.8 - 4.81`, `1250 - 1299.99`: bounds that no product has, and no shopper expects.
  const isRough = entries.some((entry) => entry.type === "interval" && entry.lowerBound !== entry.upperBound);
  return isRough ? { min: Math.floor(min), max: Math.ceil(max) } : { min, max };
}

/**
 * Whether a filtered facet also has the counts of unselected values. Facets with `multi-select` or
 * `show-unselected-options` do; others show only the selection.
 */
export function isWhole({ isFiltered, meta, type, entries }: Facet): boolean {
  if (!isFiltered || meta.multiSelect === true || type === "range") return true;
  return type === "hierarchical" ? hasSibling(trees(entries)) : entries.some(({ selected }) => !selected);
}

/** Whether there are nodes beside the selected branch. */
function hasSibling(nodes: readonly HierarchicalFacetEntry[]): boolean {
  const chosen = nodes.find(({ selected }) => selected);
  if (chosen === undefined) return false;
  return nodes.some(({ selected }) => !selected) || hasSibling(chosen.children);
}
