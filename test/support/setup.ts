// Runs before every test file: all property tests of a run share one seed and one number of cases.
import fc from "fast-check";
import { seed, runs } from "./property.ts";

fc.configureGlobal({ seed, numRuns: runs(100) });
