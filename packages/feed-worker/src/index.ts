/**
 * A Worker that imports feeds on a schedule (docs/feeds.md "On a schedule"). It is deployed beside the service and
 * calls it through a service binding.
 */
import { AisleClient } from "../../client/src/index.ts";
import { runFeed, type FeedVersion, type ScheduledFeed } from "./scheduled-feed.ts";

interface Env {
  readonly AISLE: { fetch(request: Request): Promise<Response> };
  /** A list of `ScheduledFeed`, possibly as JSON text. */
  readonly FEEDS: string | readonly ScheduledFeed[];
  readonly AISLE_USER?: string;
  readonly AISLE_PASSWORD?: string;
  /** Stores the version of each feed, so that unchanged feeds are not imported. */
  readonly VERSIONS?: {
    get(key: string): Promise<string | null>;
    put(key: string, value: string): Promise<void>;
  };
}

export default {
  async scheduled({ cron }: { readonly cron: string }, env: Env): Promise<void> {
    const feeds = typeof env.FEEDS === "string" ? (JSON.parse(env.FEEDS) as ScheduledFeed[]) : env.FEEDS;
    const client = new AisleClient({
      url: "https://aisle",
      fetch: (request) => env.AISLE.fetch(request),
      user: env.AISLE_USER,
      password: env.AISLE_PASSWORD,
    });
    const failures: unknown[] = [];
    // Sequentially, because a run has the memory of one Worker.
    for (const feed of feeds.filter((one) => one.cron === undefined || one.cron === cron)) {
      try {
        await runOne(feed, client, env);
      } catch (error) {
        failures.push(error);
        const reason = error instanceof Error ? error.message : String(error);
        console.log(JSON.stringify({ event: "feed_failed", index: feed.index, reason }));
      }
    }
    // Makes the platform list this run as failed.
    if (failures.length > 0) throw new AggregateError(failures, "some feeds failed");
  },
};

async function runOne(feed: ScheduledFeed, client: AisleClient, env: Env): Promise<void> {
  // A changed mapping or mode needs a new import, even of the same feed.
  const key = await keyOf(feed);
  const text = (await env.VERSIONS?.get(key)) ?? null;
  const known = text === null ? null : (JSON.parse(text) as FeedVersion);
  const { version, ...outcome } = await runFeed(feed, client, known);
  if (outcome.changed && (version.etag !== null || version.lastModified !== null))
    await env.VERSIONS?.put(key, JSON.stringify(version));
  console.log(JSON.stringify({ event: "feed_imported", index: feed.index, ...outcome }));
}

async function keyOf(feed: ScheduledFeed): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(feed));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `${feed.index} ${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
