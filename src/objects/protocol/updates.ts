/** Updates of one shard, and of several (shard/joint/joint-update.ts). */
import type { UpdateResult } from "../../interface/index.ts";
import type { ShardCall } from "./shard-call.ts";

/**
 * An update: all documents of one request, in the order sent. `document` texts are the UTF-8 JSON of one document
 * each.
 */
export type UpdateCall = ShardCall & UpdateChange;

/** An update without the epoch, which differs per attempt. */
export type UpdateChange =
  | {
      readonly kind: "put";
      readonly documents: readonly Uint8Array[];
      readonly replaceExisting: boolean;
      /** Whether the answer says why documents are DISMISSED, up to LIMITS.reportEntries. */
      readonly withReasons?: boolean;
    }
  | { readonly kind: "patch"; readonly documents: readonly Uint8Array[]; readonly withReasons?: boolean }
  | { readonly kind: "delete"; readonly ids: readonly string[] };

/** The same map as the service's answer; with reasons, if they were asked for. */
export type ShardUpdateAnswer = Readonly<Record<string, UpdateResult | Dismissal>>;
export const DISMISSED_FOR = "DISMISSED: ";
export type Dismissal = `${typeof DISMISSED_FOR}${string}`;

/** An update of several shards, executed by the first of them (shard/joint/joint-update.ts). */
export interface JointUpdateCall extends ShardCall {
  readonly parts: readonly UpdatePart[];
}

export interface UpdatePart {
  readonly shard: string;
  readonly change: UpdateChange;
  /** The readable document ids in it. */
  readonly ids: readonly string[];
}

/** One part, stored until the coordinator decides. */
export interface PrepareCall extends ShardCall {
  /** Id of the update; never reused. */
  readonly name: string;
  /** The coordinator shard. */
  readonly coordinator: string;
  readonly change: UpdateChange;
  readonly ids: readonly string[];
}

export type JointOutcome = "committed" | "aborted";
