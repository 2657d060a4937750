/**
 * CSV and TSV -> records. csv-parse reads quotes, quoted line breaks and line ends; the separator is found in the
 * first line. A first line `sep=;`, which Excel writes and reads, names it.
 */
import { parse, CsvError } from "csv-parse";
import { FeedError, type FeedRecord, type FeedValue } from "./model.ts";

const DELIMITERS = [",", ";", "\t", "|"] as const;
const NO_CHILDREN: readonly never[] = [];

/** @param head the beginning of the text, with the first line where it is not longer than that */
export function delimiterOf(head: string): string {
  const named = /^sep=(.)\r?\n/i.exec(head);
  if (named?.[1] !== undefined) return named[1];
  let best: string = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = countOutsideQuotes(head, delimiter);
    if (count > most) [best, most] = [delimiter, count];
  }
  return best;
}

/** In the first line. */
function countOutsideQuotes(text: string, delimiter: string): number {
  let count = 0;
  let inQuotes = false;
  for (const character of text) {
    if (character === '"') inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (character === "\n" || character === "\r") {
      if (count > 0) break;
    } else if (character === delimiter) count++;
  }
  return count;
}

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

export async function* csvRecords(bytes: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<FeedRecord> {
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    // `5" screen` in a cell without quotes is a text of five inches.
    relax_quotes: true,
    skip_empty_lines: true,
    // A row whose quotes are never closed would swallow the file.
    max_record_size: 16 * 1024 * 1024,
  });
  let columns: readonly string[] | null = null;
  for await (const { record, info } of rowsOf(bytes, parser)) {
    if (columns === null) {
      // `sep=;` is cut at what it names.
      if (/^sep=/i.test(record[0]) && record.slice(1).every((cell) => cell === "")) continue;
      columns = columnsOf(record);
      continue;
    }
    const values = new Map<string, FeedValue>();
    let breaks = 0;
    let isSurplus = false;
    for (const [at, cell] of record.entries()) {
      for (let to = cell.indexOf("\n"); to >= 0; to = cell.indexOf("\n", to + 1)) breaks++;
      if (cell === "") continue;
      if (at >= columns.length) isSurplus = true;
      else values.set(columns[at], cell);
    }
    if (values.size === 0 && !isSurplus) continue;
    const row = { line: info.lines - breaks, values, children: NO_CHILDREN };
    // Blank cells at the end shift nothing.
    if (record.length >= columns.length && !isSurplus) yield row;
    else yield { ...row, problem: `${record.length} cells, but the first line has ${columns.length}` };
  }
}

type Parser = ReturnType<typeof parse>;

/**
 * Chunk by chunk, so that no more rows wait than one has. Of the parser's stream only what the one for browsers has,
 * too: `write`, `end`, and the events.
 */
async function* rowsOf(bytes: AsyncIterable<Uint8Array>, parser: Parser): AsyncGenerator<Row> {
  let rows: Row[] = [];
  let lastLine = 0;
  let failure: Error | null = null;
  parser.on("data", (row: Row) => {
    lastLine = row.info.lines;
    rows.push(row);
  });
  const failed = new Promise<void>((resolve) => {
    parser.on("error", (error: Error) => {
      failure = error;
      resolve();
    });
  });
  const ended = new Promise<void>((resolve) => parser.on("end", resolve));
  function take(): readonly Row[] {
    if (failure instanceof CsvError) throw failureOf(failure, lastLine);
    if (failure !== null) throw failure;
    const taken = rows;
    rows = [];
    return taken;
  }
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    // As text: the stream for browsers takes no other bytes than those of its own Buffer.
    const text = decoder.decode(chunk, { stream: true });
    if (text === "") continue;
    const written = new Promise<void>((resolve) => parser.write(text, () => resolve()));
    await Promise.race([written, failed]);
    yield* take();
  }
  parser.end();
  await Promise.race([ended, failed]);
  yield* take();
}

/** Names as in the first line. A column without a name gets its number, and so does a name that occurs before it. */
function columnsOf(cells: readonly string[]): readonly string[] {
  const columns = new Set<string>();
  for (const [at, cell] of cells.entries()) {
    let name = cell.trim() === "" ? `column ${at + 1}` : cell.trim();
    while (columns.has(name)) name += ` (${at + 1})`;
    columns.add(name);
  }
  return [...columns];
}

/** @param lastLine of the last row that could be read; what the parser says is where it gave up */
function failureOf(error: CsvError, lastLine: number): FeedError {
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
    case "CSV_MAX_RECORD_SIZE":
      return new FeedError(
        "a quoted cell that begins in this row has no end: a quote is missing, or the file is cut off",
        lastLine + 1,
      );
    default: {
      const lines: unknown = error["lines"];
      return new FeedError(`this row cannot be read: ${error.message}`, typeof lines === "number" ? lines : null);
    }
  }
}
