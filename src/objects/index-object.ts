/**
 * IndexObject: the control plane of one index name. Tiny: it holds no documents and computes nothing.
 *
 * Stored: the running number n (never reused, survives deletion of the index); the epoch; the pointer to the live generation
 * and to the kept one; a row per session with its state; a row per generation that must still be fenced or collected.
 *
 * ## Sessions: the truth about their states
 *
 *   (none) -> open            startSession. n = n + 1 is stored first, then the catalog's hint, then the row: a crash in between
 *                             costs a number or a hint, never a session nobody knows of. `start` is a GET and may be replayed:
 *                             each replay is one more open session that costs nothing.
 *   open -> publishing        beginPublishing, from the session's `done`. From now on `add` and `cancel` are refused.
 *   publishing -> completed   commit, in one transaction with the pointer.
 *   publishing -> open        publishingFailed: a step failed for good; the session takes documents again and `done` may be repeated.
 *   open -> cancelled         cancelSession. Not from publishing: the commit may be on its way.
 *   open -> removed           removeAbandoned: a `start` of any index found it older than IMPORT_ABANDONED_AFTER_S since its start;
 *                             or the index was deleted.
 *   publishing -> removed     the index was deleted meanwhile; its commit is refused.
 *   publishing -> cancelled   the session was created by a PUT (`onlyIfMissing`) and another generation went live first.
 *   completed, cancelled, removed: final.
 *
 * ## Publishing: steps 2 to 4 (1 is in import-session-object.ts)
 *
 *   beginFreeze   stores a token for the session, bound to the generation that is live now. The session freezes its shards with
 *                 the token under a lease.
 *   commit        one transaction: session still publishing? token still valid, and the generation it froze still the live one?
 *                 Then pointer = new generation, kept = old one, epoch + 1, session completed, fence pending. Repeating a commit of
 *                 a completed session answers the same and changes nothing.
 *   fence         every old shard is told "retired at epoch e", every new one "live at e", the catalog "this index is live".
 *                 `done` answers after it. A crash in between: `fence pending` is stored; the alarm and the next call of any
 *                 kind finish it.
 *
 * Why a token: a shard whose lease ran out takes writes again, and a commit after that would lose them. So before it does, the
 * shard voids the token here (standing). Both are turns of one object, so either the commit was first (the shard learns that it is
 * retired, the write goes to the new generation) or the void was (the commit answers freeze_lost and the session freezes again). No clock decides.
 * Why bound to the generation: two sessions may publish at once; the second must freeze what the first made live.
 *
 * ## Standing of a shard
 *
 * Shards learn epochs by push (fence) and by asking: one that meets a request with a higher epoch than its own asks `standing`.
 * So a route is usable from the commit on, whether or not the push got through, and an old generation wakes up in a rollback.
 *
 * ## Rollback
 *
 * Freeze the live shards, one transaction (pointer <-> kept, epoch + 1, fence pending), fence. The generation left becomes the
 * kept one with its updates in its log, so a second rollback rolls forward. A crash before the transaction: the lease ends, nothing happened.
 *
 * ## Garbage collection
 *
 * Generations: `live`, `kept` (exactly one at most), `dropped` (replaced kept ones, cancelled and removed sessions, deleted index).
 * The alarm takes dropped ones a grace period after they were dropped: shard objects forget everything, then R2 keys under the prefixes of
 * that generation that no manifest of a live or kept generation names, then the row. Live ones are swept once after publishing, for the import segments
 * that were merged away; there, too, only keys that no manifest names and that are older than the grace period. Every step may be repeated.
 */
import { DurableObject } from "cloudflare:workers";

export class IndexObject extends DurableObject<Env> {}
