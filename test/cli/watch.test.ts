/**
 * Feeds that are looked at again.
 *  1. An address is asked with what it said last (ETag, Last-Modified), and imported only when it has changed.
 *  2. A file is imported again when it has changed.
 *  3. What is wrong with a feed is told once and does not end the watching; where the service was not there, the same
 *     state is tried again.
 *  4. ^C between two imports ends it without a word, in the middle of one it is told.
 */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InputError, InterruptedError, UnreachableError } from "../../cli/import/failures.ts";
import type { Timing } from "../../cli/import/retry.ts";
import { openSource, type OpenedSource } from "../../cli/import/source.ts";
import { watch } from "../../cli/import/watch.ts";

async function contentOf(source: OpenedSource): Promise<string> {
  let content = "";
  for await (const chunk of source.bytes) content += chunk.toString();
  return content;
}

/** Rounds without waiting; `between` comes after each, until they are all used up. */
async function rounds(
  location: string,
  between: readonly (() => Promise<void> | void)[],
  work: (source: OpenedSource) => Promise<void>,
): Promise<string> {
  const stop = new AbortController();
  let screen = "";
  let at = 0;
  const timing: Timing = {
    nowMs: () => 0,
    random: () => 0,
    wait: async () => {
      const next = between[at++];
      if (next !== undefined) return await next();
      stop.abort();
      throw new Error("aborted");
    },
  };
  const open = (known: Parameters<typeof openSource>[2]): ReturnType<typeof openSource> =>
    openSource(location, process.stdin, known);
  const around = { screen: { write: (text: string) => (screen += text) }, timing, signal: stop.signal };
  // 4.
  await watch({ everyMs: 1, open, work }, around);
  return screen;
}

test("1: an address", async () => {
  const asked: IncomingHttpHeaders[] = [];
  let version = 1;
  let status = 200;
  const server = createServer((request, response) => {
    asked.push(request.headers);
    const etag = `"v${version}"`;
    if (status !== 200) response.writeHead(status).end();
    else if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
    else {
      response.writeHead(200, { etag, "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" });
      response.end(`feed ${version}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const seen: string[] = [];
  const screen = await rounds(
    `http://ann:se%20cret@127.0.0.1:${port}/feed.csv`,
    [() => undefined, () => void version++, () => void (status = 500), () => void (status = 200)],
    async (source) => void seen.push(await contentOf(source)),
  );
  server.closeAllConnections();
  server.close();
  expect(seen).toEqual(["feed 1", "feed 2"]);
  expect(asked.map((headers) => headers["if-none-match"])).toEqual([undefined, '"v1"', '"v1"', '"v2"', '"v2"']);
  expect(asked[1]["if-modified-since"]).toBe("Thu, 01 Jan 2026 00:00:00 GMT");
  expect(asked[0].authorization).toBe(`Basic ${Buffer.from("ann:se cret").toString("base64")}`);
  expect(screen).toContain("it answers with status 500");
  expect(screen).not.toContain("cret");
});

test("2, 3: a file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aisle-watch-"));
  const path = join(folder, "feed.csv");
  await writeFile(path, "one");
  const seen: string[] = [];
  let failure: Error | null = null;
  const screen = await rounds(
    path,
    [
      () => undefined,
      async () => {
        await writeFile(path, "two!");
        failure = new InputError("no feed");
      },
      () => undefined,
      async () => {
        await utimes(path, 1, 1);
        failure = new UnreachableError("nobody there");
      },
      () => void (failure = null),
      () => undefined,
    ],
    async (source) => {
      seen.push(await contentOf(source));
      if (failure !== null) throw failure;
    },
  );
  expect(seen).toEqual(["one", "two!", "two!", "two!"]);
  expect(screen).toBe(
    "Import failed: no feed\nWaiting for the next change.\nImport failed: nobody there\nWaiting for the next change.\n",
  );
  await rm(folder, { recursive: true });
});

test("4: ^C in the middle of an import", async () => {
  const stop = new AbortController();
  const source: OpenedSource = {
    name: "feed.csv",
    bytes: (async function* () {})(),
    position: { readBytes: 0, totalBytes: 0 },
    version: null,
  };
  const around = {
    screen: { write: () => true },
    timing: { nowMs: () => 0, random: () => 0, wait: () => Promise.reject(new Error("not reached")) },
    signal: stop.signal,
  };
  const work = (): Promise<void> => {
    stop.abort();
    return Promise.reject(new Error("aborted"));
  };
  const watching = watch({ everyMs: 1, open: () => Promise.resolve(source), work }, around);
  await expect(watching).rejects.toThrow(InterruptedError);
});
