/**
 * Configuration -> how the facet of one counted field is made (reference-behaviour.md 4.1).
 *
 * A field has a facet of its own settings where one is configured, of the default for its kind otherwise. A type that does not
 * fit the values (a range of strings, a tree of numbers) cannot be made: the settings are then as if not given; but where the
 * same name has values of the kind that was meant, those make the facet and the stray ones none.
 */
import type { FacetConfig, FacetConfiguration } from "../../interface/index.ts";
import type { FacetKind } from "../model.ts";

export type FacetShape =
  | { readonly type: "term" }
  | { readonly type: "hierarchical" }
  | { readonly type: "interval"; readonly width: number | null }
  | { readonly type: "range" };

export interface FacetSettings {
  readonly config: FacetConfig;
  readonly shape: FacetShape;
  /** False: made from the defaults. */
  readonly isConfigured: boolean;
}

/** Null: no facet. `kindsOf`: all kinds the name was counted with. */
export function settingsOf(
  name: string,
  kind: FacetKind,
  kindsOf: () => readonly FacetKind[],
  configuration: FacetConfiguration,
): FacetSettings | null {
  const own = configuration.facets.find(({ sourceField }) => sourceField === name);
  if (own !== undefined) {
    const { type } = own;
    if (type?.kind === "ignore" || type?.kind === "index_name") return null;
    const shape = shapeOf(type, kind);
    if (shape !== null) return { config: own, shape, isConfigured: true };
    if (kindsOf().some((other) => shapeOf(type, other) !== null)) return null;
  }
  const template =
    kind === "number" ? configuration.defaultNumberFacet : configuration.defaultTermFacet;
  if (template.type?.kind === "ignore") return null;
  const shape = shapeOf(template.type, kind) ?? shapeOf(null, kind);
  if (shape === null) return null;
  return { config: { ...template, sourceField: name, label: name }, shape, isConfigured: false };
}

/** Null where a facet of this type cannot be made of values of this kind. */
function shapeOf(type: FacetConfig["type"], kind: FacetKind): FacetShape | null {
  switch (kind) {
    case "term":
      return type === null || type.kind === "term" ? { type: "term" } : null;
    case "path":
      return type === null || type.kind === "hierarchical" ? { type: "hierarchical" } : null;
    case "number":
      if (type === null) return { type: "interval", width: null };
      if (type.kind === "interval") return { type: "interval", width: type.width };
      return type.kind === "range" ? { type: "range" } : null;
  }
}
