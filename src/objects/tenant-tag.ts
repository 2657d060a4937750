/**
 * Names everything that the configuration says about a tenant. A Worker sends it with its version of the
 * configuration, so that a shard with a newer one can tell whether the change concerns this tenant.
 */
import { murmur128 } from "../index-engine/documents/index.ts";
import { isPublicTenant, type ConfigurationDocument, type TenantConfig } from "../interface/index.ts";

const encoder = new TextEncoder();

/** Equal tags: the same answers to the same callers, except for rules texts. */
export function tenantTag(document: ConfigurationDocument, tenant: TenantConfig): string {
  const text = JSON.stringify([isPublicTenant(document, tenant.name), tenant]);
  return murmur128(encoder.encode(text)).join();
}
