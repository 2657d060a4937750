/** A limit of the service. */
export interface Limit {
  readonly value: number;
  readonly unit: "bytes" | "count" | "characters" | "ms" | "s";
  readonly protects: string;
  readonly beyond: string;
}
