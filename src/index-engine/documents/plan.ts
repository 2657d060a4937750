/**
 * A field plan is an index configuration made ready to run: what happens to each incoming field, and back.
 * One per generation; compiled once, used for every document of an import, every update and every hit shown.
 */
import type { DocumentBody, FieldConfig } from "../../interface/index.ts";
import type { Analyzer } from "../analysis/index.ts";
import type { NormGroup, ReadOutcome, NumberChanges } from "../segment/model/index.ts";

export interface FieldPlan {
  readonly language: string;
  readonly analyzer: Analyzer;

  /**
   * Validates one parsed JSON document, runs the data processors, converts every field by its usages.
   * `source` is stored as it is; it must be the UTF-8 JSON `document` was parsed from.
   * @param isStored it was accepted before, so the limits for what is sent are not asked again
   */
  read(document: unknown, source: Uint8Array, isStored?: boolean): ReadOutcome;

  /**
   * What a hit shows of a stored document: `id` and `data` with the fields of usage Result (docs/behaviour.md 1.6);
   * `variant` is the picked variant's position, whose data overlays the master's, or null. Never fails for a stored
   * document.
   */
  show(stored: unknown, variant: number | null): DocumentBody;

  /**
   * Everything that was sent and is not private, for getDocument: `attributes` and `categories` null when absent,
   * `variants` only where sent.
   */
  whole(stored: unknown): DocumentBody;

  /** Whether any field is private (docs/security.md "Private fields"). */
  readonly hasPrivate: boolean;
  /** Whether a request from outside may not ask about this name, nor be told of it; also `<name>.<key>`. */
  readonly isPrivate: (name: string) => boolean;
  /** The stored document as it was sent, without what is private. */
  public(stored: unknown): unknown;

  /**
   * PATCH: the stored document with the patch merged into its source (docs/indexing.md 6.6). The result goes through
   * `read` again. A patch that is no document at all: `{ok: false, reason}`.
   */
  merge(
    stored: unknown,
    patch: unknown,
  ):
    | { readonly ok: true; readonly document: unknown }
    | { readonly ok: false; readonly reason: string };

  /**
   * The numbers a patch (parseVerbatim) sets, where it sets nothing but numbers of fields that may change without new
   * analysis; null: anything else (overlay.ts).
   */
  numberChanges(patch: unknown): NumberChanges | null;
  /**
   * Whether such a patch changes these numbers of the document (parseVerbatim) and nothing else of it. False also
   * where it changes nothing.
   */
  changesNumbersOnly(stored: unknown, changes: NumberChanges): boolean;

  /** Whether what no rule names is taken, too (the built-in preset). */
  readonly catchAll: boolean;
  /** The explicitly configured field of this name (normal fields only, not dynamic ones). */
  field(name: string): FieldConfig | null;
  /** The field that holds the category paths of documents; null: the configuration has none. */
  readonly categoryField: string | null;
  /**
   * Fields whose search content is that of others: `search_combi` -> [`title`, `brand`, ...] (itself included where it
   * has own text).
   */
  readonly searchAliases: ReadonlyMap<string, readonly string[]>;
  /** The length-normalisation group of a search field; depends on configuration and name only (invariant I5). */
  normGroup(field: string): NormGroup;
}
