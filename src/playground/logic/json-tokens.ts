/** Splits JSON text into tokens for syntax colours. The concatenated tokens equal the text. */
export type TokenKind = "key" | "string" | "number" | "word" | "plain";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** A string followed by a colon is a key; text that is not JSON is plain. */
const PATTERN =
  /("(?:[^"\\\n]|\\.)*")(?=\s*:)|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

const KINDS: readonly TokenKind[] = ["key", "string", "number", "word"];

export function jsonTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of text.matchAll(PATTERN)) {
    if (match.index > at) tokens.push({ kind: "plain", text: text.slice(at, match.index) });
    const group = match.slice(1).findIndex((one) => one !== undefined);
    tokens.push({ kind: KINDS[group] ?? "plain", text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) tokens.push({ kind: "plain", text: text.slice(at) });
  return tokens;
}

/** Indented if it is JSON, otherwise unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
