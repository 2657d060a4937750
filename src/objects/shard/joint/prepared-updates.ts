/**
 * Parts of joint updates that a shard holds until the decision (joint-update.ts). SQLite has the part as it was sent,
 * memory has its plan. Its ids are locked, so the plan stays valid. After a restart the same documents are planned
 * again in the same state, with the same result.
 *
 * Stored part, version 1:   u32 length of header | JSON header | documents
 *   header   {version, kind, replaceExisting?, ids?, sizes?}      ids of a delete; document sizes in bytes of put and patch
 */
import { forAll, repeated } from "../../calls.ts";
import { overlap } from "../locks.ts";
import { type Change, missingSources, planSteps, Writes } from "../writing/index.ts";
import type { LoadedShard, SourceReader } from "../loaded/index.ts";
import type { ShardStore } from "../store/index.ts";
import { type Pause, paused, stepped } from "../../pause.ts";
import type { JointOutcome, PrepareCall, UpdateChange } from "../../protocol/index.ts";
import { shardStub, type ObjectsEnv } from "../../stubs.ts";
import { idsOf } from "../../sharded/index.ts";

/** How long a write waits for locked ids before it asks for the outcome of their update. Most updates end earlier. */
const PATIENCE_MS = 1_000;

/** The shard that holds the parts. */
export interface Holder {
  sources(shard: LoadedShard): SourceReader;
  /**
   * In one turn, applies the change (which may be empty) and `also` in one commit, and installs the reader. False:
   * `isHeld` was false in that turn.
   */
  apply(
    shard: LoadedShard,
    change: Change,
    pause: Pause | null,
    isHeld: () => boolean,
    also: () => void,
  ): Promise<boolean>;
  /** See ShardApi.finishUpdate. */
  finish(name: string, outcome: JointOutcome): Promise<void>;
}

interface Held {
  readonly ids: ReadonlySet<string>;
  readonly change: Change;
  readonly sinceMs: number;
  readonly ended: PromiseWithResolvers<void>;
}

export class PreparedUpdates {
  readonly #env: ObjectsEnv;
  readonly #store: ShardStore;
  readonly #holder: Holder;
  /** Prepared by this incarnation. Parts of earlier ones are resolved while loading. */
  readonly #held = new Map<string, Held>();

  constructor(env: ObjectsEnv, store: ShardStore, holder: Holder) {
    this.#env = env;
    this.#store = store;
    this.#holder = holder;
  }

  /** One turn. */
  hold({ name, coordinator, change: sent, ids }: PrepareCall, change: Change): void {
    this.#store.transaction(() => {
      this.#store.putPrepared(name, coordinator, encodePart(sent));
    });
    const ended = Promise.withResolvers<void>();
    this.#held.set(name, { ids: new Set(ids), change, sinceMs: Date.now(), ended });
  }

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Whether some of the ids are locked. While the caller holds the lock of writes, no others get locked. */
  async takes(change: UpdateChange, pause: Pause): Promise<boolean> {
    return (await this.#takers(change, pause)).length > 0;
  }

  /** Waits for a limited time until these ids are unlocked. */
  async waitFor(change: UpdateChange, pause: Pause): Promise<void> {
    for (const [name, { ended, sinceMs }] of await this.#takers(change, pause)) {
      const leftMs = sinceMs + PATIENCE_MS - Date.now();
      if (leftMs > 0) await Promise.race([ended.promise, scheduler.wait(leftMs)]);
      if (!this.#held.has(name) || (await this.#resolve(name, true))) continue;
      await Promise.race([ended.promise, scheduler.wait(PATIENCE_MS)]);
    }
  }

  /** Resolves parts older than this, or of earlier incarnations. With `canWait`, undecided ones stay. */
  async resolveAll(olderThanMs: number, canWait: boolean): Promise<void> {
    const now = Date.now();
    const names = [...this.#store.prepared().keys()].filter(
      (name) => (this.#held.get(name)?.sinceMs ?? 0) <= now - olderThanMs,
    );
    await forAll(names, async (name) => void (await this.#resolve(name, canWait)));
  }

  /** The same while loading: there are no other writes and no answers yet. */
  async resolveLoading(shard: LoadedShard, isWanted: () => boolean): Promise<void> {
    for (const name of this.#store.prepared().keys()) {
      const outcome = await this.#ask(name, false);
      if (!isWanted()) return;
      // Without pauses, because they would wait for searches that wait for this.
      if (outcome === "committed") await this.carryOut(name, shard, null, isWanted);
      else this.drop(name);
    }
  }

  /** False: the shard is not current any more, and nothing was done. */
  async carryOut(name: string, shard: LoadedShard, pause: Pause | null, isCurrent: () => boolean): Promise<boolean> {
    const sources = this.#holder.sources(shard);
    const isHeld = (): boolean => this.#store.isPrepared(name) && isCurrent();
    while (isHeld()) {
      const change = this.#held.get(name)?.change ?? (await this.#planned(name, shard, sources, pause, isHeld));
      if (change === null) break;
      const drop = (): void => this.#store.dropPrepared(name);
      if (await this.#holder.apply(shard, change, pause, isHeld, drop)) this.#end(name);
    }
    return !this.#store.isPrepared(name);
  }

  /** Aborts a part, or drops one of a generation that is no longer live. */
  drop(name: string): void {
    this.#store.dropPrepared(name);
    this.#end(name);
  }

  /** Call when all stored parts are dropped. */
  clear(): void {
    for (const name of this.#held.keys()) this.#end(name);
  }

  /** Null: no longer held. */
  async #planned(
    name: string,
    shard: LoadedShard,
    sources: SourceReader,
    pause: Pause | null,
    isHeld: () => boolean,
  ): Promise<Change | null> {
    const bytes = this.#store.preparedPart(name);
    if (bytes === null) return null;
    const sent = decodePart(bytes);
    for (;;) {
      const missing = await stepped(missingSources(shard, sources, sent), pause, isHeld);
      if (missing === null) return null;
      if (missing.length === 0) break;
      await sources.fetch(missing);
      if (!isHeld()) return null;
    }
    // It was within its limit when it was accepted.
    return stepped(planSteps(shard, sources, sent, new Writes(), Infinity), pause, isHeld);
  }

  /** False: undecided. */
  async #resolve(name: string, canWait: boolean): Promise<boolean> {
    const outcome = await this.#ask(name, canWait);
    if (outcome === "undecided") return false;
    await this.#holder.finish(name, outcome);
    return true;
  }

  /** For a part that is no longer prepared the outcome does not matter. */
  async #ask(name: string, canWait: boolean): Promise<JointOutcome | "undecided"> {
    const coordinator = this.#store.prepared().get(name);
    if (coordinator === undefined) return "aborted";
    return repeated(() => shardStub(this.#env, coordinator).jointOutcome(name, canWait));
  }

  async #takers(change: UpdateChange, pause: Pause): Promise<[string, Held][]> {
    if (this.#held.size === 0) return [];
    const sent = await paused(idsOf(change), pause);
    const ids = new Set(sent.filter((id) => id !== null));
    return [...this.#held].filter(([, held]) => overlap(held.ids, ids));
  }

  #end(name: string): void {
    this.#held.get(name)?.ended.resolve();
    this.#held.delete(name);
  }
}

interface PartHeader {
  readonly version: 1;
  readonly kind: UpdateChange["kind"];
  readonly replaceExisting?: boolean;
  readonly ids?: readonly string[];
  readonly sizes?: readonly number[];
}

export function encodePart(change: UpdateChange): Uint8Array<ArrayBuffer> {
  const documents = change.kind === "delete" ? [] : change.documents;
  const fields: PartHeader =
    change.kind === "delete"
      ? { version: 1, kind: change.kind, ids: change.ids }
      : {
          version: 1,
          kind: change.kind,
          sizes: documents.map(({ byteLength }) => byteLength),
          ...(change.kind === "put" ? { replaceExisting: change.replaceExisting } : {}),
        };
  const header = new TextEncoder().encode(JSON.stringify(fields));
  const sizeBytes = documents.reduce((sum, one) => sum + one.byteLength, 4 + header.byteLength);
  const bytes = new Uint8Array(sizeBytes);
  new DataView(bytes.buffer).setUint32(0, header.byteLength, true);
  bytes.set(header, 4);
  let offset = 4 + header.byteLength;
  for (const one of documents) {
    bytes.set(one, offset);
    offset += one.byteLength;
  }
  return bytes;
}

export function decodePart(bytes: Uint8Array): UpdateChange {
  const headerBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerBytes))) as PartHeader;
  if (header.version !== 1) throw new Error(`a prepared part of version ${String(header.version)}`);
  let offset = 4 + headerBytes;
  const documents = (header.sizes ?? []).map((size) => bytes.slice(offset, (offset += size)));
  switch (header.kind) {
    case "put":
      return { kind: "put", documents, replaceExisting: header.replaceExisting ?? true };
    case "patch":
      return { kind: "patch", documents };
    case "delete":
      return { kind: "delete", ids: header.ids ?? [] };
  }
}
