// The ground the engine's tests stand on:
// 1. they run in the pinned Node, not in whatever the host has;
// 2. property tests take seed and number of cases from the run.
import fc from "fast-check";
import { describe, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { forAll, runs, seed } from "../support/property.ts";

describe("the ground", () => {
  test("runs in the pinned Node", ({ expect }) => {
    expect(process.versions.node).toBe(packageJson.devDependencies.node);
  });

  test("property tests are configured", ({ expect }) => {
    expect(fc.readConfigureGlobal()).toMatchObject({ seed, numRuns: runs(100) });
    let cases = 0;
    forAll(runs(100), fc.integer(), () => void cases++);
    expect(cases).toBe(runs(100));
  });
});
