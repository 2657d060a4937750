/** All claims, in the order of the reference's behaviour, then of docs/options.md. */
import { ANSWERS } from "./answers.ts";
import type { Section } from "./claim.ts";
import { CONFIGURING } from "./configuring.ts";
import { DETAILS } from "./details.ts";
import { FACETS } from "./facets.ts";
import { FURTHER } from "./further.ts";
import { FILTERS } from "./filters.ts";
import { INDEXING } from "./indexing.ts";
import { QUERIES } from "./queries.ts";
import { SUGGESTING } from "./suggesting.ts";

export const CLAIMS: readonly Section[] = [
  ...ANSWERS,
  ...FILTERS,
  ...FACETS,
  ...QUERIES,
  ...INDEXING,
  ...SUGGESTING,
  ...CONFIGURING,
  ...DETAILS,
  ...FURTHER,
];
