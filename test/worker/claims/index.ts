/** All claims, in the order of the reference's behaviour, then of docs/options.md. */
import { ANSWERS } from "./answers.ts";
import type { Section } from "./claim.ts";
import { FACETS } from "./facets.ts";
import { FILTERS } from "./filters.ts";
import { QUERIES } from "./queries.ts";

export const CLAIMS: readonly Section[] = [...ANSWERS, ...FILTERS, ...FACETS, ...QUERIES];
