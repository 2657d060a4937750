/**
 * Converts `metaData.explain` of a hit for display. Unknown parts are omitted, because `lines` has
 * everything.
 */
export interface Contribution {
  readonly label: string;
  readonly detail: string;
  readonly points: number;
}

export interface Explanation {
  readonly score: number | null;
  /** The interpreted query. */
  readonly stage: string | null;
  /** They add up to the text score. */
  readonly contributions: readonly Contribution[];
  readonly missing: readonly string[];
  /** Sentences of the service. */
  readonly lines: readonly string[];
  /** Null: unknown, or none. */
  readonly variants: number | null;
}

export function readExplanation(metaData: Readonly<Record<string, unknown>> | null): Explanation | null {
  const explain = metaData?.["explain"];
  if (!isRecord(explain)) return null;
  const stage = recordOf(explain["stage"]);
  const variants = listOf(recordOf(explain["variant"])["variants"]).length;
  return {
    score: numberOf(explain["score"]),
    stage: "name" in stage ? `stage ${textOf(stage["number"])}, ${textOf(stage["name"])}` : null,
    contributions: [
      ...listOf(explain["words"]).map(wordContribution),
      ...listOf(explain["boosts"]).map(boostContribution),
      ...titleContribution(explain["title"]),
    ].filter(({ points }) => points !== 0),
    missing: listOf(explain["missing"]).map(textOf),
    lines: listOf(explain["lines"]).map(textOf),
    variants: variants === 0 ? null : variants,
  };
}

function wordContribution(word: unknown): Contribution {
  const { word: typed, points, by } = recordOf(word);
  const { kind, because, term, fields, parts } = recordOf(by);
  if (kind === "words") {
    const words = listOf(parts).map((part) => `“${textOf(recordOf(part)["word"])}”`);
    const detail = `as the words ${words.join(", ")} (${textOf(because)})`;
    return { label: textOf(typed), detail, points: numberOf(points) ?? 0 };
  }
  const places = listOf(fields)
    .map(recordOf)
    .toSorted((a, b) => (numberOf(b["points"]) ?? 0) - (numberOf(a["points"]) ?? 0))
    .map(({ field }) => textOf(field));
  const found =
    term === undefined || term === typed || because === "word" ? "" : `as “${textOf(term)}” (${textOf(because)}), `;
  return {
    label: textOf(typed),
    detail: places.length === 0 ? found : `${found}in ${places.join(", ")}`,
    points: numberOf(points) ?? 0,
  };
}

function boostContribution(boost: unknown): Contribution {
  const { words, line, field, points } = recordOf(boost);
  const label = listOf(words).map(textOf).join(" ");
  return {
    label: label === "" ? "rule" : label,
    detail: line === null ? `once more in ${textOf(field)}` : `rule in line ${textOf(line)}`,
    points: numberOf(points) ?? 0,
  };
}

function titleContribution(title: unknown): Contribution[] {
  if (!isRecord(title)) return [];
  const detail = `how the words stand in “${textOf(title["text"])}”`;
  return [{ label: "title", detail, points: numberOf(title["points"]) ?? 0 }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}
