/**
 * Finds the boundaries of JSON values in chunks of bytes, and refuses invalid JSON.
 *
 * JSON.parse cannot be used: an import body may have 100 MB, and its text, its parsed objects and the index under
 * construction would have to share 128 MB. This scanner holds a few numbers and one byte per nesting level, but never
 * the text.
 *
 * The grammar is RFC 8259 over bytes, with the strictness of JSON.parse:
 *
 *   value  = '{' [string ':' value (',' string ':' value)*] '}' | '[' [value (',' value)*] ']' | string | number | literal
 *   string = '"' (byte >= 0x20 except '"' and '\' | '\' one of "\/bfnrt | '\' 'u' 4 hex)* '"'
 *   number = '-'? ('0' | [1-9][0-9]*) ('.' [0-9]+)? ([eE][+-]?[0-9]+)?
 *
 * All structure is ASCII and no byte of a multi-byte UTF-8 character is ASCII, so bytes can be scanned without
 * decoding, and chunks may end anywhere. Does not check whether strings are valid UTF-8: decode
 * fatally where that matters.
 *
 * States (the next byte decides):
 *
 *   Value ---{---> KeyOrEnd --"--> Key --"--> Colon --:--> Value          After ---,---> Key- or Value-state of the container
 *     |---[---> ValueOrEnd                                                 After --}/]-> After of the enclosing container
 *     |---"---> string, then After      |---0-9,-,t,f,n---> scalar, then After
 *
 * Numbers have no closing byte: they end before the first byte that cannot continue them, which is then read again.
 */
import { ServiceError } from "../interface/index.ts";

/** Values and keys are reported up to this depth: members of a body, and elements of its lists. */
const REPORT_DEPTH = 2;
/** The scanner needs one byte per level; deeper text is an attack. */
const MAX_DEPTH = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const STATE = {
  value: 0,
  valueOrEnd: 1,
  keyOrEnd: 2,
  key: 3,
  colon: 4,
  after: 5,
  string: 6,
  escape: 7,
  hex: 8,
  literal: 9,
  minus: 10,
  zero: 11,
  integer: 12,
  dot: 13,
  fraction: 14,
  exponentMark: 15,
  exponentSign: 16,
  exponent: 17,
  done: 18,
} as const;
type State = (typeof STATE)[keyof typeof STATE];

/** Results of `next`. `start` and `end` of a value include its brackets and quotes. */
export const TOKEN = {
  /** The chunk is used up. */
  none: 0,
  /** A value begins at `index`; its first byte has been read. */
  valueStart: 1,
  /** A value ended: its last byte is before `index`. */
  valueEnd: 2,
  /** A member name began or ended (inside an object). */
  keyStart: 3,
  keyEnd: 4,
} as const;
type Token = (typeof TOKEN)[keyof typeof TOKEN];

/** 400 bad_request; `position` is the offset of the offending byte in the whole text. */
export function jsonError(message: string, position: number): ServiceError {
  return new ServiceError("bad_request", `The body cannot be read as JSON: ${message} (byte ${position}).`, {
    details: { position },
  });
}

const LITERALS: ReadonlyMap<number, Uint8Array> = new Map(
  ["true", "false", "null"].map((text) => [text.charCodeAt(0), new TextEncoder().encode(text)]),
);

/** Throws 400 bad_request. */
export class JsonScanner {
  #state: State = STATE.value;
  /** One byte per open container: 1 = object. */
  #containers = new Uint8Array(64);
  #depth = 0;
  /** Whether the current string is a member name. */
  #inKey = false;
  #hexLeft = 0;
  #literal: Uint8Array = new Uint8Array(0);
  #literalAt = 0;
  #chunk: Uint8Array = new Uint8Array(0);
  #index = 0;
  /** Bytes of all chunks before the current one. */
  #before = 0;
  /** Deepest nesting since the caller last reset it. */
  deepest = 0;

  /**
   * Open containers. At its `valueStart` a container does not count itself yet, at its `valueEnd` no
   * longer.
   */
  get depth(): number {
    return this.#depth;
  }

  /** Offset in the current chunk after the last read byte. */
  get index(): number {
    return this.#index;
  }

  /** Offset in the whole text. */
  get position(): number {
    return this.#before + this.#index;
  }

  /** Sets the next chunk; the previous one must be used up (`next` returned `none`). */
  feed(chunk: Uint8Array, offset = 0): void {
    this.#before += this.#chunk.length;
    this.#chunk = chunk;
    this.#index = offset;
  }

  /** Ends the text, and with it a top-level number. */
  end(): void {
    this.#before += this.#chunk.length;
    this.#chunk = new Uint8Array(0);
    this.#index = 0;
    if (this.#depth === 0 && this.#isWholeNumber()) this.#state = STATE.done;
    if (this.#state !== STATE.done) this.#fail("the text ends too early");
  }

  /** Reads up to the next event. */
  next(): Token {
    const chunk = this.#chunk;
    const length = chunk.length;
    while (this.#index < length) {
      const byte = chunk[this.#index];
      switch (this.#state) {
        case STATE.string: {
          // The hot loop: most bytes of a catalogue are inside strings.
          let index = this.#index;
          let current = byte;
          while (current !== QUOTE && current !== BACKSLASH && current >= 0x20) {
            if (++index === length) break;
            current = chunk[index];
          }
          this.#index = index;
          if (index === length) return TOKEN.none;
          if (current < 0x20) this.#fail("a control character inside a string");
          this.#index = index + 1;
          if (current === BACKSLASH) {
            this.#state = STATE.escape;
            break;
          }
          if (this.#inKey) {
            this.#inKey = false;
            this.#state = STATE.colon;
            if (this.#depth <= REPORT_DEPTH) return TOKEN.keyEnd;
            break;
          }
          if (this.#valueEnded()) return TOKEN.valueEnd;
          break;
        }
        case STATE.escape:
          if (byte === 0x75) {
            this.#hexLeft = 4;
            this.#state = STATE.hex;
          } else if ('"\\/bfnrt'.includes(String.fromCharCode(byte))) {
            this.#state = STATE.string;
          } else {
            this.#fail("an unknown escape inside a string");
          }
          this.#index++;
          break;
        case STATE.hex:
          if (!isHex(byte)) this.#fail("an unfinished \\u escape");
          this.#index++;
          if (--this.#hexLeft === 0) this.#state = STATE.string;
          break;
        case STATE.value:
        case STATE.valueOrEnd: {
          if (isSpace(byte)) {
            this.#index++;
            break;
          }
          if (byte === CLOSE_BRACKET && this.#state === STATE.valueOrEnd) {
            this.#index++;
            if (this.#close(byte)) return TOKEN.valueEnd;
            break;
          }
          const reported = this.#depth <= REPORT_DEPTH;
          this.#begin(byte);
          this.#index++;
          if (reported) return TOKEN.valueStart;
          break;
        }
        case STATE.keyOrEnd:
        case STATE.key:
          if (isSpace(byte)) {
            this.#index++;
            break;
          }
          if (byte === CLOSE_BRACE && this.#state === STATE.keyOrEnd) {
            this.#index++;
            if (this.#close(byte)) return TOKEN.valueEnd;
            break;
          }
          if (byte !== QUOTE) this.#fail("expected a member name");
          this.#index++;
          this.#inKey = true;
          this.#state = STATE.string;
          if (this.#depth <= REPORT_DEPTH) return TOKEN.keyStart;
          break;
        case STATE.colon:
          if (byte === COLON) this.#state = STATE.value;
          else if (!isSpace(byte)) this.#fail("expected ':'");
          this.#index++;
          break;
        case STATE.after:
          if (isSpace(byte)) {
            this.#index++;
            break;
          }
          if (byte === COMMA) {
            this.#state = this.#inObject() ? STATE.key : STATE.value;
            this.#index++;
            break;
          }
          if (byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET) this.#fail("expected ',' or a closing bracket");
          this.#index++;
          if (this.#close(byte)) return TOKEN.valueEnd;
          break;
        case STATE.literal:
          if (byte !== this.#literal[this.#literalAt]) this.#fail("an unknown word");
          this.#index++;
          if (++this.#literalAt === this.#literal.length && this.#valueEnded()) return TOKEN.valueEnd;
          break;
        case STATE.done:
          if (!isSpace(byte)) this.#fail("more text after the end");
          this.#index++;
          break;
        default:
          if (this.#number(byte)) return TOKEN.valueEnd;
          break;
      }
    }
    return TOKEN.none;
  }

  #fail(message: string): never {
    throw jsonError(message, this.position);
  }

  #inObject(): boolean {
    return this.#containers[this.#depth - 1] === 1;
  }

  #begin(byte: number): void {
    switch (byte) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (this.#depth === MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`);
        if (this.#depth === this.#containers.length) {
          const grown = new Uint8Array(this.#containers.length * 2);
          grown.set(this.#containers);
          this.#containers = grown;
        }
        this.#containers[this.#depth++] = byte === OPEN_BRACE ? 1 : 0;
        if (this.#depth > this.deepest) this.deepest = this.#depth;
        this.#state = byte === OPEN_BRACE ? STATE.keyOrEnd : STATE.valueOrEnd;
        return;
      case QUOTE:
        this.#state = STATE.string;
        return;
      case 0x2d:
        this.#state = STATE.minus;
        return;
      case 0x30:
        this.#state = STATE.zero;
        return;
      default: {
        const literal = LITERALS.get(byte);
        if (literal !== undefined) {
          this.#literal = literal;
          this.#literalAt = 1;
          this.#state = STATE.literal;
        } else if (isDigit(byte)) {
          this.#state = STATE.integer;
        } else {
          this.#fail("expected a value");
        }
      }
    }
  }

  #close(byte: number): boolean {
    if (this.#depth === 0 || this.#inObject() !== (byte === CLOSE_BRACE)) {
      this.#index--;
      this.#fail("a closing bracket of the wrong kind");
    }
    this.#depth--;
    return this.#valueEnded();
  }

  #valueEnded(): boolean {
    this.#state = this.#depth === 0 ? STATE.done : STATE.after;
    return this.#depth <= REPORT_DEPTH;
  }

  /** One byte of a number; true if the number ended before it and its end must be reported. */
  #number(byte: number): boolean {
    const next = numberState(this.#state, byte);
    if (next !== null) {
      this.#state = next;
      this.#index++;
      return false;
    }
    if (!this.#isWholeNumber()) this.#fail("an unfinished number");
    return this.#valueEnded();
  }

  #isWholeNumber(): boolean {
    switch (this.#state) {
      case STATE.zero:
      case STATE.integer:
      case STATE.fraction:
      case STATE.exponent:
        return true;
      default:
        return false;
    }
  }
}

function numberState(state: State, byte: number): State | null {
  const digit = isDigit(byte);
  const mark = byte === 0x65 || byte === 0x45;
  switch (state) {
    case STATE.minus:
      return byte === 0x30 ? STATE.zero : digit ? STATE.integer : null;
    case STATE.zero:
      return byte === 0x2e ? STATE.dot : mark ? STATE.exponentMark : null;
    case STATE.integer:
      return digit ? state : byte === 0x2e ? STATE.dot : mark ? STATE.exponentMark : null;
    case STATE.dot:
      return digit ? STATE.fraction : null;
    case STATE.fraction:
      return digit ? state : mark ? STATE.exponentMark : null;
    case STATE.exponentMark:
      return digit ? STATE.exponent : byte === 0x2b || byte === 0x2d ? STATE.exponentSign : null;
    case STATE.exponentSign:
    case STATE.exponent:
      return digit ? STATE.exponent : null;
    default:
      throw new Error(`JsonScanner: state ${state} is not part of a number`);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHex(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
