/**
 * Scripts without spaces (analysis/unspaced.ts, relevance/seams.ts), and scripts whose marks are letters, as shoppers
 * type them.
 *
 * 1. A word is found inside a longer run, and no other word that only looks alike.
 * 2. Two words are found written together or apart, in the query and in the title, also where one is a single letter.
 * 3. A pair of letters within a word must match; which pairs are seams depends on the whole index.
 * 4. The thing comes before what is made for it, where names begin with it and where they end with it.
 * 5. Quoted words are found side by side, also of several runs. Pairs of letters are not corrected.
 * 6. Suggestions complete such words, and do not offer parts of them.
 */
import { describe, expect, test } from "vitest";
import { compileFieldPlan } from "../../../src/index-engine/documents/index.ts";
import { suggest } from "../../../src/index-engine/answer/suggest/index.ts";
import { Reader } from "../../../src/index-engine/index/reader.ts";
import { BUILT_IN_INDEX_CONFIG, resolveSuggestConfig } from "../../../src/interface/index.ts";
import { parseSuggestParameters } from "../../../src/worker/parameters.ts";
import { shopOf, type Shop } from "../stages/shop.ts";
import { tenantOf } from "../support/little-shop.ts";
import { documentSegment } from "../support/indexing.ts";
import { correctionOf, found, idsOf, many, partialsOf } from "./shops.ts";

/** Locale -> products with titles. */
const TITLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ja: {
    earphones: "ワイヤレスイヤホン Bluetooth 5.3 高音質",
    film: "ガラスフィルム iPhone 15 2枚セット",
    case: "iPhone 15用ケース 透明",
    crow: "カラス よけ ネット",
    coffee: "コーヒー豆 500g 深煎り",
    machine: "コーヒーメーカー 全自動",
    pot: "土鍋 2人用 フタ付き",
    bread: "食パン 型 1斤",
    hanger: "ハンガー 10本組",
    towel: "バスタオル 綿100% 4枚",
    printer: "ﾌﾟﾘﾝﾀ 複合機",
    cover: "スマホカバー 手帳型",
    noodles: "らーめん 5食",
  },
  ko: {
    earphones: "블루투스 이어폰 무선",
    cup: "스텐 컵 500ml",
    cooker: "전기밥솥 6인용",
    shoes: "남성 운동화 경량",
    mouse: "무선 마우스 저소음",
  },
  zh: { earphones: "无线蓝牙耳机 降噪", case: "手机壳 透明 防摔", shoes: "男士运动鞋 透气", desk: "电脑桌 简约" },
  th: { earphones: "หูฟังบลูทูธไร้สาย", camera: "กล้องวงจรปิด", drum: "กลองชุดเด็ก", coffee: "เครื่องชงกาแฟ" },
  hi: { phone: "वायरलेस हेडफ़ोन", tea: "काली चाय", watch: "कल की घड़ी" },
  ar: { coffee: "قَهْوَة عربية ٥٠٠ جرام", screen: "شاشة تلفاز ٥٥ بوصة" },
};

const IN_ORDER = {
  only: { strategy: "ConfigurableQuery", settings: { multimatch_type: "phrase" }, "weighted-fields": { title: 1 } },
};

const shops = new Map(Object.entries(TITLES).map(([locale, titles]) => [locale, shopOf(titles, { locale })]));

/** Products with all words. */
function complete(shop: Shop | undefined, q: string): string[] {
  if (shop === undefined) return [];
  const partials = new Set(partialsOf(shop, q));
  return found(shop, q)
    .hits.map(({ id }) => id)
    .filter((id) => !partials.has(id));
}

describe.each([
  ["ja", "イヤホン", ["earphones"]],
  ["ja", "ガラス", ["film"]],
  ["ja", "カラス", ["crow"]],
  ["ja", "コーヒー", ["coffee", "machine"]],
  ["ja", "鍋", ["pot"]],
  ["ja", "パン", ["bread"]],
  ["ja", "バス", ["towel"]],
  ["ja", "プリンター", ["printer"]],
  ["ja", "カバー", ["cover"]],
  ["ja", "らーめん", ["noodles"]],
  ["ja", "ラーメン", ["noodles"]],
  ["ja", "いやほん", ["earphones"]],
  ["ja", "iphoneケース", ["case"]],
  ["ko", "이어폰", ["earphones"]],
  ["ko", "컵", ["cup"]],
  ["ko", "밥솥", ["cooker"]],
  ["zh", "蓝牙耳机", ["earphones"]],
  ["zh", "鞋", ["shoes"]],
  ["zh", "电脑", ["desk"]],
  ["th", "หูฟัง", ["earphones"]],
  ["th", "กล้อง", ["camera"]],
  ["th", "กลอง", ["drum"]],
  ["th", "กาแฟ", ["coffee"]],
  ["hi", "हेडफोन", ["phone"]],
  ["hi", "काली", ["tea"]],
  ["ar", "قهوه", ["coffee"]],
  ["ar", "تلفاز 55", ["screen"]],
])("1: %s %s", (locale, q, ids) => {
  test("is found alone", () => {
    expect(complete(shops.get(locale), q).toSorted()).toEqual(ids.toSorted());
  });
});

describe("2: together and apart", () => {
  const shoes = {
    ...many(9, "wireless", (i) => `무선 키보드 ${i}`),
    ...many(9, "earphones", (i) => `이어폰 유선 ${i}`),
    ...many(9, "home", (i) => `家庭 用品 ${i}`),
    ...many(9, "shoes", (i) => `白い 靴 ${i}`),
    // A pair across its words that belongs to others, too.
    odd: "대선이 책",
    apart: "이어폰 블랙 무선",
    together: "무선이어폰 블랙",
    homeShoes: "家庭 靴 夏",
  };
  const shop = shopOf(shoes, { locale: "ko" });

  test.each(["무선 이어폰", "무선이어폰"])("%s", (q) => {
    expect(complete(shop, q).toSorted()).toEqual(["apart", "together"]);
  });
  test("written as in the query, it comes first", () => {
    expect(found(shop, "무선이어폰").hits[0].id).toBe("together");
  });
  test.each(["家庭靴", "家庭 靴"])("%s", (q) => {
    expect(complete(shop, q)).toEqual(["homeShoes"]);
  });
  test("two single letters that nothing has side by side", () => {
    expect(complete(shop, "夏靴")).toEqual(["homeShoes"]);
  });
});

test("3: all pairs of a word must match", () => {
  const shop = shopOf(
    { ...many(5, "bicycle", (i) => `自転車 ${i}`), turn: "自転 転び", parts: "転車台" },
    { locale: "ja" },
  );
  expect(complete(shop, "自転車")).toHaveLength(5);
});

test.each([
  ["ja", "コーヒー", { machine: "コーヒーメーカー 全自動", coffee: "深煎り コーヒー" }, "coffee"],
  ["zh", "咖啡", { machine: "全自动咖啡机", coffee: "深烘咖啡" }, "coffee"],
  ["th", "กาแฟ", { machine: "เครื่องชงกาแฟ", coffee: "กาแฟคั่วเข้ม" }, "coffee"],
  ["ru", "телефон", { glass: "Стекло на телефон", phone: "Телефон чёрный с камерой" }, "phone"],
  ["ar", "هاتف", { case: "غطاء هاتف", phone: "هاتف جديد" }, "phone"],
])("4: %s %s", (locale, q, titles, id) => {
  expect(shopOf(titles, { locale }).ids(q)[0]).toBe(id);
});

describe("5: phrases and corrections", () => {
  test.each([
    ["ja", '"土鍋 2人用"', ["pot"]],
    ["ja", '"鍋 2人"', []],
    ["ja", '"土鍋 フタ付き"', []],
    ["ja", '"15用ケース 透明"', ["case"]],
    ["ko", '"무선 마우스"', ["mouse"]],
    ["ko", '"마우스 무선"', []],
    ["zh", '"耳机 降噪"', ["earphones"]],
    ["th", '"กล้องวงจรปิด"', ["camera"]],
  ])("%s %s", (locale, q, ids) => {
    expect(complete(shops.get(locale), q)).toEqual(ids);
  });
  test.each([
    ["th", "กล้อ้ง"],
    ["th", "หูฟิงบลูทุธ"],
  ])("%s %s", (locale, q) => {
    const shop = shops.get(locale);
    expect(shop === undefined ? "no shop" : correctionOf(shop, q)).toBeUndefined();
  });
  test("a stage that asks for the words in order", () => {
    const tenant = tenantOf({ "query-configuration": IN_ORDER });
    const shop = shopOf({ mouse: "무선 마우스 저소음", other: "마우스 무선" }, { locale: "ko", tenant });
    expect(idsOf(shop, "무선 마우스")).toEqual(["mouse"]);
  });
});

test("6: suggestions", () => {
  const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, "th");
  const titles = ["หูฟังไร้สาย ดำ", "หูฟังไร้สาย ขาว", "หูฟังมีสาย"];
  const reader = Reader.of([
    documentSegment(
      titles.map((title, i) => ({ id: `p${i}`, data: { title, brand: "หูฟังดี" } })),
      fields,
    ),
  ]);
  const phrases = suggest(
    reader,
    fields,
    resolveSuggestConfig({}, "shop"),
    parseSuggestParameters(`userQuery=${encodeURIComponent("หูฟั")}`),
  ).map(({ phrase }) => phrase);
  expect(phrases.toSorted()).toEqual(["หูฟังดี", ...titles].toSorted());
});
