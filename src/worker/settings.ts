/**
 * The variables and secrets of the Worker. wrangler.toml sets none of them; the defaults are
 * documented here.
 */
export interface Settings {
  /**
   * Secret, JSON: `{"<user>": {"password": "...", "roles": ["search" | "read" | "write" | "admin"], "names":
   * ["shop-*"]}}`.
   */
  readonly AUTH_USERS?: string;
  /** `"false"`: search, doc, tenants and suggest need the role search. Otherwise they are public. */
  readonly AUTH_PUBLIC_SEARCH?: string;
  /** Exposed parts, comma-separated: `search,suggest,indexer,admin`. Unset or empty: all. */
  readonly EXPOSE?: string;
  /** `development` only on a developer's machine and in tests. */
  readonly ENVIRONMENT?: string;
  /** `eu`, `fedramp`, `fedramp-high` or `us`: where all objects are, for good (objects/placement.ts). */
  readonly JURISDICTION?: string;
  /** Near where new objects are made: `weur`, or by names of indexes `us-*=enam, weur`. */
  readonly LOCATION_HINT?: string;
  /** Which requests are logged: `all` (default), `errors` (status 500 and above), `off`. */
  readonly LOG?: string;
}

/** Optional bindings. */
interface OptionalBindings {
  /** Counts requests by address and part. */
  readonly RATE_ADDRESS?: RateLimit;
  /** Counts requests by user and part. */
  readonly RATE_USER?: RateLimit;
}

export type WorkerEnv = Omit<Env, keyof Settings> & Settings & OptionalBindings;

/** The four parts of the service, by the first segment of their paths. */
export const PARTS = ["search", "suggest", "indexer", "admin"] as const;
export type Part = (typeof PARTS)[number];

export const PART_PREFIX: Readonly<Record<Part, string>> = {
  search: "/search-api",
  suggest: "/suggest-api",
  indexer: "/indexer-api",
  admin: "/admin-api",
};

/** Belongs to the part `admin`. */
const METRICS_PATH = "/metrics";

/** The part of a path; null for paths such as `/health`, which every deployment answers. */
export function partOf(path: string): Part | null {
  if (path === METRICS_PATH) return "admin";
  return PARTS.find((part) => path === PART_PREFIX[part] || path.startsWith(`${PART_PREFIX[part]}/`)) ?? null;
}

/** Unknown names in EXPOSE are ignored. */
export function exposes(settings: Settings, part: Part): boolean {
  const listed = (settings.EXPOSE ?? "").trim();
  return listed === "" || listed.split(",").some((name) => name.trim().toLowerCase() === part);
}
