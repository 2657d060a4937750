/**
 * Lets requests of an isolate do costly work a few at a time, in the order of their arrival (line.ts).
 *
 *   (none)   -> working    fewer than `atOnce` are working and nobody waits
 *   (none)   -> waiting    otherwise
 *   waiting  -> working    the first that waits, when one has ended or lapsed
 */
import { LIMITS } from "../interface/index.ts";
import { type Claim, Claims } from "./claims.ts";
import { Line, type LineSettings } from "./line.ts";

/** Work pauses every few milliseconds; reading from R2 may take longer. */
const LAPSES_AFTER_MS = 10_000;

type Kind = "largePages" | "newIndexes" | "expensiveSearches" | "configurationChanges" | "overviews";

interface Settings extends LineSettings {
  readonly atOnce: `${Kind}AtOnce`;
  readonly waiting: `${Kind}Waiting`;
}

export class Turns {
  readonly #mostAtOnce: number;
  readonly #line: Line;
  readonly #working = new Claims(LAPSES_AFTER_MS);

  constructor(settings: Settings) {
    this.#mostAtOnce = LIMITS[settings.atOnce].value;
    this.#line = new Line(settings);
  }

  /**
   * Calls `work` before it returns if there is room. `end` ends its turn before the work itself ends. Throws 429
   * too_many_requests.
   */
  async run<T>(work: (end: () => void) => Promise<T>): Promise<T> {
    const turn = (this.isAwaited ? null : this.#begin()) ?? (await this.#line.wait(() => this.#begin()));
    const end = (): void => this.#working.end(turn);
    try {
      return await work(end);
    } finally {
      end();
    }
  }

  /** Whether the next one would have to wait. */
  get isFull(): boolean {
    return this.isAwaited || !this.#hasRoom;
  }

  /** Whether somebody waits. */
  get isAwaited(): boolean {
    return this.#line.isAwaited;
  }

  #begin(): Claim | null {
    return this.#hasRoom ? this.#working.begin() : null;
  }

  get #hasRoom(): boolean {
    return this.#working.size < this.#mostAtOnce;
  }
}
