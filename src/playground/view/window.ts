/** Handles files dropped on the page. */

/** Anywhere on the page, unless a dialog is open, which may handle the file itself. */
export function takeDroppedFiles(onFile: (file: File) => void): void {
  addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files") !== true) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    // Otherwise the browser would open the file.
    event.preventDefault();
    document.body.classList.remove("dropping");
    const file = event.dataTransfer?.files[0];
    if (file !== undefined && document.querySelector("dialog[open]") === null) onFile(file);
  });
}
