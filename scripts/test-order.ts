/** The order of the test files, for vitest.config.ts. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Vitest's order, but files of the HTTP interface run before those of the objects. A configuration
 * change notifies every live index of the workerd. The former make hundreds of changes and few
 * indexes, the latter hundreds of indexes.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfObjects = ({ moduleId }: TestSpecification): boolean =>
      moduleId.includes("/test/objects/");
    return [...sorted.filter((file) => !isOfObjects(file)), ...sorted.filter(isOfObjects)];
  }
}
