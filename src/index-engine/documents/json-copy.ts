/** JSON that consists mostly of parts of a document. What is adjacent in both is copied at once. */
import { GrowableBytes } from "../base/index.ts";
import type { JsonCursor } from "./json-cursor.ts";

const QUOTE = 34;

export class JsonCopy {
  readonly #json: JsonCursor;
  /** Everything up to the last `flush`. */
  readonly out = new GrowableBytes();
  /** Bytes of the document that come next. */
  #from = 0;
  #to = 0;

  constructor(json: JsonCursor) {
    this.#json = json;
  }

  get length(): number {
    return this.out.length + this.#to - this.#from;
  }

  /** Bytes [from, to) of the document. */
  copy(from: number, to: number): void {
    if (from !== this.#to) {
      this.flush();
      this.#from = from;
    }
    this.#to = to;
  }

  copyAsText(from: number, to: number): void {
    const isText = this.#json.isText(from);
    if (!isText) this.push(QUOTE);
    this.copy(from, to);
    if (!isText) this.push(QUOTE);
  }

  push(byte: number): void {
    if (this.#from < this.#to && this.#json.bytes[this.#to] === byte) {
      this.#to++;
      return;
    }
    this.flush();
    this.out.push(byte);
  }

  pushBytes(bytes: Uint8Array): void {
    this.flush();
    this.out.pushBytes(bytes);
  }

  flush(): void {
    if (this.#from < this.#to) this.#json.pushTo(this.out, this.#from, this.#to);
    this.#from = this.#to = 0;
  }

  view(): Uint8Array {
    this.flush();
    return this.out.view();
  }

  clear(kept: number): void {
    this.#from = this.#to = 0;
    this.out.clear(kept);
  }
}
