/**
 * The hits of an answer as JSON, made from their sources.
 *
 * Up to 10,000 hits may be asked for, some seconds of work. So other requests have their turn between batches, and an answer that grows
 * beyond LIMITS.answerBytes is given up. Meanwhile a write may replace a document whose source only the log has: then the search is stale.
 */
import { parseDocument } from "../../index-engine/fields/index.ts";
import type { StoredRef } from "../../index-engine/model.ts";
import { AnswerSize } from "../../index-engine/render/index.ts";
import type { SourceReader } from "./state/index.ts";

const decoder = new TextDecoder();

/** Hits of an ordinary page are one batch. */
const FIRST_BATCH = 48;
const BATCH = 16;

/**
 * @param render the JSON of hit `i`, from its parsed source
 * @returns null: a source is gone
 * Throws ServiceError `answer_too_large`.
 */
export async function hitTexts(
  sources: SourceReader,
  refs: readonly StoredRef[],
  render: (i: number, source: unknown) => string,
): Promise<string[] | null> {
  const texts: string[] = [];
  const size = new AnswerSize();
  while (texts.length < refs.length) {
    const end = texts.length + (texts.length === 0 ? FIRST_BATCH : BATCH);
    const batch = refs.slice(texts.length, end);
    const missing = batch.filter((ref) => !sources.has(ref));
    if (!missing.every((ref) => sources.isPublished(ref))) return null;
    if (missing.length > 0) await sources.fetch(missing);
    else if (texts.length > 0) await scheduler.wait(0);
    for (const ref of batch) {
      const bytes = sources.get(ref);
      if (bytes === null) return null;
      const text = render(texts.length, parseDocument(decoder.decode(bytes)));
      size.add(text);
      texts.push(text);
    }
  }
  return texts;
}
