/** `/`, `/health`, `/openapi.json`, `/docs`: what needs no part and no credentials. */
import { catalogStub } from "../objects/index.ts";
import { notStored } from "./answers.ts";
import { newPart } from "./context.ts";
import { docsPage } from "./docs-page.ts";
import { openApiDocument } from "./openapi.ts";

export const docs = newPart();

/** Who opens the service's address in a browser wants to see something. */
docs.get("/", (c) => c.redirect("/docs"));

/** 200 only when the objects answer; a broken binding or storage ends as 5xx in errors.ts. */
docs.get("/health", async (c) => {
  const { version, indexNames } = await catalogStub(c.env).snapshot();
  return notStored({ status: "ok", indexes: indexNames.length, configurationVersion: version });
});

docs.get("/openapi.json", (c) =>
  Response.json(openApiDocument(c.env), { headers: { "cache-control": "public, max-age=300" } }),
);

docs.get(
  "/docs",
  (c) =>
    new Response(docsPage(c.env), {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "public, max-age=300",
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      },
    }),
);
