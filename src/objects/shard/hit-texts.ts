/**
 * The hits of an answer as JSON, made from their sources.
 *
 * Up to 10,000 hits may be asked for, some seconds of work. So other requests are served between stretches, and
 * whoever asks may end it. Meanwhile a write or a checkpoint may remove sources that only the log has; those are read
 * before the first wait.
 */
import { parseDocument } from "../../index-engine/documents/index.ts";
import type { StoredRef } from "../../index-engine/segment/model/index.ts";
import type { KeptSources } from "./kept-sources.ts";
import type { SourceReader } from "./state/index.ts";

const decoder = new TextDecoder();

/** Hits of a stretch, unless they are large. Those of an ordinary page are one. */
const FIRST_HITS = 48;
const HITS = 16;
/** Sources of a stretch; it ends with the one that reaches this. */
const STRETCH_BYTES = 262_144;
/** Chunks that are fetched together. */
const FETCHED_BYTES = 2_097_152;

/**
 * @param render the JSON of hit `i`, from its parsed source
 * @param take is given hit after hit; false: no more of them
 * @returns false: a source is gone
 */
export async function hitTexts(
  sources: SourceReader,
  kept: KeptSources,
  refs: readonly StoredRef[],
  render: (i: number, source: unknown) => string,
  take: (text: string, sourceBytes: number) => boolean,
): Promise<boolean> {
  if (!kept.keep(sources, refs)) return false;
  let done = 0;
  while (done < refs.length) {
    const { batch, hasWaited } = await nextBatch(sources, kept, refs, done);
    if (!hasWaited && done > 0) await scheduler.wait(0);
    let stretchBytes = 0;
    for (const bytes of batch) {
      if (bytes === null) return false;
      if (stretchBytes >= STRETCH_BYTES) {
        await scheduler.wait(0);
        stretchBytes = 0;
      }
      stretchBytes += bytes.byteLength;
      const text = render(done, parseDocument(decoder.decode(bytes)));
      if (!take(text, bytes.byteLength)) return true;
      kept.release(refs[done]);
      done++;
    }
  }
  return true;
}

interface Batch {
  /** Null: gone. */
  readonly batch: readonly (Uint8Array | null)[];
  readonly hasWaited: boolean;
}

/** At least one source, from `first` on. Each is read once. */
async function nextBatch(
  sources: SourceReader,
  kept: KeptSources,
  refs: readonly StoredRef[],
  first: number,
): Promise<Batch> {
  const batch: (Uint8Array | null)[] = [];
  const missing: number[] = [];
  let foundBytes = 0;
  let missingBytes = 0;
  const end = Math.min(refs.length, first + (first === 0 ? FIRST_HITS : HITS));
  for (let i = first; i < end; i++) {
    const bytes = kept.get(refs[i]) ?? sources.get(refs[i]);
    if (bytes === null) {
      // Of the log, and gone.
      if (!sources.isPublished(refs[i])) return { batch: [...batch, null], hasWaited: false };
      missing.push(i - first);
      missingBytes += sources.chunkBytes(refs[i]);
    } else {
      foundBytes += bytes.byteLength;
    }
    batch.push(bytes);
    if (foundBytes >= STRETCH_BYTES || missingBytes >= FETCHED_BYTES) break;
  }
  if (missing.length === 0) return { batch, hasWaited: false };
  await sources.fetch(missing.map((at) => refs[first + at]));
  for (const at of missing) batch[at] = sources.get(refs[first + at]);
  return { batch, hasWaited: true };
}
