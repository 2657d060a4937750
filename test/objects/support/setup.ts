/**
 * Runs before every test file in workerd. All files of a workerd share its storage, and a change of the configuration
 * notifies every known index. The catalog therefore forgets the indexes of a file that has ended.
 *
 * Short runs do not wait during pauses.
 */
import { afterAll } from "vitest";
import { long } from "../../support/property.ts";
import { forgetIndexes } from "./forgetting.ts";
import { lastingPauses, shortPauses } from "./pauses.ts";

if (!long) shortPauses();
afterAll(async () => {
  lastingPauses();
  await forgetIndexes();
});
