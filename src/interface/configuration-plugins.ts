/**
 * `plugin-configuration`: settings of those plugins of the reference that have any (docs/search.md "Preprocessors
 * and analyzers").
 *
 *   CodePointFilterUserQueryPreprocessor:  {code_point_lower_bound: 0, code_point_upper_bound: 2147483647}
 *   QuerqyQueryExpander:                   {common_rules_url: .., do_asciiy_rules: .., do_lowercase_rules: ..}
 *   AsciifyQuerqyQueryAnalyzer:            the same; without its own settings it uses those of QuerqyQueryExpander
 *
 * Settings of other classes are stored without effect. `do_asciiy_rules` and `do_lowercase_rules` are accepted without
 * effect: rules always compare words like the index, ignoring case and diacritics.
 */
import type { TenantConfig } from "./configuration.ts";
import { simpleClassName } from "./configuration-spelling.ts";
import type { Problem } from "./errors.ts";

const LOWER = "code_point_lower_bound";
const UPPER = "code_point_upper_bound";

/** Problems in the plugin settings of one tenant entry; `path`: that of the section. */
export function pluginProblems(
  plugins: Readonly<Record<string, Readonly<Record<string, string>>>>,
  path: string,
): Problem[] {
  return Object.entries(plugins).flatMap(([name, settings]) => {
    const at = `${path}.${name}`;
    switch (simpleClassName(name)) {
      case "CodePointFilterUserQueryPreprocessor":
        return boundProblems(settings, at);
      case "QuerqyQueryExpander":
      case "AsciifyQuerqyQueryAnalyzer":
        return settings["common_rules_url"]?.trim() === ""
          ? [
              {
                path: `${at}.common_rules_url`,
                message: "must name a rules text: its name, or a path or URL that ends with it",
              },
            ]
          : [];
      default:
        return [];
    }
  });
}

function boundProblems(settings: Readonly<Record<string, string>>, at: string): Problem[] {
  const problems: Problem[] = [];
  for (const key of [LOWER, UPPER]) {
    const text = settings[key];
    if (text !== undefined && !/^\s*\d{1,10}\s*$/.test(text))
      problems.push({ path: `${at}.${key}`, message: "must be a code point: a number from 0" });
  }
  const lower = settings[LOWER];
  const upper = settings[UPPER];
  if (problems.length === 0 && upper !== undefined && Number(lower === undefined ? 0 : lower) >= Number(upper))
    problems.push({ path: `${at}.${UPPER}`, message: `must be greater than ${LOWER}` });
  return problems;
}

/**
 * Possible names of the tenant's stored rules text, likeliest first; empty if its analyzer applies no
 * rules.
 *
 * `common_rules_url` is the name of a rules text, or any location that the reference accepts (a URL, a file, a
 * resource of the class path): then its last segment is the name, with or without its extension. Nothing is ever
 * loaded from there.
 *
 *   https://rules.shop.example/prod/toys.txt?v=3  ->  that text itself, toys.txt, toys
 */
export function rulesNames(tenant: Pick<TenantConfig, "analyzer" | "pluginSettings">): string[] {
  const settings =
    tenant.analyzer === "QuerqyQueryExpander"
      ? tenant.pluginSettings["QuerqyQueryExpander"]
      : tenant.analyzer === "AsciifyQuerqyQueryAnalyzer"
        ? (tenant.pluginSettings["AsciifyQuerqyQueryAnalyzer"] ?? tenant.pluginSettings["QuerqyQueryExpander"])
        : undefined;
  const location = settings?.["common_rules_url"]?.trim() ?? "";
  if (location === "") return [];
  const path = /^https?:/i.test(location) ? location.replace(/[?#].*$/s, "") : location;
  const segment = decoded(
    path
      .replace(/(?<![/\\])[/\\]+$/, "")
      .split(/[/\\:]/)
      .at(-1) ?? "",
  );
  return [...new Set([location, segment, segment.replace(/\.[^.]*$/, "")])].filter((name) => name !== "");
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
