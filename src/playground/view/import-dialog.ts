/**
 * Imports a chosen or dropped file in a session, so a live index is replaced at the end or not at
 * all.
 */
import type { Client } from "../http/client.ts";
import type { Feed } from "../../feeds/index.ts";
import { documentsOf, openFile } from "../http/feed.ts";
import { importCatalogue, type ImportOutcome } from "../http/import-catalogue.ts";
import { loadSample } from "../http/sample.ts";
import { counted, wasOrWere } from "../logic/counted.ts";
import { indexNameOfFile } from "../logic/documents.ts";
import { button, make, replaceTakingFocus } from "./dom.ts";
import { failureBox, failureOf } from "./failure.ts";
import { icon } from "./icons.ts";
import { mappingTable, type MappingTable } from "./mapping-table.ts";
import { progressView } from "./progress.ts";
import { openSheet, type Sheet } from "./sheet.ts";

/** Languages with data (docs/languages.md). Others can be imported through the API. */
const LANGUAGES = ["en", "de", "cs", "da", "es", "fr", "it", "nl", "pl", "pt", "sv"] as const;

/** As in `npm run import`. */
const MAX_REJECTED_PERCENT = 5;

export interface ImportSurroundings {
  readonly client: Client;
  /** Existing index names. */
  readonly tenants: readonly string[];
  /** Called when an index is live. */
  readonly onImported: (indexName: string) => void;
  /** Asks for credentials; returns whether the user signed in. */
  readonly signIn: () => Promise<boolean>;
}

/** @param dropped an already dropped file */
export function openImport(surroundings: ImportSurroundings, dropped: File | null): void {
  const running = new AbortController();
  const sheet = openSheet("box", "Import a catalogue", () => running.abort());
  if (dropped === null) chooseFile(sheet, surroundings, running.signal);
  else void look(sheet, surroundings, dropped, running.signal);
}

function chooseFile(sheet: Sheet, surroundings: ImportSurroundings, signal: AbortSignal): void {
  const input = make("input", {
    type: "file",
    accept: ".csv,.tsv,.xml,.json,.ndjson,.jsonl,.gz,.txt",
    class: "visually-hidden",
    id: "file",
  });
  const zone = make(
    "label",
    { class: "drop-zone", for: "file" },
    icon("upload"),
    make("strong", {}, "Drop a file here, or choose one"),
    make(
      "span",
      { class: "hint" },
      "CSV, TSV, Google Merchant XML, JSON, NDJSON; exports of Shopify, WooCommerce, Magento; also as gzip",
    ),
  );
  const take = (file: File | undefined): void => {
    if (file !== undefined) void look(sheet, surroundings, file, signal);
  };
  input.addEventListener("change", () => take(input.files?.[0]));
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    take(event.dataTransfer?.files[0]);
  });
  sheet.body.replaceChildren(
    input,
    zone,
    make(
      "p",
      { class: "form-actions" },
      button({ class: "secondary" }, () => void importSample(sheet, surroundings, signal), "Load sample catalogue"),
      make("span", { class: "hint" }, "into the indexes sample and sample-de"),
    ),
  );
}

/** A file with its first bytes already read. */
interface Opened {
  readonly file: File;
  readonly feed: Feed;
  /** Share that has been read, from 0 to 1. */
  readonly share: () => number;
}

async function look(sheet: Sheet, surroundings: ImportSurroundings, file: File, signal: AbortSignal): Promise<void> {
  await attempt(
    sheet,
    surroundings,
    () => chooseFile(sheet, surroundings, signal),
    async () => {
      let readBytes = 0;
      const feed = await openFile(file, (bytes) => (readBytes = bytes));
      signal.addEventListener("abort", () => void feed.close());
      const share = (): number => readBytes / Math.max(1, file.size);
      askForDetails(sheet, surroundings, { file, feed, share }, signal);
    },
  );
}

function askForDetails(sheet: Sheet, surroundings: ImportSurroundings, opened: Opened, signal: AbortSignal): void {
  const { file, feed } = opened;
  const table = feed.mapping === null ? null : mappingTable(feed, feed.mapping);
  const name = make("input", {
    name: "index",
    required: true,
    pattern: "[a-z0-9_\\-]+",
    value: indexNameOfFile(file.name),
    autocomplete: "off",
    title: "a-z, 0-9, _ and -",
  });
  const locale = make(
    "select",
    { name: "locale" },
    ...LANGUAGES.map((one) => make("option", { value: one }, languageName(one))),
  );
  if (feed.language !== null) locale.value = feed.language;
  const note = make("p", { class: "hint", role: "status" });
  const tell = (): void => {
    note.textContent = surroundings.tenants.includes(name.value)
      ? `${name.value} exists. The import replaces it completely after the last document.`
      : "";
  };
  name.addEventListener("input", tell);
  tell();
  const form = make(
    "form",
    { class: "form" },
    make("p", { class: "file-name" }, icon("upload"), make("strong", {}, file.name), ` ${fileSize(file.size)}`),
    make("label", { class: "field" }, "Index", name),
    make(
      "label",
      { class: "field" },
      "Language",
      locale,
      make(
        "span",
        { class: "hint" },
        feed.language === null ? "The texts do not show it; please choose." : "Detected from the texts",
      ),
    ),
    table === null ? null : table.element,
    note,
    make("p", { class: "form-actions" }, make("button", { class: "primary" }, "Import")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (table?.mapping().id.length === 0) {
      note.textContent = "Choose the column with the product id.";
      return;
    }
    const target = { indexName: name.value, locale: locale.value };
    void importFile(sheet, surroundings, opened, table, target, signal);
  });
  sheet.body.replaceChildren(form);
  name.focus();
}

async function importFile(
  sheet: Sheet,
  surroundings: ImportSurroundings,
  { file, feed, share }: Opened,
  table: MappingTable | null,
  { indexName, locale }: { readonly indexName: string; readonly locale: string },
  signal: AbortSignal,
): Promise<void> {
  const progress = progressView();
  replaceTakingFocus(sheet.body, progress.element);
  progress.show(`Reading ${file.name}`, 0);
  await attempt(
    sheet,
    surroundings,
    // Read again from the start of the file, because the stream is consumed.
    () => void look(sheet, surroundings, file, signal),
    async () => {
      const refused = { count: 0, complaints: [] };
      const outcome = await importCatalogue(surroundings.client, {
        indexName,
        locale,
        documents: documentsOf(feed, table?.mapping() ?? null, refused),
        refused,
        maxRejectedPercent: MAX_REJECTED_PERCENT,
        onProgress: ({ phase, indexed, rejected }) => {
          const counts = `${counted(indexed, "document")}${rejected > 0 ? `, ${rejected.toLocaleString()} refused` : ""}`;
          // The end of the bar is reserved for publishing.
          if (phase === "adding") progress.show(counts, share() * 0.95);
          else progress.show(`${counts}, going live`, null);
        },
        signal,
      });
      showOutcome(sheet, surroundings, indexName, outcome);
    },
  );
}

export async function importSample(
  sheet: Pick<Sheet, "body" | "close">,
  surroundings: ImportSurroundings,
  signal: AbortSignal,
): Promise<void> {
  const progress = progressView();
  const before = [...sheet.body.childNodes];
  replaceTakingFocus(sheet.body, progress.element);
  progress.show("Making the sample catalogue", null);
  await attempt(
    sheet,
    surroundings,
    () => replaceTakingFocus(sheet.body, ...before),
    async () => {
      const first = await loadSample(
        surroundings.client,
        (indexName, share) => progress.show(share >= 1 ? `${indexName}: going live` : `Importing ${indexName}`, share),
        signal,
      );
      sheet.close();
      surroundings.onImported(first);
    },
  );
}

/** Runs the import; after a failure shows the reason and offers a retry. */
async function attempt(
  sheet: Pick<Sheet, "body">,
  { signIn }: ImportSurroundings,
  again: () => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) return;
    const actions = [button({ class: "secondary" }, again, "Back")];
    if (failure.status === 401 || failure.status === 403) {
      const askAndGoBack = async (): Promise<void> => {
        if (await signIn()) again();
      };
      actions.unshift(button({ class: "primary" }, () => void askAndGoBack(), "Sign in"));
    }
    replaceTakingFocus(sheet.body, failureBox(failure, ...actions));
  }
}

function showOutcome(
  sheet: Sheet,
  { onImported }: ImportSurroundings,
  indexName: string,
  outcome: ImportOutcome,
): void {
  const { indexed, rejected, complaints } = outcome;
  if (rejected === 0) {
    sheet.close();
    onImported(indexName);
    return;
  }
  replaceTakingFocus(
    sheet.body,
    make(
      "p",
      {},
      `${counted(indexed, "document")} ${indexed === 1 ? "is" : "are"} live in `,
      make("code", {}, indexName),
      `, ${rejected.toLocaleString()} ${wasOrWere(rejected)} refused:`,
    ),
    make("ul", { class: "complaints" }, ...complaints.map((one) => make("li", {}, one))),
    make(
      "p",
      { class: "form-actions" },
      button(
        { class: "primary" },
        () => {
          sheet.close();
          onImported(indexName);
        },
        `Search ${indexName}`,
      ),
    ),
  );
}

function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(code) ?? code;
}

function fileSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
