/**
 * The readers as the page loads them, where src/feeds/node-in-browser.ts stands for the Buffer and the stream of Node,
 * against the readers in Node: the same documents, complaints and preview.
 *  1. Files of shops, in chunks of any size.
 *  2. CSV with any cells, in any chunks; a quote that is never closed.
 */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ASSETS } from "../../scripts/build-pages.ts";
import type { FeedModule } from "../../src/feeds/index.ts";
import { forAllAsync, runs } from "../support/property.ts";
import { FILES, readBytes, text } from "./support.ts";

const built = (await import(pathToFileURL(join(ASSETS, "playground/feeds.js")).href)) as FeedModule;

type Read = Omit<Awaited<ReturnType<typeof readBytes>>, "feed"> & { readonly feed: unknown };

async function outcome(bytes: Uint8Array, chunkBytes: number, readers?: FeedModule): Promise<Read | string> {
  try {
    const { feed, ...others } = await readBytes(bytes, {
      chunkBytes,
      ...(readers !== undefined && { open: (from, given) => readers.openFeed(from, given) }),
    });
    const { description, language, mapping } = feed;
    return {
      ...others,
      feed: { description, language, mapping, rows: mapping === null ? null : feed.preview(mapping) },
    };
  } catch (error) {
    // Each has a FeedError of its own.
    return String(error);
  }
}

for (const name of await readdir(FILES)) {
  test.for([7, 100_000])(`1: ${name} in chunks of %i bytes`, async (chunkBytes) => {
    const bytes = await readFile(FILES + name);
    expect(await outcome(bytes, chunkBytes, built)).toEqual(await outcome(bytes, chunkBytes));
  });
}

test("2: any CSV", async () => {
  const cell = fc.oneof(
    fc.constantFrom("", "10", '5" screen', '"', '"quoted, cell"', '"two\nlines"', '"a ""b"""', " x ", "\ufeff"),
    fc.string({ unit: fc.constantFrom("a", '"', "é", "€", "😀", ",", ";", "\n", "\r", " "), maxLength: 6 }),
  );
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  await forAllAsync(
    runs(100),
    rows,
    fc.constantFrom("\n", "\r\n"),
    fc.integer({ min: 1, max: 40 }),
    async (made, end, size) => {
      const csv = text(["id,title,price,size", ...made.map((row) => row.join(","))].join(end));
      expect(await outcome(csv, size, built)).toEqual(await outcome(csv, size));
    },
  );
});
