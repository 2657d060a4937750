/**
 * What a person sees while an import runs. On a terminal one line that is rewritten; elsewhere (a log, a pipe) a plain
 * line every few seconds. Messages go above the line.
 */
import type { Timing } from "./retry.ts";

export interface Counts {
  /** Documents the service answered for, accepted or rejected. */
  answered: number;
  indexed: number;
  rejected: number;
  /** Products that the mapping leaves out. */
  leftOut: number;
  /** Bytes of JSON the service answered for. */
  jsonBytes: number;
  /** Bytes of the file up to the last answered bulk, and in all (null: not known). */
  fileBytes: number;
  readonly totalFileBytes: number | null;
}

/** A stream to write to; `isTTY` and `columns` as process.stderr has them. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const TERMINAL_INTERVAL_MS = 150;
const PLAIN_INTERVAL_MS = 5_000;

export class Progress {
  readonly #screen: Screen;
  readonly #timing: Timing;
  readonly #counts: Readonly<Counts>;
  readonly #startedMs: number;
  #timer: NodeJS.Timeout | null = null;
  #lineShown = false;
  #phase: { readonly name: string; readonly sinceMs: number } | null = null;

  constructor(screen: Screen, timing: Timing, counts: Readonly<Counts>) {
    this.#screen = screen;
    this.#timing = timing;
    this.#counts = counts;
    this.#startedMs = timing.nowMs();
  }

  begin(): void {
    const intervalMs = this.#screen.isTTY === true ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
    this.#timer = setInterval(() => this.show(), intervalMs);
    this.#timer.unref();
  }

  /** From adding documents to another step whose length is not known, e.g. `publishing`. */
  enter(phase: string): void {
    this.#phase = { name: phase, sinceMs: this.#timing.nowMs() };
    if (this.#screen.isTTY === true) this.show();
  }

  show(): void {
    const nowMs = this.#timing.nowMs();
    let text = describeCounts(this.#counts, nowMs - this.#startedMs, this.#phase === null);
    if (this.#phase !== null) {
      text += ` | ${this.#phase.name} ${formatDuration(nowMs - this.#phase.sinceMs)}`;
    }
    if (this.#screen.isTTY !== true) {
      this.#screen.write(`${text}\n`);
      return;
    }
    // The last column stays free: some terminals wrap when it is written.
    this.#screen.write(`\r${text.slice(0, (this.#screen.columns ?? 80) - 1)}\u001b[K`);
    this.#lineShown = true;
  }

  message(text: string): void {
    this.#wipe();
    this.#screen.write(`${text}\n`);
  }

  end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#wipe();
  }

  #wipe(): void {
    if (this.#lineShown) this.#screen.write("\r\u001b[K");
    this.#lineShown = false;
  }
}

/** `12,345 documents | 1,234 docs/s | 2.6 MB/s | 0 rejected | 63% | ETA 0:21` */
export function describeCounts(counts: Readonly<Counts>, elapsedMs: number, withEta: boolean): string {
  const seconds = Math.max(elapsedMs, 1) / 1_000;
  const parts = [
    formatCounted(counts.answered, "document"),
    `${formatCount(counts.answered / seconds)} docs/s`,
    `${(counts.jsonBytes / 1e6 / seconds).toFixed(1)} MB/s`,
    `${formatCount(counts.rejected)} rejected`,
  ];
  const total = counts.totalFileBytes;
  if (withEta && total !== null && total > 0 && counts.fileBytes > 0) {
    const share = Math.min(1, counts.fileBytes / total);
    parts.push(`${Math.floor(share * 100)}%`);
    parts.push(`ETA ${formatDuration((elapsedMs * (1 - share)) / share)}`);
  }
  return parts.join(" | ");
}

export function formatCount(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** `1 document`, `1,234 documents`. */
export function formatCounted(value: number, noun: string): string {
  return `${formatCount(value)} ${value === 1 ? noun : `${noun}s`}`;
}

/** `1 of 41 documents was`, `2 of 41 documents were`. */
export function formatPart(part: number, all: number, noun: string): string {
  return `${formatCount(part)} of ${formatCounted(all, noun)} ${part === 1 ? "was" : "were"}`;
}

/** `0.8 s`, `12.3 s`, `2:05`, `1:02:03`. */
export function formatDuration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}

/** `812 bytes`, `12.3 kB`, `4.56 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatCounted(bytes, "byte");
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(2)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
