/**
 * How often one address, and one user, may call (docs/limits.md). Off unless a deployment has the platform's bindings
 * for it: RATE_ADDRESS, RATE_USER, each with its limit and period in wrangler.toml. The platform counts per location,
 * roughly, and without a hop.
 *
 * Addresses are counted before credentials are looked at, so that guessing them is counted as well; users after that,
 * so that nobody uses up the calls of another.
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

/** For credentials that have been checked. Throws 429 too_many_requests. */
export async function limitUser(env: WorkerEnv, part: Part, headers: Headers): Promise<void> {
  if (env.RATE_USER === undefined) return;
  const credentials = readCredentials(headers.get("authorization"));
  if (credentials !== null) await limit(env.RATE_USER, `${part} ${credentials.user}`, "user");
}

async function limit(binding: RateLimit, key: string, whose: "address" | "user"): Promise<void> {
  const { success } = await binding.limit({ key });
  if (success) return;
  throw new ServiceError(
    "too_many_requests",
    `This ${whose} sends more requests than this deployment allows.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}

const GROUPS_OF_NETWORK = 4;

/** Who has one address of IPv6 has all that begin with the same four groups: they are one. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").length;
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => "0")];
  if (tail !== undefined) all.push(...tail.split(":"));
  return all.slice(0, GROUPS_OF_NETWORK).join(":");
}
