/** The syntax tree of a pattern, parsed by pattern-java.ts and compiled by pattern-program.ts. */
import type { CharacterSet } from "./pattern-characters.ts";

export type PatternNode =
  | { readonly kind: "characters"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  /** The first branch that leads to a match counts. */
  | { readonly kind: "choice"; readonly branches: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly node: PatternNode;
      readonly canBeEmpty: boolean;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: "group"; readonly number: number; readonly node: PatternNode }
  | {
      readonly kind: "look";
      readonly ahead: boolean;
      readonly negated: boolean;
      readonly node: PatternNode;
    }
  /** Matches the text of an earlier group. */
  | { readonly kind: "reference"; readonly number: number; readonly ignoreCase: boolean }
  /** Consumes nothing. */
  | { readonly kind: "assertion"; readonly holds: Assertion };

export type Assertion = (text: string, at: number) => boolean;

/** The code point that starts at `at`; -1 at the end of the text. */
export function codeAfter(text: string, at: number): number {
  return text.codePointAt(at) ?? -1;
}

/** The code point that ends at `at`; -1 at the start. */
export function codeBefore(text: string, at: number): number {
  if (at === 0) return -1;
  const low = text.charCodeAt(at - 1);
  if (at < 2 || low < 0xdc00 || low > 0xdfff) return low;
  const code = text.codePointAt(at - 2) ?? low;
  return code > 0xffff ? code : low;
}
