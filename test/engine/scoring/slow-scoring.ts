/**
 * Scoring without columns: one product at a time, the formulas of the documentation as they are written there, options
 * read from their texts. Scripts come as functions, so nothing of the parser is used either.
 */
import type { ScoringConfig } from "../../../src/interface/index.ts";

export type Doc = (field: string) => number | null;
export type SlowScript = (score: number, doc: Doc) => number;

export interface SlowSubject {
  readonly id: string;
  readonly doc: Doc;
  /** 0..10. */
  readonly text: number;
}

export type SlowConfig = Omit<ScoringConfig, "functions"> & {
  readonly functions: readonly (ScoringConfig["functions"][number] & { readonly script?: SlowScript })[];
};

/** The final score of a product, as it is: not an integer. */
export function slowFinal(
  config: SlowConfig,
  subject: SlowSubject,
  request: { readonly nowMs: number; readonly parameters: Readonly<Record<string, string>> },
): number {
  let base = subject.text;
  const values: number[] = [];
  const weights: number[] = [];
  for (const entry of config.functions) {
    if (entry.type === "rank_feature") base += slowFeature(entry, subject.doc, request.parameters);
  }
  for (const entry of config.functions) {
    if (entry.type === "rank_feature") continue;
    const value = slowValue(entry, subject, base, request.nowMs);
    values.push((value >= 0 && value < Infinity ? value : 0) * entry.weight);
    weights.push(entry.weight);
  }
  if (values.length === 0) return base;
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  const functionScore = {
    multiply: () => values.reduce((a, b) => a * b, 1),
    sum: () => sum(values),
    avg: () => (sum(weights) > 0 ? sum(values) / sum(weights) : 0),
    first: () => values[0],
    max: () => Math.max(...values),
    min: () => Math.min(...values),
  }[config.scoreMode]();
  return {
    multiply: () => base * functionScore,
    replace: () => functionScore,
    sum: () => base + functionScore,
    avg: () => (base + functionScore) / 2,
    max: () => Math.max(base, functionScore),
    min: () => Math.min(base, functionScore),
  }[config.boostMode]();
}

type Entry = SlowConfig["functions"][number];

function option(entry: Entry, name: string, fallback: number): number {
  return name in entry.options ? Number(entry.options[name]) : fallback;
}

function slowFeature(entry: Entry, doc: Doc, parameters: Readonly<Record<string, string>>): number {
  let name = entry.field ?? "";
  const param = entry.options["DYNAMIC_PARAM"];
  if (param !== undefined) {
    if (!(param in parameters)) return 0;
    name = `${name}.${parameters[param]}`;
  }
  const value = doc(name);
  if (value === null || value <= 0) return option(entry, "MISSING", 0);
  const boost = option(entry, "BOOST", 1) * entry.weight;
  const modifier = (entry.options["MODIFIER"] ?? "saturation").toLowerCase();
  if (modifier === "linear") return boost * value;
  if (modifier === "log") return boost * Math.log(option(entry, "FACTOR", 1) + value);
  if (modifier === "sigmoid") {
    const exponent = option(entry, "EXPONENT", 0.6);
    const pivot = option(entry, "PIVOT", 0.5);
    return boost * (value ** exponent / (value ** exponent + pivot ** exponent));
  }
  return boost * (value / (value + option(entry, "PIVOT", 1)));
}

function slowValue(entry: Entry, subject: SlowSubject, base: number, nowMs: number): number {
  switch (entry.type) {
    case "weight":
      return 1;
    case "random_score":
      return slowRandom(subject.id, entry.options["RANDOM_SEED"] ?? "0");
    case "field_value_factor": {
      const value = subject.doc(entry.field ?? "") ?? option(entry, "MISSING", 0);
      const x = value * option(entry, "FACTOR", 1);
      switch ((entry.options["MODIFIER"] ?? "none").toLowerCase()) {
        case "log":
          return Math.log10(x);
        case "log1p":
          return Math.log10(1 + x);
        case "log2p":
          return Math.log10(2 + x);
        case "ln":
          return Math.log(x);
        case "ln1p":
          return Math.log(1 + x);
        case "ln2p":
          return Math.log(2 + x);
        case "square":
          return x ** 2;
        case "sqrt":
          return Math.sqrt(x);
        case "reciprocal":
          return 1 / x;
        default:
          return x;
      }
    }
    case "script_score":
      return entry.script?.(base, subject.doc) ?? NaN;
    default:
      return slowDecay(entry, subject.doc(entry.field ?? ""), nowMs);
  }
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Origins are numbers or `now`, durations are days. */
function slowDecay(entry: Entry, value: number | null, nowMs: number): number {
  if (value === null) return option(entry, "MISSING", 1);
  const distanceOf = (text: string): number => (text.endsWith("d") ? Number(text.slice(0, -1)) * DAY_MS : Number(text));
  const origin = entry.options["ORIGIN"] === "now" ? nowMs : Number(entry.options["ORIGIN"]);
  const scale = distanceOf(entry.options["SCALE"]);
  const offset = distanceOf(entry.options["OFFSET"] ?? "0");
  const decay = option(entry, "DECAY", 0.5);
  const distance = Math.max(0, Math.abs(value - origin) - offset);
  if (entry.type === "decay_gauss") {
    const sigmaSquared = -(scale ** 2) / (2 * Math.log(decay));
    return Math.exp(-(distance ** 2) / (2 * sigmaSquared));
  }
  if (entry.type === "decay_exp") return Math.exp((Math.log(decay) / scale) * distance);
  const s = scale / (1 - decay);
  return Math.max((s - distance) / s, 0);
}

// ---- random

const WORD = 2n ** 32n;

function fnv(text: string): bigint {
  let hash = 2_166_136_261n;
  for (let i = 0; i < text.length; i++) {
    hash = ((hash ^ BigInt(text.charCodeAt(i))) * 16_777_619n) % WORD;
  }
  return hash;
}

function finish(input: bigint): bigint {
  let hash = input;
  hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) % WORD;
  hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) % WORD;
  return hash ^ (hash >> 16n);
}

export function slowRandom(id: string, seed: string): number {
  return Number(finish(fnv(id) ^ finish(fnv(seed)))) / 2 ** 32;
}
