/** The caller's roles and names (auth.ts). */
import { ServiceError } from "../interface/index.ts";

export const ROLES = ["search", "read", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];

const INCLUDED: Readonly<Record<Role, readonly Role[]>> = {
  search: ["search"],
  read: ["read", "search"],
  write: ["write", "search"],
  admin: ROLES,
};

/** A name, or a prefix of names: `shop-*`. `*` means all. */
export const NAME_PATTERN = /^(?:[^*]+\*?|\*)$/;

export class Caller {
  /** A caller without credentials, on public calls. */
  static readonly everybody = new Caller(["search"], null);
  /** The caller in local development without users. */
  static readonly owner = new Caller(["admin"], null);

  /** Null: anonymous. */
  readonly user: string | null;
  readonly #roles: readonly Role[];
  /** Null: all. */
  readonly #names: readonly string[] | null;

  constructor(roles: readonly Role[], names: readonly string[] | null, user: string | null = null) {
    this.user = user;
    this.#roles = roles;
    this.#names = names;
  }

  holds(role: Role): boolean {
    return this.#roles.some((held) => INCLUDED[held].includes(role));
  }

  /** Whether the caller has access to an index, a tenant or a rules text of this name. */
  reaches(name: string): boolean {
    if (this.#names === null) return true;
    return this.#names.some((own) => (own.endsWith("*") ? name.startsWith(own.slice(0, -1)) : name === own));
  }

  /** Throws 403 forbidden. */
  requireName(name: string): void {
    if (this.reaches(name)) return;
    throw new ServiceError("forbidden", `This user may not use ${JSON.stringify(name)}.`);
  }

  get isLimited(): boolean {
    return this.#names !== null;
  }

  /** For calls that concern the whole deployment. Throws 403 forbidden. */
  requireAllNames(): void {
    if (this.#names === null) return;
    throw new ServiceError("forbidden", "Users who are limited to names may not make this call.");
  }
}
