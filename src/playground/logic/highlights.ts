/**
 * A text with marks -> its pieces. The service also sends finished HTML; the page uses text and positions instead, so
 * that nothing of a catalogue is ever read as markup.
 */
import type { Highlight } from "../../interface/index.ts";

export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Marks that lie wrong (outside of the text, backwards, one over another) are left out: the text is whole in any case.
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

/** The marked form of a field's value; the value itself where nothing of it is marked. */
export function highlighted(
  value: string,
  highlights: Readonly<Record<string, readonly Highlight[]>>,
  field: string,
): Piece[] {
  const [first] = Object.hasOwn(highlights, field) ? (highlights[field] ?? []) : [];
  return first === undefined ? piecesOf(value, []) : piecesOf(first.text, first.marks);
}

/** `metaData.highlights`, as far as it is one. */
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
  return (
    "text" in value &&
    typeof value.text === "string" &&
    "marks" in value &&
    Array.isArray(value.marks)
  );
}
