/**
 * What the configuration may be: one client changes it, so there is one value, or two while a change is under way or
 * was never answered. And what a generation may have been built with: everything that was possible at some moment of
 * its `start`.
 */
import { configurationEntry, withConfigurationEntry, type EntryKind } from "../../src/interface/index.ts";
import { canonical } from "./product.ts";

export class Configurations {
  /** By canonical text. */
  #possible = new Map<string, unknown>([[canonical({}), {}]]);
  readonly #starts = new Set<Map<string, unknown>>();

  get possible(): readonly unknown[] {
    return [...this.#possible.values()];
  }

  /** The documents that hold after the change; call `answered` with them, or never. */
  sent(kind: EntryKind, name: string, entry: unknown): readonly unknown[] {
    const next = this.possible.map((document) =>
      // Deleting what is not there is refused, and nothing changes.
      entry === null && configurationEntry(document, kind, name) === undefined
        ? document
        : withConfigurationEntry(document, kind, name, entry ?? undefined),
    );
    for (const document of next) {
      for (const set of [this.#possible, ...this.#starts]) set.set(canonical(document), document);
    }
    return next;
  }

  answered(now: readonly unknown[]): void {
    this.#possible = new Map(now.map((document) => [canonical(document), document]));
  }

  /** Throws when this cannot be the configuration. */
  seen(document: unknown): void {
    const text = canonical(document);
    if (!this.#possible.has(text)) {
      throw new Error(`the configuration is ${text}; possible: ${[...this.#possible.keys()].join(" or ")}`);
    }
    this.answered([document]);
  }

  /** Collects what a `start` that is under way may be built with. */
  startSent(): Map<string, unknown> {
    const candidates = new Map(this.#possible);
    this.#starts.add(candidates);
    return candidates;
  }

  startEnded(candidates: Map<string, unknown>): readonly unknown[] {
    this.#starts.delete(candidates);
    return [...candidates.values()];
  }
}
