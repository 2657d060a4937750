/** Health and pages of a deployment. */
import * as z from "zod";
import { anyJson, count, inPath, operationsOf } from "./operation.ts";

export const deploymentOperations = operationsOf(null, [
  {
    id: "health",
    method: "get",
    path: "/health",
    summary: "200 when the objects answer",
    answers: [
      {
        status: 200,
        doc: "well",
        body: z.object({ status: z.literal("ok"), indexes: count, configurationVersion: count }),
      },
    ],
  },
  {
    id: "openapi",
    method: "get",
    path: "/openapi.json",
    summary: "This description",
    answers: [{ status: 200, doc: "OpenAPI 3.1", body: anyJson }],
  },
  {
    id: "root",
    method: "get",
    path: "/",
    summary: "The playground: a page to import and search a catalogue",
    answers: [{ status: 200, doc: "HTML", body: "text/html" }],
  },
  {
    id: "shop",
    method: "get",
    path: "/shop",
    summary: "A demo shop for an index, built with InstantSearch widgets",
    answers: [{ status: 200, doc: "HTML", body: "text/html" }],
  },
  {
    id: "pageFile",
    method: "get",
    path: "/playground/{file}",
    summary: "A file of the pages",
    parameters: [inPath("file", "for example page.css")],
    answers: [{ status: 200, doc: "by its ending", body: "text/css" }],
    errors: ["not_found"],
  },
  {
    id: "docs",
    method: "get",
    path: "/docs",
    summary: "This reference as a page, with forms that call the operations",
    answers: [{ status: 200, doc: "HTML", body: "text/html" }],
  },
]);
