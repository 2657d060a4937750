/** Splits documents into bulks for a full import, and derives index names from file names. */
export interface DocumentText {
  readonly json: string;
  /** From 1; null without a file. */
  readonly line: number | null;
}

/** A problem with a file, for the user. */
export class FileError extends Error {
  override name = "FileError";
}

export interface Bulk {
  readonly documents: readonly DocumentText[];
}

/** Documents in bulks, one per call. A document larger than a bulk gets its own. */
export async function* bulksOf(documents: AsyncIterable<DocumentText>, maxCharacters: number): AsyncGenerator<Bulk> {
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
