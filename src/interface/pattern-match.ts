/**
 * Runs programs of pattern-program.ts on texts. Alternatives are tried in their order, as in Java: the first way that leads to a
 * match counts.
 *
 * Where many ways are tried in vain, going on like that takes time without end: `(a|aa)+c` on a hundred a has as many
 * ways as there are atoms in the universe. But they meet: whoever comes to the same instruction at the same place of
 * the text fails again. So once a text has taken more steps than a harmless pattern needs, failures are remembered,
 * one bit for each instruction that has a choice and each place, and the rest takes no more steps than there are such
 * bits.
 *
 *   stack, what is undone or tried next when something fails, in frames of four numbers:
 *     BRANCH, instruction, place       goes on there
 *     instruction, first, last, most   a RUN that took the characters from `first` to `last`: takes one less, or one
 *                                      more where it is lazy, up to `most` (-1: to the end)
 *     RESTORE, slot, value             what a SAVE or BEGIN has overwritten
 *     FAILED, memo, place              everything after this has failed: remembers it
 *
 * What a RUN without an end remembers of a place is that it fails wherever it ends behind it.
 *
 * Patterns that refer to groups remember nothing, what they do depends on more than the place; they end when their
 * steps are spent. So does what needs too much memory.
 */
import type { PatternProgram, Instruction } from "./pattern-program.ts";
import { codeAfter, codeBefore } from "./pattern-tree.ts";

/** Takes the steps that a match has made; throws where there are none left. */
export type Spend = (steps: number) => void;

const BRANCH = -1;
const RESTORE = -2;
const FAILED = -3;
const FRAME = 4;

/** Steps before failures are remembered: so many, and so many for each character. */
const HARMLESS_STEPS = 512;
const HARMLESS_STEPS_PER_CHARACTER = 16;
/** Between two calls of `Spend`. */
const SPENT_TOGETHER = 4_096;
/** 8 MB. */
const MOST_MEMO_BITS = 2 ** 26;
/** 16 MB. */
const MOST_STACK = 2 ** 22;
const KEPT_STACK = 2 ** 16;

/** Of this isolate: no match waits for anything while it runs. */
let stack = new Int32Array(1_024);

type Run = Extract<Instruction, { op: "run" }>;

/** One program on one text, from match to match. */
export class PatternMatcher {
  /** Of the last match that was found; -1: the group took no part. */
  readonly slots: Int32Array;
  readonly #program: PatternProgram;
  readonly #text: string;
  readonly #spend: Spend;
  readonly #mustEnd: boolean;
  #memo: Uint8Array | null = null;
  #steps = 0;
  #stepsToSpend: number;

  /** `mustEnd`: a match ends with the text; `harmlessSteps`: before failures are remembered. */
  constructor(
    program: PatternProgram,
    text: string,
    mustEnd: boolean,
    spend: Spend,
    harmlessSteps = HARMLESS_STEPS + HARMLESS_STEPS_PER_CHARACTER * text.length,
  ) {
    this.#program = program;
    this.#text = text;
    this.#mustEnd = mustEnd;
    this.#spend = spend;
    this.slots = new Int32Array(program.slots);
    this.#stepsToSpend = harmlessSteps;
  }

  /** A match that begins at `from`. */
  matchAt(from: number): boolean {
    const found = this.#attempt(from);
    this.#settle();
    return found;
  }

  /** The first match that begins at `from` or behind it. */
  find(from: number): boolean {
    const { firsts } = this.#program;
    const text = this.#text;
    for (let at = from; at <= text.length; at++) {
      if (firsts !== null) {
        const scannedFrom = at;
        while (at < text.length && firsts[text.charCodeAt(at)] === 0) at++;
        this.#steps += at - scannedFrom;
        if (at === text.length) break;
      }
      if (this.#attempt(at)) {
        this.#settle();
        return true;
      }
      if (codeAfter(text, at) > 0xffff) at++;
    }
    this.#settle();
    return false;
  }

  #settle(): void {
    if (stack.length > KEPT_STACK) stack = new Int32Array(1_024);
    const steps = this.#steps;
    this.#steps = 0;
    this.#spend(steps);
  }

  #attempt(from: number): boolean {
    this.slots.fill(-1);
    const end = this.#run(0, from, 0, false);
    if (end === -1) return false;
    this.#forget();
    this.slots[0] = from;
    this.slots[1] = end;
    return true;
  }

  /**
   * Where the match ends that begins with this instruction at this place; -1: there is none. `base`: where its stack
   * begins; `isPart`: of a lookaround, it ends anywhere.
   */
  #run(instruction: number, place: number, base: number, isPart: boolean): number {
    const { instructions } = this.#program;
    const { slots } = this;
    let next = instruction;
    let at = place;
    let top = base;
    for (;;) {
      if (++this.#steps >= this.#stepsToSpend) this.#spendSteps();
      const it = instructions[next];
      let hasFailed = false;
      switch (it.op) {
        case "match":
          if (isPart || !this.#mustEnd || at === this.#text.length) return at;
          hasFailed = true;
          break;
        case "take": {
          const after = this.#taken(it, at);
          if (after === -1) hasFailed = true;
          else {
            at = after;
            next++;
          }
          break;
        }
        case "run": {
          const first = this.#least(it, at);
          if (first === -1 || (it.max === Infinity && this.#isKnownToFail(it.memo, first))) {
            hasFailed = true;
            break;
          }
          const last = it.isLazy && it.max === Infinity ? first : this.#most(it, first);
          at = it.isLazy ? first : last;
          if (it.isLazy || last !== first || this.#memo !== null) {
            top = this.#push(top, next, first, at, it.max === Infinity ? -1 : last);
          }
          next++;
          break;
        }
        case "split":
          if (this.#isKnownToFail(it.memo, at)) {
            hasFailed = true;
            break;
          }
          if (this.#memo !== null) top = this.#push(top, FAILED, it.memo, at, 0);
          top = this.#push(top, BRANCH, it.second, at, 0);
          next = it.first;
          break;
        case "jump":
          next = it.to;
          break;
        case "save":
        case "begin":
          top = this.#push(top, RESTORE, it.slot, slots[it.slot], 0);
          slots[it.slot] = at;
          next++;
          break;
        case "moved":
          if (slots[it.slot] === at) hasFailed = true;
          else next++;
          break;
        case "assert":
          if (it.holds(this.#text, at)) next++;
          else hasFailed = true;
          break;
        case "look":
          for (const slot of it.slots) top = this.#push(top, RESTORE, slot, slots[slot], 0);
          if (this.#run(next + 1, at, top, true) === -1) hasFailed = !it.negated;
          else {
            hasFailed = it.negated;
            this.#forget();
          }
          next = it.next;
          break;
        case "same": {
          const after = this.#repeated(it, at);
          if (after === -1) hasFailed = true;
          else {
            at = after;
            next++;
          }
          break;
        }
      }
      while (hasFailed) {
        if (top === base) return -1;
        top -= FRAME;
        const kind = stack[top];
        const a = stack[top + 1];
        const b = stack[top + 2];
        if (kind === RESTORE) slots[a] = b;
        else if (kind === FAILED) this.#remember(a, b);
        else {
          next = kind === BRANCH ? a : kind + 1;
          at = kind === BRANCH ? b : this.#otherEnd(instructions[kind] as Run, top);
          hasFailed = at === -1;
          // The frame of a run stays, with what is left of it.
          if (!hasFailed && kind !== BRANCH) top += FRAME;
        }
      }
    }
  }

  /** Where the next end of a run is that has failed where it ended; -1: there is none. Notes it in its frame. */
  #otherEnd(run: Run, frame: number): number {
    const first = stack[frame + 1];
    const last = stack[frame + 2];
    const most = stack[frame + 3];
    this.#steps++;
    let end = -1;
    if (!run.isLazy) {
      if (most === -1) this.#remember(run.memo, last);
      if (last !== first) end = before(this.#text, last, run.isBackward);
    } else {
      end = last === most ? -1 : this.#taken(run, last);
      if (most === -1 && (end === -1 || this.#isKnownToFail(run.memo, end))) {
        this.#rememberAll(run, first, last);
        return -1;
      }
    }
    stack[frame + 2] = end;
    return end;
  }

  /** The place behind one character; -1: it is not in the set. */
  #taken({ set, isBackward }: Pick<Run, "set" | "isBackward">, at: number): number {
    if (!isBackward) {
      const unit = this.#text.charCodeAt(at);
      if (unit < 128) return set.ascii[unit] === 1 ? at + 1 : -1;
    }
    const code = isBackward ? codeBefore(this.#text, at) : codeAfter(this.#text, at);
    if (code === -1 || !set.has(code)) return -1;
    const length = code > 0xffff ? 2 : 1;
    return isBackward ? at - length : at + length;
  }

  /** Behind the characters that a run must take; -1: they are not there. */
  #least(run: Run, at: number): number {
    let end = at;
    for (let count = 0; count < run.min && end !== -1; count++) end = this.#taken(run, end);
    this.#steps += Math.abs(end - at);
    return end;
  }

  /** Behind the characters that it may take besides; where there is no end, before what is known to fail. */
  #most(run: Run, first: number): number {
    const most = run.max - run.min;
    let last = first;
    let count = 0;
    if (!run.isBackward && this.#memo === null) {
      const text = this.#text;
      const { ascii } = run.set;
      while (count < most && ascii[text.charCodeAt(last)] === 1) {
        last++;
        count++;
      }
    }
    for (; count < most; count++) {
      const end = this.#taken(run, last);
      if (end === -1 || (most === Infinity && this.#isKnownToFail(run.memo, end))) break;
      last = end;
    }
    this.#steps += Math.abs(last - first);
    return last;
  }

  /** Behind the text of a group, once more; -1: it is not there. A group that has not matched is nothing. */
  #repeated(
    { slot, ignoreCase, isBackward }: Extract<Instruction, { op: "same" }>,
    at: number,
  ): number {
    const { slots } = this;
    if (slots[slot] === -1 || slots[slot + 1] === -1) return at;
    const group = this.#text.slice(slots[slot], slots[slot + 1]);
    const end = isBackward ? at - group.length : at + group.length;
    this.#steps += group.length;
    if (end < 0) return -1;
    const text = this.#text.slice(Math.min(at, end), Math.max(at, end));
    return text === group || (ignoreCase && folded(text) === folded(group)) ? end : -1;
  }

  #isKnownToFail(memo: number, at: number): boolean {
    if (this.#memo === null) return false;
    const bit = memo * (this.#text.length + 1) + at;
    return ((this.#memo[bit >>> 3] >>> (bit & 7)) & 1) === 1;
  }

  #remember(memo: number, at: number): void {
    if (this.#memo === null) return;
    const bit = memo * (this.#text.length + 1) + at;
    this.#memo[bit >>> 3] |= 1 << (bit & 7);
  }

  #rememberAll(run: Run, first: number, last: number): void {
    if (this.#memo === null) return;
    const step = run.isBackward ? -1 : 1;
    for (let at = first; at !== last + step; at += step) this.#remember(run.memo, at);
    this.#steps += Math.abs(last - first);
  }

  /**
   * After a success. A round that took nothing has failed because the one place that follows it is tried without it, too;
   * that this place fails is true only as long as everything does.
   */
  #forget(): void {
    if (this.#memo === null || !this.#program.hasEmptyRounds) return;
    this.#memo.fill(0);
    this.#steps += this.#memo.length >>> 4;
  }

  #spendSteps(): void {
    const { isPure, memos } = this.#program;
    const bits = memos * (this.#text.length + 1);
    if (isPure && bits <= MOST_MEMO_BITS) this.#memo ??= new Uint8Array((bits >>> 3) + 1);
    this.#stepsToSpend = SPENT_TOGETHER;
    const steps = this.#steps;
    this.#steps = 0;
    this.#spend(steps);
  }

  #push(top: number, kind: number, a: number, b: number, c: number): number {
    if (top === stack.length) {
      if (top === MOST_STACK) {
        this.#spend(Infinity);
        throw new Error("a match takes too much memory");
      }
      const larger = new Int32Array(2 * top);
      larger.set(stack);
      stack = larger;
    }
    stack[top] = kind;
    stack[top + 1] = a;
    stack[top + 2] = b;
    stack[top + 3] = c;
    return top + FRAME;
  }
}

/** The place before the character that ends at `at`, in the direction of the match. */
function before(text: string, at: number, isBackward: boolean): number {
  const code = isBackward ? codeAfter(text, at) : codeBefore(text, at);
  const length = code > 0xffff ? 2 : 1;
  return isBackward ? at + length : at - length;
}

function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
