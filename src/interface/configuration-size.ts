/**
 * Bounds the size of plain data before validation, which recurses and lists the problems of every
 * value.
 */
export interface DataLimits {
  readonly values: number;
  readonly levels: number;
}

/** The problem, without a subject; null: none. */
export function sizeProblem(data: unknown, { values, levels }: DataLimits): string | null {
  let count = 0;
  let level: readonly unknown[] = [data];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return `is nested deeper than ${levels} levels`;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== "object" || one === null) continue;
      for (const member of Object.values(one)) {
        if (++count > values) return `has more than ${values} values`;
        next.push(member);
      }
    }
    level = next;
  }
  return null;
}
