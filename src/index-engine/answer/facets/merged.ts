/**
 * Merges the facet counts of several shards. Shards have different products, so every count is the exact sum of
 * theirs.
 *
 * Some counts are neither sent by the shards (partial.ts) nor implied by what they sent. They are recorded as
 * follow-ups and replaced by placeholders. After building facets from these counts, check `takeFollowUps`:
 *
 *   build facets -> no follow-ups: they are correct
 *                -> follow-ups: discard the facets, request them, `supply`, build again
 *
 * Usually there are no follow-ups. Every round adds information, so this terminates. To keep the rounds few, the first
 * unknown fields of a round are assumed to be absent, which requests the next fields at the same time; each round
 * assumes four times as many. The remaining unknown fields are assumed to be facets, which keeps thousands of later
 * fields from being requested.
 */
import { getOrInsert } from "../../base/index.ts";
import type { FacetCounts, FieldCounts, FieldCoverage } from "../../query/index.ts";
import { type FacetKind, FACET_KINDS } from "../../segment/model/index.ts";
import { compareFields } from "../../segment/facet-values/index.ts";
import { FollowUps } from "./follow-ups.ts";
import { MergedField } from "./merged-field.ts";
import type { FacetAnswer, FacetFollowUp, FacetPartial } from "./partial.ts";

export class MergedFacets implements FacetCounts {
  readonly #fields: readonly MergedField[];
  readonly #byKey: ReadonlyMap<string, MergedField>;
  readonly #named: ReadonlySet<string>;
  readonly #followUps = new FollowUps();

  constructor(partials: readonly FacetPartial[]) {
    const byKey = new Map<string, MergedField>();
    const always = new Set(partials.flatMap(({ alwaysSent }) => alwaysSent));
    partials.forEach(({ fields, details }, shard) => {
      for (const kind of FACET_KINDS) {
        const { names, coverages } = fields[kind];
        names.forEach((name, i) => {
          const field = getOrInsert(byKey, fieldKey(name, kind), () => {
            // A coverage below 1 is 0.
            const mostUnsent = partials.map(({ unsentBelow }) =>
              always.has(name) ? 0 : Math.max(0, Math.ceil(unsentBelow[kind]) - 1),
            );
            return new MergedField(name, kind, mostUnsent, this.#followUps);
          });
          field.coverages[shard] = coverages[i];
        });
      }
      for (const detail of details) byKey.get(fieldKey(detail.name, detail.kind))?.add(shard, detail);
    });
    this.#named = new Set(partials.flatMap(({ named }) => named));
    this.#byKey = byKey;
    this.#fields = [...byKey.values()].sort(compareFields);
  }

  /** The follow-ups recorded since the last call. */
  takeFollowUps(): FacetFollowUp[] {
    return this.#followUps.take();
  }

  /** `answers` has one list per shard, each in the order of `followUps`. */
  supply(followUps: readonly FacetFollowUp[], answers: readonly (readonly FacetAnswer[])[]): void {
    followUps.forEach((followUp, i) => {
      const field = this.#byKey.get(fieldKey(followUp.name, followUp.kind));
      if (field === undefined) throw new Error(`no shard counted ${followUp.name}`);
      const own = answers.map((shard) => shard[i]);
      field.supply(followUp, own);
    });
  }

  /** Whether a rule of an index configuration names the field. */
  isNamed(name: string): boolean {
    return this.#named.has(name);
  }

  fields(least?: Readonly<Record<FacetKind, number>>): readonly FieldCoverage[] {
    return this.#fields.filter(({ kind, coverage }) => coverage >= (least?.[kind] ?? 0));
  }

  field(name: string, kind: FacetKind): FieldCounts | null {
    return this.#byKey.get(fieldKey(name, kind)) ?? null;
  }
}

function fieldKey(name: string, kind: FacetKind): string {
  return `${kind} ${name}`;
}
