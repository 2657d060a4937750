/**
 * Production Workers refuse `new Function`, which zod uses to compile object schemas where it can. The tests' runtime allows it, so
 * without this they would run another path than the one that ships. Imported first by index.ts.
 */
import { z } from "zod";

z.config({ jitless: true });
