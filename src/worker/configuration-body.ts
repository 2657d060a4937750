/** A configuration body: JSON, or YAML as the reference's files are written. */
import { parse, YAMLParseError } from "yaml";
import { ServiceError } from "../interface/index.ts";
import { bodyText } from "./body.ts";

/** Throws 400 bad_request with the line when it is neither; 413. The answer is plain JSON data. */
export async function configurationBody(request: Request): Promise<unknown> {
  const text = await bodyText(request, "configurationBytes");
  if (text.trim() === "")
    throw new ServiceError("bad_request", "The body is empty; send JSON or YAML.");
  try {
    return JSON.parse(text);
  } catch (error) {
    // Sent as JSON, it is meant as JSON: YAML's complaint about it would only confuse.
    if (/\bjson\b/i.test(request.headers.get("content-type") ?? "")) {
      throw new ServiceError("bad_request", `The body is not JSON: ${messageOf(error)}.`);
    }
  }
  try {
    // `merge`: the `<<` of YAML 1.1, which Spring's files use. Through JSON, so that what is stored is what JSON can say.
    return JSON.parse(JSON.stringify(parse(text, { merge: true, logLevel: "error" }))) as unknown;
  } catch (error) {
    const where = error instanceof YAMLParseError ? error.linePos?.[0] : undefined;
    throw new ServiceError(
      "bad_request",
      `The body is neither JSON nor YAML: ${messageOf(error)}`,
      {
        details: where === undefined ? undefined : { line: where.line, column: where.col },
      },
    );
  }
}

/** The first line: the YAML parser draws the place below it. */
function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
