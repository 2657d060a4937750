/**
 * Hierarchical facets: the levels of category paths as a tree (docs/behaviour.md 4.6).
 *
 *   Men 7, Men/Shoes 4, Men/Shirts 3, Women 5      ->      Men 7 ┬ Shoes 4
 *                                                                └ Shirts 3
 *                                                          Women 5
 *
 * A tree is counted without its own filter (unless it is filter-sensitive), even in single-select facets. With
 * `category=Men/Shoes`, the count of Men stays 7: that is what its link leads to. Below the chosen node, the filter
 * makes no difference.
 *
 * Each level is counted separately, so a product in two branches counts once at their common ancestor. A node is
 * *chosen* if a filter names it. It is *selected* if it or a descendant is chosen.
 */
import { LIMITS } from "../../../interface/index.ts";
import type { CountedValue } from "../../query/index.ts";
import { type GrowableBytes, getOrInsert } from "../../base/index.ts";
import { accumulates, findEntries, isRestricted, type FacetBody, type FacetInput } from "./facet-input.ts";
import { parentOf } from "./written-value.ts";
import { Selection, type SelectionRules } from "./selection.ts";
import { orderEntries } from "./value-order.ts";

interface Node extends Pick<CountedValue, "count" | "written"> {
  readonly value: CountedValue;
  parent: Node | null;
  isLeaf: boolean;
  /** In the order in which they are shown. */
  readonly children: Node[];
}

export function buildHierarchicalFacet(input: FacetInput): FacetBody {
  const { field, filters, links, config, language, only } = input;
  const limit = LIMITS.hierarchicalFacetValues.value;
  const known = new Map<string, CountedValue | null>();

  function valueOfPath(path: string): CountedValue | null {
    return getOrInsert(known, path, () => field.entry(path));
  }

  /** The path of ids, such as `/1/11`, if every level has an id of its own. */
  function idPathOf(path: string): string | null {
    const steps = [path, ...ancestorsOf(path)].toReversed().map(valueOfPath);
    const ids = steps.map((step) => (step !== null && field.ownsId(step) ? step.id : null));
    return ids.some((id) => id === null || id.includes("/")) ? null : `/${ids.join("/")}`;
  }

  const rules: SelectionRules = {
    textsOf: ({ values }) => values.map((value) => [value]),
    idOf: lastStep,
    choice: ({ key }) => {
      const path = String(key);
      return { text: [path], id: () => idPathOf(path), key: path };
    },
    find: ([value = ""], byId) => findEntries(input, value, byId),
    accumulates: accumulates(input),
    replaces: ({ text }, { key }) => text !== null && isSameBranch(text[0] ?? "", String(key)),
  };
  const selection = new Selection(field.name, filters, rules, links);

  const restricted = isRestricted(input);
  const isBelowChosen = (path: string): boolean => ancestorsOf(path).some((ancestor) => selection.has(ancestor));
  // Descendants of a chosen node may not be among the largest.
  const largest = (): readonly CountedValue[] =>
    restricted ? field.top(limit, (key) => isBelowChosen(String(key))) : field.top(limit);
  let shown = only ?? largest();
  const lineage = new Set([...selection.entries.keys()].flatMap((path) => [path, ...ancestorsOf(path)]));
  // An ancestor counts at least as much as its descendants, so the largest nodes form a tree.
  // Selected nodes are added with their ancestors.
  if (only === null && lineage.size > 0) {
    const chosen = [...lineage].map(valueOfPath).filter((value) => value !== null);
    shown = [...new Map([...shown, ...chosen].map((value) => [value.key, value])).values()];
  }
  if (restricted) {
    const isWithin = (path: string): boolean => lineage.has(path) || isBelowChosen(path);
    shown = shown.filter(({ key }) => isWithin(String(key)));
  }
  const covered = restricted || only !== null ? shown.reduce((sum, { count }) => sum + count, 0) : field.coverage;
  if (only !== null) shown = withAncestors(shown, valueOfPath);
  const nodes = nodesOf(shown);
  const roots = nodes.filter(({ parent }) => parent === null);

  function write(to: GrowableBytes, ordered: readonly Node[]): void {
    ordered.forEach(({ value, written, children }, i) => {
      if (i > 0) to.pushText(",");
      selection.write(to, value, lineage.size > 0 && lineage.has(written.text));
      if (children.length > 0) write(to, children);
      to.pushText("]}");
    });
  }

  return {
    type: "hierarchical",
    coverage: covered,
    size: roots.length,
    // Used for `min-value-count` if there are too few roots.
    leaves: nodes.reduce((sum, { isLeaf }) => sum + (isLeaf ? 1 : 0), 0),
    products: roots.length === 1 ? productsAtEnd(nodes, roots[0]) : 0,
    write: (to) => {
      to.pushText("[");
      const ordered: Node[] = [];
      for (const node of orderEntries(nodes, config.valueOrder, language)) {
        (node.parent?.children ?? ordered).push(node);
      }
      write(to, ordered);
      to.pushText("]");
    },
  };
}

/** Number of products at the end of a path without branches; 0 if the path branches. */
function productsAtEnd(nodes: readonly Node[], node: Node): number {
  if (node.isLeaf) return node.count;
  const [child, ...others] = nodes.filter(({ parent }) => parent === node);
  return others.length === 0 ? productsAtEnd(nodes, child) : 0;
}

/** A node's parent is its nearest shown ancestor. */
function nodesOf(values: readonly CountedValue[]): Node[] {
  const nodes = values.map((value): Node => {
    const { count, written } = value;
    return { value, count, written, parent: null, isLeaf: true, children: [] };
  });
  let byPath: ReadonlyMap<string, Node> | null = null;
  const parentIn = (path: string | null): Node | null => {
    byPath ??= new Map(nodes.map((node) => [node.written.text, node]));
    for (let above = path; above !== null; above = parentOf(above)) {
      const parent = byPath.get(above);
      if (parent !== undefined) return parent;
    }
    return null;
  };
  let last: Node | null = null;
  for (const node of nodes) {
    const { parent: path } = node.written;
    // Values are sorted by path, so the parent is usually the last node or one of its ancestors.
    let parent = path === null ? null : last;
    while (parent !== null && parent.written.text !== path) ({ parent } = parent);
    if (path !== null) parent ??= parentIn(path);
    node.parent = parent;
    if (parent !== null) parent.isLeaf = false;
    last = node;
  }
  return nodes;
}

function withAncestors(
  values: readonly CountedValue[],
  valueOfPath: (path: string) => CountedValue | null,
): CountedValue[] {
  const all = new Map(values.map((value) => [String(value.key), value]));
  for (const { key } of values) {
    for (const ancestor of ancestorsOf(String(key))) {
      const value = all.has(ancestor) ? null : valueOfPath(ancestor);
      if (value !== null) all.set(ancestor, value);
    }
  }
  return [...all.values()];
}

/** Nearest first: `A/B/C` -> `A/B`, `A`. */
function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let one = parentOf(path); one !== null; one = parentOf(one)) ancestors.push(one);
  return ancestors;
}

function isSameBranch(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** The last id of a path of ids: `/1/11` -> `11`. */
function lastStep(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
