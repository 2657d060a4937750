/**
 * 1. Texts are cut at punctuation and stop words of their language; hyphens, quotes and apostrophes inside of words
 *    cut nothing.
 * 2. A segment knows how long the head of each title is: that of the first text with more than one term, or of the
 *    first.
 * 3. Where a segment does not know heads, nothing is lifted for its head. (A merge keeps them: segment-merge.test.ts;
 *    or leaves them unknown: segment-golden.test.ts.)
 */
import { describe, expect, test } from "vitest";
import { analyzerFor, headEnd, textParts } from "../../../src/index-engine/analysis/index.ts";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import type { IndexableProduct } from "../../../src/index-engine/segment/model/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { search } from "../../../src/index-engine/search.ts";
import { SECTION } from "../../../src/index-engine/segment/format/layout.ts";
import { openSegment, SegmentBuilder, type OpenedSegment } from "../../../src/index-engine/segment/index.ts";
import { SectionWriter } from "../../../src/index-engine/segment/format/section-writer.ts";
import { run } from "../../../src/index-engine/base/steps.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../../src/interface/index.ts";
import { product } from "../support/products.ts";
import { plainRequest } from "../support/request.ts";
import { normGroup } from "./titles.ts";

describe("1: parts", () => {
  test.each([
    ["en", "Velocita Glide - Trail Running Shoes for Men, Blue", "velocita glide | trail running shoes | men | blue"],
    ["en", "T-Shirt (cotton), 2.5 kg: red", "t shirt | cotton | 2.5 kg | red"],
    ["en", 'Television 55" 4K + HDR', "television 55 inch 4k hdr"],
    ["en", "Men's shoes. The best, really!", "mens shoes | best | really"],
    ["en", "Case without ring", "case | ring"],
    ["en", "Mouse – wireless | black", "mouse | wireless | black"],
    ["de", "Lampe für die Küche, weiß", "lampe | kueche | weiss"],
    ["de", "Kopfhörer ohne Kabel/Bluetooth", "kopfhoerer | kabel | bluetooth"],
    ["fr", "Lampe de bureau en métal", "lampe | bureau | metal"],
    ["fr", "Chargeur d'ordinateur sans fil", "chargeur | ordinateur | fil"],
    ["en", "The", ""],
    ["en", "", ""],
    ["en", "<b>Red</b> shoe", "red shoe"],
    ["ja", "土鍋、ふた付き", "土鍋 | フタ タ付 付キ | 土 鍋 フ タ 付 キ"],
  ])("%s: %s", (language, text, expected) => {
    const analyzer = analyzerFor(language);
    const terms = analyzer.terms(text);
    const parts = textParts(text, analyzer);
    expect(parts.map(({ start, end }) => terms.slice(start, end).join(" ")).join(" | ")).toBe(expected);
  });
  test.each([
    ["Trail running shoes for men", 3],
    ["The shoes of men", 2],
    ["Shoes", 1],
    ["For the", 0],
    ["- , Shoes, red", 1],
    ["Acme laptop 15.6 inch", 2],
    ["Acme notebook silver 43.2 cm", 2],
    ["12 inch foam mattress", 4],
    ["iPhone 7 32GB", 1],
    ["Black 500 ml", 3],
    ["[2 Pack] Phone case, black", 4],
    ["(Renewed) [XL] Apple iPhone", 4],
    ["【2枚】 Towel 。 Cotton", 3],
    ["（中古）［良品］ 土鍋 2人用", 5],
    ["土鍋、 蓋付き 土鍋", 1],
    ["(Renewed)", 1],
    ["Phone (renewed) case", 1],
  ])("the head of %s ends at %i", (text, end) => {
    expect(headEnd(text, analyzerFor("en"))).toBe(end);
  });
  test.each([
    ["Acme Corp - Phone case - Black", "Acme Corp", 4],
    ["Acme: Phone", "Acme", 2],
    ["Acme - Phone", "", 1],
    ["Acme, Phone, red", "Acme", 1],
    ["Acme Phone - red", "Acme", 2],
    ["Acme", "Acme", 1],
  ])("the head of %s by %s ends at %i", (text, brand, end) => {
    expect(headEnd(text, analyzerFor("en"), brand)).toBe(end);
  });
});

const english = analyzerFor("en");

function build(products: readonly IndexableProduct[]): OpenedSegment {
  const settings = { analyzer: english, normGroup, language: "en", storedBlock: "block" };
  const builder = new SegmentBuilder(settings);
  for (const each of products) builder.add(each);
  return openSegment(builder.finish().index);
}

function titled(id: string, ...titles: readonly string[]): IndexableProduct {
  return product(id, { texts: titles.map((text) => ({ field: "title", text })) });
}

/** The segment as it was written before heads were kept. */
function withoutHeads({ views }: OpenedSegment): OpenedSegment {
  const sections = new SectionWriter();
  for (const section of views.sections) {
    if (section !== SECTION.titleHeads) sections.set(section, new Uint8Array(views.u8(section)));
  }
  return openSegment(run(sections.finish(views)));
}

const shoes = build([
  titled("a", "Trail running shoes for men"),
  titled("b", "X-100", "Running tights, black"),
  titled("c", "4711", "Shoes"),
  titled("d"),
  titled("e", "Sock", "Red sock - warm"),
  titled("f", Array.from({ length: 70 }, (_, i) => `w${i}`).join(" ")),
]);

test("2: as built", () => {
  // "x" and "100" are two terms already; the number is none of the head.
  expect([...(shoes.titles?.heads ?? [])]).toEqual([3, 1, 1, 0, 2, 64]);
});

test("3: where a segment does not know its heads, nothing of the index is lifted", () => {
  const hats = build([titled("a", "Hat with shoes"), titled("g", "Warm wool hat, red")]);
  const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "en");
  const request = plainRequest({ q: "sock", trace: ["Explain"] });
  const tenant = builtInTenantConfig("shop", ["shop"]);
  const headIn = (...segments: readonly OpenedSegment[]): number | undefined => {
    const reader = segments.reduce((all, one) => all.withUpdate(one, []), Reader.empty);
    return search(reader, request, tenant, fields).hits[0].explanation?.order?.head;
  };
  expect(headIn(shoes, hats)).toBe(1.25);
  expect(headIn(shoes, withoutHeads(hats))).toBe(1);
});
