/**
 * Renders the hits of an answer as JSON from their sources.
 *
 * A request may ask for 10,000 hits, which takes some seconds, so it pauses for other requests between batches, and the
 * caller may stop it. During a pause a write or a checkpoint may remove sources that only the log has, so those are
 * read before the first pause.
 */
import type { JsonPieces } from "../../../index-engine/answer/render/index.ts";
import type { StoredRef } from "../../../index-engine/segment/model/index.ts";
import type { KeptSources } from "./kept-sources.ts";
import type { SourceReader } from "../loaded/index.ts";

/** Hits per batch, unless they are large. An ordinary page is one batch. */
const FIRST_HITS = 48;
const HITS = 16;
/** Source bytes after which there is a pause. */
const STRETCH_BYTES = 262_144;
/** Chunk bytes fetched at once. */
const FETCHED_BYTES = 2_097_152;

/**
 * @param known the cached hit `i`, if any
 * @param render makes the JSON of hit `i` from its source
 * @param take receives the hits in order; false stops
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
  // A larger page reads whole chunks, because many hits share one.
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

/** The cached JSON of a hit, and the size of its source. */
export interface KnownHit {
  readonly json: JsonPieces;
  readonly sourceBytes: number;
}

/** For each hit its cached JSON, or its source if `SourceReader.several` finds it. */
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
  /** The result of `hitsOrSources`. */
  readonly ready: readonly (KnownHit | Uint8Array | null)[];
}

interface Batch {
  /** Sources or cached hits. Null: gone. */
  readonly batch: readonly (Uint8Array | KnownHit | null)[];
  readonly hasWaited: boolean;
}

/** The next hits from `first` on, at least one. Each source is read once. */
async function nextBatch({ sources, kept, refs, known, ready }: Page, first: number): Promise<Batch> {
  const batch: (Uint8Array | KnownHit | null)[] = [];
  const missing: number[] = [];
  let foundBytes = 0;
  let missingBytes = 0;
  const end = Math.min(refs.length, first + (first === 0 ? FIRST_HITS : HITS));
  for (let i = first; i < end; i++) {
    const one = ready[i] ?? known(i) ?? kept.get(refs[i]) ?? sources.get(refs[i]);
    if (one === null) {
      // A source of the log that is gone.
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
