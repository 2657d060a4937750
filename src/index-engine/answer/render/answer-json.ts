/** An answer whose hits are JSON already -> its JSON. */
import type { AnswerOf } from "./render.ts";

/** The answer as JSON, with the members where they always are. */
export function answerJson(answer: AnswerOf<string | null>): string {
  const slices = answer.slices.map((slice) =>
    objectJson(slice, "hits", `[${slice.hits.join(",")}]`),
  );
  return objectJson(answer, "slices", `[${slices.join(",")}]`);
}

/** `json`: that of the member `name`. */
function objectJson(value: object, name: string, json: string): string {
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}:${key === name ? json : JSON.stringify(member)}`,
  );
  return `{${members.join(",")}}`;
}
