/** The order of the test files, for vitest.config.ts. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Vitest's order, which begins with the largest files, but the claims come first: two short files with hundreds of
 * tests each. As the last ones they would keep one core waiting.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfClaims = ({ moduleId }: TestSpecification): boolean => moduleId.includes("/test/worker/claims");
    return [...sorted.filter(isOfClaims), ...sorted.filter((file) => !isOfClaims(file))];
  }
}
