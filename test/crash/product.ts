/** What clients send, and texts and numbers by which it is compared. */
export interface Product {
  readonly id: string;
  readonly data: Readonly<Record<string, string | number>>;
  readonly [member: string]: unknown;
}

/** JSON with the members of objects in the order of their names. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

const numbers = new WeakMap<Product, number>();
const numbersByText = new Map<string, number>();

/** The same for equal products. */
export function numberOf(product: Product): number {
  let number = numbers.get(product);
  if (number === undefined) {
    const text = canonical(product);
    number = numbersByText.get(text) ?? numbersByText.size;
    numbersByText.set(text, number);
    numbers.set(product, number);
  }
  return number;
}
