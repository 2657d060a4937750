/**
 * The audit of the reference's behaviour and of docs/options.md: every claim of test/worker/claims is asked over HTTP,
 * here of one shard after an import, in claims-sharded.test.ts of two after updates and a reindex (claims/place.ts).
 * docs/conformance.md lists them.
 */
import { askClaims } from "./claims/ask.ts";

askClaims(1);
