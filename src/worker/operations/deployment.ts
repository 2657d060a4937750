/** What a deployment says of itself. */
import * as z from "zod";
import { anyJson, count, type Operation } from "./operation.ts";

export const deploymentOperations: readonly Operation[] = [
  {
    id: "metrics",
    method: "get",
    path: "/metrics",
    part: "admin",
    summary: "Figures of indexes, imports and requests for Prometheus",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "text format 0.0.4", body: "text/plain" }],
    errors: ["index_unavailable"],
  },
  {
    id: "health",
    method: "get",
    path: "/health",
    part: null,
    summary: "200 when the objects answer",
    parameters: [],
    body: null,
    answers: [
      {
        status: 200,
        doc: "well",
        body: z.object({ status: z.literal("ok"), indexes: count, configurationVersion: count }),
      },
    ],
    errors: [],
  },
  {
    id: "openapi",
    method: "get",
    path: "/openapi.json",
    part: null,
    summary: "This description",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "OpenAPI 3.1", body: anyJson }],
    errors: [],
  },
  {
    id: "root",
    method: "get",
    path: "/",
    part: null,
    summary: "Leads to the page for people",
    parameters: [],
    body: null,
    answers: [{ status: 302, doc: "to /docs", body: null }],
    errors: [],
  },
  {
    id: "docs",
    method: "get",
    path: "/docs",
    part: null,
    summary: "A page for people",
    parameters: [],
    body: null,
    answers: [{ status: 200, doc: "HTML", body: "text/html" }],
    errors: [],
  },
];
