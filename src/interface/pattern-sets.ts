/**
 * Named character sets of java.util.regex, in the syntax between [ and ] of JavaScript (flag
 * `v`).
 *
 *   \d \w \s \h \v           ASCII digits, word characters and spaces; horizontal spaces and line ends of all scripts
 *   \p{Lower} ... \p{Space}  the POSIX classes, ASCII only
 *   \p{L} \p{Lu} \p{LC} \p{LD} \p{L1} \p{all}, also \p{IsLu}, \p{gc=Lu}, \p{general_category=Lu}
 *                            general categories (by their short names only), letters and digits, Latin-1, everything
 *   \p{IsAlphabetic} ...     the binary properties of `BINARY`, and the POSIX classes as Unicode has them, in any case
 *   \p{IsLatin}, \p{sc=Latn}, \p{script=latin}
 *                            scripts by long or short name, in any case
 *   \p{InGreek}, \p{blk=...}, \p{block=...}
 *                            the blocks of `BLOCKS`; the 300 others are unknown
 *   \p{javaLowerCase} ...    those methods of java.lang.Character that correspond to a Unicode property
 *
 * Under (?U) \d, \w, \s and the POSIX classes are those of Unicode (`UNICODE_POSIX`). As in Java, the members of a
 * category depend on the runtime's Unicode version.
 */
const LINE_ENDS = "\\n-\\r\\x85\\u2028\\u2029";
const ASCII_SPACE = "\\t-\\r\\x20";
const ASCII_WORD = "0-9A-Z_a-z";

const ALPHABETIC = "\\p{Alphabetic}";
const DIGIT = "\\p{Nd}";
const BLANK = "\\t\\p{Zs}";
const GRAPH = "[^\\p{Z}\\p{Cc}\\p{Cs}\\p{Cn}]";
const WORD = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";
const HEX_DIGIT = "\\p{Nd}\\p{Hex_Digit}";

/**
 * The word characters of `\b`: Java 8 to 18 use letters and digits of all scripts, independently of `\w`.
 */
const BOUND_WORD = "\\p{L}\\p{Nd}\\p{Mn}_";

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ["d", "0-9"],
  ["w", ASCII_WORD],
  ["s", ASCII_SPACE],
  ["h", "\\t\\x20\\xa0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000"],
  ["v", LINE_ENDS],
]);

const UNICODE_PREDEFINED: ReadonlyMap<string, string> = new Map([
  ["d", DIGIT],
  ["w", WORD],
  ["s", "\\p{White_Space}"],
]);

const POSIX: ReadonlyMap<string, string> = new Map([
  ["Lower", "a-z"],
  ["Upper", "A-Z"],
  ["ASCII", "\\x00-\\x7f"],
  ["Alpha", "A-Za-z"],
  ["Digit", "0-9"],
  ["Alnum", "0-9A-Za-z"],
  ["Punct", "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e"],
  ["Graph", "\\x21-\\x7e"],
  ["Print", "\\x20-\\x7e"],
  ["Blank", "\\t\\x20"],
  ["Cntrl", "\\x00-\\x1f\\x7f"],
  ["XDigit", "0-9A-Fa-f"],
  ["Space", ASCII_SPACE],
]);

/** By upper-case name, because Java accepts any case. */
const UNICODE_POSIX: ReadonlyMap<string, string> = new Map([
  ["ALPHA", ALPHABETIC],
  ["LOWER", "\\p{Lowercase}"],
  ["UPPER", "\\p{Uppercase}"],
  ["SPACE", "\\p{White_Space}"],
  ["PUNCT", "\\p{P}"],
  ["XDIGIT", HEX_DIGIT],
  ["ALNUM", ALPHABETIC + DIGIT],
  ["CNTRL", "\\p{Cc}"],
  ["DIGIT", DIGIT],
  ["BLANK", BLANK],
  ["GRAPH", GRAPH],
  ["PRINT", `${GRAPH}\\p{Zs}`],
]);

/** \p{Is...}, by upper-case name without `_`. */
const BINARY: ReadonlyMap<string, string> = new Map([
  ["ALPHABETIC", ALPHABETIC],
  ["LETTER", "\\p{L}"],
  ["IDEOGRAPHIC", "\\p{Ideographic}"],
  ["LOWERCASE", "\\p{Lowercase}"],
  ["UPPERCASE", "\\p{Uppercase}"],
  ["TITLECASE", "\\p{Lt}"],
  ["WHITESPACE", "\\p{White_Space}"],
  ["CONTROL", "\\p{Cc}"],
  ["PUNCTUATION", "\\p{P}"],
  ["HEXDIGIT", HEX_DIGIT],
  ["ASSIGNED", "\\P{Cn}"],
  ["NONCHARACTERCODEPOINT", "\\p{Noncharacter_Code_Point}"],
  ["DIGIT", DIGIT],
  ["ALNUM", ALPHABETIC + DIGIT],
  ["BLANK", BLANK],
  ["GRAPH", GRAPH],
  ["PRINT", `${GRAPH}\\p{Zs}`],
  ["WORD", WORD],
  ["JOINCONTROL", "\\p{Join_Control}"],
  // Since Java 21.
  ["EMOJI", "\\p{Emoji}"],
  ["EMOJIPRESENTATION", "\\p{Emoji_Presentation}"],
  ["EMOJIMODIFIER", "\\p{Emoji_Modifier}"],
  ["EMOJIMODIFIERBASE", "\\p{Emoji_Modifier_Base}"],
  ["EMOJICOMPONENT", "\\p{Emoji_Component}"],
  ["EXTENDEDPICTOGRAPHIC", "\\p{Extended_Pictographic}"],
]);

const CATEGORIES: ReadonlySet<string> = new Set(
  (
    "Cn Lu Ll Lt Lm Lo Mn Me Mc Nd Nl No Zs Zl Zp Cc Cf Co Cs Pd Ps Pe Pc Po Sm Sc Sk So Pi Pf " + "L M N Z C P S LC"
  ).split(" "),
);

const OWN_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["LD", "\\p{L}\\p{Nd}"],
  ["L1", "\\x00-\\xff"],
  ["all", "\\p{Any}"],
]);

const JAVA: ReadonlyMap<string, string> = new Map([
  ["javaLowerCase", "\\p{Lowercase}"],
  ["javaUpperCase", "\\p{Uppercase}"],
  ["javaTitleCase", "\\p{Lt}"],
  ["javaAlphabetic", ALPHABETIC],
  ["javaIdeographic", "\\p{Ideographic}"],
  ["javaDigit", DIGIT],
  ["javaDefined", "\\P{Cn}"],
  ["javaLetter", "\\p{L}"],
  ["javaLetterOrDigit", "\\p{L}\\p{Nd}"],
  ["javaSpaceChar", "\\p{Z}"],
  ["javaWhitespace", "[\\p{Z}--[\\xa0\\u2007\\u202f]]\\t-\\r\\x1c-\\x1f"],
  ["javaISOControl", "\\p{Cc}"],
  ["javaMirrored", "\\p{Bidi_Mirrored}"],
]);

/**
 * From Unicode's Blocks.txt, the blocks used in texts of shops; blocks never change. Names without spaces, `-` and
 * `_`, in lower case.
 */
const BLOCKS: ReadonlyMap<string, string> = new Map([
  ["basiclatin", "\\x00-\\x7f"],
  ["latin1supplement", "\\x80-\\xff"],
  ["latinextendeda", "\\u0100-\\u017f"],
  ["latinextendedb", "\\u0180-\\u024f"],
  ["ipaextensions", "\\u0250-\\u02af"],
  ["spacingmodifierletters", "\\u02b0-\\u02ff"],
  ["combiningdiacriticalmarks", "\\u0300-\\u036f"],
  ["greek", "\\u0370-\\u03ff"],
  ["greekandcoptic", "\\u0370-\\u03ff"],
  ["cyrillic", "\\u0400-\\u04ff"],
  ["armenian", "\\u0530-\\u058f"],
  ["hebrew", "\\u0590-\\u05ff"],
  ["arabic", "\\u0600-\\u06ff"],
  ["devanagari", "\\u0900-\\u097f"],
  ["thai", "\\u0e00-\\u0e7f"],
  ["georgian", "\\u10a0-\\u10ff"],
  ["latinextendedadditional", "\\u1e00-\\u1eff"],
  ["greekextended", "\\u1f00-\\u1fff"],
  ["generalpunctuation", "\\u2000-\\u206f"],
  ["superscriptsandsubscripts", "\\u2070-\\u209f"],
  ["currencysymbols", "\\u20a0-\\u20cf"],
  ["letterlikesymbols", "\\u2100-\\u214f"],
  ["numberforms", "\\u2150-\\u218f"],
  ["arrows", "\\u2190-\\u21ff"],
  ["mathematicaloperators", "\\u2200-\\u22ff"],
  ["boxdrawing", "\\u2500-\\u257f"],
  ["geometricshapes", "\\u25a0-\\u25ff"],
  ["miscellaneoussymbols", "\\u2600-\\u26ff"],
  ["dingbats", "\\u2700-\\u27bf"],
  ["cjksymbolsandpunctuation", "\\u3000-\\u303f"],
  ["hiragana", "\\u3040-\\u309f"],
  ["katakana", "\\u30a0-\\u30ff"],
  ["cjkunifiedideographs", "\\u4e00-\\u9fff"],
  ["hangulsyllables", "\\uac00-\\ud7af"],
  ["halfwidthandfullwidthforms", "\\uff00-\\uffef"],
]);

/** `letter`: of an escape, in lower case. Undefined: not a set. */
export function predefinedSet(letter: string, unicode: boolean): string | undefined {
  return (unicode ? UNICODE_PREDEFINED.get(letter) : undefined) ?? PREDEFINED.get(letter);
}

export function boundWord(unicode: boolean): string {
  return unicode ? WORD : BOUND_WORD;
}

/** The set of \p{`name`}. Undefined: unknown in Java, or its members are unknown here. */
export function propertySet(name: string, unicode: boolean): string | undefined {
  const equals = name.indexOf("=");
  if (equals !== -1) {
    const value = name.slice(equals + 1);
    switch (name.slice(0, equals).toLowerCase()) {
      case "sc":
      case "script":
        return scriptSet(value);
      case "blk":
      case "block":
        return blockSet(value);
      case "gc":
      case "general_category":
        return shortNamed(value);
      default:
        return undefined;
    }
  }
  if (name.startsWith("In")) return blockSet(name.slice(2));
  if (name.startsWith("Is")) {
    const rest = name.slice(2);
    const inCapitals = rest.toUpperCase();
    const unicodeSet = BINARY.get(inCapitals.replaceAll("_", "")) ?? UNICODE_POSIX.get(inCapitals);
    return unicodeSet ?? shortNamed(rest) ?? scriptSet(rest);
  }
  return (unicode ? UNICODE_POSIX.get(name.toUpperCase()) : undefined) ?? shortNamed(name);
}

/** Java's common table for \p{...}, \p{Is...} and \p{gc=...}. */
function shortNamed(name: string): string | undefined {
  if (CATEGORIES.has(name)) return `\\p{${name}}`;
  return POSIX.get(name) ?? OWN_CATEGORIES.get(name) ?? JAVA.get(name);
}

function blockSet(name: string): string | undefined {
  return BLOCKS.get(name.toLowerCase().replace(/[ _-]/gu, ""));
}

/**
 * There are too many scripts for a list, so the runtime's own is used, in its spelling (`Old_Italic`,
 * `Latn`).
 */
function scriptSet(name: string): string | undefined {
  if (!/^[A-Za-z]+(?:_[A-Za-z]+)*$/u.test(name)) return undefined;
  // The only name with a capital inside a word.
  if (name.toLowerCase() === "signwriting") return "\\p{Script=SignWriting}";
  const spelled = name
    .split("_")
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase())
    .join("_");
  const set = `\\p{Script=${spelled}}`;
  try {
    new RegExp(set, "v").test("");
    return set;
  } catch {
    return undefined;
  }
}
