/** What an import says of a feed before it sends anything. */
import { EXPECTED, type Feed, type Mapping } from "../../src/feeds/index.ts";
import { languageOfLocale } from "../../src/interface/index.ts";
import { InputError } from "./failures.ts";

const MAX_WIDTH = 34;

/** A table: column, what it becomes, kind, examples. */
export function describeFeed(name: string, feed: Feed, mapping: Mapping): string {
  const all = feed.preview(mapping);
  const read = all.filter(({ kind, becomes }) => kind !== "skip" || becomes !== "");
  const rows = read.map(({ column, becomes, kind, examples }) => [
    column,
    becomes,
    kind === "skip" ? "" : kind,
    examples
      .map((one) => (one.raw === one.read || one.read === "" ? one.raw : `${one.raw} -> ${one.read}`))
      .slice(0, 2)
      .join(" | "),
  ]);
  const table = [["column", "becomes", "kind", "for example"], ...rows];
  const widths = [0, 1, 2].map((at) => Math.min(MAX_WIDTH, Math.max(...table.map((row) => row[at].length))));
  const lines = table.map(
    (row) =>
      `  ${row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()}`,
  );
  const skipped = all.filter(({ kind, becomes }) => kind === "skip" && becomes === "").map(({ column }) => column);
  if (skipped.length > 0) lines.push(`  not imported: ${skipped.join(", ")}`);
  if (feed.language !== null) lines.push(`  language: ${languageName(feed.language)} (--locale ${feed.language})`);
  return `${name} (${feed.description})\n${lines.join("\n")}`;
}

export function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
}

/** A line each; empty where there is nothing to say. */
export function describeRemarks(remarks: readonly string[]): string {
  return remarks.map((one) => `  ! ${one}\n`).join("");
}

/** Searches of texts in another language than the index's find little: no stems, no compounds. */
export function describeLanguage(language: string | null, locale: string): string {
  return language === null || languageOfLocale(locale) === language
    ? ""
    : describeRemarks([`The texts seem to be ${languageName(language)}, but --locale is ${locale}.`]);
}

/** Products without ids cannot be stored; better said before the first is sent. */
export function requireId(name: string, feed: Feed, mapping: Mapping): void {
  if (mapping.id.length > 0) return;
  const columns = Object.keys(mapping.columns).map((column) => `"${column}"`);
  throw new InputError(
    `${name} (${feed.description}): no column is known to hold the id of a product. ` +
      (columns.length === 0 ? "It has no rows.\n" : `Columns: ${columns.join(", ")}.\n`) +
      `${EXPECTED}\n` +
      "To say which column is what: add --preview --save-mapping mapping.json, change that file " +
      '("id": ["<column>"]), and import with --mapping mapping.json. docs/feeds.md describes it.',
  );
}
