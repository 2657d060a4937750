/**
 * The hits of an answer as JSON, made from their sources.
 *
 * Up to 10,000 hits may be asked for, some seconds of work. So other requests are served between stretches, and
 * whoever asks may end it. Meanwhile a write or a checkpoint may remove sources that only the log has; those are read
 * before the first wait.
 */
import type { JsonPieces } from "../../../index-engine/answer/render/index.ts";
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import type { KeptSources } from "./pinned-searches.ts";
import type { SourceReader } from "../loaded/index.ts";

/** Hits of a stretch, unless they are large. Those of an ordinary page are one. */
const FIRST_HITS = 48;
const HITS = 16;
/** Sources of a stretch; it ends with the one that reaches this. */
const STRETCH_BYTES = 262_144;
/** Chunks that are fetched together. */
const FETCHED_BYTES = 2_097_152;

/**
 * @param known hits that need no source
 * @param render the JSON of hit `i`, from its source
 * @param take is given hit after hit; false: no more of them
 * @returns false: a source is gone
 */
export async function hitTexts(
  sources: SourceReader,
  kept: KeptSources,
  refs: readonly StoredRef[],
  known: (i: number) => KnownHit | null,
  render: (i: number, source: Uint8Array) => JsonPieces,
  take: (json: JsonPieces, sourceBytes: number) => boolean,
): Promise<boolean> {
  // A larger page goes through chunks: many of its hits lie together.
  const ready = refs.length <= FIRST_HITS ? hitsOrSources(sources, refs, known) : [];
  const isReady = !ready.includes(null) && ready.length === refs.length;
  if (!isReady && !kept.keep(sources, refs)) return false;
  let done = 0;
  while (done < refs.length) {
    const { batch, hasWaited } = isReady
      ? { batch: ready, hasWaited: false }
      : await nextBatch({ sources, kept, refs, known, ready }, done);
    if (!hasWaited && done > 0) await scheduler.wait(0);
    let stretchBytes = 0;
    for (const one of batch) {
      if (one === null) return false;
      if (stretchBytes >= STRETCH_BYTES) {
        await scheduler.wait(0);
        stretchBytes = 0;
      }
      const { json, sourceBytes } =
        one instanceof Uint8Array ? { json: render(done, one), sourceBytes: one.byteLength } : one;
      stretchBytes += sourceBytes;
      if (!take(json, sourceBytes)) return true;
      kept.release(refs[done]);
      done++;
    }
  }
  return true;
}

/** The JSON of a hit, and the size of the source it was once made from. */
export interface KnownHit {
  readonly json: JsonPieces;
  readonly sourceBytes: number;
}

/** Of each hit what is known, else its source where it can be read with those of the others (`SourceReader.several`). */
export function hitsOrSources(
  sources: SourceReader,
  refs: readonly StoredRef[],
  known: (i: number) => KnownHit | null,
): (KnownHit | Uint8Array | null)[] {
  const found: (KnownHit | Uint8Array | null)[] = refs.map((_, i) => known(i));
  const unknown = refs.flatMap((_, i) => (found[i] === null ? [i] : []));
  if (unknown.length === 0) return found;
  const read = sources.several(unknown.map((i) => refs[i]));
  for (const [at, i] of unknown.entries()) found[i] = read[at];
  return found;
}

interface Page {
  readonly sources: SourceReader;
  readonly kept: KeptSources;
  readonly refs: readonly StoredRef[];
  readonly known: (i: number) => KnownHit | null;
  /** What was found of them at first. */
  readonly ready: readonly (KnownHit | Uint8Array | null)[];
}

interface Batch {
  /** Sources, or hits that need none. Null: gone. */
  readonly batch: readonly (Uint8Array | KnownHit | null)[];
  readonly hasWaited: boolean;
}

/** At least one source, from `first` on. Each is read once. */
async function nextBatch(
  { sources, kept, refs, known, ready }: Page,
  first: number,
): Promise<Batch> {
  const batch: (Uint8Array | KnownHit | null)[] = [];
  const missing: number[] = [];
  let foundBytes = 0;
  let missingBytes = 0;
  const end = Math.min(refs.length, first + (first === 0 ? FIRST_HITS : HITS));
  for (let i = first; i < end; i++) {
    const one = ready[i] ?? known(i) ?? kept.get(refs[i]) ?? sources.get(refs[i]);
    if (one === null) {
      // Of the log, and gone.
      if (!sources.isPublished(refs[i])) return { batch: [...batch, null], hasWaited: false };
      missing.push(i - first);
      missingBytes += sources.chunkBytes(refs[i]);
    } else {
      foundBytes += one instanceof Uint8Array ? one.byteLength : one.sourceBytes;
    }
    batch.push(one);
    if (foundBytes >= STRETCH_BYTES || missingBytes >= FETCHED_BYTES) break;
  }
  if (missing.length === 0) return { batch, hasWaited: false };
  await sources.fetch(missing.map((at) => refs[first + at]));
  for (const at of missing) batch[at] = sources.get(refs[first + at]);
  return { batch, hasWaited: true };
}
