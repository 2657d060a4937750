/**
 * ShardObject: the data plane of one shard of one generation. Its name is `<index>/<n>/<shard>`, so old and new generation
 * never share one object's memory, and a number is never used twice.
 *
 * ## In memory
 *
 * One Reader (segments + deletions, immutable; a write makes a new one), the field plan of the generation, the configuration with the tenants that
 * were asked for. All of it is rebuilt by `ready()`, memoised: the platform drops memory after ten idle seconds.
 *
 * ## In SQLite
 *
 *   state    manifest, status, epoch, configuration version, counters
 *   piece    cached bytes of segments and stored chunks, rows below the 2 MB limit; R2 is behind it for published ones
 *   log      write-ahead log: one row per run of updates: ids touched, tiny segment. Its stored chunks are pieces.
 *   freeze   token, until when
 *
 * ## Status
 *
 *   (none)     unknown object: every data call is STALE.
 *   building   `open` stored the manifest; not yet live. Data calls with a higher epoch make it ask IndexObject.standing.
 *   live       at epoch e: serves calls with exactly e. Lower: STALE. Higher: asks standing, then decides.
 *   retired    at epoch e: replaced. STALE for every call with epoch <= e; a higher one makes it ask (a rollback wakes it up).
 *   destroyed = (none).
 *
 * ## Writes: in one synchronous turn
 *
 *   wait for ready, for earlier writes, for the end of a freeze; read sources PATCH needs into SQLite; then without any await:
 *   epoch and freeze check -> pipeline -> log row and chunks in SQLite -> new tiny segment, new Reader -> return.
 * SQLite's commit and the new Reader are one turn, so a crash keeps both or neither; the output gate holds the answer until the commit is durable.
 * At most 8 in-memory segments: runs of similar size are merged, the log rows of a run become one row in the same turn.
 * Replay opens the log's segments in order and applies their ids as deletions to everything before: the same bytes, the same answers.
 *
 * ## Freeze
 *
 * Stored with token and lease. A write that meets it waits for release, retirement or the lease's end. At the lease's end the shard
 * first voids the token at the IndexObject (see there) and only then takes the write: applied once, to the generation that is live.
 *
 * ## Checkpoint (alarm: log over 4 MB, 5,000 operations, or 60 s after a write)
 *
 *   seal      the log's rows up to s become one segment (one row). New writes go to rows after s.
 *   put       segment and stored chunks to R2 under new names, then the manifest that names them and all deletions; size and checksum verified.
 *   trim      one turn: manifest stored, the sealed segment joins the published ones, log rows <= s go.
 * A crash or R2 failure anywhere: the log is still there, the alarm comes back; objects already put are orphans for garbage collection.
 */
import { DurableObject } from "cloudflare:workers";

export class ShardObject extends DurableObject<Env> {}
