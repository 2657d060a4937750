/** Values by key, so many bytes of them: the least recently used go first. */
export class ByteCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #budgetBytes: number;
  readonly #bytesOf: (value: Value) => number;
  #bytes = 0;

  /** @param bytesOf a value without its key; must not change while it is kept */
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
    if (found !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, found);
    }
    return found;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  /** Of a key that is not kept. */
  put(key: string, value: Value): void {
    const bytes = this.#sizeOf(key, value);
    if (bytes > this.#budgetBytes) return;
    this.#entries.set(key, value);
    this.#bytes += bytes;
    for (const [oldestKey, oldest] of this.#entries) {
      if (this.#bytes <= this.#budgetBytes) return;
      this.#entries.delete(oldestKey);
      this.#bytes -= this.#sizeOf(oldestKey, oldest);
    }
  }

  #sizeOf(key: string, value: Value): number {
    return this.#bytesOf(value) + key.length * 2 + ENTRY_OVERHEAD_BYTES;
  }
}

/** Map entry, key and typed array header, roughly. */
export const ENTRY_OVERHEAD_BYTES = 256;
