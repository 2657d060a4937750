/**
 * A field plan is a compiled index configuration: it reads, shows and merges documents. Compiled
 * once per generation and used for every imported, updated and shown document.
 */
import type { DocumentBody, FieldConfig } from "../../interface/index.ts";
import type { Analyzer } from "../analysis/index.ts";
import type { NormGroup, ReadOutcome, NumberChanges } from "../segment/model/index.ts";

export interface FieldPlan {
  readonly language: string;
  readonly analyzer: Analyzer;

  /**
   * Validates one parsed JSON document, runs the data processors and converts every field by its usages. `source` must
   * be the UTF-8 JSON from which `document` was parsed; it is stored unchanged.
   * @param isStored whether the document was accepted earlier, so limits for sent documents do not apply
   */
  read(document: unknown, source: Uint8Array, isStored?: boolean): ReadOutcome;

  /**
   * Does the part of `read` that takes long with many dynamic fields, with pauses in between; `read` needs it no more.
   */
  learning(document: unknown): Generator<void, void, void>;

  /**
   * A stored document as shown in a hit: `id` and `data` with the fields of usage Result
   * (docs/behaviour.md 1.6). `variant`: index of the picked variant, whose data overlays the
   * master's, or null. Never fails for a stored document.
   */
  show(stored: unknown, variant: number | null): DocumentBody;
  /** The JSON of `show`, from the stored bytes. */
  showJson(source: Uint8Array, variant: number | null): Uint8Array;

  /** All that was sent and is not private; `attributes` and `categories` are null when absent, `variants` left out. */
  whole(stored: unknown): DocumentBody;

  /** Whether any field is private (docs/security.md "Private fields"). */
  readonly hasPrivate: boolean;
  /** Whether requests may neither use nor see this name; includes `<name>.<key>`. */
  readonly isPrivate: (name: string) => boolean;
  /** The stored document as sent, without private fields. */
  public(stored: unknown): unknown;

  /**
   * PATCH: the stored document with the patch merged into its source (docs/indexing.md 6.6). The
   * result goes through `read` again. `{ok: false, reason}` if the patch is not a document.
   */
  merge(
    stored: unknown,
    patch: unknown,
  ): { readonly ok: true; readonly document: unknown } | { readonly ok: false; readonly reason: string };

  /**
   * The numbers set by a patch (parseVerbatim) that sets only numbers of fields that can change
   * without new analysis; null for any other patch (number-updates.ts).
   */
  numberChanges(patch: unknown): NumberChanges | null;
  /** Whether such a patch changes these numbers of the document (parseVerbatim), at least one, and nothing else. */
  changesNumbersOnly(stored: unknown, changes: NumberChanges): boolean;

  /** Whether unnamed fields are indexed too (the built-in preset). */
  readonly catchAll: boolean;
  /** The explicitly configured field of this name (normal fields only, not dynamic ones). */
  field(name: string): FieldConfig | null;
  /** The field of documents' category paths; null if none is configured. */
  readonly categoryField: string | null;
  /** Fields that search others: `search_combi` -> [`title`, `brand`, ...], with itself if it has own text. */
  readonly searchAliases: ReadonlyMap<string, readonly string[]>;
  /** The length-normalisation group of a search field; depends on configuration and name only (invariant I5). */
  normGroup(field: string): NormGroup;
}
