/**
 * Selects the best k. `TopKeys` is for relevance, where one number decides. It is a binary heap
 * with the worst kept key at its root, so most later candidates cost one comparison. `topOf` is for
 * sorts with several criteria: the same heap over positions, with a comparison function.
 */
export class TopKeys {
  readonly #capacity: number;
  readonly #heap: Float64Array;
  #size = 0;
  /** The worst kept key once the heap is full; -1 (below every key) until then. */
  threshold = -1;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#heap = new Float64Array(capacity);
    if (capacity === 0) this.threshold = Infinity;
  }

  /** Keys up to `threshold` are ignored, so callers need not offer them. */
  offer(key: number): void {
    if (key <= this.threshold) return;
    const heap = this.#heap;
    if (this.#size < this.#capacity) {
      let at = this.#size++;
      while (at > 0) {
        const parent = (at - 1) >>> 1;
        if (heap[parent] <= key) break;
        heap[at] = heap[parent];
        at = parent;
      }
      heap[at] = key;
    } else {
      let at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= this.#size) break;
        if (child + 1 < this.#size && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= key) break;
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = key;
    }
    if (this.#size === this.#capacity) this.threshold = heap[0];
  }

  /** Best first. */
  sorted(): Float64Array {
    return this.#heap.slice(0, this.#size).sort().reverse();
  }
}

/**
 * The best k of positions 0..count-1, best first. `compare` < 0: its first argument comes first; never 0 for two
 * positions. `first`: the primary criterion of `compare`, smaller first; it rejects most positions without a call.
 */
export function topOf(
  count: number,
  k: number,
  compare: (a: number, b: number) => number,
  first: Float64Array,
): number[] {
  if (k <= 0) return [];
  const heap: number[] = [];
  let worst = Infinity;
  for (let position = 0; position < count; position++) {
    if (first[position] > worst) continue;
    if (heap.length < k) {
      let at = heap.length;
      heap.push(position);
      while (at > 0) {
        const parent = (at - 1) >>> 1;
        if (compare(heap[parent], position) > 0) break;
        heap[at] = heap[parent];
        at = parent;
      }
      heap[at] = position;
      if (heap.length === k) worst = first[heap[0]];
    } else if (compare(position, heap[0]) < 0) {
      let at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= k) break;
        if (child + 1 < k && compare(heap[child + 1], heap[child]) > 0) child++;
        if (compare(heap[child], position) < 0) break;
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = position;
      worst = first[heap[0]];
    }
  }
  return heap.sort(compare);
}
