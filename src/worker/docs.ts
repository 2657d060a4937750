/**
 * `/health`, `/openapi.json`, `/docs`: routes without part and credentials. The playground at `/` is in pages.ts.
 */
import { catalogStub } from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { newPart } from "./context.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./openapi.ts";
import { docsResponse } from "./pages.ts";

export const docs = newPart();

/** 200 only if the objects answer; a broken binding or storage becomes a 5xx in errors.ts. */
docs.get("/health", async (c) => {
  const { version, indexNames } = await catalogStub(c.env).names();
  return notStored({ status: "ok", indexes: indexNames.length, configurationVersion: version });
});

docs.get("/openapi.json", (c) =>
  Response.json(openApiDocument(c.env, new URL(c.req.url).origin), {
    headers: { "cache-control": "public, max-age=300" },
  }),
);

docs.get("/docs", (c) => docsResponse(docsPage(c.env, new URL(c.req.url).origin)));
