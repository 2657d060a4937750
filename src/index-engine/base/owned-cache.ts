/**
 * A cache of values by owner and key, in which all owners share one budget. An owner is an object that a write
 * replaces, such as a reader. The values of an owner that is gone are not found any more and are evicted when there is
 * need of room, so they must not refer to their owner.
 */
import { ByteCache } from "./byte-cache.ts";
import { identityOf } from "./identity.ts";
import { getOrInsert } from "./maps.ts";

/** One in this many (see `admits`). */
const ADMITTED_WHEN_FULL = 4;

interface Shares {
  cachedBytes: number;
  /** Number of values offered while its values filled half of the cache. */
  offers: number;
}

export class OwnedCache<Value> {
  readonly #cache: ByteCache<{ readonly value: Value; readonly shares: Shares }>;
  readonly #budgetBytes: number;
  readonly #shares = new WeakMap<object, Shares>();

  /** @param bytesOf size of a value without its key */
  constructor(budgetBytes: number, bytesOf: (value: Value) => number) {
    this.#budgetBytes = budgetBytes;
    this.#cache = new ByteCache(
      budgetBytes,
      ({ value }) => bytesOf(value),
      ({ shares }, bytes) => {
        shares.cachedBytes -= bytes;
      },
    );
  }

  /** Undefined if not cached. */
  find(owner: object, key: string): Value | undefined {
    return this.#cache.find(nameOf(owner, key))?.value;
  }

  /**
   * Whether to cache the next value of the owner. Once its values fill half of the cache, one in ADMITTED_WHEN_FULL is
   * admitted: a run through more values than there is room for should not replace all of them before they are used
   * again.
   */
  admits(owner: object): boolean {
    const shares = this.#sharesOf(owner);
    if (shares.cachedBytes * 2 < this.#budgetBytes) return true;
    return ++shares.offers % ADMITTED_WHEN_FULL === 0;
  }

  put(owner: object, key: string, value: Value): void {
    const name = nameOf(owner, key);
    if (this.#cache.find(name) !== undefined) return;
    const shares = this.#sharesOf(owner);
    // Not in one expression: what `put` evicts may be of the same owner.
    const bytes = this.#cache.put(name, { value, shares });
    shares.cachedBytes += bytes;
  }

  /** Approximate cached bytes of this owner. */
  bytesOf(owner: object): number {
    return this.#shares.get(owner)?.cachedBytes ?? 0;
  }

  #sharesOf(owner: object): Shares {
    return getOrInsert(this.#shares, owner, () => ({ cachedBytes: 0, offers: 0 }));
  }
}

function nameOf(owner: object, key: string): string {
  return `${identityOf(owner)} ${key}`;
}
