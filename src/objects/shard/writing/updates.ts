/**
 * Plans, builds and writes the updates of a shard.
 *
 *   plan     documents -> writes, deletions, changed numbers, and the answer
 *   build    documents to write -> a segment and a stored block
 *   write    log row and new reader, without an await
 *
 * Planning and building are generators, because an update may have 16 MB; the caller pauses between steps.
 *
 *   put      complete documents. CREATED, UPDATED; DISMISSED: bad document, or there already and `replaceExisting` false;
 *            NOOP: a data processor declared it not visible.
 *   patch    changes, merged into the stored source, which is then processed like any document. UPDATED; NOT_FOUND;
 *            NOOP: nothing changed, or not visible; DISMISSED: no document, too large, or a bad one after merging.
 *   delete   DELETED; NOT_FOUND.
 *
 * A patch that changes only unsearched numbers (documents/number-updates.ts) writes no document. Its numbers overlay
 * the document's segment and are stored in the log. Once a document is known to allow this, patches of the same fields
 * do not read it. The answer and all later searches are the same as if the document were written.
 *
 * Reading and parsing many sources takes long, so `prepare` does it in advance, with pauses. Results that other updates
 * invalidate are not used.
 *
 * Documents are applied in order: the second patch of an id sees the first. An id that was sent twice reports CREATED,
 * UPDATED or DELETED if one of its documents did so, otherwise the last outcome. A document is reported under its id if
 * that is readable, even if it is too long, otherwise under "".
 */
import { parseDocument, parseVerbatim, readableId } from "../../../index-engine/documents/index.ts";
import type {
  IndexableProduct,
  NumberChanges,
  ReadOutcome,
  Segment,
  StoredRef,
} from "../../../index-engine/segment/model/index.ts";
import { type BuiltSegment, openSegment, SegmentBuilder } from "../../../index-engine/segment/index.ts";
import { LIMITS, ServiceError } from "../../../interface/index.ts";
import type { Reader, ReplacedRows } from "../../../index-engine/index/index.ts";
import type { LoadedEntry, LoadedShard, SourceReader } from "../loaded/index.ts";
import { ADDING_BYTES, counting, LEARNING_BYTES, type Pause, paused, type Steps } from "../../pause.ts";
import { DISMISSED_FOR, type ShardUpdateAnswer, type UpdateChange } from "../../protocol/index.ts";
import { isTooLarge, parse, sent } from "./parsing.ts";
import { KEPT_BYTES, Writes, type Change, type PlannedDocument, type PlannedWrites } from "./planned-writes.ts";
import { updateBlock, type ShardState, type ShardStore } from "../store/index.ts";

const encoder = new TextEncoder();

/** With more changed numbers in a shard (some megabytes in memory and manifest) patches write their documents. */
const MOST_NUMBERS = 250_000;
/** Approximate size of a document's changed numbers in the log. */
const NUMBERS_BYTES = 32;
/** Changed numbers may grow a document by this much; documents nearer to the size limit are written. */
const GROWTH_BYTES = 4_096;

/** Costs as Pause counts: a patched document besides parsing its source, and an id that is looked up or deleted. */
const PATCH_BYTES = 1_024;
const DELETE_BYTES = 64;
/** Costs of parsing: of a patch, and per byte of a patch or source. */
const PARSED_COUNTS = 16;
const PARSED_SHARE = 1 / 4;

/** A parsed patch of one document. */
interface ParsedPatch {
  readonly bytes: Uint8Array;
  /** Parsed verbatim, to keep the digits of numbers. Null: parsed again when it is merged (KEPT_BYTES). */
  readonly patch: { readonly value: unknown } | null;
  readonly id: string | null;
  /** Then nothing but its id was parsed. */
  readonly isTooLarge: boolean;
  /** The numbers it sets; null: it changes other things, too. */
  readonly changes: NumberChanges | null;
  /** Whether it changes only numbers of the source `of`. */
  judged: { readonly of: StoredRef; readonly isNumbersOnly: boolean } | null;
}

type Result = ShardUpdateAnswer[string];

/** By the documents of an update, which may be planned several times. */
const parsed = new WeakMap<readonly Uint8Array[], readonly ParsedPatch[]>();

function* patchSteps(shard: LoadedShard, documents: readonly Uint8Array[]): Steps<readonly ParsedPatch[]> {
  const known = parsed.get(documents);
  if (known !== undefined) return known;
  const patches: ParsedPatch[] = [];
  let keptBytes = 0;
  for (const bytes of documents) {
    const value = sent(bytes, parseVerbatim);
    const changes = shard.plan.numberChanges(value);
    keptBytes += bytes.byteLength;
    const patch = keptBytes <= KEPT_BYTES ? { value } : null;
    patches.push({ bytes, patch, id: readableId(value), isTooLarge: isTooLarge(bytes), changes, judged: null });
    yield PARSED_COUNTS + bytes.byteLength * PARSED_SHARE;
  }
  parsed.set(documents, patches);
  return patches;
}

/** How many of these numbers are not updated in place yet. */
function newNumbers({ numbers }: StoredRef, changes: NumberChanges): number {
  let count = 0;
  for (const field of changes.keys()) if (numbers?.has(field) !== true) count++;
  return count;
}

/** Whether these numbers are already updated in place, so the source is not needed to judge the patch. */
function hasNumbers(ref: StoredRef, changes: NumberChanges): boolean {
  return newNumbers(ref, changes) === 0;
}

function isSamePlace(a: StoredRef, b: StoredRef): boolean {
  return (
    a.block === b.block &&
    a.chunk === b.chunk &&
    a.offset === b.offset &&
    a.numbers === undefined &&
    b.numbers === undefined
  );
}

/** The sources that planning needs, if some of them must be fetched first. */
export function* missingSources(
  shard: LoadedShard,
  sources: SourceReader,
  change: UpdateChange,
): Steps<readonly StoredRef[]> {
  if (change.kind !== "patch") return [];
  const needed = new Map<string, StoredRef>();
  let isAnyMissing = false;
  for (const { id, changes, judged } of yield* patchSteps(shard, change.documents)) {
    if (id === null || judged !== null || needed.has(id)) continue;
    const ref = shard.place(id);
    const isNeeded = ref !== null && (changes === null || !hasNumbers(ref, changes));
    if (isNeeded) {
      needed.set(id, ref);
      isAnyMissing ||= !sources.has(ref);
    }
    yield isNeeded ? PATCH_BYTES : DELETE_BYTES;
  }
  return isAnyMissing ? [...needed.values()] : [];
}

/** Reads the sources that planning needs, with pauses. Planning detects later changes. */
export async function prepare(
  shard: LoadedShard,
  sources: SourceReader,
  change: UpdateChange,
  pause: Pause,
): Promise<void> {
  if (change.kind !== "patch") return;
  const candidates: { readonly one: ParsedPatch; readonly ref: StoredRef }[] = [];
  // The first patch of a document: what it changes is no longer as stored for the next one.
  const ids = new Set<string>();
  for (const one of await paused(patchSteps(shard, change.documents), pause)) {
    if (one.id === null || ids.has(one.id)) continue;
    ids.add(one.id);
    if (one.changes === null || one.judged !== null) continue;
    const ref = shard.place(one.id);
    if (ref !== null && !hasNumbers(ref, one.changes)) candidates.push({ one, ref });
    await pause.after(DELETE_BYTES);
  }
  // In stored order, so each chunk is read once.
  candidates.sort(
    ({ ref: a }, { ref: b }) => (a.block < b.block ? -1 : a.block > b.block ? 1 : 0) || a.chunk - b.chunk,
  );
  for (const { one, ref } of candidates) {
    const source = sources.get(ref);
    if (source === null) continue;
    one.judged = { of: ref, isNumbersOnly: judge(shard, source, one.changes) };
    await pause.after(PATCH_BYTES + source.byteLength * PARSED_SHARE);
  }
}

function judge(shard: LoadedShard, source: Uint8Array, changes: NumberChanges | null): boolean {
  return (
    changes !== null &&
    source.byteLength <= LIMITS.documentBytes.value - GROWTH_BYTES &&
    shard.plan.changesNumbersOnly(parse(source, parseVerbatim), changes)
  );
}

/**
 * Plans an update into `planned`. Sources of patched documents must be in SQLite. Other updates must not change the
 * shard between steps. Throws 413 body_too_large if its patches write more than `mostPatchedBytes` (see
 * LIMITS.patchedBytes); what is planned is of no use then.
 */
export function* planSteps(
  shard: LoadedShard,
  sources: SourceReader,
  call: UpdateChange,
  planned: Writes = new Writes(),
  mostPatchedBytes: number = LIMITS.patchedBytes.value,
): Steps<Change> {
  // Not an object, because an id may be "__proto__".
  const answer = new Map<string, Result>();
  let reasons = call.kind !== "delete" && call.withReasons === true ? LIMITS.reportEntries.value : 0;
  const dismissed = (reason: string): Result => (--reasons < 0 ? "DISMISSED" : `${DISMISSED_FOR}${reason}`);
  /** Written by this update. */
  const own = new Set<string>();
  const exists = (id: string): boolean => {
    const written = planned.written(id);
    return written === undefined ? shard.reader.find(id) !== null : written !== null;
  };
  const put = (outcome: ReadOutcome, replaceExisting: boolean): void => {
    const id = outcome.status === "indexable" ? outcome.product.id : outcome.id;
    const isWritten = id !== null && own.has(id);
    if (outcome.status === "indexable" && (replaceExisting || !exists(outcome.product.id))) {
      const { product } = outcome;
      if (!isWritten) answer.set(product.id, exists(product.id) ? "UPDATED" : "CREATED");
      planned.write(product.id, { source: product.source, product });
      own.add(product.id);
    } else if (!isWritten) {
      const reason = outcome.status === "rejected" ? outcome.reason : "it exists, and replaceExisting is false";
      answer.set(id ?? "", outcome.status === "skipped" ? "NOOP" : dismissed(reason));
    }
  };
  /** Does not override UPDATED of an earlier patch of the same document. */
  const unchanged = (id: string, result: Result): void => {
    if (answer.get(id) !== "UPDATED") answer.set(id, result);
  };
  const patched = (outcome: ReadOutcome): void => {
    switch (outcome.status) {
      case "rejected":
        unchanged(outcome.id ?? "", dismissed(outcome.reason));
        return;
      case "skipped":
        unchanged(outcome.id, "NOOP");
        return;
      case "indexable":
        answer.set(outcome.product.id, "UPDATED");
        planned.write(outcome.product.id, { source: outcome.product.source, product: outcome.product });
    }
  };
  const parseAgain = ({ bytes }: ParsedPatch): unknown => {
    parsedBytes += bytes.byteLength;
    return sent(bytes, parseVerbatim);
  };
  let room = MOST_NUMBERS - shard.reader.changedNumbers;
  let parsedBytes = 0;
  let patchedBytes = 0;
  const count = ({ byteLength }: Uint8Array): void => {
    patchedBytes += byteLength;
    if (patchedBytes > mostPatchedBytes) throw tooMuchPatched(mostPatchedBytes);
  };
  const patch = (one: ParsedPatch): void => {
    const { id, changes } = one;
    if (id === null) {
      answer.set("", dismissed("it is not a document with a readable id"));
      return;
    }
    const written = planned.written(id);
    if (written === null) {
      answer.set(id, "NOT_FOUND");
      return;
    }
    const found = written === undefined ? shard.reader.find(id) : null;
    if (written === undefined && found === null) {
      answer.set(id, "NOT_FOUND");
      return;
    }
    if (one.isTooLarge) {
      unchanged(id, dismissed(`the patch is larger than ${LIMITS.documentBytes.value} bytes`));
      return;
    }
    // The first patch of a document only counts if it is written.
    const isRepeated = answer.has(id);
    const parsing = (source: Uint8Array): Uint8Array => {
      parsedBytes += source.byteLength;
      if (isRepeated) count(source);
      return source;
    };
    if (changes !== null && found !== null) {
      const { segment } = shard.reader.segments[found.segment];
      const ref = withPlanned(segment.storedRef(found.row), planned.changed(id));
      const added = newNumbers(ref, changes);
      if (room >= added && isOfNumbers(shard, sources, ref, one, parsing)) {
        room -= added;
        planned.change(id, changes);
        answer.set(id, "UPDATED");
        return;
      }
    }
    const source = parsing(written?.source ?? storedSource(shard, sources, id, planned.changed(id)));
    const stored = parse(source, parseVerbatim);
    const merged = shard.plan.merge(stored, one.patch === null ? parseAgain(one) : one.patch.value);
    if (!merged.ok) {
      unchanged(id, dismissed(merged.reason));
    } else {
      const text = JSON.stringify(merged.document);
      if (text === JSON.stringify(stored)) {
        unchanged(id, "NOOP");
        return;
      }
      if (!isRepeated) count(source);
      patched(shard.plan.read(parseDocument(text), encoder.encode(text)));
    }
  };

  switch (call.kind) {
    case "put":
      for (const bytes of call.documents) {
        const document = sent(bytes, parseDocument);
        yield* counting(shard.plan.learning(document), LEARNING_BYTES);
        put(shard.plan.read(document, bytes), call.replaceExisting);
        yield bytes.byteLength;
      }
      break;
    case "patch":
      for (const one of yield* patchSteps(shard, call.documents)) {
        const before = parsedBytes;
        patch(one);
        yield PATCH_BYTES + (parsedBytes - before) * PARSED_SHARE;
      }
      break;
    case "delete":
      for (const id of call.ids) {
        if (exists(id)) {
          answer.set(id, "DELETED");
          planned.write(id, null);
        } else if (!answer.has(id)) {
          answer.set(id, "NOT_FOUND");
        }
        yield DELETE_BYTES;
      }
  }
  const { writes, numbers } = planned;
  return { answer: Object.fromEntries(answer), patchedBytes, writes, numbers };
}

function tooMuchPatched(mostBytes: number): ServiceError {
  const message = `The update patches documents of more than ${mostBytes} bytes together; send several updates.`;
  return new ServiceError("body_too_large", message, { details: { limit: "patchedBytes", value: mostBytes } });
}

/** Whether the patch changes only numbers of the document at `ref`, and at least one. */
function isOfNumbers(
  shard: LoadedShard,
  sources: SourceReader,
  ref: StoredRef,
  { changes, judged }: ParsedPatch,
  parsing: (source: Uint8Array) => Uint8Array,
): boolean {
  if (changes === null) return false;
  if (hasNumbers(ref, changes)) {
    for (const [field, value] of changes) if (ref.numbers?.get(field) !== value) return true;
    return false;
  }
  if (judged !== null && isSamePlace(judged.of, ref)) return judged.isNumbersOnly;
  const source = sources.get(ref);
  return source !== null && judge(shard, parsing(source), changes);
}

function withPlanned(ref: StoredRef, planned: NumberChanges | undefined): StoredRef {
  if (planned === undefined) return ref;
  return { ...ref, numbers: new Map([...(ref.numbers ?? []), ...planned]) };
}

/** A change with its built segment, as update `position`. */
export interface BuiltChange extends PlannedWrites {
  readonly position: number;
  /** Null: nothing is written. */
  readonly built: BuiltSegment | null;
  readonly segment: Segment | null;
  readonly deletedIds: readonly string[];
  /** Rows that the change replaces; null: looked up with the write. */
  readonly replaced: ReplacedRows | null;
}

/** Costs as Pause counts: a step of finishing a segment, and of looking up ids. */
const FINISHING_BYTES = 4_096;
const LOOKING_UP_BYTES = 8_192;
/** Fewer ids are looked up with the write, in less than a millisecond. */
const MANY_WRITES = 256;

export function* buildSteps(
  shard: LoadedShard,
  { writes, numbers }: PlannedWrites,
  position: number,
): Steps<BuiltChange> {
  const built = yield* segmentSteps(shard, writes, position);
  const segment = built === null ? null : openSegment(built.index);
  const deletedIds: string[] = [];
  for (const [id, product] of writes) if (product === null) deletedIds.push(id);
  let replaced: ReplacedRows | null = null;
  if (writes.size >= MANY_WRITES) {
    replaced = yield* counting(shard.reader.replacedRows(segment, deletedIds), LOOKING_UP_BYTES);
  }
  return { position, writes, numbers, built, segment, deletedIds, replaced };
}

function* segmentSteps(
  { plan }: LoadedShard,
  writes: PlannedWrites["writes"],
  position: number,
): Steps<BuiltSegment | null> {
  let builder: SegmentBuilder | null = null;
  for (const document of writes.values()) {
    if (document === null) continue;
    builder ??= new SegmentBuilder({
      analyzer: plan.analyzer,
      normGroup: (field) => plan.normGroup(field),
      language: plan.language,
      storedBlock: updateBlock(position),
    });
    const product = document.product ?? (yield* readAgain(plan, document));
    yield* counting(builder.addSteps(product), ADDING_BYTES);
    yield product.source.byteLength;
  }
  return builder === null ? null : yield* counting(builder.finishSteps(), FINISHING_BYTES);
}

/** As it was read while planning. */
function* readAgain(plan: LoadedShard["plan"], { source }: PlannedDocument): Steps<IndexableProduct> {
  const document = parse(source, parseDocument);
  yield* counting(plan.learning(document), LEARNING_BYTES);
  const outcome = plan.read(document, source);
  if (outcome.status !== "indexable") throw new Error("a document was indexable while planning");
  yield source.byteLength;
  return outcome.product;
}

/** The new reader and log entry, to install when the change is durable. */
export interface Applied {
  readonly reader: Reader;
  readonly entry: LoadedEntry;
}

/**
 * Writes the change to SQLite, within a transaction. The caller installs the result after it in the same turn, so a
 * failed transaction changes nothing. `state` already counts the change.
 */
export function writeChange(
  store: ShardStore,
  shard: LoadedShard,
  { position, writes, numbers, built, segment, deletedIds, replaced }: BuiltChange,
  state: ShardState,
): Applied {
  const entry = {
    first: position,
    last: position,
    operations: writes.size + numbers.size,
    sizeBytes: (built === null ? 0 : built.index.byteLength + built.stored.byteLength) + numbers.size * NUMBERS_BYTES,
  };
  const contents = { segment: built?.index ?? null, deletedIds, numbers };
  store.appendUpdate(state, entry, { ...contents, sources: built?.stored ?? null });
  return {
    reader: shard.reader.withUpdate(segment, deletedIds, replaced).withNumbers(numbers),
    entry: { ...entry, segment, deletedIds, numbers, sealed: false, rows: 1, unsaved: null },
  };
}

function storedSource(
  shard: LoadedShard,
  sources: SourceReader,
  id: string,
  planned: NumberChanges | undefined,
): Uint8Array {
  const ref = shard.place(id);
  const bytes = ref === null ? null : sources.get(withPlanned(ref, planned));
  if (bytes === null) throw new Error(`the source of ${id} was to be fetched before`);
  return bytes;
}
