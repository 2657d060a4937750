// Which facets an answer shows, and what is in them, told from plain counts (docs/behaviour.md 4.1, 4.3, 4.4, 4.5):
// every facet is made, then looked at, then put in order, then cut. Counts are those of the twin of searches. Of fields
// with one kind of values, filtered by value, whose numbers are one per product.
import { cutIntervals } from "../../../src/index-engine/answer/facets/intervals.ts";
import type { FilterParameter, FacetConfig, TenantConfig } from "../../../src/interface/index.ts";

export interface SlowFacet {
  readonly name: string;
  readonly type: string;
  readonly isFiltered: boolean;
  readonly coverage: number;
  /** `*key count`, sorted; a star where it is selected. */
  readonly entries: readonly string[];
}

export interface Counted {
  readonly matchCount: number;
  /** `name|kind` -> key -> products that match. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The same of all products there are. */
  readonly all: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Made extends SlowFacet {
  readonly config: FacetConfig;
  /** Of which `min-value-count` asks. */
  readonly size: number;
  readonly onlyCount: number | null;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** @param isNamed whether the index configuration has a rule for the field */
export function slowFacets(
  { matchCount, counts, all }: Counted,
  filters: readonly FilterParameter[],
  { facets: configuration }: Pick<TenantConfig, "facets">,
  isNamed: (name: string) => boolean,
): SlowFacet[] {
  const candidates = Object.entries(counts).flatMap(([field, entries]): Made[] => {
    const [name = "", kind = ""] = field.split("|");
    const own = configuration.facets.find(({ sourceField }) => sourceField === name);
    const template = kind === "number" ? configuration.defaultNumberFacet : configuration.defaultTermFacet;
    const config = own ?? { ...template, sourceField: name, label: name };
    const ofField = filters.filter((filter) => filter.name === name);
    if (config.type?.kind === "ignore") return [];
    const made = make(name, kind, config, ofField, entries);
    if (made.entries.length === 0) return [];
    if (ofField.length > 0) return [made];

    if (!dependenciesHold(config, filters)) return [];
    const isOwnOfEach = Object.values(entries).every((count) => count === 1);
    if (own === undefined && kind === "term" && !isNamed(name) && isOwnOfEach) return [];
    // Before and after the facet is made: a facet may count less than its field.
    const least = config.minFacetCoverage;
    if (sum(Object.values(entries)) / matchCount < least || made.coverage / matchCount < least) {
      return [];
    }
    if (made.type === "range") return [made];
    const isSaid = made.onlyCount === matchCount && made.type !== "interval";
    if (config.removeOnSingleFullCoverageFacetElement && isSaid) return [];
    const wanted = Math.min(config.minValueCount, Object.keys(all[field] ?? {}).length);
    return made.size >= wanted ? [made] : [];
  });

  // What decides which ones there is room for is the coverage of the field; they are shown by the coverage that they
  // tell.
  const coverageOf = ({ name }: Made): number =>
    sum(Object.values(counts[Object.keys(counts).find((one) => one.startsWith(`${name}|`)) ?? ""] ?? {}));
  const by =
    (coverage: (one: Made) => number) =>
    (a: Made, b: Made): number =>
      a.config.order - b.config.order ||
      Number(b.isFiltered) - Number(a.isFiltered) ||
      coverage(b) - coverage(a) ||
      (a.name < b.name ? -1 : 1);
  const ordered = candidates.sort(by(coverageOf));
  const isKept = ({ config, isFiltered }: Made): boolean => config.excludeFromFacetLimit || isFiltered;
  let room =
    configuration.maxFacets -
    ordered.filter(({ config, isFiltered }) => isFiltered && !config.excludeFromFacetLimit).length;
  return ordered
    .filter((facet) => isKept(facet) || room-- > 0)
    .sort(by((one) => one.coverage))
    .map(({ config: _config, size: _size, onlyCount: _onlyCount, ...facet }) => facet);
}

/** `name=value`, one of them; `*` is any value. */
function dependenciesHold({ filterDependencies }: FacetConfig, filters: readonly FilterParameter[]): boolean {
  if (filterDependencies.length === 0) return true;
  return filterDependencies.some((text) => {
    const [name, value = ""] = text.split("=");
    return filters.some(
      (filter) =>
        filter.name === name &&
        !filter.negated &&
        (value === "*" || filter.values.some((one) => one.toLowerCase() === value)),
    );
  });
}

function make(
  name: string,
  kind: string,
  config: FacetConfig,
  ofField: readonly FilterParameter[],
  entries: Readonly<Record<string, number>>,
): Made {
  const chosen = ofField.flatMap(({ negated, values }) => (negated ? [] : values));
  const isRestricted =
    chosen.length > 0 && (config.filterSensitive || !(config.multiSelect || config.showUnselectedOptions));
  const isFiltered = ofField.length > 0;
  const whole = sum(Object.values(entries));
  const facetOf = (
    type: string,
    shown: readonly (readonly [key: string, count: number, isSelected: boolean])[],
    coverage: number,
    size = shown.length,
  ): Made => ({
    name,
    type,
    config,
    isFiltered,
    coverage,
    size,
    onlyCount: shown.length === 1 ? (shown[0]?.[1] ?? null) : null,
    entries: shown.map(([key, count, isSelected]) => `${isSelected ? "*" : ""}${key} ${count}`).sort(),
  });

  if (kind === "term" || (kind === "number" && config.type?.kind === "term")) {
    const isWithin = (key: string): boolean => kind === "number" && chosen.length > 0 && isInRange(Number(key), chosen);
    // A range of several numbers chooses none of them.
    const isSelected = (key: string): boolean =>
      kind === "number"
        ? isWithin(key) && new Set(chosen).size === 1
        : chosen.some((value) => value.toLowerCase() === key);
    const shown = Object.entries(entries)
      .filter(([key]) => !isRestricted || isSelected(key) || isWithin(key))
      .map(([key, count]) => [key, count, isSelected(key)] as const);
    return facetOf("term", shown, isRestricted ? sum(shown.map(([, count]) => count)) : whole);
  }
  if (kind === "path") {
    const isAbove = (path: string, other: string): boolean => other.startsWith(`${path}/`);
    const found = chosen.filter((path) => path in entries);
    const isSelected = (path: string): boolean => found.some((one) => one === path || isAbove(path, one));
    const isShown = (path: string): boolean =>
      !isRestricted || isSelected(path) || found.some((one) => isAbove(one, path));
    const shown = Object.entries(entries)
      .filter(([path]) => isShown(path))
      .map(([path, count]) => [path, count, isSelected(path)] as const);
    const paths = shown.map(([path]) => path);
    const roots = paths.filter((path) => !path.includes("/"));
    const leaves = paths.filter((path) => !paths.some((other) => isAbove(path, other)));
    const coverage = isRestricted ? sum(shown.map(([, count]) => count)) : whole;
    const [leaf = ""] = leaves;
    const isChain = roots.length === 1 && leaves.length === 1;
    return {
      ...facetOf("hierarchical", shown, coverage, Math.max(roots.length, leaves.length)),
      // What is at the end is on the whole way.
      onlyCount: isChain ? (entries[leaf] ?? 0) : null,
    };
  }

  const numbers = Object.keys(entries)
    .map(Number)
    .sort((a, b) => a - b);
  const between = (lower: number, upper: number): number =>
    sum(numbers.map((one) => (one >= lower && one <= upper ? (entries[one] ?? 0) : 0)));
  if (config.type?.kind === "range") {
    const lower = numbers[0] ?? 0;
    const upper = numbers.at(-1) ?? 0;
    const shown = [[`${lower}-${upper}`, whole, chosen.length > 0] as const];
    return facetOf("range", lower === upper ? [] : shown, whole);
  }
  const nameOf = (lower: number, upper: number): string => `${lower}..${upper}`;
  const [from, to] = [Math.min(...chosen.map(Number)), Math.max(...chosen.map(Number))];
  if (isRestricted) {
    const count = between(from, to);
    return facetOf("interval", count > 0 ? [[nameOf(from, to), count, true]] : [], count);
  }
  const intervals = cutIntervals(
    Float64Array.from(numbers),
    Uint32Array.from(numbers, (one) => entries[one] ?? 0),
    {
      width: config.type?.kind === "interval" ? config.type.width : null,
      wanted: config.optimalValueCount,
      whole: true,
    },
  );
  const shown = intervals.map(
    ({ lower, upper }) => [nameOf(lower, upper), between(lower, upper), lower === from && upper === to] as const,
  );
  return facetOf("interval", shown, sum(shown.map(([, count]) => count)));
}

function isInRange(number: number, values: readonly string[]): boolean {
  const ends = values.map(Number);
  return number >= Math.min(...ends) && number <= Math.max(...ends);
}
