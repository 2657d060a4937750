/**
 * Authorisation: HTTP Basic with users in the secret AUTH_USERS (docs/security.md "Users and roles").
 *
 *   calls                              role     without credentials
 *   search, documents, suggest         search   allowed, unless AUTH_PUBLIC_SEARCH is "false"; credentials are ignored if allowed
 *   figures and export of an index     read     401
 *   full imports, updates              write    401
 *   all other admin calls              admin    401
 *
 * read and write include search, admin includes all. `index` is an older name of write. A user with `names` reaches
 * only the indexes, tenants and rules texts of these names; calls that concern others are refused.
 *
 * Without AUTH_USERS everything is open in local development (ENVIRONMENT=development), and calls that need a role are
 * refused elsewhere. An unreadable secret also refuses them, so that a mistake never grants access.
 */
import * as z from "zod";
import { ServiceError } from "../interface/index.ts";
import { Caller, NAME_PATTERN, ROLES, type Role } from "./caller.ts";
import type { Part, Settings } from "./settings.ts";

const LEAST_ROLE_OF_PART: Readonly<Record<Part, Role>> = {
  search: "search",
  suggest: "search",
  indexer: "write",
  admin: "admin",
};
/** Admin paths that the role read may GET: figures and documents of indexes, documents of tenants. */
const READ_PATHS = ["/admin-api/v1/indexes", "/admin-api/v1/tenants"];

/** @param path as matched by the router */
export function roleOf(part: Part, method: string, path: string): Role {
  const isRead = method === "GET" || method === "HEAD";
  const isOf = (one: string): boolean => path === one || path.startsWith(`${one}/`);
  if (isRead && READ_PATHS.some(isOf)) return "read";
  return LEAST_ROLE_OF_PART[part];
}

/** Whether a part may be called without credentials. */
export function isPublic(settings: Settings, part: Part): boolean {
  const isOpen = settings.AUTH_PUBLIC_SEARCH?.trim().toLowerCase() !== "false";
  return LEAST_ROLE_OF_PART[part] === "search" && isOpen;
}

/** Unknown keys are refused too: a misspelt `names` would grant access to everything. */
const Users = z.record(
  z.string().min(1),
  z.strictObject({
    password: z.string().min(1),
    roles: z.array(z.enum([...ROLES, "index"]).transform((role): Role => (role === "index" ? "write" : role))),
    names: z.array(z.string().regex(NAME_PATTERN)).optional(),
  }),
);
type Users = z.infer<typeof Users>;

/**
 * The caller. Throws 401 unauthorized (missing, unreadable or wrong credentials), 403 forbidden (a known user without
 * the role), 503 misconfigured (the secret is invalid; the reason is logged but not answered).
 */
export async function authorize(settings: Settings, role: Role, header: string | null): Promise<Caller> {
  const secret = settings.AUTH_USERS ?? "";
  if (secret.trim() === "") {
    if (settings.ENVIRONMENT === "development") return Caller.owner;
    throw new ServiceError(
      "unauthorized",
      "No users are configured. Set the secret AUTH_USERS (wrangler secret put AUTH_USERS) to " +
        '{"<user>": {"password": "...", "roles": ["search" | "read" | "write" | "admin"]}}.',
    );
  }
  const users = readUsers(secret);
  const credentials = readCredentials(header);
  if (credentials === null) throw new ServiceError("unauthorized", "Please sign in with HTTP Basic authentication.");

  const user = Object.hasOwn(users, credentials.user) ? users[credentials.user] : undefined;
  // An unknown user takes the same comparison as a wrong password.
  const matches = await equal(credentials.password, user?.password ?? "");
  if (user === undefined || !matches) throw new ServiceError("unauthorized", "The user name or the password is wrong.");
  const caller = new Caller(user.roles, user.names ?? null, credentials.user);
  if (!caller.holds(role)) {
    throw new ServiceError("forbidden", `This call needs the role ${role}.`);
  }
  return caller;
}

/** The caller, if it may read indexes by their own names; else null. */
export async function readerOf(settings: Settings, header: string | null): Promise<Caller | null> {
  try {
    return await authorize(settings, "read", header);
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

function readUsers(secret: string): Users {
  let reason: string;
  try {
    const parsed = Users.safeParse(JSON.parse(secret));
    if (parsed.success) return parsed.data;
    // Paths and messages of zod never contain values, so passwords are not logged. User names are
    // in the paths. An unknown key may be a misplaced password.
    reason = parsed.error.issues
      .map(({ code, path, message }) => {
        const what = code === "unrecognized_keys" ? "has an unknown key" : message;
        return `${path.join(".")}: ${what}`;
      })
      .join("; ");
  } catch {
    reason = "it is not JSON";
  }
  console.error(JSON.stringify({ event: "misconfigured", setting: "AUTH_USERS", reason }));
  throw new ServiceError(
    "misconfigured",
    "The secret AUTH_USERS is invalid; the logs have the reason. Nobody can sign in until it is corrected.",
  );
}

/** The user name ends at the first colon; a password may contain colons. Null: absent or not Basic. */
export function readCredentials(header: string | null): { readonly user: string; readonly password: string } | null {
  const match = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(header ?? "");
  if (match?.[1] === undefined) return null;
  let text: string;
  try {
    const bytes = Uint8Array.from(atob(match[1]), (character) => character.charCodeAt(0));
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
  const colon = text.indexOf(":");
  return colon === -1 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Takes constant time for texts of any length, because it compares digests. */
async function equal(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all(
    [a, b].map((text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
  );
  return left !== undefined && right !== undefined && crypto.subtle.timingSafeEqual(left, right);
}
