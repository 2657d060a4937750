/**
 * A native dialog: it traps the focus, closes with Escape or a click outside, and restores the
 * focus.
 */
import { button, freshId, make } from "./dom.ts";
import { icon } from "./icons.ts";

export interface Sheet {
  readonly dialog: HTMLDialogElement;
  readonly body: HTMLElement;
  close(): void;
}

/** @param kind `side`: a panel at the edge; `box`: in the middle. */
export function openSheet(kind: "side" | "box", title: string, onClose: () => void = () => {}): Sheet {
  const titleId = freshId("sheet");
  const body = make("div", { class: "sheet-body" });
  const dialog = make(
    "dialog",
    { class: `sheet ${kind}`, "aria-labelledby": titleId },
    make(
      "header",
      { class: "sheet-head" },
      make("h2", { id: titleId }, title),
      button({ class: "quiet round", "aria-label": "Close" }, () => dialog.close(), icon("close")),
    ),
    body,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    onClose();
  });
  // The dialog itself is only the target of clicks on the backdrop. A text selection
  // that began inside may also end there.
  let isPressedBeside = false;
  dialog.addEventListener("pointerdown", (event) => {
    isPressedBeside = event.target === dialog;
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && isPressedBeside) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, body, close: () => dialog.close() };
}
