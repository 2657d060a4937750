/**
 * Splits a text at its marks. The page uses text and positions instead of the service's HTML, so
 * that text of a catalogue is never parsed as markup.
 */
import type { Highlight } from "../../interface/index.ts";

export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Invalid marks (outside the text, reversed, overlapping) are skipped; the text is always complete.
 */
export function piecesOf(text: string, marks: Highlight["marks"]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (!(start >= at && end > start && end <= text.length)) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), marked: false });
    pieces.push({ text: text.slice(start, end), marked: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), marked: false });
  return pieces;
}

/**
 * The highlighted value of a field, always whole: a long value is marked where its fragment stands. Without marks, or
 * if the fragment is not found because the value has markup, it is the plain value.
 */
export function highlighted(
  value: string,
  highlights: Readonly<Record<string, readonly Highlight[]>>,
  field: string,
): Piece[] {
  const [first] = Object.hasOwn(highlights, field) ? (highlights[field] ?? []) : [];
  if (first === undefined) return piecesOf(value, []);
  if (first.whole) return piecesOf(first.text, first.marks);
  const from = value.indexOf(first.text);
  return piecesOf(value, from < 0 ? [] : first.marks.map(([start, end]) => [from + start, from + end]));
}

/** `metaData.highlights`, if valid. */
export function readHighlights(
  metaData: Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, readonly Highlight[]>> {
  const highlights = metaData?.["highlights"];
  if (typeof highlights !== "object" || highlights === null) return {};
  return Object.fromEntries(
    Object.entries(highlights).map(([field, list]: [string, unknown]) => [
      field,
      Array.isArray(list) ? list.filter(isHighlight) : [],
    ]),
  );
}

function isHighlight(value: unknown): value is Highlight {
  if (typeof value !== "object" || value === null) return false;
  return "text" in value && typeof value.text === "string" && "marks" in value && Array.isArray(value.marks);
}
