/** One operation on `/docs`: parameters with types, body and answer with model and example, and how to call it. */
import { roleOf } from "./auth.ts";
import { code, escape, prose, row } from "./docs-html.ts";
import { boundsOf, typeOf, type JsonSchema } from "./docs-schema.ts";
import { errorsOf, type Operation } from "./operations/index.ts";

interface Described {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface DescribedParameter extends Described {
  readonly name: string;
  readonly in: "path" | "query";
}

type Content = Readonly<Record<string, Described>>;

/** An operation of openapi.json. */
export interface DescribedOperation {
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export function operationSection(
  operation: Operation,
  described: DescribedOperation | undefined,
  origin: string,
): string {
  const { id, method, path, part, summary, parameters, answers } = operation;
  if (described === undefined) throw new Error(`openapi.json has no ${id}`);
  const role = part === null ? "no credentials" : `role ${roleOf(part, method.toUpperCase(), path)}`;
  const rows = parameters.map(({ name, required, doc }, at) => {
    const schema = described.parameters[at]?.schema ?? {};
    const bounds = boundsOf(schema);
    return row([
      code(name),
      `${typeOf(schema)} <span class="muted">${required ? "required" : "optional"}</span>`,
      prose(doc) + (bounds === "" ? "" : `; ${bounds}`),
    ]);
  });
  const errors = errorsOf(operation).map((type) => `<a href="#errors">${type}</a>`);
  return `<section class="operation" id="${id}" data-method="${method}" data-path="${escape(path)}">
<h3><span class="method ${method}">${method.toUpperCase()}</span> <code>${escape(path)}</code> <a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a></h3>
<p>${escape(summary)}. For ${role}.</p>
${rows.length === 0 ? "" : `<table><tbody>${rows.join("")}</tbody></table>`}
${contents("Body", described.requestBody?.content)}
<p>Answers ${answers.map(({ status, doc }) => `<strong>${status}</strong> ${escape(doc)}`).join("; ")}. Errors: ${errors.join(", ")}.</p>
${answers.map(({ status }) => contents(`Answer ${status}`, described.responses[status]?.content)).join("")}
${example("curl", curl(method, described, origin + path))}
${example("JavaScript", javaScript(method, described, origin + path))}
</section>`;
}

function contents(title: string, content: Content = {}): string {
  return Object.entries(content)
    .map(([type, { schema, example: value }]) => {
      // A schema without a name adds nothing to the example.
      const model = typeOf(schema);
      const named = model.includes("#model-") ? `: ${model}` : "";
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return `<p>${title}, ${code(type)}${named}</p>${value === undefined ? "" : example("Example", text)}`;
    })
    .join("");
}

function example(title: string, text: string): string {
  return `<details class="example"><summary>${title}</summary><pre class="code" tabindex="0">${escape(text)}</pre></details>`;
}

/** The URL with example values of its parameters. */
function addressOf({ parameters }: DescribedOperation, url: string): string {
  let filled = url;
  const query = new URLSearchParams();
  for (const { name, in: place, example: value } of parameters) {
    if (place === "path") {
      filled = filled.replace(`{${name}}`, encodeURIComponent(shown(value ?? name)));
    } else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      for (const [member, one] of Object.entries(value)) query.append(member, shown(one));
    } else if (value !== undefined) {
      for (const one of [value].flat()) query.append(name, shown(one));
    }
  }
  return query.size === 0 ? filled : `${filled}?${query.toString()}`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The operation's first example body. */
function bodyOf({ requestBody }: DescribedOperation): { type: string; text: string } | null {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (first === undefined) return null;
  const { example: value = "" } = first[1];
  return {
    type: first[0],
    text: typeof value === "string" ? value : JSON.stringify(value, null, 2),
  };
}

function curl(method: Operation["method"], described: DescribedOperation, url: string): string {
  const body = bodyOf(described);
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const parts = [`curl ${quoted(addressOf(described, url))}`];
  if (method !== "get") parts.push(`--request ${method.toUpperCase()}`);
  if (body !== null) parts.push(`--header 'content-type: ${body.type}'`, `--data-raw ${quoted(body.text)}`);
  return parts.join(" \\\n  ");
}

function javaScript(method: Operation["method"], described: DescribedOperation, url: string): string {
  const body = bodyOf(described);
  const options: string[] = [];
  if (method !== "get") options.push(`  method: "${method.toUpperCase()}",`);
  if (body !== null) {
    const { type, text } = body;
    options.push(`  headers: { "content-type": "${type}" },`);
    const json = `JSON.stringify(${text.replaceAll("\n", "\n  ")})`;
    options.push(`  body: ${type === "application/json" ? json : JSON.stringify(text)},`);
  }
  const address = JSON.stringify(addressOf(described, url));
  const call = options.length === 0 ? `fetch(${address})` : `fetch(${address}, {\n${options.join("\n")}\n})`;
  const [answer = ""] = Object.values(described.responses).flatMap(({ content }) => Object.keys(content ?? {}));
  const read = answer === "application/json" ? "json" : "text";
  return `const response = await ${call};\nif (!response.ok) throw new Error(await response.text());\nconst answer = await response.${read}();`;
}
