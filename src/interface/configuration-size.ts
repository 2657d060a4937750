/**
 * Bounds the size of plain data before validation, which recurses and lists the problems of every
 * value.
 */
export interface DataLimits {
  readonly values: number;
  readonly levels: number;
  /**
   * Of all texts, and of the path of every value: under a long key each problem repeats it. Shared texts count as
   * often as they occur, because they are written out later.
   */
  readonly characters: number;
}

/** The problem, without a subject; null: none. */
export function sizeProblem(data: unknown, { values, levels, characters }: DataLimits): string | null {
  let count = 0;
  let length = 0;
  let level: readonly { readonly value: unknown; readonly path: string }[] = [{ value: data, path: "" }];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return `is nested deeper than ${levels} levels`;
    const next: { value: unknown; path: string }[] = [];
    for (const { value, path } of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const [key, member] of Object.entries(value) as [string, unknown][]) {
        if (++count > values) return `has more than ${values} values`;
        const memberPath = memberPathOf(path, key, Array.isArray(value));
        length += memberPath.length + (typeof member === "string" ? member.length : 0);
        if (length > characters) return `has more than ${characters} characters, at ${shownPath(memberPath)}`;
        next.push({ value: member, path: memberPath });
      }
    }
    level = next;
  }
  return null;
}

function memberPathOf(path: string, key: string, isInList: boolean): string {
  if (isInList) return `${path}[${key}]`;
  return path === "" ? key : `${path}.${key}`;
}

const MOST_SHOWN = 200;

/** A path in a message; long ones are cut. */
export function shownPath(path: string): string {
  return path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path;
}
