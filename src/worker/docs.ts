/**
 * `/health`, `/openapi.json`, `/docs`: routes without part and credentials. The playground at `/` is in pages.ts.
 */
import { getOrInsert } from "../index-engine/base/index.ts";
import { catalogStub } from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { newPart, type AppContext } from "./context.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./openapi.ts";
import { docsResponse } from "./pages.ts";
import type { Settings } from "./settings.ts";

export const docs = newPart();

/** 200 only if the objects answer; a broken binding or storage becomes a 5xx in errors.ts. */
docs.get("/health", async (c) => {
  const { version, indexNames } = await catalogStub(c.env).names();
  return notStored({ status: "ok", indexes: indexNames.length, configurationVersion: version });
});

docs.get("/openapi.json", (c) => {
  const headers = { "content-type": "application/json", "cache-control": "public, max-age=300" };
  return new Response(describedBy(c.env).openApi.replace(ORIGIN, originOf(c)), { headers });
});

docs.get("/docs", (c) => docsResponse(describedBy(c.env).page.replaceAll(ORIGIN, originOf(c))));

/** Stands for the origin in what is kept. */
const ORIGIN = "https://origin.invalid";
/** Needs no escape in JSON, HTML or a shell. Hosts may have quotes. */
const PLAIN_ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

function originOf(c: AppContext): string {
  const { origin } = new URL(c.req.url);
  return PLAIN_ORIGIN.test(origin) ? origin : ORIGIN;
}

interface Descriptions {
  readonly openApi: string;
  readonly page: string;
}

/** By the settings they depend on, which do not change. Anybody may ask, and each takes as long as ten searches. */
const descriptions = new Map<string, Descriptions>();

export function describedBy(settings: Settings): Descriptions {
  const key = JSON.stringify([settings.EXPOSE, settings.AUTH_PUBLIC_SEARCH]);
  return getOrInsert(descriptions, key, () => ({
    openApi: JSON.stringify(openApiDocument(settings, ORIGIN)),
    page: docsPage(settings, ORIGIN),
  }));
}
