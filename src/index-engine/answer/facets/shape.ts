/**
 * Chooses the facet settings of one counted field from the configuration (docs/behaviour.md 4.1). A field has the
 * settings of its configured facet, otherwise the defaults for its kind.
 *
 * | values | type of the settings  | facet                                                      |
 * |--------|-----------------------|------------------------------------------------------------|
 * | term   | none, term            | term                                                       |
 * | path   | none, hierarchical    | hierarchical                                               |
 * | number | none, interval(_N)    | interval                                                   |
 * | number | range                 | range                                                      |
 * | number | term                  | term: one entry per number (the reference makes no facet)  |
 * | any    | ignore                | none                                                       |
 * | any    | anything else         | defaults; the answer reports the mismatch                  |
 *
 * If the name also has values of the intended kind, only those make the facet and the others make none.
 */
import { getOrInsert } from "../../base/index.ts";
import type { FacetConfig, FacetConfiguration } from "../../../interface/index.ts";
import type { FacetCounts } from "../../query/index.ts";
import { FACET_KINDS, type FacetKind } from "../../segment/model/index.ts";

type FacetShape =
  | { readonly type: "term" }
  | { readonly type: "hierarchical" }
  | { readonly type: "interval"; readonly width: number | null }
  | { readonly type: "range" };

export interface FacetSettings {
  /** The configured settings, or the defaults. */
  readonly config: Omit<FacetConfig, "sourceField" | "label">;
  readonly label: string;
  readonly shape: FacetShape;
  /** False if the settings are defaults. */
  readonly isConfigured: boolean;
}

/** Null: no facet. `kindsOf` returns all kinds that were counted under the name. */
export function settingsOf(
  name: string,
  kind: FacetKind,
  kindsOf: () => readonly FacetKind[],
  configuration: FacetConfiguration,
): FacetSettings | null {
  const own = ownSettings(configuration).get(name);
  if (own !== undefined) {
    const { type } = own;
    if (type?.kind === "ignore" || type?.kind === "index_name") return null;
    const shape = shapeOf(type, kind);
    // If a name has both words and numbers, "term" means the words.
    const isStray = type?.kind === "term" && kind === "number" && kindsOf().includes("term");
    if (shape !== null) return isStray ? null : { config: own, label: own.label, shape, isConfigured: true };
    if (kindsOf().some((other) => shapeOf(type, other) !== null)) return null;
  }
  const template = kind === "number" ? configuration.defaultNumberFacet : configuration.defaultTermFacet;
  if (template.type?.kind === "ignore") return null;
  const shape = shapeOf(template.type, kind) ?? shapeOf(null, kind);
  if (shape === null) return null;
  return { config: template, label: name, shape, isConfigured: false };
}

const ownByName = new WeakMap<FacetConfiguration, ReadonlyMap<string, FacetConfig>>();

/** By field. The first one wins if several are configured. */
function ownSettings(configuration: FacetConfiguration): ReadonlyMap<string, FacetConfig> {
  const fieldAndFacet = (facet: FacetConfig) => [facet.sourceField, facet] as const;
  return getOrInsert(ownByName, configuration, ({ facets }) => new Map(facets.toReversed().map(fieldAndFacet)));
}

/** Warnings about settings whose type fits none of the values that their field was counted with. */
export function mismatches({ facets }: FacetConfiguration, kindsOf: (name: string) => readonly FacetKind[]): string[] {
  return facets.flatMap(({ sourceField, type }) => {
    if (type === null || type.kind === "ignore" || type.kind === "index_name") return [];
    const kinds = kindsOf(sourceField);
    if (kinds.length === 0 || kinds.some((kind) => shapeOf(type, kind) !== null)) return [];
    return [
      `facet "${sourceField}": type ${type.kind} does not fit its ${kinds.map((kind) => VALUES[kind]).join(" and ")}, its settings are ignored`,
    ];
  });
}

/** The kinds with entries under the name. */
export function countedKinds(counts: FacetCounts, name: string): readonly FacetKind[] {
  return FACET_KINDS.filter((kind) => counts.field(name, kind) !== null);
}

const VALUES: Readonly<Record<FacetKind, string>> = {
  term: "strings",
  number: "numbers",
  path: "category paths",
};

/** Null if a facet of this type cannot have values of this kind. */
function shapeOf(type: FacetConfig["type"], kind: FacetKind): FacetShape | null {
  switch (kind) {
    case "term":
      return type === null || type.kind === "term" ? { type: "term" } : null;
    case "path":
      return type === null || type.kind === "hierarchical" ? { type: "hierarchical" } : null;
    case "number":
      if (type === null) return { type: "interval", width: null };
      if (type.kind === "interval") return { type: "interval", width: type.width };
      return type.kind === "range" || type.kind === "term" ? { type: type.kind } : null;
  }
}
