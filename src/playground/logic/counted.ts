/** A number with its noun: `1 product`, `1,234 products`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${count === 1 ? noun : `${noun}s`}`;
}

/** A part of a number, with a verb: `1 of 41 documents was`, `2 of 41 documents were`. */
export function partOf(part: number, all: number, noun: string): string {
  return `${part.toLocaleString()} of ${counted(all, noun)} ${wasOrWere(part)}`;
}

export function wasOrWere(count: number): string {
  return count === 1 ? "was" : "were";
}
