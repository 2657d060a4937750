/**
 * Removes markup: tags and comments become a space, the content of script and style is dropped, entities are decoded. A
 * `<` that does not open a tag ("size < 40", "5<6") stays. No pattern backtracks, so the time is linear in the length
 * of the text.
 */

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    ensp: " ",
    emsp: " ",
    thinsp: " ",
    shy: "",
    zwnj: "",
    zwj: "",
    ndash: "-",
    mdash: "-",
    hellip: "...",
    lsquo: "'",
    rsquo: "'",
    ldquo: '"',
    rdquo: '"',
    bull: " ",
    middot: " ",
    trade: " ",
    reg: " ",
    copy: " ",
    deg: "°",
    euro: "€",
    times: "x",
    frac12: "½",
    frac14: "¼",
    frac34: "¾",
    szlig: "ß",
    auml: "ä",
    ouml: "ö",
    uuml: "ü",
    Auml: "Ä",
    Ouml: "Ö",
    Uuml: "Ü",
    eacute: "é",
    egrave: "è",
    ecirc: "ê",
    agrave: "à",
    acirc: "â",
    aacute: "á",
    ccedil: "ç",
    ocirc: "ô",
    oacute: "ó",
    iacute: "í",
    uacute: "ú",
    ntilde: "ñ",
    aring: "å",
    aelig: "æ",
    oslash: "ø",
  }),
);

/** Elements that may be inside a word (`<b>bi</b>cycle`) are dropped; all others separate words. */
const INLINE_TAG = /^\/?(?:a|abbr|b|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)$/;

const ENTITY = /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([A-Za-z][A-Za-z0-9]{1,7}));/g;

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES.get(name) ?? whole;
    const code = hex !== undefined ? Number.parseInt(hex, 16) : Number.parseInt(decimal ?? "", 10);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : " ";
  });
}

export function stripHtml(text: string): string {
  const firstTag = text.indexOf("<");
  if (firstTag < 0) return text.includes("&") ? decodeEntities(text) : text;
  // Both are looked up once; otherwise a text full of "<a" or "<script>" would be scanned repeatedly.
  const lastClose = text.lastIndexOf(">");
  let lowerCase: string | null = null;
  let plain = "";
  let from = 0;
  let at = firstTag;
  while (at >= 0) {
    const end = endOfTag(text, at, lastClose);
    if (end < 0) {
      at = text.indexOf("<", at + 1);
      continue;
    }
    plain += text.slice(from, at);
    const name = tagName(text, at);
    if (!INLINE_TAG.test(name)) plain += " ";
    from = end;
    if (name === "script" || name === "style") {
      // Raw text elements only end at their own closing tag.
      lowerCase ??= asciiLowerCase(text);
      const close = lowerCase.indexOf(`</${name}`, end);
      const closeEnd = close < 0 ? -1 : text.indexOf(">", close);
      from = closeEnd < 0 ? text.length : closeEnd + 1;
    }
    at = text.indexOf("<", from);
  }
  plain += text.slice(from);
  return plain.includes("&") ? decodeEntities(plain) : plain;
}

/** Index after the tag or comment that opens at `at`, or -1 if the `<` does not open one. */
function endOfTag(text: string, at: number, lastClose: number): number {
  const next = text.charCodeAt(at + 1);
  const isLetter = (next >= 65 && next <= 90) || (next >= 97 && next <= 122);
  if (text.startsWith("<!--", at)) {
    const end = text.indexOf("-->", at + 4);
    return end < 0 ? text.length : end + 3;
  }
  if (!isLetter && next !== 47 /* / */ && next !== 33 /* ! */ && next !== 63 /* ? */) return -1;
  return at > lastClose ? -1 : text.indexOf(">", at + 1) + 1;
}

/** Preserves indexes; `toLowerCase` may change the length (İ). */
function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

function tagName(text: string, at: number): string {
  let end = at + 1;
  if (text.charCodeAt(end) === 47) end++;
  while (end < text.length && /[A-Za-z0-9!-]/.test(text.charAt(end))) end++;
  return text.slice(at + 1, end).toLowerCase();
}
