/** CatalogObject: configuration and rules with their versions, names of indexes, hints at open sessions. */
import type { EntryKind, Result } from "../../interface/index.ts";

/** Everything configurable at one version. */
export interface CatalogSnapshot {
  /** Grows by one with every change of document or rules. 0: nothing was ever configured. */
  readonly version: number;
  /** The configuration document as JSON, as sent; null when none was sent. */
  readonly document: unknown;
  /** Live indexes, sorted. */
  readonly indexNames: readonly string[];
}

/** What one call of the configuration is about: `name` is empty for the document. */
export interface EntryRef {
  readonly kind: "document" | EntryKind | "rules" | "queries";
  readonly name: string;
}

/**
 * A change the caller has validated. `document: null` removes the whole document; `entry`: the one of its entries that
 * is other than before, the document itself where it is left out. `user`: who changes it, for the history.
 */
export type CatalogChange = { readonly user?: string | null } & (
  | {
      readonly kind: "document";
      readonly document: unknown;
      readonly entry?: { readonly kind: EntryKind; readonly name: string };
    }
  | {
      readonly kind: "rules" | "suggestQueries";
      readonly name: string;
      readonly text: string | null;
    }
);

/** What an entry was from a version on (catalog-history.ts). */
export interface CatalogHistoryEntry {
  /** `document`, `tenant/shop`, `rules/toys`. */
  readonly entry: string;
  readonly version: number;
  /** Null: it was found so, when it was written next. */
  readonly atMs: number | null;
  readonly user: string | null;
  /** It was not there. */
  readonly isRemoved: boolean;
}

/** Texts that are fetched apart, by kind: rules by their name, the shop's own queries for suggestions by index. */
export interface TextNames {
  readonly rules: readonly string[];
  readonly suggestQueries: readonly string[];
}

/** Texts as they are at a version: of the names asked for those that are stored. */
export interface StoredTexts {
  readonly version: number;
  readonly rules: ReadonlyMap<string, string>;
  /** As JSON (interface/suggest-queries.ts). */
  readonly suggestQueries: ReadonlyMap<string, string>;
}

/** What of a snapshot is small. */
export type CatalogNames = Pick<CatalogSnapshot, "version" | "indexNames">;

export interface CatalogApi {
  /** All of it but the texts: for whoever does not have this version. */
  snapshot(): Promise<CatalogSnapshot>;
  names(): Promise<CatalogNames>;
  /** Up to LIMITS.rulesBytes and LIMITS.suggestQueriesBytes: each shard asks for those that concern its index. */
  texts(asked: TextNames): Promise<StoredTexts>;
  /** Whether an index of this name is live, or was noted because a session of it may make it so. */
  knows(indexName: string): Promise<boolean>;
  /**
   * Persists the change as version + 1, pushes it to every live and publishing shard, answers then. `expectedVersion`:
   * the version the caller read and edited (entries are edited inside the whole document); another one in between
   * answers `{ok: true, value: {conflict: true}}` and changes nothing: read again, edit again. 503 index_unavailable:
   * stored, but not every shard has it yet (the catalog's alarm goes on pushing).
   */
  change(
    change: CatalogChange,
    expectedVersion: number,
  ): Promise<
    Result<{ readonly conflict: true } | { readonly conflict: false; readonly version: number }>
  >;
  /** Newest first; `entry` null: of all entries the newest. */
  history(entry: EntryRef | null): Promise<readonly CatalogHistoryEntry[]>;
  /**
   * The text of an entry at a version of its history, JSON but for rules. Undefined: the history has no such version;
   * null: the entry was not there.
   */
  historicText(entry: EntryRef, version: number): Promise<string | null | undefined>;

  // ---- from IndexObject
  /**
   * Notes an index name and a session about to open; answers the hints of all sessions started before `olderThanMs`.
   */
  noteSession(hint: SessionHint, olderThanMs: number): Promise<readonly SessionHint[]>;
  /** The session is completed, cancelled or removed: its hint goes. */
  forgetSession(temporaryIndexName: string): Promise<void>;
  /** Whether the index is live. */
  setLive(indexName: string, live: boolean): Promise<void>;
  /** Every open session of the deployment, by hint. */
  sessions(): Promise<readonly SessionHint[]>;
}

export interface SessionHint {
  readonly indexName: string;
  readonly temporaryIndexName: string;
  readonly startedAtMs: number;
}
