/** Updates on their way to one shard, and to several (shard/joint/joint-update.ts). */
import type { ShardCall } from "./shard-call.ts";

/**
 * An update: all documents of one request, in the order sent. `document` texts are the UTF-8 JSON of one document
 * each.
 */
export type UpdateCall = ShardCall & UpdateChange;

/** An update without the epoch, which is known only per attempt. */
export type UpdateChange =
  | {
      readonly kind: "put";
      readonly documents: readonly Uint8Array[];
      readonly replaceExisting: boolean;
    }
  | { readonly kind: "patch"; readonly documents: readonly Uint8Array[] }
  | { readonly kind: "delete"; readonly ids: readonly string[] };

/** An update of several shards, as their first one carries it out (shard/joint/joint-update.ts). */
export interface JointUpdateCall extends ShardCall {
  readonly parts: readonly UpdatePart[];
}

export interface UpdatePart {
  readonly shard: string;
  readonly change: UpdateChange;
  /** That it names, as far as they can be read. */
  readonly ids: readonly string[];
}

/** One part, to be kept until the coordinator has decided. */
export interface PrepareCall extends ShardCall {
  /** Of the update; used once. */
  readonly name: string;
  /** The shard that decides. */
  readonly coordinator: string;
  readonly change: UpdateChange;
  readonly ids: readonly string[];
}

export type JointOutcome = "committed" | "aborted";
