/**
 * `/docs`: operations, errors and limits on one page, generated from the tables used by the code. Complete
 * without its script, which adds a form to every operation (src/playground/docs.ts).
 */
import { ERRORS, LIMITS } from "../interface/index.ts";
import { code, escape, row } from "./docs-html.ts";
import { operationSection, type DescribedOperation } from "./docs-operation.ts";
import { modelSection, type JsonSchema } from "./docs-schema.ts";
import { exposedOperations, openApiDocument } from "./openapi.ts";
import type { Operation } from "./operations/index.ts";
import type { Part, Settings } from "./settings.ts";

/** The parts of openapi.json that the page uses. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

export function docsPage(settings: Settings, origin: string): string {
  const operations = exposedOperations(settings);
  const { paths, components } = openApiDocument(settings, origin) as unknown as Description;
  const models = Object.entries(components.schemas);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Aisle: interface</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/playground/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/playground/docs.css">
<script type="module" src="/playground/docs.js"></script>
</head>
<body>
<header class="top"><a class="logo" href="/" aria-label="Aisle"><img src="/playground/icon.svg" alt="" width="28" height="28"><span>Aisle</span></a>
<nav aria-label="Parts of this page"><a href="#operations">Operations</a><a href="#models">Models</a><a href="#errors">Errors</a><a href="#limits">Limits</a><a href="/openapi.json">openapi.json</a></nav></header>
<div class="columns">
<nav class="contents" aria-label="Operations">
${contents(operations)}
<h2>Models</h2><ul>${models.map(([name]) => `<li><a href="#model-${name}">${name}</a></li>`).join("")}</ul>
</nav>
<main>
<h1>Interface</h1>
<p>Generate clients from <a href="/openapi.json">/openapi.json</a>. Answers are JSON, and request bodies are read as JSON whatever their Content-Type says. To search by hand, open the <a href="/">playground</a>.</p>
<h2 id="operations">Operations</h2>
${operations.map((operation) => operationSection(operation, paths[operation.path]?.[operation.method], origin)).join("\n")}
<h2 id="models">Models</h2>
${models.map(([name, schema]) => modelSection(name, schema)).join("\n")}
<h2 id="errors">Errors</h2>
<p>Every error has the same body: <code>{"message", "code", "type", "errorId", "timestamp", "details"?}</code>.</p>
<table><thead><tr><th>type</th><th>status</th><th>meaning</th></tr></thead><tbody>
${Object.entries(ERRORS)
  .map(([type, { status, doc }]) => row([code(type), String(status), escape(doc)]))
  .join("\n")}
</tbody></table>
<h2 id="limits">Limits</h2>
<table><thead><tr><th>limit</th><th>value</th><th>protects</th><th>beyond it</th></tr></thead><tbody>
${Object.entries(LIMITS)
  .map(([name, limit]) =>
    row([code(name), escape(`${limit.value} ${limit.unit}`), escape(limit.protects), escape(limit.beyond)]),
  )
  .join("\n")}
</tbody></table>
</main>
</div>
</body>
</html>
`;
}

const PART_TITLES: Readonly<Record<Part, string>> = {
  search: "Search",
  suggest: "Suggest",
  indexer: "Indexing",
  admin: "Administration",
};

/** Table of contents: the operations by part. */
function contents(operations: readonly Operation[]): string {
  const byPart = Map.groupBy(operations, ({ part }) => part);
  return [...byPart]
    .map(([part, ofPart]) => {
      const links = ofPart.map(
        ({ id, method }) => `<li><a href="#${id}"><span class="method ${method}">${method}</span>${id}</a></li>`,
      );
      return `<h2>${part === null ? "Deployment" : PART_TITLES[part]}</h2><ul>${links.join("")}</ul>`;
    })
    .join("\n");
}
