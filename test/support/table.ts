/**
 * Rows as a table: `one line`, or as many as a row takes. Cells are separated by bars; the first one may be plain text.
 *
 *   table<[name: string, count: number]>`
 *     a first row | ${1}
 *     a second row
 *       | ${2}
 *   `
 */
export function table<Row extends readonly unknown[]>(texts: readonly string[], ...cells: readonly unknown[]): Row[] {
  const rows: unknown[][] = [];
  cells.forEach((cell, i) => {
    const text = texts[i].split(/\s+/).join(" ").trim();
    if (text === "|") rows.at(-1)?.push(cell);
    else if (text === "") rows.push([cell]);
    else if (text.endsWith(" |")) rows.push([text.slice(0, -2), cell]);
    else throw new Error(`not the beginning of a row: ${text}`);
  });
  return rows as unknown as Row[];
}
