/** The variant whose own value is the code that was searched for (query/variants/named.ts). */
import { scalarText, type FieldPlan } from "../../documents/index.ts";
import { variantLine, type EngineHit, type HitExplanation } from "../../query/index.ts";

/** The hit as it is shown, decided: without the variants that may be meant. */
export function withNamedVariant(hit: EngineHit, stored: unknown, plan: Pick<FieldPlan, "public">): EngineHit {
  const { named: meant, ...decided } = hit;
  const rows: unknown = record(plan.public(stored))["variants"];
  if (meant === undefined || !Array.isArray(rows)) return decided;
  const { code, variants } = meant;
  const named = variants.find(({ variant }) => hasCode(record(rows[variant]), code));
  if (named === undefined) return decided;
  const { variant, score } = named;
  return {
    ...decided,
    variant,
    variantScore: score,
    isSoldOut: false,
    ...(hit.explanation !== undefined && { explanation: explained(hit.explanation, variant, code) }),
  };
}

function hasCode({ id, data, attributes }: Readonly<Record<string, unknown>>, code: string): boolean {
  const sent = [id, ...Object.values(record(data))];
  if (Array.isArray(attributes)) sent.push(...attributes.map((attribute) => record(attribute)["value"]));
  return sent.flat().some((value) => scalarText(value)?.trim().toLowerCase() === code);
}

function explained(explanation: HitExplanation, picked: number, code: string): HitExplanation {
  const { variant, lines } = explanation;
  if (variant === null) return explanation;
  const line = variantLine(variant);
  const reason = `variant ${picked} is shown (${variant.strategy}): it has the code ${JSON.stringify(code)}`;
  return {
    ...explanation,
    variant: { ...variant, picked },
    lines: lines.map((one) => (one === line ? reason : one)),
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
