/**
 * Production Workers refuse `new Function`, which zod uses to compile object schemas if possible. The tests' runtime
 * allows it, so without this they would test different code than production runs. index.ts imports it first.
 *
 * zod is always imported as a namespace (checked by scripts/check-deploy.ts): its member `z` would include all of zod,
 * with messages in fifty languages, half a megabyte that a Worker must load before it answers.
 */
import * as z from "zod";

z.config({ jitless: true });
