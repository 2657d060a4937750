/** An explanation as sentences. They only repeat what the structured explanation contains. */
import type { EngineHit } from "../execution.ts";
import type { VariantExplanation } from "../variants/index.ts";
import { SCORE_BUCKET, type AlternativeOrigin } from "../rank/index.ts";
import { MAIN_SEARCH, type Decision } from "../plan.ts";
import type { FieldShare, HitExplanation, OrderExplanation, TitleExplanation, WordExplanation } from "./explanation.ts";

interface About {
  readonly executed: string;
  readonly isNatural: boolean;
  readonly decision: Decision;
  readonly hit: Pick<EngineHit, "matchedQueries" | "set">;
}

export function linesOf(explained: Omit<HitExplanation, "lines">, about: About): string[] {
  const { stage, matched, field, words, optional, boosts, title, scoring, score } = explained;
  const { criteria } = about.decision.searches[MAIN_SEARCH];
  const lines: string[] = [];
  const sets = about.hit.matchedQueries.filter((name) => name.startsWith("hero-product-set-"));
  for (const name of sets) lines.push(`named by ${name}${about.hit.set >= 0 ? ", which decides its place" : ""}`);
  if (!about.isNatural) lines.push("the query itself does not match it");
  else if (stage === null) lines.push(`${about.executed}: nothing was asked, every product matches`);
  if (stage !== null && matched !== null) {
    const strategy = stage.strategy === stage.name ? "" : `, ${stage.strategy}`;
    lines.push(`stage ${stage.number} (${stage.name}${strategy}) asked for: ${about.executed}`);
    const where = field === null ? "" : `, all in the field ${field}`;
    const must = matched.required === null ? "" : `, ${matched.required} must`;
    lines.push(`${matched.words} of ${matched.of} words match${must}${where}`);
  }
  lines.push(...words.flatMap((word) => wordLines(word, "")));
  for (const word of explained.missing) lines.push(`"${word}" is not there`);
  for (const phrase of explained.phrases) lines.push(`${phrase} stands there as quoted`);
  lines.push(...optional.flatMap((word) => wordLines(word, " (need not be there)")));
  for (const { line, field: role, words: of, factor, points } of boosts) {
    const words = of.map(quoted).join(", ");
    lines.push(
      line === null
        ? `${signed(points)} ${words} in the ${role === "brand" ? "brand" : "category"}`
        : `${signed(points)} rule in line ${line}, ${factor >= 1 ? "UP" : "DOWN"} for ${words}, factor ${number(factor)}`,
    );
  }
  if (explained.isBrandAndKind) lines.push("brand and kind of the query: before what lacks one of them");
  if (title !== null) lines.push(titleLine(title));
  if (explained.order !== null) lines.push(...orderLines(explained.order));
  if (stage !== null) lines.push(`text score ${number(explained.text)}`);
  if (scoring !== null) lines.push(...scoring.lines);
  const shown = score === null ? "" : ` ${number(score)}`;
  if (criteria.length > 0) {
    const by = criteria.map((one) => `${one.field} ${one.descending ? "descending" : "ascending"}`);
    lines.push(`sorted by ${by.join(", ")}; the score${shown} decides among equal ones`);
  } else if (score !== null) lines.push(`score${shown}`);
  if (score === null) lines.push("private fields take part in the score");
  if (explained.inStock !== null && score !== null) {
    const from = score - (score % SCORE_BUCKET);
    const among = stage === null ? "" : ` among scores of ${number(from)} to ${number(from + SCORE_BUCKET - 1)}`;
    lines.push(explained.inStock ? `in stock: before what is not${among}` : `not in stock: behind what is${among}`);
  }
  for (const rule of explained.rules) {
    lines.push(`rule in line ${rule.line} acted on the query: ${rule.input}`);
  }
  if (explained.variant !== null) lines.push(variantLine(explained.variant));
  return lines;
}

function wordLines(word: WordExplanation, note: string, indent = ""): string[] {
  const { by, points, idf } = word;
  const share = by.share === 1 ? "" : `, counts as ${number(by.share)} of it`;
  const rule = by.line === null ? "" : ` of the rule in line ${by.line}`;
  // Parts of a whole have no points of their own.
  const shown = indent === "" ? signed(points) : number(points);
  const head = `${indent}${shown} "${word.word}"${note}`;
  if (by.kind === "words") {
    const place =
      by.slop === null ? "anywhere" : by.slop === 0 ? "side by side" : `side by side, moved by at most ${by.slop}`;
    return [
      `${head}: ${REASONS[by.because]}${rule}: the words ${by.parts.map(({ word: part }) => quoted(part)).join(", ")} ${place}${share}; the mean of`,
      ...by.parts.flatMap((part) => wordLines(part, "", `${indent}  `)),
    ];
  }
  const found = by.isForm
    ? by.because === "stem"
      ? `another form of it (${by.term}…)`
      : `a form (${by.term}…) of ${REASONS[by.because]}${rule}`
    : by.because === "word"
      ? by.term === word.word
        ? "as it is"
        : `as ${quoted(by.term)}`
      : `${quoted(by.term)}, ${REASONS[by.because]}${rule}`;
  return [`${head}: ${found}${share}, rarity ${number(idf)}, in ${by.fields.map(fieldText).join("; ")}`];
}

const REASONS: Readonly<Record<AlternativeOrigin, string>> = {
  word: "the words themselves",
  stem: "another form of it",
  prefix: "which begins with it",
  synonym: "a synonym",
  joined: "neighbouring words written together",
  split: "the word written apart",
  form: "another writing of the same number, unit or code",
  typo: "a correction",
  ngram: "a word with many of its letters",
};

function fieldText({ field, frequency, weight, points, as }: FieldShare): string {
  const times = frequency === 1 ? "" : ` ${frequency} times`;
  const other = as === undefined ? "" : ` as ${quoted(as)}`;
  return `${field}${other}${times} (weight ${number(weight)}: ${number(points)})`;
}

const TITLE_PARTS = [
  ["coverage", "its share of the title"],
  ["start", "the title begins with it"],
  ["pairs", "words side by side"],
  ["phrase", "the whole query in order"],
  ["window", "all words close together"],
] as const;

function titleLine({ field, text, points, parts }: TitleExplanation): string {
  const counted = TITLE_PARTS.filter(([part]) => parts[part] > 0).map(
    ([part, what]) => `${what} ${number(parts[part])}`,
  );
  return `${signed(points)} words in ${field} "${text}": ${counted.join(", ")}`;
}

function orderLines({ share, head, categories, unwanted }: OrderExplanation): string[] {
  const lines: string[] = [];
  if (share < 1) lines.push(`x ${number(share)}: its words make up that share of the query`);
  if (head > 1) lines.push(`x ${number(head)}: its title or category is about the query`);
  if (head < 1) lines.push(`x ${number(head)}: its title has the query only as what it is for`);
  if (categories > 1) lines.push(`x ${number(categories)}: it is in categories of the best products`);
  if (unwanted > 1) lines.push(`x ${number(unwanted)}: its title says that it lacks what is unwanted`);
  if (unwanted < 1) lines.push(`x ${number(unwanted)}: its title has what is unwanted`);
  return lines;
}

/** One of the lines. */
export function variantLine({ strategy, picked, matching, isBest, variants }: VariantExplanation): string {
  const scores = variants
    .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .flatMap(({ variant, score }) => (score === null ? [] : [`${variant}: ${number(score)}`]))
    .join(", ");
  const shown = picked === null ? "no variant is shown, but the product itself" : `variant ${picked} is shown`;
  const better =
    isBest === null
      ? ""
      : isBest
        ? ", the first is better than the second"
        : ", the first is not better than the second";
  return `${shown} (${strategy}): ${matching} of ${variants.length} come into question${better}${scores === "" ? "" : `; by variant, best first: ${scores}`}`;
}

function quoted(word: string): string {
  return word.startsWith('"') ? word : `"${word}"`;
}

function signed(points: number): string {
  return points < 0 ? `-${number(-points)}` : `+${number(points)}`;
}

/** 12345.678901 -> 12,345.6789 */
function number(value: number): string {
  const [whole = "", fraction] = String(Math.round(value * 10_000) / 10_000).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
