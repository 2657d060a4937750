/**
 * Creates elements. Text becomes text nodes, never markup; the page's policy forbids `innerHTML`.
 */
type Attribute = string | number | boolean | null;
export type Child = Node | string | null;

/** `true` is an empty attribute; `false` and null omit it. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Attribute>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function button(
  attributes: Readonly<Record<string, Attribute>>,
  onClick: (event: MouseEvent) => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", onClick);
  return element;
}

/** An element of the page's own HTML. */
export function byId<T extends Element>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/**
 * Replaces content and keeps the focus: elements are matched by `data-key`. So keyboard users keep
 * their position in a list of facet values.
 */
export function replaceKeepingFocus(container: Element, ...children: readonly Node[]): void {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && container.contains(active) ? (active.dataset["key"] ?? null) : null;
  container.replaceChildren(...children);
  if (key === null) return;
  const again = container.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  again?.focus({ preventScroll: true });
}

/**
 * Replaces a focused control and moves the focus to the new one; otherwise the focus would fall
 * back to the document.
 */
export function replaceTakingFocus(container: HTMLElement, ...children: readonly Node[]): void {
  const hadFocus = container.contains(document.activeElement);
  container.replaceChildren(...children);
  if (!hadFocus) return;
  const next = container.querySelector<HTMLElement>("button, input, select");
  if (next === null) container.tabIndex = -1;
  (next ?? container).focus({ preventScroll: true });
}

/** Unique ids for labels. */
let lastId = 0;
export function freshId(prefix: string): string {
  lastId++;
  return `${prefix}-${lastId}`;
}

/** Leaves new tabs, downloads and other buttons of the mouse to the browser. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
