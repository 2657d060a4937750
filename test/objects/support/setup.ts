/**
 * Runs before every test file in workerd. All files of a workerd share its storage, and a change of the configuration
 * notifies every known index. The catalog therefore forgets the indexes of a file that has ended.
 */
import { afterAll } from "vitest";
import { forgetIndexes } from "./forgetting.ts";

afterAll(() => forgetIndexes());
