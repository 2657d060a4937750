/** The facet values that merging shards lacks (merged.ts), recorded while facets are built. */
import type { FacetFollowUp } from "./partial.ts";

/** Number of fields assumed to be absent in the first round. */
const FIRST_ABSENT = 8;

export class FollowUps {
  #asked = new Map<string, FacetFollowUp>();
  #mayBeAbsent = FIRST_ABSENT;
  readonly #absent = new Set<object>();

  ask(followUp: FacetFollowUp): void {
    // The largest entries of a field are requested once in a round.
    const { name, kind, what } = followUp;
    this.#asked.set(JSON.stringify(what === "largest" ? { name, kind, what } : followUp), followUp);
  }

  /** Whether an unknown field is assumed to be absent (otherwise: a facet). */
  isAbsent(field: object): boolean {
    if (this.#absent.size < this.#mayBeAbsent) this.#absent.add(field);
    return this.#absent.has(field);
  }

  take(): FacetFollowUp[] {
    const asked = [...this.#asked.values()];
    this.#asked = new Map();
    this.#absent.clear();
    if (asked.length > 0) this.#mayBeAbsent *= 4;
    return asked;
  }
}
