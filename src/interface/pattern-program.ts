/**
 * Compiles the tree of a pattern to a program for pattern-match.ts.
 *
 *   characters    TAKE set
 *   x y           x, then y; in a lookbehind, which runs from right to left, y, then x
 *   x|y           SPLIT 1 2;  1: x, JUMP 3;  2: y;  3:
 *   x*            1: SPLIT 2 3;  2: x, JUMP 1;  3:           of one character: RUN set 0 Infinity
 *   x{2,3}        x, x, SPLIT 1 2;  1: x;  2:                of one character: RUN set 2 3
 *   (x)           SAVE start, x, SAVE end; only for requested groups
 *   (?=x)         LOOK, x, MATCH
 *
 * If x may be empty, each optional round of x* starts with BEGIN and ends with MOVED, which fails if nothing
 * was consumed, because empty rounds would never end.
 */
import type { CharacterSet } from "./pattern-characters.ts";
import type { Assertion, PatternNode } from "./pattern-tree.ts";
import { LIMITS } from "./limits.ts";

export type Instruction =
  | { readonly op: "match" }
  | { readonly op: "take"; readonly set: CharacterSet; readonly isBackward: boolean }
  | {
      readonly op: "run";
      readonly set: CharacterSet;
      readonly isBackward: boolean;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
      readonly memo: number;
    }
  | { readonly op: "split"; first: number; second: number; readonly memo: number }
  | { readonly op: "jump"; to: number }
  | { readonly op: "save" | "begin" | "moved"; readonly slot: number }
  | { readonly op: "assert"; readonly holds: Assertion }
  | {
      readonly op: "look";
      readonly negated: boolean;
      next: number;
      readonly slots: readonly number[];
    }
  | {
      readonly op: "same";
      readonly slot: number;
      readonly ignoreCase: boolean;
      readonly isBackward: boolean;
    };

export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  /** Start and end of the whole match are in 0 and 1, of group n in 2n and 2n + 1; then those of BEGIN. */
  readonly slots: number;
  /** Number of instructions with a number in `memo`. */
  readonly memos: number;
  /** Without back references: the same place in the same text always fails. */
  readonly isPure: boolean;
  /** It has a MOVED. */
  readonly hasEmptyRounds: boolean;
  /** Characters below 128 that a match can start with: code -> 1. Null: any. */
  readonly firsts: Uint8Array | null;
}

const MOST_INSTRUCTIONS = LIMITS.patternInstructions.value;

/** `groups`: groups whose texts are needed. Throws a SyntaxError if the program is too long. */
export function compileProgram(node: PatternNode, groupCount: number, groups: ReadonlySet<number>): PatternProgram {
  const compiler = new Compiler(groupCount, new Set([...groups, ...referredTo(node)]));
  compiler.add(node, false);
  compiler.emit({ op: "match" });
  return {
    instructions: compiler.instructions,
    slots: compiler.slots,
    memos: compiler.memos,
    isPure: referredTo(node).length === 0,
    hasEmptyRounds: compiler.instructions.some(({ op }) => op === "moved"),
    firsts: firstsOf(node),
  };
}

class Compiler {
  readonly instructions: Instruction[] = [];
  slots: number;
  memos = 0;
  readonly #groups: ReadonlySet<number>;

  constructor(groupCount: number, groups: ReadonlySet<number>) {
    this.slots = 2 * (groupCount + 1);
    this.#groups = groups;
  }

  emit<T extends Instruction>(instruction: T): T {
    if (this.instructions.length === MOST_INSTRUCTIONS) {
      throw new SyntaxError(
        `The regular expression has more than ${MOST_INSTRUCTIONS} parts, with repetitions expanded`,
      );
    }
    this.instructions.push(instruction);
    return instruction;
  }

  get #here(): number {
    return this.instructions.length;
  }

  add(node: PatternNode, isBackward: boolean): void {
    switch (node.kind) {
      case "characters":
        this.emit({ op: "take", set: node.set, isBackward });
        return;
      case "sequence":
        for (const one of isBackward ? node.nodes.toReversed() : node.nodes) {
          this.add(one, isBackward);
        }
        return;
      case "choice":
        this.#choice(node.branches, isBackward);
        return;
      case "repeat":
        this.#repeat(node, isBackward);
        return;
      case "group":
        this.#group(node, isBackward);
        return;
      case "look": {
        const slots = slotsIn(node.node, this.#groups);
        const look = this.emit({ op: "look", negated: node.negated, next: 0, slots });
        this.add(node.node, !node.ahead);
        this.emit({ op: "match" });
        look.next = this.#here;
        return;
      }
      case "reference": {
        const { number, ignoreCase } = node;
        this.emit({ op: "same", slot: 2 * number, ignoreCase, isBackward });
        return;
      }
      case "assertion":
        this.emit({ op: "assert", holds: node.holds });
        return;
    }
  }

  #split(): { first: number; second: number } {
    return this.emit({ op: "split", first: 0, second: 0, memo: this.memos++ });
  }

  #choice(branches: readonly PatternNode[], isBackward: boolean): void {
    const jumps: { to: number }[] = [];
    branches.forEach((branch, position) => {
      if (position === branches.length - 1) {
        this.add(branch, isBackward);
        return;
      }
      const split = this.#split();
      split.first = this.#here;
      this.add(branch, isBackward);
      jumps.push(this.emit({ op: "jump", to: 0 }));
      split.second = this.#here;
    });
    for (const jump of jumps) jump.to = this.#here;
  }

  #repeat(node: Extract<PatternNode, { kind: "repeat" }>, isBackward: boolean): void {
    const { min, max, isLazy } = node;
    if (node.node.kind === "characters") {
      const { set } = node.node;
      this.emit({ op: "run", set, isBackward, min, max, isLazy, memo: this.memos++ });
      return;
    }
    const start = this.#here;
    for (let round = 0; round < min; round++) {
      this.add(node.node, isBackward);
      // Repeating an empty part has no effect.
      if (this.#here === start) return;
    }
    if (max === Infinity) {
      const loop = this.#here;
      const split = this.#split();
      const body = this.#here;
      this.#round(node, isBackward);
      this.emit({ op: "jump", to: loop });
      split.first = isLazy ? this.#here : body;
      split.second = isLazy ? body : this.#here;
      return;
    }
    const splits: { first: number; second: number }[] = [];
    for (let round = min; round < max; round++) {
      const split = this.#split();
      const body = this.#here;
      split[isLazy ? "second" : "first"] = body;
      splits.push(split);
      this.#round(node, isBackward);
    }
    for (const split of splits) split[isLazy ? "first" : "second"] = this.#here;
  }

  /** An optional round. */
  #round(node: Extract<PatternNode, { kind: "repeat" }>, isBackward: boolean): void {
    if (!node.canBeEmpty) {
      this.add(node.node, isBackward);
      return;
    }
    const slot = this.slots++;
    this.emit({ op: "begin", slot });
    this.add(node.node, isBackward);
    this.emit({ op: "moved", slot });
  }

  #group(node: Extract<PatternNode, { kind: "group" }>, isBackward: boolean): void {
    if (!this.#groups.has(node.number)) {
      this.add(node.node, isBackward);
      return;
    }
    const start = 2 * node.number;
    this.emit({ op: "save", slot: isBackward ? start + 1 : start });
    this.add(node.node, isBackward);
    this.emit({ op: "save", slot: isBackward ? start : start + 1 });
  }
}

function insideOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case "sequence":
      return node.nodes;
    case "choice":
      return node.branches;
    case "repeat":
    case "group":
    case "look":
      return [node.node];
    case "characters":
    case "reference":
    case "assertion":
      return [];
  }
}

/** Numbers of groups. */
function referredTo(node: PatternNode, numbers: number[] = []): number[] {
  if (node.kind === "reference") numbers.push(node.number);
  else for (const one of insideOf(node)) referredTo(one, numbers);
  return numbers;
}

function slotsIn(node: PatternNode, groups: ReadonlySet<number>): number[] {
  const own = node.kind === "group" && groups.has(node.number) ? [2 * node.number, 2 * node.number + 1] : [];
  return [...own, ...insideOf(node).flatMap((one) => slotsIn(one, groups))];
}

function firstsOf(node: PatternNode): Uint8Array | null {
  const firsts = new Uint8Array(128);
  return addFirsts(node, firsts) === "taken" ? firsts : null;
}

/** Adds the first characters of `node`. "passed": it may be empty; "unknown": it may start with anything. */
function addFirsts(node: PatternNode, firsts: Uint8Array): "taken" | "passed" | "unknown" {
  switch (node.kind) {
    case "characters":
      node.set.ascii.forEach((isIn, code) => (firsts[code] |= isIn));
      return "taken";
    case "sequence":
      for (const one of node.nodes) {
        const found = addFirsts(one, firsts);
        if (found !== "passed") return found;
      }
      return "passed";
    case "choice": {
      const found = node.branches.map((branch) => addFirsts(branch, firsts));
      if (found.includes("unknown")) return "unknown";
      return found.includes("passed") ? "passed" : "taken";
    }
    case "repeat": {
      const found = addFirsts(node.node, firsts);
      return found === "taken" && node.min === 0 ? "passed" : found;
    }
    case "group":
      return addFirsts(node.node, firsts);
    case "look":
    case "assertion":
      return "passed";
    case "reference":
      return "unknown";
  }
}
