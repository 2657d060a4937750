/**
 * `/docs`: operations, errors and limits on one page, generated from the tables used by the code. Complete
 * without its script, which adds a form to every operation (src/playground/docs.ts).
 */
import { ERRORS, LIMITS } from "../interface/index.ts";
import { roleOf } from "./auth.ts";
import { exposedOperations } from "./openapi.ts";
import { errorsOf, type Operation } from "./operations/index.ts";
import type { Part, Settings } from "./settings.ts";

export function docsPage(settings: Settings): string {
  const operations = exposedOperations(settings);
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
<header class="top"><a class="logo" href="/"><img src="/playground/icon.svg" alt="" width="28" height="28"><span>Aisle</span></a>
<nav aria-label="Parts of this page"><a href="#operations">Operations</a><a href="#errors">Errors</a><a href="#limits">Limits</a><a href="/openapi.json">openapi.json</a></nav></header>
<div class="columns">
<nav class="contents" aria-label="Operations">
${contents(operations)}
</nav>
<main>
<h1>Interface</h1>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. Request bodies are JSON whatever Content-Type says; answers are JSON. To search by hand there is the <a href="/">playground</a>.</p>
<h2 id="operations">Operations</h2>
${operations.map(operationSection).join("\n")}
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
    row([
      code(name),
      escape(`${limit.value} ${limit.unit}`),
      escape(limit.protects),
      escape(limit.beyond),
    ]),
  )
  .join("\n")}
</tbody></table>
</main>
</div>
</body>
</html>
`;
}

function operationSection(operation: Operation): string {
  const { id, method, path, part, summary, parameters, answers } = operation;
  const role =
    part === null ? "nobody in particular" : `role ${roleOf(part, method.toUpperCase(), path)}`;
  return `<section class="operation" id="${id}" data-method="${method}" data-path="${escape(path)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escape(path)}</code> <a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a></h3>
<p>${escape(summary)}. For ${role}.</p>
${parameters.length === 0 ? "" : `<table><tbody>${parameters.map((parameter) => row([code(parameter.name), parameter.required ? "required" : "optional", prose(parameter.doc)])).join("")}</tbody></table>`}
<p>Answers ${answers.map(({ status, doc }) => `<strong>${status}</strong> ${escape(doc)}`).join("; ")}. Errors: ${errorsOf(
    operation,
  )
    .map((type) => `<a href="#errors">${type}</a>`)
    .join(", ")}.</p>
</section>`;
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
        ({ id, method }) =>
          `<li><a href="#${id}"><span class="method ${method}">${method}</span>${id}</a></li>`,
      );
      return `<h2>${part === null ? "Deployment" : PART_TITLES[part]}</h2><ul>${links.join("")}</ul>`;
    })
    .join("\n");
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** Text with code in backticks. */
function prose(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}

function escape(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
