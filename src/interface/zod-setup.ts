/**
 * Production Workers refuse `new Function`, which zod uses to compile object schemas where it can. The tests' runtime
 * allows it, so without this they would run another path than the one that ships. Imported first by index.ts.
 *
 * zod is imported as a namespace everywhere (scripts/check-deploy.ts looks): its member `z` brings all of it along,
 * with messages in fifty languages, half a megabyte of 2.3 that a Worker has to load before it answers.
 */
import * as z from "zod";

z.config({ jitless: true });
