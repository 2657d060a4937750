/** `/docs`: the operations, errors and limits as one plain page, straight from the tables the code works with. */
import { ERRORS, LIMITS, type ErrorType } from "../interface/index.ts";
import { ROLE_OF_PART } from "./auth.ts";
import { exposedOperations } from "./openapi.ts";
import { commonErrors, type Operation } from "./operations/index.ts";
import type { Settings } from "./settings.ts";

export function docsPage(settings: Settings): string {
  const operations = exposedOperations(settings);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Aisle: interface</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
h2 { margin-top: 2.5rem; } h3 { margin: 2rem 0 .3rem; font-size: 1.05rem; } code { font: .9em ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ccc; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; } nav a { display: inline-block; margin-right: 1rem; }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #e8e8e8; } th, td { border-color: #444; } a { color: #8ab4f8; } }
</style>
</head>
<body>
<h1>Aisle: interface</h1>
<p>Machine-readable: <a href="/openapi.json">/openapi.json</a>. Request bodies are JSON whatever Content-Type says; answers are JSON.</p>
<nav><a href="#operations">Operations</a><a href="#errors">Errors</a><a href="#limits">Limits</a></nav>
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
</body>
</html>
`;
}

function operationSection(operation: Operation): string {
  const { id, method, path, part, summary, parameters, answers, errors } = operation;
  const role = part === null ? "nobody in particular" : `role ${ROLE_OF_PART[part]}`;
  const types: readonly ErrorType[] = [...errors, ...commonErrors(part)];
  return `<h3 id="${id}"><span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code></h3>
<p>${escape(summary)}. For ${role}.</p>
${parameters.length === 0 ? "" : `<table><tbody>${parameters.map((parameter) => row([code(parameter.name), parameter.required ? "required" : "optional", escape(parameter.doc)])).join("")}</tbody></table>`}
<p>Answers ${answers.map(({ status, doc }) => `<strong>${status}</strong> ${escape(doc)}`).join("; ")}. Errors: ${types.map((type) => `<a href="#errors">${type}</a>`).join(", ")}.</p>`;
}

function row(cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
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
