/**
 * Parses a Java regular expression (java.util.regex).
 *
 *   alternatives  branch ("|" branch)*
 *   branch        (atom quantifier?)*
 *   quantifier    ? * + {n} {n,} {n,m}; followed by ?: as few as possible
 *   atom          group | class | escape | . | ^ | $ | any other character, ] and } too, but { not
 *   group         (x) (?<name>x) (?:x) (?=x) (?!x) (?<=x) (?<!x); (?flags:x); (?flags) to the end of the group it stands in
 *   flags         i, s, m, d, u, U; those after a - are switched off
 *   class         [x] [^x]: characters, ranges, escapes, [nested], && between sets; see pattern-class.ts
 *   escape        \Q...\E        literal, also in classes; without \E to the end
 *                 \t \n \r \f \a \e \cX \0n \0nn \0mnn \xhh \x{h...h} \uhhhh (pairs are one character)
 *                 \d \D \h \H \s \S \v \V \w \W \p{..} \P{..} \pL \PL: pattern-sets.ts
 *                 \b \B \A \z \Z \R; \1 \k<name>; a character that is no ASCII letter or digit is itself
 *
 *   . and $         know the line ends \u0085 and (for $) \r\n; $ and \Z match before the line end that ends the text;
 *                   (?m)^ never matches at the end of the text, (?m)$ not inside \r\n; under (?d) the only line end is
 *                   \n
 *   \s \b           \s is ASCII space, \b looks at letters of all scripts
 *   (?i)            for letters of all scripts, as if `u` were set too: a shop that writes (?i)für means FÜR, which Java
 *                   without `u` does not. The one intended difference.
 *
 * Refused, because there is no equivalent here:
 *   a++ a*+ a?+ a{2}+ (?>x), \G, \X, \N{..}, \b{g}, (?x), (?c), blocks and java... names that pattern-sets.ts does not
 *   have \1 where group 1 may not have matched (`(a)?\1`, `\1(a)`, `(?:(a)|b)+\1`): it fails in Java and is empty here
 * Refused, because Java refuses them: { that repeats nothing, * + ? that repeat nothing, \y and other letters without
 * meaning, \E
 *   alone, names of groups that are no ASCII letters and digits. Because what Java makes of it cannot be meant:
 *   a{2}{3}, and in classes what pattern-class.ts says.
 * Refused where it matters how far a match goes (`PatternTree.otherEnd`): a repeated part that may choose nothing
 * before it has
 *   tried something: (|a)*, (a*|b)*, (a??)?. Java stops there, here it goes on trying.
 *
 * Accepted, although not in Java: lookbehinds of any length. Known differences: a repeated group around \R, (\R){2},
 * matches \r\n; under (?i) named sets are folded like letters, so \w includes the long s.
 */
import { readClass } from "./pattern-class.ts";
import { NO_FLAGS, readFlags } from "./pattern-flags.ts";
import {
  anyCharacter,
  beforeLastLineEnd,
  capturing,
  LINE_BREAK,
  lineEnd,
  lineStart,
  lookaround,
  matching,
  oneCharacter,
  oneOf,
  TEXT_END,
  TEXT_START,
  wordBoundary,
  wrapped,
  type Part,
} from "./pattern-parts.ts";
import { readQuantifier } from "./pattern-quantifier.ts";
import { PatternReader } from "./pattern-reader.ts";
import type { PatternNode } from "./pattern-tree.ts";

export interface PatternTree {
  readonly node: PatternNode;
  /** Group 1 first. */
  readonly groups: readonly Group[];
  /** Must be thrown if the end of a match is needed, because it may differ from Java. */
  readonly otherEnd: SyntaxError | null;
}

export interface Group {
  readonly name: string | null;
  /**
   * False if the group's text may differ from Java: a round of a repeated part may skip the group, and Java adds
   * one more, empty round.
   */
  reliable: boolean;
}

/** Context of a part. */
interface Place {
  /** Groups that have matched before it. */
  readonly known: readonly (readonly number[])[];
  /** In a lookbehind, which is matched from right to left: earlier parts have not matched yet. */
  readonly backward: boolean;
}

/** Protects the stack; far more than hand-written patterns need. */
const MAX_NESTING = 200;

/** Throws a SyntaxError with reason and position. */
export function readPattern(pattern: string): PatternTree {
  return new TreeReader(pattern).read();
}

class TreeReader {
  readonly #reader: PatternReader;
  readonly #groups: Group[] = [];
  readonly #emptyGroups = new Set<number>();
  #flags = NO_FLAGS;
  #depth = 0;
  #otherEnd: SyntaxError | null = null;

  constructor(pattern: string) {
    this.#reader = new PatternReader(pattern);
  }

  read(): PatternTree {
    const reader = this.#reader;
    const { node } = this.#alternatives({ known: [], backward: false });
    if (!reader.atEnd) throw reader.error(reader.at, "this ) has no matching (");
    return { node, groups: this.#groups, otherEnd: this.#otherEnd };
  }

  #alternatives(place: Place): Part {
    const branches = [this.#branch(place)];
    while (this.#reader.accept("|")) branches.push(this.#branch(place));
    if (branches.length === 1) return branches[0];
    const node: PatternNode = { kind: "choice", branches: branches.map((branch) => branch.node) };
    return {
      node,
      sure: [],
      canBeEmpty: branches.some((branch) => branch.canBeEmpty),
      givesUp: branches.some((branch) => branch.givesUp) || branches.slice(0, -1).some((branch) => branch.canBeEmpty),
      repeated: node,
    };
  }

  #branch(place: Place): Part {
    const reader = this.#reader;
    const sure: number[] = [];
    // It grows while the branch is read.
    const inside = { ...place, known: place.backward ? place.known : [...place.known, sure] };
    const nodes: PatternNode[] = [];
    let canBeEmpty = true;
    let givesUp = false;
    while (!reader.atEnd && reader.sign !== "|" && reader.sign !== ")") {
      const groupsBefore = this.#groups.length;
      const atom = this.#atom(inside);
      if (atom === null) continue;
      const part = this.#repeated(atom, groupsBefore);
      nodes.push(part.node);
      for (const number of part.sure) sure.push(number);
      canBeEmpty &&= part.canBeEmpty;
      givesUp ||= part.givesUp;
    }
    const node: PatternNode = nodes.length === 1 ? nodes[0] : { kind: "sequence", nodes };
    return { node, sure, canBeEmpty, givesUp, repeated: node };
  }

  /** `atom` with its optional quantifier. */
  #repeated(atom: Part, groupsBefore: number): Part {
    const reader = this.#reader;
    const start = reader.at;
    const quantifier = readQuantifier(reader);
    if (quantifier === null) return atom;
    const { min, max, isLazy } = quantifier;
    const repeats = max === null || max > 1;
    const sure = min === 0 || (repeats && atom.canBeEmpty) ? [] : atom.sure;
    if (max !== min && atom.canBeEmpty && atom.givesUp) {
      this.#otherEnd ??= reader.error(start, "the repeated part may match nothing first");
    }
    if (repeats) {
      const filledEachTime = new Set(atom.canBeEmpty ? [] : atom.sure);
      for (let number = groupsBefore + 1; number <= this.#groups.length; number++) {
        if (!filledEachTime.has(number)) this.#groups[number - 1].reliable = false;
      }
    }
    const { canBeEmpty } = atom;
    const node: PatternNode = {
      kind: "repeat",
      node: atom.repeated,
      canBeEmpty,
      min,
      max: max ?? Infinity,
      isLazy,
    };
    return {
      node,
      sure,
      canBeEmpty: canBeEmpty || min === 0,
      givesUp: atom.givesUp || (min === 0 && isLazy),
      repeated: node,
    };
  }

  /** Null: flags were switched, there is nothing to match. */
  #atom(place: Place): Part | null {
    const reader = this.#reader;
    const start = reader.at;
    const { sign } = reader;
    switch (sign) {
      case "(":
        return this.#group(place);
      case "[":
        return oneOf(readClass(reader, this.#flags.unicode), this.#flags.ignoreCase);
      case "\\":
        return this.#escape(place);
      case ".":
        reader.skip(1);
        return anyCharacter(this.#flags);
      case "^":
        reader.skip(1);
        return lineStart(this.#flags);
      case "$":
        reader.skip(1);
        return lineEnd(this.#flags);
      case "*":
      case "+":
      case "?":
        throw reader.error(start, `${sign} repeats nothing; the character itself is \\${sign}`);
      case "{":
        throw reader.error(start, "{ repeats nothing; the character itself is written \\{");
      default:
        return oneCharacter(reader.take(), this.#flags);
    }
  }

  #escape(place: Place): Part {
    const reader = this.#reader;
    const start = reader.at;
    const { unicode } = this.#flags;
    const letter = reader.escapedSign;
    if (/^[1-9]$/u.test(letter)) return this.#backReference(place);
    if (letter === "k") return this.#namedBackReference(place);
    if (!"AzZbBR".includes(letter || " ")) {
      const escaped = reader.escape(unicode);
      return typeof escaped === "number"
        ? oneCharacter(escaped, this.#flags)
        : oneOf(`[${escaped}]`, this.#flags.ignoreCase);
    }
    reader.skip(2);
    switch (letter) {
      case "A":
        return TEXT_START;
      case "z":
        return TEXT_END;
      case "Z":
        return beforeLastLineEnd(this.#flags);
      case "R":
        return LINE_BREAK;
      default:
        if (reader.sign === "{") {
          throw reader.error(start, "\\b{g}, the boundaries of grapheme clusters, is not supported");
        }
        return wordBoundary(letter === "b", this.#flags);
    }
  }

  /** \12 is group 12 if there are that many groups before it, else group 1 and a 2. */
  #backReference(place: Place): Part {
    const reader = this.#reader;
    const start = reader.at;
    reader.skip(1);
    let number = reader.take() - 48;
    while (/^\d$/u.test(reader.sign)) {
      const longer = number * 10 + Number(reader.sign);
      if (longer > this.#groups.length) break;
      number = longer;
      reader.skip(1);
    }
    return this.#reference(place, start, number);
  }

  #namedBackReference(place: Place): Part {
    const reader = this.#reader;
    const start = reader.at;
    reader.skip(2);
    if (!reader.accept("<")) throw reader.error(start, "\\k is written \\k<name>");
    const name = this.#groupName(start);
    const number = this.#groups.findIndex((group) => group.name === name) + 1;
    if (number === 0) throw reader.error(start, `there is no group "${name}" before it`);
    return this.#reference(place, start, number);
  }

  #reference(place: Place, start: number, number: number): Part {
    const reader = this.#reader;
    const written = reader.between(start);
    if (number > this.#groups.length) {
      throw reader.error(start, `${written}: there is no group ${number} before it`);
    }
    if (!place.known.some((numbers) => numbers.includes(number))) {
      throw reader.error(start, `${written}: group ${number} may not have matched there`);
    }
    const { ignoreCase } = this.#flags;
    const part = matching({ kind: "reference", number, ignoreCase });
    return { ...part, canBeEmpty: this.#emptyGroups.has(number) };
  }

  #groupName(start: number): string {
    const reader = this.#reader;
    const name = reader.until(">");
    if (name === null || !/^[A-Za-z][A-Za-z0-9]*$/u.test(name)) {
      throw reader.error(start, "names of groups are ASCII letters and digits, a letter first");
    }
    return name;
  }

  #group(place: Place): Part | null {
    const reader = this.#reader;
    const start = reader.at;
    reader.skip(1);
    if (!reader.accept("?")) return this.#capturing(place, start, null);
    if (reader.accept(":")) return wrapped(this.#inside(place, start));
    if (reader.accept("=")) {
      return lookaround("=", this.#inside({ ...place, backward: false }, start));
    }
    if (reader.accept("!")) {
      return lookaround("!", this.#inside({ ...place, backward: false }, start));
    }
    if (reader.accept("<")) {
      if (reader.accept("=")) {
        return lookaround("<=", this.#inside({ ...place, backward: true }, start));
      }
      if (reader.accept("!")) {
        return lookaround("<!", this.#inside({ ...place, backward: true }, start));
      }
      const name = this.#groupName(start);
      if (this.#groups.some((group) => group.name === name)) {
        throw reader.error(start, `there are two groups "${name}"`);
      }
      return this.#capturing(place, start, name);
    }
    if (reader.sign === ">") {
      throw reader.error(start, "atomic groups (?>..) are not supported");
    }
    const before = this.#flags;
    this.#flags = readFlags(reader, start, before);
    if (reader.accept(")")) return null;
    if (!reader.accept(":")) throw reader.error(start, "this is not a group in Java");
    const part = wrapped(this.#inside(place, start));
    this.#flags = before;
    return part;
  }

  #capturing(place: Place, start: number, name: string | null): Part {
    this.#groups.push({ name, reliable: true });
    const number = this.#groups.length;
    const inside = this.#inside(place, start);
    if (inside.canBeEmpty) this.#emptyGroups.add(number);
    return capturing(number, inside);
  }

  /** The content of a group up to its `)`. Its flags end with it. */
  #inside(place: Place, start: number): Part {
    const reader = this.#reader;
    const flags = this.#flags;
    if (++this.#depth > MAX_NESTING) {
      throw reader.error(start, `groups are nested more than ${MAX_NESTING} deep`);
    }
    const inside = this.#alternatives(place);
    if (!reader.accept(")")) throw reader.error(start, "this group is not closed");
    this.#depth--;
    this.#flags = flags;
    return inside;
  }
}
