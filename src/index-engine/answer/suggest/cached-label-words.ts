/**
 * The words of labels that are read in parts, once. Searches that need them at the same time go on with it in turn, and
 * what has been read stays when one of them ends early.
 */
import { run, work, type Parts } from "../../base/index.ts";
import { LabelWords } from "./label-words.ts";

/** For work.ts: a step of LabelWords.of takes up to two milliseconds. */
const STEPS_OF_STEP = 200_000;

export class CachedLabelWords {
  #reading: ReturnType<typeof LabelWords.of> | null;
  #words: LabelWords | null = null;

  /** See LabelWords.of. */
  constructor(size: number, wordsOf: (label: number) => readonly string[]) {
    this.#reading = LabelWords.of(size, wordsOf);
  }

  /** 0 until they are read. */
  get bytes(): number {
    return this.#words?.bytes ?? 0;
  }

  /** Reads them, unless they are read. */
  *read(): Parts<LabelWords> {
    while (this.#reading !== null) {
      const reading = this.#reading;
      // After an error there is nothing to go on with.
      this.#reading = null;
      const step = work.onCached(STEPS_OF_STEP, () => reading.next());
      if (step.done === true) this.#words = step.value;
      else this.#reading = reading;
      yield;
    }
    if (this.#words === null) throw new Error("reading the words of labels has failed before");
    return this.#words;
  }

  /** The rest of them at once. */
  now(): LabelWords {
    return this.#words ?? run(this.read());
  }
}
