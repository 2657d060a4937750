/**
 * CatalogObject: names of indexes, configuration and rules with version and history. One per deployment.
 *
 * Stored: the configuration document as sent, the rules texts, one version number for both, one history row per version; the
 * known index names (live or not); hints of open sessions.
 *
 * A change (I6: the next request sees it)
 *   1. one transaction: version v -> v+1, new document or rules, history row, `pushed` stays at its old value.
 *   2. push v+1 to every known index; each IndexObject hands it to its live and publishing shards. From here on a shard
 *      answers STALE to requests with an older version, so no isolate goes on with what it has cached.
 *   3. `pushed` = v+1; answer.
 * A crash or failure after 1: the alarm set in 1 repeats 2 and 3. The caller gets 503 and may read that the change is stored.
 * Known names are noted before a session opens (noteSession), so a generation that is being published cannot be missed: either
 * its shard pulls v+1 when it opens, or its index already knows the shard when the push arrives.
 *
 * Session hints: noted before a session opens, forgotten when it ends. A hint may be wrong in one direction only (a session that
 * never came to be); IndexObject is the truth and says so when asked.
 */
import { DurableObject } from "cloudflare:workers";

export class CatalogObject extends DurableObject<Env> {}
