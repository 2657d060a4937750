/** The claims of claims.test.ts, of an index in two shards after updates and a reindex (claims/place.ts). */
import { askClaims } from "./claims/ask.ts";

askClaims(2);
