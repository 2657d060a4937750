/**
 * Query parameters as a list, in the order of the address. Names may repeat: two ranges of a number field are two
 * parameters. Everything here makes a new list.
 */
export type Parameter = readonly [name: string, value: string];
export type Parameters = readonly Parameter[];

/** With or without `?`. Parameters without a name say nothing to the service. */
export function parseQuery(query: string): Parameter[] {
  return [...new URLSearchParams(query)].filter(([name]) => name !== "");
}

/** Form encoding; what an address may hold as it is stays readable. */
export function writeQuery(parameters: Parameters): string {
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]))
    .toString()
    .replaceAll("%2C", ",")
    .replaceAll("%2F", "/")
    .replaceAll("%3A", ":")
    .replaceAll("%40", "@");
}

/** The first of a name, as the service reads its own parameters. */
export function valueOf(parameters: Parameters, name: string): string | null {
  return parameters.find(([one]) => one === name)?.[1] ?? null;
}

/** One value instead of all there are of this name, in the place of the first. Null removes. */
export function withValue(
  parameters: Parameters,
  name: string,
  value: string | null,
): readonly Parameter[] {
  const at = parameters.findIndex(([one]) => one === name);
  const others = parameters.filter(([one]) => one !== name);
  if (value === null) return others;
  return others.toSpliced(at === -1 ? others.length : at, 0, [name, value]);
}

/** Every name of `changes` has their values instead of its own. An empty value alone removes the name. */
export function overridden(parameters: Parameters, changes: Parameters): readonly Parameter[] {
  const names = new Set(changes.map(([name]) => name));
  return [
    ...parameters.filter(([name]) => !names.has(name)),
    ...changes.filter(([, value]) => value !== ""),
  ];
}

/** A whole number of 0 or more; `otherwise` where there is none. */
export function countOf(parameters: Parameters, name: string, otherwise: number): number {
  const text = valueOf(parameters, name);
  return text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : otherwise;
}
