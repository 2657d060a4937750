/**
 * Lets requests of an isolate do costly work a few at a time, in the order of their arrival.
 *
 *   (none)   -> working    fewer than `atOnce` are working and nobody waits
 *   (none)   -> waiting    429 too_many_requests where `waiting` wait
 *   waiting  -> working    the first that waits, when one has ended or lapsed
 *   waiting  -> (none)     429 too_many_requests after `waitMs`, if given: the client has probably gone
 *
 * Nobody awaits promises of other requests, which may be gone: who waits looks again, and who has not been seen for a
 * while is forgotten. Who is far from the front looks less often.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

const LOOK_AGAIN_MS = 5;
const LOOK_AGAIN_MS_PER_PLACE = 5;
const LONGEST_LOOK_AGAIN_MS = 500;
/** Work pauses every few milliseconds; reading from R2 may take longer. */
const LAPSES_AFTER_MS = 10_000;
const FORGOTTEN_AFTER_MS = 2_000;

interface Place {
  seenMs: number;
}

type Kind = "largePages" | "newIndexes" | "expensiveSearches" | "configurationChanges" | "overviews";

interface Settings {
  readonly atOnce: `${Kind}AtOnce`;
  readonly waiting: `${Kind}Waiting`;
  /** The message of the 429. */
  readonly tooMany: string;
  readonly waitMs?: keyof typeof LIMITS;
}

export class Turns {
  readonly #settings: Settings;
  readonly #working = new Set<Place>();
  #waiting: Place[] = [];

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /**
   * Calls `work` before it returns if there is room. `end` ends its turn before the work itself ends. Throws 429
   * too_many_requests.
   */
  async run<T>(work: (end: () => void) => Promise<T>): Promise<T> {
    const mostAtOnce = LIMITS[this.#settings.atOnce].value;
    const place: Place = { seenMs: Date.now() };
    if (this.isFull) {
      if (this.#waiting.length >= LIMITS[this.#settings.waiting].value) throw this.#tooMany();
      this.#waiting.push(place);
      const { waitMs } = this.#settings;
      const untilMs = waitMs === undefined ? Infinity : place.seenMs + LIMITS[waitMs].value;
      while (this.#waiting[0] !== place || this.#working.size >= mostAtOnce) {
        if (place.seenMs > untilMs) {
          this.#waiting = this.#waiting.filter((other) => other !== place);
          throw this.#tooMany(waitMs);
        }
        const lookAgainMs = LOOK_AGAIN_MS + LOOK_AGAIN_MS_PER_PLACE * this.#waiting.indexOf(place);
        await scheduler.wait(Math.min(lookAgainMs, LONGEST_LOOK_AGAIN_MS));
        place.seenMs = Date.now();
        if (!this.#waiting.includes(place)) this.#waiting.push(place);
        this.#forget(place.seenMs);
      }
      this.#waiting.shift();
    }
    place.seenMs = Date.now();
    this.#working.add(place);
    const end = (): void => void this.#working.delete(place);
    try {
      return await work(end);
    } finally {
      end();
    }
  }

  /** Whether the next one would have to wait. */
  get isFull(): boolean {
    this.#forget(Date.now());
    return this.#waiting.length > 0 || this.#working.size >= LIMITS[this.#settings.atOnce].value;
  }

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  #forget(nowMs: number): void {
    for (const place of this.#working) if (place.seenMs < nowMs - LAPSES_AFTER_MS) this.#working.delete(place);
    this.#waiting = this.#waiting.filter(({ seenMs }) => seenMs >= nowMs - FORGOTTEN_AFTER_MS);
  }

  #tooMany(limit: keyof typeof LIMITS = this.#settings.waiting): ServiceError {
    const { value } = LIMITS[limit];
    return new ServiceError("too_many_requests", this.#settings.tooMany, {
      details: { limit, value },
    });
  }
}
