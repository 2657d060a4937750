/** The JSON of documents, in portions for a full import; the name of a file as the name of an index. */
export interface DocumentText {
  readonly json: string;
  /** From 1; null where there is no file. */
  readonly line: number | null;
}

/** What is wrong with a file, for the person who chose it. */
export class FileError extends Error {
  override name = "FileError";
}

export interface Bulk {
  readonly documents: readonly DocumentText[];
}

/** Documents in portions for one call each. A larger document is a portion of its own. */
export async function* bulksOf(
  documents: AsyncIterable<DocumentText>,
  maxCharacters: number,
): AsyncGenerator<Bulk> {
  let bulk: DocumentText[] = [];
  let characters = 0;
  for await (const document of documents) {
    if (bulk.length > 0 && characters + document.json.length > maxCharacters) {
      yield { documents: bulk };
      bulk = [];
      characters = 0;
    }
    bulk.push(document);
    characters += document.json.length;
  }
  if (bulk.length > 0) yield { documents: bulk };
}

/** `My Catalogue (2).ndjson.gz` -> `my-catalogue-2`. */
export function indexNameOfFile(fileName: string): string {
  const name = fileName
    .toLowerCase()
    .replace(/(\.(ndjson|jsonl|json|csv|tsv|xml|txt|gz))+$/, "")
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "catalogue" : name;
}
