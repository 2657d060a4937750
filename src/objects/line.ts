/**
 * Lets requests of an isolate wait for room, in the order of their arrival.
 *
 *   (none)   -> waiting    429 too_many_requests where `waiting` wait
 *   waiting  -> (none)     the first that waits, when `take` finds room
 *   waiting  -> (none)     429 too_many_requests after `waitMs`, if given: the client has probably gone
 *
 * Requests never await each other's promises, because the other request may be gone. A waiting request polls, less often
 * the farther it is from the front; one that stops polling is forgotten.
 */
import { LIMITS, ServiceError } from "../interface/index.ts";

const LOOK_AGAIN_MS = 5;
const LOOK_AGAIN_MS_PER_PLACE = 5;
const LONGEST_LOOK_AGAIN_MS = 500;
const FORGOTTEN_AFTER_MS = 2_000;

export interface LineSettings {
  readonly waiting: keyof typeof LIMITS;
  readonly waitMs?: keyof typeof LIMITS;
  /** The message of the 429. */
  readonly tooMany: string;
  readonly retryAfterS?: number;
}

interface Place {
  seenMs: number;
}

export class Line {
  readonly #settings: LineSettings;
  #waiting: Place[] = [];

  constructor(settings: LineSettings) {
    this.#settings = settings;
  }

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    this.#forget(Date.now());
    return this.#waiting.length > 0;
  }

  /**
   * @param take null: there is no room yet. What it returns is the result.
   * @param isFirst it comes before all others, because it holds memory while it waits. Throws 429 too_many_requests.
   */
  async wait<T>(take: () => T | null, isFirst = false): Promise<T> {
    const place: Place = { seenMs: Date.now() };
    this.#forget(place.seenMs);
    if (this.#waiting.length >= LIMITS[this.#settings.waiting].value) throw this.#tooMany();
    if (isFirst) this.#waiting.unshift(place);
    else this.#waiting.push(place);
    const { waitMs } = this.#settings;
    const untilMs = waitMs === undefined ? Infinity : place.seenMs + LIMITS[waitMs].value;
    for (;;) {
      const taken = this.#waiting[0] === place ? take() : null;
      if (taken !== null || place.seenMs > untilMs) {
        this.#waiting = this.#waiting.filter((other) => other !== place);
        if (taken !== null) return taken;
        throw this.#tooMany(waitMs);
      }
      const lookAgainMs = LOOK_AGAIN_MS + LOOK_AGAIN_MS_PER_PLACE * this.#waiting.indexOf(place);
      await scheduler.wait(Math.min(lookAgainMs, LONGEST_LOOK_AGAIN_MS));
      place.seenMs = Date.now();
      if (!this.#waiting.includes(place)) this.#waiting.push(place);
      this.#forget(place.seenMs);
    }
  }

  #forget(nowMs: number): void {
    this.#waiting = this.#waiting.filter(({ seenMs }) => seenMs >= nowMs - FORGOTTEN_AFTER_MS);
  }

  #tooMany(limit: keyof typeof LIMITS = this.#settings.waiting): ServiceError {
    const { tooMany, retryAfterS } = this.#settings;
    const { value } = LIMITS[limit];
    return new ServiceError("too_many_requests", tooMany, {
      ...(retryAfterS !== undefined && { retryAfterS }),
      details: { limit, value },
    });
  }
}
