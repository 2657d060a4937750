/**
 * Hides indexes marked `tenants-only` (docs/security.md "Tenants"): only users with the role read
 * can use them by their own names.
 */
import {
  hasFilters,
  isConfiguredTenant,
  isPublicTenant,
  isTenantsOnly,
  listTenants,
  resolveSuggestTenant,
} from "../interface/index.ts";
import type { CatalogSnapshot } from "../objects/index.ts";
import { readerOf } from "./auth.ts";
import type { AppContext } from "./context.ts";
import { storedConfiguration, type Sight } from "./routes.ts";

/** For searches. */
export function tenantSight(c: AppContext, name: string): Sight {
  return async (snapshot) => isPublicTenant(storedConfiguration(snapshot), name) || isReader(c, name);
}

/**
 * For suggestions. They ignore rules, so a tenant gets none from a `tenants-only` index unless it
 * has filters.
 */
export function suggestSight(c: AppContext, name: string): Sight {
  return async (snapshot) => {
    const configuration = storedConfiguration(snapshot);
    const tenant = resolveSuggestTenant(configuration, name, snapshot.indexNames);
    if (tenant === null) return false;
    if (isConfiguredTenant(configuration, name) && hasFilters(tenant)) return true;
    const [indexName = name] = tenant.indexNames;
    return !isTenantsOnly(configuration, indexName) || isReader(c, indexName);
  };
}

async function isReader(c: AppContext, name: string): Promise<boolean> {
  const reader = await readerOf(c.env, c.req.header("authorization") ?? null);
  return reader?.reaches(name) === true;
}

/** Configured tenants and live indexes that the caller may search. */
export async function tenantsSeen(c: AppContext, snapshot: CatalogSnapshot): Promise<string[]> {
  const configuration = storedConfiguration(snapshot);
  const caller = c.get("caller");
  const names = listTenants(configuration, snapshot.indexNames).filter((name) => caller.reaches(name));
  if (names.every((name) => isPublicTenant(configuration, name))) return names;
  const reader = await readerOf(c.env, c.req.header("authorization") ?? null);
  return names.filter((name) => isPublicTenant(configuration, name) || reader?.reaches(name) === true);
}
