/**
 * Query parameters as a list, in URL order. Names may repeat: two ranges of a number field are two
 * parameters. All functions return new lists.
 */
export type Parameter = readonly [name: string, value: string];
export type Parameters = readonly Parameter[];

/** With or without `?`. The service ignores parameters without a name. */
export function parseQuery(query: string): Parameter[] {
  return [...new URLSearchParams(query)].filter(([name]) => name !== "");
}

/** Form encoding that keeps characters readable if URLs allow them. */
export function writeQuery(parameters: Parameters): string {
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]))
    .toString()
    .replaceAll("%2C", ",")
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":")
    .replaceAll("%40", "@");
}

/** The first value of a name, as the service reads its own parameters. */
export function valueOf(parameters: Parameters, name: string): string | null {
  return parameters.find(([one]) => one === name)?.[1] ?? null;
}

/** Replaces all values of a name by one, at the position of the first. Null removes them. */
export function withValue(parameters: Parameters, name: string, value: string | null): readonly Parameter[] {
  const at = parameters.findIndex(([one]) => one === name);
  const others = parameters.filter(([one]) => one !== name);
  if (value === null) return others;
  return others.toSpliced(at === -1 ? others.length : at, 0, [name, value]);
}

/** Replaces the values of every name in `changes`. A single empty value removes the name. */
export function overridden(parameters: Parameters, changes: Parameters): readonly Parameter[] {
  const names = new Set(changes.map(([name]) => name));
  return [...parameters.filter(([name]) => !names.has(name)), ...changes.filter(([, value]) => value !== "")];
}

/** A non-negative integer, or `otherwise`. */
export function countOf(parameters: Parameters, name: string, otherwise: number): number {
  const text = valueOf(parameters, name);
  return text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : otherwise;
}
