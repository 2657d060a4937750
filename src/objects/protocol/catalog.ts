/**
 * CatalogObject: configuration and rules with their versions, index names, hints about open
 * sessions.
 */
import type { EntryKind, Result } from "../../interface/index.ts";

/** The whole configuration at one version. */
export interface CatalogSnapshot {
  /** Increases by one with every change of the document or rules. 0: never configured. */
  readonly version: number;
  /** The configuration document as JSON, as sent; null: none. */
  readonly document: unknown;
  /** Live indexes, sorted. */
  readonly indexNames: readonly string[];
  /** The texts asked for with the snapshot, of the same version. */
  readonly texts?: StoredTexts;
}

/** The target of a configuration call; `name` is empty for the document. */
export interface EntryRef {
  readonly kind: "document" | EntryKind | "rules" | "queries";
  readonly name: string;
}

/**
 * A validated change. `document: null` removes the whole document; `entry`: the changed entry, by default the document
 * itself. `user`: the author, for the history. `concerns`: the indexes whose shards need to know; null or absent: all.
 */
export type CatalogChange = { readonly user?: string | null; readonly concerns?: readonly string[] | null } & (
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

/** The content of an entry since a version (catalog-history.ts). */
export interface CatalogHistoryEntry {
  /** `document`, `tenant/shop`, `rules/toys`. */
  readonly entry: string;
  readonly version: number;
  /** Null: recorded when the entry was next written. */
  readonly atMs: number | null;
  readonly user: string | null;
  /** The entry did not exist. */
  readonly isRemoved: boolean;
}

/** Texts that are fetched separately: rules by name, own queries for suggestions by index. */
export interface TextNames {
  readonly rules: readonly string[];
  readonly suggestQueries: readonly string[];
}

/** Texts at a version: those of the requested names that exist. */
export interface StoredTexts {
  readonly version: number;
  readonly rules: ReadonlyMap<string, string>;
  /** As JSON (interface/suggest-queries.ts). */
  readonly suggestQueries: ReadonlyMap<string, string>;
}

/** The small part of a snapshot. */
export type CatalogNames = Pick<CatalogSnapshot, "version" | "indexNames">;

export interface CatalogApi {
  /** Everything except texts, and those texts that are asked for. */
  snapshot(asked?: TextNames): Promise<CatalogSnapshot>;
  names(): Promise<CatalogNames>;
  /** At most LIMITS.rulesBytes and LIMITS.suggestQueriesBytes; each shard requests those of its index. */
  texts(asked: TextNames): Promise<StoredTexts>;
  /** Whether an index with this name is live or has a session that may make it live. */
  knows(indexName: string): Promise<boolean>;
  /**
   * Stores the change as version + 1, pushes it to every live and publishing shard that it concerns, then answers.
   * `expectedVersion`: the version that the caller has read and edited. If it is outdated, the answer is `{ok: true,
   * value: {conflict: true}}` and nothing changes. 503 index_unavailable: stored, but not every shard has it yet (the
   * catalog's alarm continues).
   */
  change(
    change: CatalogChange,
    expectedVersion: number,
  ): Promise<Result<{ readonly conflict: true } | { readonly conflict: false; readonly version: number }>>;
  /** Newest first; `entry` null: the newest of all entries. */
  history(entry: EntryRef | null): Promise<readonly CatalogHistoryEntry[]>;
  /**
   * The text of an entry at a version of its history; JSON except for rules. Undefined: the history has no such
   * version; null: the entry did not exist.
   */
  historicText(entry: EntryRef, version: number): Promise<string | null | undefined>;

  // ---- from IndexObject
  /**
   * Records an index name and a session that is about to open. Returns the hints of all sessions started before
   * `olderThanMs`.
   */
  noteSession(hint: SessionHint, olderThanMs: number, most?: number): Promise<readonly SessionHint[] | null>;
  /**
   * Removes the hint of a session that is completed, cancelled or removed, if it is that old. A younger one with the
   * same name belongs to a start that has its number again (index/sessions.ts).
   */
  forgetSession(temporaryIndexName: string, olderThanMs?: number): Promise<void>;
  /** Sets whether the index is live. */
  setLive(indexName: string, live: boolean): Promise<void>;
  /** All open sessions of the deployment, according to hints. */
  sessions(): Promise<readonly SessionHint[]>;
}

export interface SessionHint {
  readonly indexName: string;
  readonly temporaryIndexName: string;
  readonly startedAtMs: number;
}
