// A Chromium of this machine. None is ever downloaded.
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
] as const;

/** Null where there is none. CHROMIUM names another place. */
export function findChromium(): string | null {
  const asked = process.env.CHROMIUM;
  if (asked !== undefined && asked !== "") return existsSync(asked) ? asked : null;
  return USUAL_PLACES.find((place) => existsSync(place)) ?? null;
}

/** Under a profile of its own, which is gone afterwards, and without calls of its own to anywhere. */
export function startChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      // Containers run as root, where the sandbox cannot.
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
