/**
 * Values by key, so many bytes of them. The oldest go first, but for those that were asked for since they came, or
 * since they were spared last: these become the youngest.
 *
 *   a b* c*    one has to go    ->    b* c*     (a; an asterisk: asked for)
 *   b* c*      one has to go    ->    c         (both are spared once, then b goes)
 *
 * Asking moves nothing, which in a Map costs several times a look-up.
 */
export class ByteCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #budgetBytes: number;
  readonly #bytesOf: (value: Value) => number;
  #bytes = 0;

  /** @param bytesOf a value without its key */
  constructor(budgetBytes: number, bytesOf: (value: Value) => number) {
    this.#budgetBytes = budgetBytes;
    this.#bytesOf = bytesOf;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What is kept of `key`, or what `make` makes: that is kept unless it is larger than the budget. */
  get(key: string, make: () => Value): Value {
    const found = this.find(key);
    if (found !== undefined) return found;
    const made = make();
    this.put(key, made);
    return made;
  }

  /** Undefined: not kept. */
  find(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) return undefined;
    found.wasAskedFor = true;
    return found.value;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Of a key that is not kept. */
  put(key: string, value: Value): void {
    const bytes = this.#bytesOf(value) + key.length * 2 + ENTRY_OVERHEAD_BYTES;
    if (bytes > this.#budgetBytes) return;
    this.#makeRoom(bytes);
    this.#entries.set(key, { value, bytes, wasAskedFor: false });
    this.#bytes += bytes;
  }

  #makeRoom(bytes: number): void {
    // Entries that are spared come again at the end of the same loop.
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + bytes <= this.#budgetBytes) return;
      this.#entries.delete(key);
      if (entry.wasAskedFor) {
        entry.wasAskedFor = false;
        this.#entries.set(key, entry);
      } else {
        this.#bytes -= entry.bytes;
      }
    }
  }
}

interface Entry<Value> {
  readonly value: Value;
  /** With its key. */
  readonly bytes: number;
  wasAskedFor: boolean;
}

/** Map entry, key and typed array header, roughly. */
export const ENTRY_OVERHEAD_BYTES = 256;
