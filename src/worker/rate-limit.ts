/**
 * Rate limits per address and per user (docs/limits.md). Off unless a deployment has the platform's bindings
 * RATE_ADDRESS and RATE_USER, each with its limit and period in wrangler.toml. The platform counts approximately, per
 * location and without a network hop.
 *
 * Addresses are counted before credentials are checked, so that guesses count too; users afterwards,
 * so that nobody can use up another user's calls.
 */
import { ServiceError } from "../interface/index.ts";
import { readCredentials } from "./auth.ts";
import type { Part, WorkerEnv } from "./settings.ts";

/** The shortest period that the platform has. */
const RETRY_AFTER_S = 10;

/** Throws 429 too_many_requests. */
export async function limitAddress(env: WorkerEnv, part: Part, headers: Headers): Promise<void> {
  if (env.RATE_ADDRESS === undefined) return;
  const address = headers.get("cf-connecting-ip") ?? "";
  await limit(env.RATE_ADDRESS, `${part} ${networkOf(address)}`, "address");
}

/** For verified credentials. Throws 429 too_many_requests. */
export async function limitUser(env: WorkerEnv, part: Part, headers: Headers): Promise<void> {
  if (env.RATE_USER === undefined) return;
  const credentials = readCredentials(headers.get("authorization"));
  if (credentials !== null) await limit(env.RATE_USER, `${part} ${credentials.user}`, "user");
}

async function limit(binding: RateLimit, key: string, whose: "address" | "user"): Promise<void> {
  const { success } = await binding.limit({ key });
  if (success) return;
  throw new ServiceError("too_many_requests", `This ${whose} sends more requests than this deployment allows.`, {
    retryAfterS: RETRY_AFTER_S,
  });
}

const GROUPS_OF_NETWORK = 4;

/** IPv6 addresses with the same first four groups belong to one network and count as one address. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => "0")];
  if (tail !== undefined) all.push(...tail.split(":"));
  return all.slice(0, GROUPS_OF_NETWORK).join(":");
}
