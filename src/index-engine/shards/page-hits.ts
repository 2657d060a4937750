/**
 * The hits of a page over several shards. Hits that were not sent with `execute` are requested in page order, one
 * window at a time. A page is refused as soon as its hits are too large, and the reported limit does not depend on the
 * number of shards.
 *
 * An RPC message has at most 32 MiB, and a relayed answer has the hits of several shards. So all shards together get
 * `WINDOW_BYTES` per window, divided by hits. A shard that exceeds its share leaves out the rest, which is requested
 * again. The next hit of the page is always sent, whatever its size.
 */
import type { FacetFollowUp } from "../answer/facets/index.ts";
import { AnswerSize, SOURCE_SHARE, type JsonPieces } from "../answer/render/index.ts";
import type { MoreAnswer, MoreStep } from "./messages.ts";

const WINDOW_BYTES = 8_388_608;
/** Enough for ordinary pages. */
const FIRST_WINDOW = 200;
const LARGEST_WINDOW = 1_000;

/** Place of a hit of the page. */
interface Place {
  /** The shard. */
  readonly partial: number;
  readonly position: number;
}

export class PageHits {
  readonly #page: readonly Place[];
  readonly #shardCount: number;
  readonly #hits: (Uint8Array | null)[];
  readonly #sourceBytes: number[];
  readonly #size = new AnswerSize();
  /** The first missing hit. */
  #next = 0;
  #asked: readonly (readonly number[])[] = [];
  #isFirst = true;
  #receivedHits = 0;
  #receivedWeight = 0;

  /** @param sent JSON of the hits sent with `execute`, by position in the page; null: missing */
  constructor(page: readonly Place[], sent: readonly (Uint8Array | null)[], shardCount: number) {
    this.#page = page;
    this.#hits = [...sent];
    // Documents of hits sent with `execute` are small (EAGER_BYTES).
    this.#sourceBytes = sent.map(() => 0);
    this.#shardCount = shardCount;
    this.#advance();
  }

  /** In page order. */
  get hits(): readonly (JsonPieces | null)[] {
    return this.#hits.map((hit) => (hit === null ? null : [hit]));
  }

  get isComplete(): boolean {
    return this.#next === this.#hits.length;
  }

  /** Requests to the shards for the next window and for these facet values. */
  ask(followUps: readonly FacetFollowUp[]): (MoreStep | null)[] {
    const end = this.#next + this.#windowHits();
    const asked = Array.from({ length: this.#shardCount }, (): number[] => []);
    const later = asked.map((): number[] => []);
    let total = 0;
    for (const [i, { partial, position }] of this.#page.entries()) {
      if (i < this.#next || this.#hits[i] !== null) continue;
      if (i < end) {
        asked[partial].push(i);
        total++;
      } else if (this.#isFirst) {
        later[partial].push(position);
      } else {
        break;
      }
    }
    this.#isFirst = false;
    this.#asked = asked;
    return asked.map((of, shard) => {
      if (of.length === 0 && later[shard].length === 0 && followUps.length === 0) return null;
      return {
        positions: of.map((i) => this.#page[i].position),
        later: later[shard],
        mostBytes: Math.floor((WINDOW_BYTES * of.length) / Math.max(1, total)),
        withFirst: of[0] === this.#next,
        followUps,
      };
    });
  }

  /** Adds the answers of the shards. Throws ServiceError `answer_too_large`. */
  supply(answers: readonly (MoreAnswer | null)[]): void {
    const before = this.#next;
    for (const [shard, asked] of this.#asked.entries()) {
      const { hits = [], sourceBytes = [] } = answers[shard] ?? {};
      for (const [at, hit] of hits.entries()) {
        const i = asked[at];
        this.#hits[i] = hit;
        this.#sourceBytes[i] = sourceBytes[at];
        this.#receivedHits++;
        this.#receivedWeight += Math.max(hit.byteLength, sourceBytes[at] / SOURCE_SHARE);
      }
    }
    this.#advance();
    if (this.#next === before && !this.isComplete) throw new Error("a shard left out a hit");
  }

  #advance(): void {
    for (; this.#next < this.#hits.length; this.#next++) {
      const hit = this.#hits[this.#next];
      if (hit === null) return;
      this.#size.add(hit.byteLength, this.#sourceBytes[this.#next]);
    }
  }

  /** Number of hits expected to take half of the bytes, by the average so far. */
  #windowHits(): number {
    if (this.#receivedHits === 0) return FIRST_WINDOW;
    const each = Math.max(1, this.#receivedWeight / this.#receivedHits);
    const hits = Math.floor(WINDOW_BYTES / 2 / each);
    return Math.min(Math.max(hits, 1), LARGEST_WINDOW);
  }
}
