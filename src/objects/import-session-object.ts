/**
 * ImportSessionObject: one import session; its name is the session's temporaryIndexName.
 *
 * Stored: what was fixed at start (names, locale, resolved index configuration, so that a configuration change in the middle of an
 * import cannot mix two field plans in one generation); the list of segments in rank order; stored blocks; the publishing step.
 *
 * ## Ranks
 *
 * `add` writes its segments to R2 first and registers them then. The registration gives the bulk the next sequence number; its
 * segments have rank (sequence, part). An `add` answered before another was sent has the lower number. Of several versions of an
 * id the one with the highest rank wins; within a segment the builder has settled it already. Merges take contiguous runs only,
 * so a merged segment has the ranks of its run and the order of the list never changes meaning.
 *
 * ## States (IndexObject has the truth; this object follows)
 *
 *   open         register, info. Small segments are merged in the background: a register that leaves many sets the alarm.
 *   publishing   `done` asked IndexObject.beginPublishing, then stored the state and the first step. register and cancel: session_busy.
 *   completed    after the commit. Everything but names and state is forgotten; info, register, done, cancel: session_completed.
 *   cancelled    cancel asked IndexObject.cancelSession. Forgets its list; R2 is collected by IndexObject.
 *   removed      settled by IndexObject. Answers session_unknown from now on, as a session that never was.
 *   publishing -> open   too few documents, or a step failed for good (R2 down, bytes wrong): nothing is lost, `done` may be repeated.
 *
 * A crash between IndexObject's transition and ours: beginPublishing is repeated by the next `done`; cancel by the next cancel, and
 * IndexObject's alarm settles us. The dangerous direction (we say completed, the index says no) cannot happen.
 *
 * ## done: persisted steps
 *
 *   merge      background merging stops; runs of segments are merged until few are left, each merge stored when its object is in R2.
 *   manifest   the manifest of each shard is put to R2 last, after everything it names; read back and compared.
 *   open       each shard object of the new generation loads and verifies, builds its reader. Old generation untouched.
 *   flip       freeze the live shards under a lease, IndexObject.commit, fence (see there). freeze_lost: again.
 *
 * Each step is stored when it begins and may be repeated from its beginning. The steps run in the `done` call and, after a crash, in the alarm
 * that was set together with `publishing`; one run at a time per incarnation, others join its promise. A retried `done` joins.
 * A failure inside a step goes back to open (publishingFailed) and is the answer of every `done` that waits.
 */
import { DurableObject } from "cloudflare:workers";

export class ImportSessionObject extends DurableObject<Env> {}
