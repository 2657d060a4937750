/**
 * Properties
 *  1. Every document of the file is live afterwards, its JSON as it stood in the file; plain, gzip and array alike.
 *  2. Whatever breaks or is refused for a while, and however adds overtake each other, the last version of an id in the
 *     file wins, and the import ends as if nothing had happened.
 *  3. A pause is never shorter than Retry-After asks for; after the last attempt the session is cancelled.
 *  4. Refusals, bad lines and damaged files cancel the session and leave the live index alone, with the line in the
 *     message.
 *  5. --strict and an import without accepted documents never reach done.
 *  6. A lost answer of done or cancel is not taken for a failure.
 *  7. At most `parallel` adds are under way.
 *  8. Rejections are told with line, id and reason; a service without reports gets its documents counted.
 */
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { importCatalogue, type ImportOptions, type ImportSummary } from "../../cli/import/run.ts";
import { BRIEF, PATIENT, pauseMs, retryAfterMs, type Timing } from "../../cli/import/retry.ts";
import type { Source } from "../../cli/import/source.ts";
import { ServiceDouble, type Fault } from "./service-double.ts";
import { forAllAsync } from "../support/property.ts";

const numRuns = inject("long") ? 500 : 25;

function sourceOf(bytes: Buffer, chunkBytes = 1_000): Source {
  const position = { readBytes: 0, totalBytes: bytes.length };
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes);
      position.readBytes += chunk.length;
      yield chunk;
    }
  }
  return { name: "test", bytes: chunks(), position };
}

const lines = (documents: readonly unknown[]): Buffer =>
  Buffer.from(documents.map((document) => `${JSON.stringify(document)}\n`).join(""));

interface Run {
  readonly summary: ImportSummary | null;
  readonly error: Error | null;
  readonly screen: string;
  readonly pausesMs: readonly number[];
}

async function run(
  service: ServiceDouble,
  bytes: Buffer,
  options: Partial<ImportOptions> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Run> {
  let screen = "";
  const pausesMs: number[] = [];
  const timing: Timing = {
    nowMs: () => performance.now(),
    random: () => 0.5,
    wait: async (ms) => {
      pausesMs.push(ms);
    },
  };
  const all: ImportOptions = {
    url: service.url,
    user: null,
    password: null,
    indexName: "shop",
    locale: "en",
    bulkBytes: 200,
    parallel: 2,
    mapping: null,
    maxRejectedPercent: 5,
    cacheFolder: null,
    skipBadLines: false,
    allowEmpty: false,
    tenantCheck: false,
    ...options,
  };
  const show = { write: (text: string) => (screen += text) };
  try {
    const summary = await importCatalogue(sourceOf(bytes), all, { screen: show, timing, signal });
    return { summary, error: null, screen, pausesMs };
  } catch (error) {
    return { summary: null, error: error as Error, screen, pausesMs };
  }
}

const products = Array.from({ length: 40 }, (_, at) => ({
  id: `p${at}`,
  data: { title: `Größe ${at}`, price: at / 4 },
}));

describe("a full import", () => {
  test("1: plain, gzip and array", async () => {
    const asArray = Buffer.from(JSON.stringify(products, null, 1));
    for (const bytes of [lines(products), gzipSync(lines(products)), asArray, gzipSync(asArray)]) {
      await using service = await new ServiceDouble().listen();
      const { summary, error } = await run(service, bytes, { user: "ann", password: "a:b" });
      expect(error).toBeNull();
      expect(new Map(service.live)).toEqual(new Map(products.map((one) => [one.id, one])));
      expect(summary?.counts).toMatchObject({ answered: 40, indexed: 40, rejected: 0 });
      expect(summary?.counts.fileBytes).toBe(bytes.length);
      expect(summary?.facts).toMatchObject({ documents: 40 });
      const ann = `Basic ${Buffer.from("ann:a:b").toString("base64")}`;
      expect(new Set(service.received.map(({ authorization }) => authorization))).toEqual(new Set([ann]));
    }
  });

  test("1: the JSON is passed on byte by byte", async () => {
    await using service = await new ServiceDouble().listen();
    const odd = '{ "id" : "x", "data":{"n":1.50e1,"s":"\\u00e4"} }';
    await run(service, Buffer.from(`${odd}\n`));
    expect(service.received.find(({ operation }) => operation === "add")?.body).toContain(odd);
  });

  test("2: the last version of an id wins through any temporary fault", async () => {
    const fault: fc.Arbitrary<Fault | null> = fc.oneof(
      { weight: 4, arbitrary: fc.constant(null) },
      fc.constantFrom<Fault>(
        { kind: "dropBefore" },
        { kind: "dropAfter" },
        { kind: "status", status: 503, headers: { "retry-after": "1" } },
        { kind: "status", status: 429 },
        { kind: "status", status: 502 },
      ),
    );
    await forAllAsync(
      numRuns,
      fc.array(fc.nat(12), { minLength: 1, maxLength: 60 }),
      // Fewer than a call has attempts, so that every fault passes.
      fc.array(fault, { maxLength: BRIEF.attempts - 1 }),
      fc.array(fault, { maxLength: PATIENT.attempts - 1 }),
      fc.array(fc.constantFrom(0, 1, 60), { minLength: 1, maxLength: 7 }),
      fc.integer({ min: 1, max: 4 }),
      async (ids, startFaults, faults, turns, parallel) => {
        await using service = await new ServiceDouble().listen();
        let starts = 0;
        let others = 0;
        service.fault = (operation) => (operation === "start" ? startFaults[starts++] : faults[others++]) ?? null;
        service.addTurns = (call) => turns[call % turns.length];
        const documents = ids.map((id, version) => ({ id: `p${id}`, data: { version } }));
        const { error } = await run(service, lines(documents), { parallel, bulkBytes: 100 });
        expect(error).toBeNull();
        expect(service.sessionState).toBe("completed");
        expect(service.operations()).not.toContain("cancel");
        const wanted = new Map(documents.map((document) => [document.id, document]));
        expect(new Map(service.live)).toEqual(wanted);
      },
    );
  });

  test("3: Retry-After is kept", async () => {
    await using service = await new ServiceDouble().listen();
    let refusals = 0;
    service.fault = (operation) =>
      operation === "add" && refusals++ < 3 ? { kind: "status", status: 503, headers: { "retry-after": "7" } } : null;
    const { error, pausesMs, summary, screen } = await run(service, lines(products), { bulkBytes: 1e6 });
    expect(error).toBeNull();
    expect(pausesMs).toHaveLength(3);
    expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(7_000);
    expect(summary?.retries).toBe(3);
    expect(screen).toContain("add bulk 1: status 503: as the test wishes; trying again in 7.");
  });

  test("3: giving up cancels the session", async () => {
    for (const fault of [{ kind: "status", status: 503 }, { kind: "dropBefore" }] as const) {
      await using service = await new ServiceDouble().listen();
      service.live = new Map([["old", { id: "old" }]]);
      service.fault = (operation) => (operation === "add" ? fault : null);
      const { error, pausesMs, screen } = await run(service, lines(products), { bulkBytes: 1e6 });
      expect(error?.message).toMatch(/^(add bulk 1 was refused with status 503|cannot reach http)/);
      expect(pausesMs).toHaveLength(PATIENT.attempts - 1);
      expect(service.sessionState).toBe("cancelled");
      expect([...service.live.keys()]).toEqual(["old"]);
      expect(screen).toContain("The session is cancelled; the live index is as it was.");
    }
  });

  test("3: pauses grow, are jittered and bounded", () => {
    const longest = Array.from({ length: 8 }, (_, at) => pauseMs(PATIENT, at + 1, null, 1));
    expect(longest).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(pauseMs(PATIENT, 3, null, 0)).toBe(500);
    expect(pauseMs(PATIENT, PATIENT.attempts, null, 0)).toBeNull();
    expect(pauseMs(PATIENT, 1, PATIENT.patienceMs + 1, 0)).toBeNull();
    expect(retryAfterMs("3", 0)).toBe(3_000);
    expect(retryAfterMs("Thu, 01 Jan 1970 00:00:09 GMT", 4_000)).toBe(5_000);
    expect(retryAfterMs("Thu, 01 Jan 1970 00:00:09 GMT", 40_000)).toBe(0);
    expect(retryAfterMs("soon", 0)).toBeNull();
    expect(retryAfterMs(null, 0)).toBeNull();
  });

  test("4: a refusal is final", async () => {
    await using service = await new ServiceDouble().listen();
    service.fault = (operation) => (operation === "add" ? { kind: "status", status: 413 } : null);
    const { error, pausesMs } = await run(service, lines(products));
    expect(error?.message).toContain("add bulk ");
    expect(error?.message).toContain("status 413: as the test wishes (choose a smaller --bulk-bytes)");
    expect(pausesMs).toEqual([]);
    expect(service.sessionState).toBe("cancelled");
  });

  test("4: without credentials where some are needed", async () => {
    await using service = await new ServiceDouble().listen();
    service.fault = () => ({ kind: "status", status: 401 });
    const { error } = await run(service, lines(products));
    expect(error?.message).toContain("AISLE_USER and AISLE_PASSWORD");
    expect(service.operations()).toEqual(["start"]);
  });

  test.each([
    ["a line that is no JSON", Buffer.from('\n{"id":"b",\n'), /^line 42: not JSON \(/],
    [
      "mixed encodings",
      Buffer.from('{"id":"a","data":{"t":"Gr\xf6\xdfe"}}\n', "latin1"),
      /^line 41: the text is not UTF-8/,
    ],
  ])("4: %s", async (_, bytes, message) => {
    await using service = await new ServiceDouble().listen();
    // In chunks of 1,000 bytes; the session is open by then.
    const { error } = await run(service, Buffer.concat([lines(products), bytes]));
    expect(error?.name).toBe("FeedError");
    expect(error?.message).toMatch(message);
    expect(service.sessionState).toBe("cancelled");
  });

  test.each([
    ["cut gzip", gzipSync(lines(products)).subarray(0, 12), /^the gzip data is damaged: it is cut off$/],
    ["cut array", Buffer.from('[{"id":"a"},\n{"id":"b"'), /^line 2: the JSON array has no end/],
    ["no feed", Buffer.from("nonsense"), /no column is known to hold the id of a product(.|\n)*Expected: CSV/],
    ["a workbook", Buffer.from("PK\x03\x04 [Content_Types].xml"), /^this is an Excel workbook: save it as CSV/],
  ])("4: %s is refused before anything is sent", async (_, bytes, message) => {
    await using service = await new ServiceDouble().listen();
    const { error } = await run(service, bytes);
    expect(error?.message).toMatch(message);
    expect(service.received).toEqual([]);
  });

  test("4: Windows-1252 is understood", async () => {
    await using service = await new ServiceDouble().listen();
    await run(service, Buffer.from('{"id":"a","data":{"t":"Gr\xf6\xdfe"}}\n', "latin1"));
    expect(service.live?.get("a")).toEqual({ id: "a", data: { t: "Größe" } });
  });

  test("4: --skip-bad-lines leaves them out and counts them", async () => {
    await using service = await new ServiceDouble().listen();
    const bytes = Buffer.from('{"id":"a","data":{}}\nnonsense\n{"id":"b","data":{}}\n');
    const { summary, screen } = await run(service, bytes, { skipBadLines: true, maxRejectedPercent: 50 });
    expect([...(service.live ?? new Map()).keys()]).toEqual(["a", "b"]);
    expect(summary?.counts).toMatchObject({ answered: 3, indexed: 2, rejected: 1 });
    expect(screen).toContain("line 2: not JSON");
  });

  test("5: --strict", async () => {
    await using service = await new ServiceDouble().listen();
    const { error } = await run(service, lines([...products, { data: {} }]), { maxRejectedPercent: 0 });
    expect(error?.message).toBe("1 of 41 documents was rejected, more than 0 % (--max-rejected)");
    expect(service.sessionState).toBe("cancelled");
    expect(service.operations()).not.toContain("done");
  });

  test("5: nothing accepted", async () => {
    for (const bytes of [Buffer.from("\n"), lines([{}, {}]), Buffer.from("[]")]) {
      await using service = await new ServiceDouble().listen();
      const { error } = await run(service, bytes);
      expect(error?.message).toContain("--allow-empty");
      expect(service.sessionState).toBe("cancelled");
      const allowed = await run(service, bytes, { allowEmpty: true });
      expect(allowed.error).toBeNull();
      expect(service.live?.size).toBe(0);
    }
  });

  test("6: a lost answer of done", async () => {
    await using service = await new ServiceDouble().listen();
    let calls = 0;
    service.fault = (operation) => (operation === "done" && calls++ === 0 ? { kind: "dropAfter" } : null);
    const { error } = await run(service, lines(products));
    expect(error).toBeNull();
    expect(service.operations().filter((operation) => operation === "done")).toHaveLength(2);
    expect(service.operations()).not.toContain("cancel");
  });

  test("6: but a session somebody else completed is a failure", async () => {
    await using service = await new ServiceDouble().listen();
    service.fault = (operation) => {
      if (operation === "done") service.sessionState = "completed";
      return null;
    };
    const { error } = await run(service, lines(products));
    expect(error?.message).toContain("done was refused with status 400: session_completed");
  });

  test("6: a lost answer of cancel", async () => {
    await using service = await new ServiceDouble().listen();
    let calls = 0;
    service.fault = (operation) => (operation === "cancel" && calls++ === 0 ? { kind: "dropAfter" } : null);
    const { screen } = await run(service, Buffer.concat([lines(products), Buffer.from("nonsense")]));
    expect(service.sessionState).toBe("cancelled");
    expect(screen).toContain("The session is cancelled");
  });

  test("7: bulks side by side, no more than asked for", async () => {
    for (const parallel of [1, 3]) {
      await using service = await new ServiceDouble().listen();
      service.addTurns = () => 20;
      await run(service, lines(products), { parallel });
      expect(service.mostAddsAtOnce).toBeLessThanOrEqual(parallel);
      if (parallel === 1) expect(service.mostAddsAtOnce).toBe(1);
      expect(service.live?.size).toBe(40);
    }
  });

  test("8: reasons with line and id", async () => {
    await using service = await new ServiceDouble().listen();
    service.rejects = ({ id }) => (id === "p3" ? "price is no number" : null);
    const { screen, summary } = await run(service, lines(products));
    expect(screen).toContain("line 4, id p3: rejected: price is no number\n");
    expect(summary?.counts.rejected).toBe(1);
    service.rejects = () => "no";
    const all = await run(service, lines(products), { allowEmpty: true });
    expect(all.screen.match(/rejected: no/g)).toHaveLength(10);
    expect(all.screen).toContain("(further reasons are counted, not shown)");
  });

  test("8: a service that answers numbers only", async () => {
    await using service = await new ServiceDouble().listen();
    service.plainCounts = true;
    service.rejects = ({ id }) => (id === "p3" ? "no" : null);
    const { screen, summary } = await run(service, lines(products));
    expect(summary?.counts).toMatchObject({ indexed: 39, rejected: 1 });
    expect(screen).toMatch(/lines \d+-\d+: 1 document rejected without a reason/);
  });

  test("the tenant check compares what a search finds", async () => {
    await using service = await new ServiceDouble().listen();
    const { summary } = await run(service, lines([...products, products[0]]), { tenantCheck: true });
    expect(summary?.found).toBe(40);
    service.fault = (operation) => {
      if (operation === "search") service.live = new Map();
      return null;
    };
    const { error } = await run(service, lines(products), { tenantCheck: true });
    expect(error?.message).toBe("the import is live, but a search finds 0 products of 40");
    expect(service.operations()).not.toContain("cancel");
  });

  test("an abort cancels the session", async () => {
    await using service = await new ServiceDouble().listen();
    const interrupt = new AbortController();
    service.onAdd = () => interrupt.abort();
    service.addTurns = () => 50;
    const { error } = await run(service, lines(products), {}, interrupt.signal);
    expect(error?.name).toBe("InterruptedError");
    expect(service.sessionState).toBe("cancelled");
    expect(service.live).toBeNull();
  });
});
