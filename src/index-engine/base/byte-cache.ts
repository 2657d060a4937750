/**
 * A cache of values by key, with a limit in bytes. Evicts the oldest value, except values that were used since they
 * were added or last spared: these become the youngest (the clock algorithm).
 *
 *   a b* c*    evict one    ->    b* c*     (evicts a; an asterisk means used)
 *   b* c*      evict one    ->    c         (both are spared once, then b is evicted)
 *
 * Lookups do not reorder entries, which in a Map would cost several times as much as a lookup.
 */
export class ByteCache<Value, Key extends string | number = string> {
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #budgetBytes: number;
  readonly #bytesOf: (value: Value) => number;
  readonly #evicted: (value: Value, bytes: number) => void;
  #bytes = 0;
  /** Kept, because a new iterator of a Map passes over all entries that were deleted from its start. */
  #oldest: MapIterator<[Key, Entry<Value>]> | null = null;

  /**
   * @param bytesOf size of a value without its key
   * @param evicted called with each evicted value, and its size with the key
   */
  constructor(
    budgetBytes: number,
    bytesOf: (value: Value) => number,
    evicted: (value: Value, bytes: number) => void = () => {},
  ) {
    this.#budgetBytes = budgetBytes;
    this.#bytesOf = bytesOf;
    this.#evicted = evicted;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The cached value, or the result of `make`, which is cached unless it is larger than the budget. */
  get(key: Key, make: () => Value): Value {
    const found = this.find(key);
    if (found !== undefined) return found;
    const made = make();
    this.put(key, made);
    return made;
  }

  /** Undefined if not cached. */
  find(key: Key): Value | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    found.wasAskedFor = true;
    return found.value;
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = null;
    this.#bytes = 0;
  }

  /** Caches a value of a new key. Returns the size with the key; 0: it exceeds the budget and is not cached. */
  put(key: Key, value: Value): number {
    const keyBytes = typeof key === "string" ? key.length * 2 : 0;
    const bytes = this.#bytesOf(value) + keyBytes + ENTRY_OVERHEAD_BYTES;
    if (bytes > this.#budgetBytes) return 0;
    this.#makeRoom(bytes);
    this.#entries.set(key, { value, bytes, wasAskedFor: false });
    this.#bytes += bytes;
    return bytes;
  }

  #makeRoom(bytes: number): void {
    while (this.#bytes + bytes > this.#budgetBytes) {
      this.#oldest ??= this.#entries.entries();
      const { value: found } = this.#oldest.next();
      // Spared entries are visited again after the last one.
      if (found === undefined) {
        this.#oldest = null;
        continue;
      }
      const [key, entry] = found;
      this.#entries.delete(key);
      if (entry.wasAskedFor) {
        entry.wasAskedFor = false;
        this.#entries.set(key, entry);
      } else {
        this.#bytes -= entry.bytes;
        this.#evicted(entry.value, entry.bytes);
      }
    }
  }
}

interface Entry<Value> {
  readonly value: Value;
  /** Size including the key. */
  readonly bytes: number;
  wasAskedFor: boolean;
}

/** Approximate size of map entry, key and typed array header. */
export const ENTRY_OVERHEAD_BYTES = 256;
