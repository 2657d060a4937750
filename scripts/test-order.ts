/** The order of the test files, for vitest.config.ts. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * As Vitest has it, but files of the HTTP interface before those of the objects. A change of the configuration tells
 * every live index of the workerd: the former make changes by the hundred and few indexes, the latter make indexes by
 * the hundred.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfObjects = ({ moduleId }: TestSpecification): boolean =>
      moduleId.includes("/test/objects/");
    return [...sorted.filter((file) => !isOfObjects(file)), ...sorted.filter(isOfObjects)];
  }
}
