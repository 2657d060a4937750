/** The stages of a tenant for one index: its `query-configuration`. */
import type { TenantConfig } from "../../../interface/index.ts";
import { getOrInsert } from "../../base/index.ts";
import { ATTRIBUTES_SEARCH_FIELD, OTHER_SEARCH_FIELD, type FieldPlan } from "../../documents/index.ts";
import { fieldWeights, type FieldWeight, type FieldWeights } from "../rank/index.ts";
import { configuredStages } from "./configured.ts";
import type { StagePlan } from "./stage.ts";

/** `*`: fields named by the shop's own configuration (docs/search.md "Without stages of your own"). */
export const DEFAULT_FIELD_WEIGHTS: readonly FieldWeight[] = [
  { field: "title", weight: 3 },
  { field: "brand", weight: 3 },
  { field: "category_leaf", weight: 2 },
  { field: "category_lvl_*", weight: 1 },
  { field: "artNr", weight: 2 },
  { field: "ean", weight: 2 },
  { field: "search_combi", weight: 1 },
  { field: "shortDescription", weight: 1 },
  { field: "description", weight: 1 },
  { field: ATTRIBUTES_SEARCH_FIELD, weight: 0.2 },
  { field: OTHER_SEARCH_FIELD, weight: 0.3 },
  { field: "*", weight: 1 },
];

export interface TenantStages {
  /** Null: not configured. */
  readonly stagesFor: ((words: readonly string[]) => readonly StagePlan[]) | null;
  /** Weights of the main search: those of the first stage that has any; without stages the tenant's own. */
  readonly weights: FieldWeights;
}

/** Cached, because a tenant's stages for one index do not change. */
const knownStages = new WeakMap<TenantConfig, WeakMap<FieldPlan, TenantStages>>();

export function stagesOf(tenant: TenantConfig, fields: FieldPlan): TenantStages {
  const ofTenant = getOrInsert(knownStages, tenant, () => new WeakMap<FieldPlan, TenantStages>());
  return getOrInsert(ofTenant, fields, () => makeStages(tenant, fields));
}

function makeStages(tenant: TenantConfig, { searchAliases }: FieldPlan): TenantStages {
  const configs = tenant.stages ?? [];
  const weighted = configs.length === 0 ? [tenant.relevance] : configs;
  const entries = weighted
    .map(({ weightedFields }) => Object.entries(weightedFields))
    .find(({ length }) => length > 0)
    ?.map(([field, weight]) => ({ field, weight }));
  const weights = fieldWeights(entries ?? DEFAULT_FIELD_WEIGHTS, searchAliases);
  if (configs.length === 0) return { stagesFor: null, weights };
  const stagesFor = configuredStages(configs, searchAliases);
  return { stagesFor: (words) => untilAccepted(stagesFor(words)), weights };
}

/** Index of the first stage with this number, else of the last stage. */
export function stageFrom(stages: readonly StagePlan[], number: number): number {
  const found = stages.findIndex((stage) => stage.number >= number);
  return found < 0 ? stages.length - 1 : found;
}

/** Drops the stages after one that accepts an empty result. */
function untilAccepted(stages: readonly StagePlan[]): readonly StagePlan[] {
  const end = stages.findIndex(({ acceptNoResult }) => acceptNoResult);
  return end < 0 ? stages : stages.slice(0, end + 1);
}
