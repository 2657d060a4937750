/** Markup of descriptions -> text: tags go, entities become characters, blocks become lines of their own. */
import { Parser } from "htmlparser2";

const SILENT = new Set(["script", "style", "template", "head", "iframe", "svg"]);
const BLOCKS = new Set([
  ..."address article aside blockquote br dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6".split(" "),
  ..."header hr li main nav ol p pre section table tr ul".split(" "),
]);

/** Tags that descriptions have, so that `<S>` and `<Damen>` in a title stay; entities. */
const MARKUP =
  /<\/?(a|b|blockquote|br|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|script|section|small|span|strong|style|sub|sup|table|tbody|td|th|tr|ul)(\s[^<>]*)?\/?>|&(#\d+|#x[0-9a-f]+|[a-z]{2,8}\d?);/i;

/** True for text that would show tags or entities to a shopper. */
export function looksLikeHtml(text: string): boolean {
  return MARKUP.test(text);
}

export function htmlToText(html: string): string {
  // WooCommerce writes line breaks as two characters.
  const markup = html.replaceAll(/(?:\\r)?\\n/g, "\n");
  if (!/[<&]/.test(markup)) return tidied(markup);
  let text = "";
  let silent = 0;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (SILENT.has(name)) silent++;
        else if (BLOCKS.has(name)) text += "\n";
        else if (name === "td" || name === "th") text += " ";
      },
      ontext(part) {
        if (silent === 0) text += part;
      },
      onclosetag(name) {
        if (SILENT.has(name)) silent--;
        else if (BLOCKS.has(name) && name !== "br") text += "\n";
      },
    },
    { decodeEntities: true },
  );
  parser.end(markup);
  return tidied(text);
}

function tidied(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[\s]*/g, "\n")
    .trim();
}
