/**
 * Hierarchical facets: the levels of category paths as a tree (docs/behaviour.md 4.6).
 *
 *   Men 7, Men/Shoes 4, Men/Shirts 3, Women 5      ->      Men 7 ┬ Shoes 4
 *                                                                └ Shirts 3
 *                                                          Women 5
 *
 * A tree is counted without its own filter (unless it is filter-sensitive), in single-select facets, too: what is
 * shown of it above the chosen node, Men 7 of `category=Men/Shoes`, is what its link leads to. Below the chosen node
 * that makes no difference.
 *
 * Each level is counted by itself, so a product in two branches counts once at their common ancestor. A node is *chosen* when a
 * filter names it, and *selected* when it or something below it is chosen.
 */
import { LIMITS, type HierarchialFacetEntry } from "../../../interface/index.ts";
import type { CountedValue } from "../../query/index.ts";
import { compareCodePoints } from "../../base/index.ts";
import {
  accumulates,
  findEntries,
  isRestricted,
  type FacetBody,
  type FacetInput,
} from "./facet-input.ts";
import { Selection, type Choice, type SelectionRules } from "./selection.ts";
import { orderEntries } from "./value-order.ts";

interface Node {
  readonly value: CountedValue;
  readonly path: string;
  readonly children: Node[];
}

export function buildHierarchicalFacet(input: FacetInput): FacetBody {
  const { name, kind, counts, filters, links, config, language } = input;
  const limit = LIMITS.hierarchicalFacetValues.value;
  const known = new Map<string, CountedValue | null>();

  function valueOfPath(path: string): CountedValue | null {
    let value = known.get(path);
    if (value === undefined) known.set(path, (value = counts.entry(name, kind, path)));
    return value;
  }

  /** `/1/11` where every level has an id that is its own. */
  function idPathOf(path: string): string | null {
    const steps = [path, ...ancestorsOf(path)].toReversed().map(valueOfPath);
    const ids = steps.map((step) =>
      step !== null && counts.ownsId(name, kind, step) ? step.id : null,
    );
    return ids.some((id) => id === null || id.includes("/")) ? null : `/${ids.join("/")}`;
  }

  function choiceOf({ key }: CountedValue): Choice {
    const path = String(key);
    return { text: [path], id: () => idPathOf(path), key: path };
  }

  const rules: SelectionRules = {
    textsOf: ({ values }) => values.map((value) => [value]),
    idOf: lastStep,
    choice: choiceOf,
    find: ([value = ""], byId) => findEntries(input, value, byId),
  };
  const selection = new Selection(name, filters, rules, links);

  const restricted = isRestricted(input);
  const isBelowChosen = (path: string): boolean =>
    ancestorsOf(path).some((ancestor) => selection.has(ancestor));
  // Of a tree with more nodes than are shown, those below what is chosen may be none of the largest.
  const isCut = restricted && counts.summary(name, kind).entries > limit;
  const largest = isCut
    ? counts
        .values(name, kind)
        .filter(({ key }) => isBelowChosen(String(key)))
        .sort((a, b) => b.count - a.count || compareCodePoints(String(a.key), String(b.key)))
        .slice(0, limit)
    : counts.top(name, kind, limit);
  const shown = new Map(largest.map((value) => [String(value.key), value] as const));
  // An ancestor has at least the count of what is below it, so the largest are a tree; what is selected comes with its
  // ancestors.
  for (const chosen of selection.entries().keys()) {
    for (const path of [chosen, ...ancestorsOf(chosen)]) {
      const value = valueOfPath(path);
      if (value !== null) shown.set(path, value);
    }
  }
  const lineage = new Set(
    [...selection.entries().keys()].flatMap((path) => [path, ...ancestorsOf(path)]),
  );
  const isShown = (path: string): boolean =>
    !restricted || lineage.has(path) || isBelowChosen(path);

  const roots = treeOf([...shown].filter(([path]) => isShown(path)).map(([, value]) => value));
  let coverage = 0;

  function entryOf(node: Node): HierarchialFacetEntry {
    const { value, path } = node;
    coverage += value.count;
    const choice = choiceOf(value);
    const link = selection.has(path)
      ? selection.without(path)
      : accumulates(input)
        ? selection.plus(choice, ({ text }) => text !== null && isSameBranch(text[0] ?? "", path))
        : selection.only(choice);
    return {
      type: "hierarchical",
      key: nameOf(path),
      id: value.id,
      docCount: value.count,
      link,
      selected: lineage.has(path),
      path,
      children: orderEntries(node.children.map(entryOf), config.valueOrder, language),
    };
  }

  const entries = orderEntries(roots.map(entryOf), config.valueOrder, language);
  return { type: "hierarchical", coverage: restricted ? coverage : input.coverage, entries };
}

/** Leaves of a tree: what `min-value-count` counts where there are too few roots. */
export function leafCount(entries: readonly HierarchialFacetEntry[]): number {
  return entries.reduce(
    (sum, { children }) => sum + (children.length === 0 ? 1 : leafCount(children)),
    0,
  );
}

function treeOf(values: readonly CountedValue[]): Node[] {
  const roots: Node[] = [];
  const nodes = new Map<string, Node>();
  // By depth, so that a parent is there before its children.
  const paths = values.map((value) => ({ value, path: String(value.key) }));
  paths.sort((a, b) => a.path.split("/").length - b.path.split("/").length);
  for (const { value, path } of paths) {
    const parent = ancestorsOf(path)
      .map((ancestor) => nodes.get(ancestor))
      .find((node) => node !== undefined);
    const node: Node = { value, path, children: [] };
    nodes.set(path, node);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** Nearest first: `A/B/C` -> `A/B`, `A`. */
function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    ancestors.push(path.slice(0, end));
  }
  return ancestors;
}

function isSameBranch(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** A slash inside a name is stored as `%2F`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replaceAll("%2F", "/");
}

/** `/1/11` and `11`: the last id counts. */
function lastStep(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
