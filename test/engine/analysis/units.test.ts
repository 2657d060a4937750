/**
 * Units.
 *
 * 1. Spellings of one unit name each other, in every language, and never themselves.
 * 2. A spelling is one folded term of one unit.
 * 3. What is no unit has no other spellings.
 */
import { describe, expect, test } from "vitest";
import { fold, unitAliases } from "../../../src/index-engine/analysis/index.ts";

describe("units", () => {
  test.each([
    ["inch", "in inches zoll pouces pulgadas pollici polegadas cali palcu tum tommer".split(" ")],
    ["kg", ["kilo", "kilogramm", "kilograms", "quilos", "kilogramy"]],
    ["l", ["liter", "litre", "litros", "litri", "litrow", "litru"]],
    ["w", ["watt", "watts", "vatios"]],
    ["gb", ["gigabyte", "go"]],
    ["mah", ["milliamperestunden"]],
    ["cm", ["centimeter", "zentimeter", "centimetros", "centymetry"]],
    ["pcs", ["stk", "stueck", "stuck", "pieces", "sztuk", "ks"]],
  ])("1: %s is %j", (unit, spellings) => {
    for (const spelling of spellings) {
      expect(unitAliases(unit)).toContain(spelling);
      expect(unitAliases(spelling)).toContain(unit);
    }
    expect(unitAliases(unit)).not.toContain(unit);
  });

  test.each([
    ["mm", "cm"],
    ["g", "kg"],
    ["w", "kw"],
    ["mb", "gb"],
    ["ml", "l"],
    ["ah", "mah"],
  ])("1: %s is not %s", (left, right) => {
    expect(unitAliases(left)).not.toContain(right);
  });

  test("2: every spelling is folded and of one unit", () => {
    for (const unit of "mm cm m inch kg g l ml w v gb tb hz mah pcs month".split(" ")) {
      const spellings = [unit, ...unitAliases(unit)];
      for (const spelling of spellings) {
        expect(fold(spelling, "en")).toBe(spelling);
        expect(spelling).not.toMatch(/\s/);
        expect(new Set([spelling, ...unitAliases(spelling)])).toEqual(new Set(spellings));
      }
    }
  });

  test("3: words", () => {
    expect(unitAliases("shoe")).toEqual([]);
    expect(unitAliases("constructor")).toEqual([]);
  });
});
