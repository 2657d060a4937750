/**
 * stdin -> stdout unchanged, and each line into a file behind the millisecond (since 1970) in which it came: `<ms>
 * <line>`.
 *
 *   workerd ... | node bench/stamp-lines.ts <file>
 */
import { appendFileSync } from "node:fs";

const [file] = process.argv.slice(2);
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const nowMs = performance.timeOrigin + performance.now();
  process.stdout.write(text);
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  if (file !== undefined && lines.length > 0) {
    appendFileSync(file, lines.map((line) => `${nowMs.toFixed(2)} ${line}\n`).join(""));
  }
});
