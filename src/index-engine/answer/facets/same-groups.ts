/**
 * Finds the groups of one segment in another one.
 *
 *   segment: blue green red      other: black blue red      same groups: blue 1, green -1, red 2
 *
 * Each segment numbers its values separately. To sum counts over segments, we must know which groups are the same
 * entry. Reading and comparing 100,000 values per query would cost more than counting them. The same groups of a pair
 * of segments are therefore found once per field, on demand, and cached as ordinals. Segments are immutable, so a pair
 * never changes. Its cache entry is collected together with its segments. A field of article numbers has no common
 * groups and takes no memory.
 *
 * A search that counted three of 20,000 values does not wait until all of them are compared. (The first search after a
 * shard wakes up would wait for each of its fields.) Its groups are looked up. The cost of such lookups is summed up
 * per pair. Once it reaches the cost of a full comparison, the full comparison is done, so the total is at most twice
 * the cheaper of the two.
 */
import { compareBytes, decodeUtf8, getOrInsert, hasBit, utf8Of } from "../../base/index.ts";
import {
  KeptWithSegments,
  keptWithBase,
  type FacetField,
  type FacetKind,
  type Segment,
  type TextScan,
} from "../../segment/model/index.ts";
import { compareKeys, groupKey, keyOfText } from "./keys.ts";

interface Field {
  readonly segment: Segment;
  readonly field: FacetField;
}

/** By value: the first ordinal of the same group in the other segment, or -1. Empty: no group is in both. */
type SameGroups = Int32Array;

/** Other segment -> segment -> `kind name` -> the same groups, or the cost of lookups so far. */
const cache = new WeakMap<Segment, WeakMap<Segment, Map<string, SameGroups | number>>>();
/** Of the pairs whose other segment is this one. */
const cachedBytes = new KeptWithSegments<number>("sameGroups", (bytes) => bytes);

export function sameGroupBytes(segment: Segment): number {
  return keptWithBase("sameGroups", segment);
}

/** Looking up one key in a table of n groups costs about as much as reading this many keys in order. */
const LOOKUP_COST = 6;

/**
 * For each of these groups, given by first ordinals: the first ordinal of the same group in the other segment, or -1.
 * Null: no group is in both.
 */
export function sameGroups(one: Field, groups: Uint32Array, other: Field): Int32Array | null {
  const { name, kind, start } = one.field;
  const owner = ownerOf(other.segment, kind);
  const ofOther = getOrInsert(cache, owner, () => new WeakMap());
  const fields = getOrInsert(ofOther, ownerOf(one.segment, kind), () => new Map());
  const key = `${kind} ${name}`;
  let known = fields.get(key) ?? 0;
  if (typeof known === "number") {
    const size = sizeOf(other.field);
    const spent = known + groups.length * Math.ceil(Math.log2(size + 2));
    if (spent <= sizeOf(one.field) + size) {
      fields.set(key, spent);
      const found = new Int32Array(groups.length);
      for (let i = 0; i < groups.length; i++) found[i] = lookUp(one, groups[i], other);
      return found;
    }
    known = compare(one, other);
    fields.set(key, known);
    cachedBytes.set(owner, (cachedBytes.get(owner) ?? 0) + 64 + known.byteLength);
  }
  if (known.length === 0) return null;
  const same = new Int32Array(groups.length);
  for (let i = 0; i < groups.length; i++) same[i] = known[groups[i] - start];
  return same;
}

/** Only numbers can change (index/doc-values/segment.ts), and that does not move other values. */
function ownerOf(segment: Segment, kind: FacetKind): Segment {
  return kind === "number" ? segment : segment.base;
}

function sizeOf({ start, end }: FacetField): number {
  return end - start;
}

function lookUp({ segment, field }: Field, group: number, other: Field): number {
  return other.segment.facets.group(other.field, groupKey(segment, field.kind, group))?.[0] ?? -1;
}

function compare(one: Field, other: Field): SameGroups {
  const same = new Int32Array(sizeOf(one.field)).fill(-1);
  const { start } = one.field;
  let isAny = false;
  const note = (group: number, found: number): void => {
    same[group - start] = found;
    isAny ||= found !== -1;
  };
  const groups = new KeyScan(one);
  if (sizeOf(one.field) * LOOKUP_COST < sizeOf(other.field)) {
    while (groups.next()) note(groups.group, lookUp(one, groups.group, other));
  } else {
    const others = new KeyScan(other);
    let hasOther = others.next();
    while (hasOther && groups.next()) {
      let order = others.compare(groups);
      while (order < 0 && others.next()) order = others.compare(groups);
      hasOther = order >= 0;
      if (order === 0) note(groups.group, others.group);
    }
  }
  return isAny ? same : new Int32Array(0);
}

/**
 * Walks the groups of a field, ascending by key. Keys of texts are bytes, whose order is that of code points: making
 * strings of them takes four times as long.
 */
class KeyScan {
  group: number;
  #number = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #length = 0;
  /** Whether `#bytes` are a term of Latin-1 in lower case, byte by byte, of which the next term may keep some. */
  #isLowered = false;
  readonly #field: FacetField;
  readonly #segment: Segment;
  readonly #texts: TextScan | null;

  /** Positioned before the first group. */
  constructor({ segment, field }: Field) {
    this.#segment = segment;
    this.#field = field;
    this.#texts = field.kind === "number" ? null : segment.facets.textScan(field);
    this.group = field.start - 1;
  }

  next(): boolean {
    const { sameKey } = this.#segment.facets;
    let shared = Infinity;
    do {
      if (++this.group >= this.#field.end) return false;
      if (this.#texts === null) continue;
      this.#texts.next();
      shared = Math.min(shared, this.#texts.shared);
    } while (sameKey !== null && hasBit(sameKey, this.group));
    if (this.#texts === null) this.#number = this.#segment.facets.number(this.group) + 0;
    else if (this.#field.kind === "term") this.#readTerm(this.#texts, shared);
    else {
      this.#bytes = this.#texts.bytes;
      this.#length = this.#texts.length;
    }
    return true;
  }

  /** As compareKeys. */
  compare(other: KeyScan): number {
    if (this.#texts === null) return compareKeys(this.#number, other.#number);
    return compareBytes(this.#bytes, 0, this.#length, other.#bytes, 0, other.#length);
  }

  #readTerm({ bytes, length }: TextScan, shared: number): void {
    if (this.#bytes.length < length) {
      this.#bytes = new Uint8Array(length * 2);
      this.#isLowered = false;
    }
    const lowered = this.#bytes;
    let i = this.#isLowered ? shared : 0;
    // The texts may differ within a letter.
    while (i > 0 && (bytes[i] & 0xc0) === 0x80) i--;
    for (; i < length; i++) {
      const byte = bytes[i];
      if (byte < 0x80) lowered[i] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
      else if (byte !== 0xc3) break;
      else {
        lowered[i] = byte;
        const second = bytes[++i];
        lowered[i] = second < 0x9f && second !== 0x97 ? second + 0x20 : second;
      }
    }
    this.#isLowered = i === length;
    this.#length = length;
    if (this.#isLowered) return;
    this.#bytes = utf8Of(keyOfText("term", decodeUtf8(bytes, 0, length)));
    this.#length = this.#bytes.length;
  }
}
