/**
 * Runs programs of pattern-program.ts on texts. As in Java, alternatives are tried in order, and the first one that
 * leads to a match counts.
 *
 * Plain backtracking can take exponential time: `(a|aa)+c` on a hundred a has as many
 * paths as there are atoms in the universe. But paths meet: a path that reaches the same instruction at the same place
 * of the text fails again. So once a text has taken more steps than a harmless pattern needs, failures are memoised
 * with one bit per instruction with a choice and place, and the remaining steps are bounded by the number of
 * bits.
 *
 *   stack: what to undo or try next after a failure, in frames of four numbers:
 *     BRANCH, instruction, place       goes on there
 *     instruction, first, last, most   a RUN that took the characters from `first` to `last`: takes one less, or one
 *                                      more where it is lazy, up to `most` (-1: to the end)
 *     RESTORE, slot, value             what a SAVE or BEGIN has overwritten
 *     FAILED, memo, place              everything after this has failed: memoises it
 *
 * A memoised place of a RUN without a limit means that it fails for every end after this place.
 *
 * Patterns with back references are not memoised, because they depend on more than the place; they end when their
 * steps are spent. So do patterns that would need too much memory.
 */
import type { PatternProgram, Instruction } from "./pattern-program.ts";
import { codeAfter, codeBefore } from "./pattern-tree.ts";

/** Spends the steps of a match; throws if none are left. */
export type Spend = (steps: number) => void;

const BRANCH = -1;
const RESTORE = -2;
const FAILED = -3;
const FRAME = 4;

/** Steps before memoisation: a constant, and a number per character. */
const HARMLESS_STEPS = 512;
const HARMLESS_STEPS_PER_CHARACTER = 16;
/** Between two calls of `Spend`. */
const SPENT_TOGETHER = 4_096;
/** 8 MB. */
const MOST_MEMO_BITS = 2 ** 26;
/** 16 MB. */
const MOST_STACK = 2 ** 22;
const KEPT_STACK = 2 ** 16;

/** Shared in the isolate, because matching is synchronous. */
let stack = new Int32Array(1_024);

type Run = Extract<Instruction, { op: "run" }>;

/** Runs one program on one text, match by match. */
export class PatternMatcher {
  /** Of the last match; -1: the group did not participate. */
  readonly slots: Int32Array;
  readonly #program: PatternProgram;
  readonly #text: string;
  readonly #spend: Spend;
  readonly #mustEnd: boolean;
  #memo: Uint8Array | null = null;
  #steps = 0;
  #stepsToSpend: number;

  /** `mustEnd`: a match must end at the text's end; `harmlessSteps`: steps before memoisation. */
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

  /** Finds a match that starts at `from`. */
  matchAt(from: number): boolean {
    const found = this.#attempt(from);
    this.#settle();
    return found;
  }

  /** Finds the first match that starts at or after `from`. */
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
   * End of the match that starts with this instruction at this place; -1: none. `base`: start of its
   * stack; `isPart`: belongs to a lookaround and may end anywhere.
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
          // The frame of a run stays, with its remaining ends.
          if (!hasFailed && kind !== BRANCH) top += FRAME;
        }
      }
    }
  }

  /** The next end of a failed run; -1: none. Notes it in the run's frame. */
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

  /** The place after one character; -1: it is not in the set. */
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

  /** The place after the characters that a run must take; -1: they are missing. */
  #least(run: Run, at: number): number {
    let end = at;
    for (let count = 0; count < run.min && end !== -1; count++) {
      end = this.#taken(run, end);
      this.#steps++;
    }
    return end;
  }

  /** The place after its optional characters; without a limit, before a place known to fail. */
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

  /** The place after a repetition of a group's text; -1: missing. An unmatched group is empty. */
  #repeated({ slot, ignoreCase, isBackward }: Extract<Instruction, { op: "same" }>, at: number): number {
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
   * Called after a success. An empty round has failed because the place after it is tried without the round too;
   * that failure only holds as long as everything fails.
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

/** The place before the character that ends at `at`, in match direction. */
function before(text: string, at: number, isBackward: boolean): number {
  const code = isBackward ? codeAfter(text, at) : codeBefore(text, at);
  const length = code > 0xffff ? 2 : 1;
  return isBackward ? at + length : at - length;
}

function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}
