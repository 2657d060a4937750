/**
 * Words of scripts without spaces, on made-up catalogues of 5,000 products each.
 *
 *   npm run node -- bench/relevance/unspaced.ts
 *
 * A product is two or three qualities and a thing, written together or apart at random; its description names others.
 * Asked are a thing, and a quality with a thing, written together and apart. Printed is the share of the first ten hits
 * that have both in their title (of as many as there are, if fewer than ten).
 */
import { compileFieldPlan } from "../../src/index-engine/documents/index.ts";
import { Reader } from "../../src/index-engine/index/reader.ts";
import { search } from "../../src/index-engine/search.ts";
import { openSegment, SegmentBuilder } from "../../src/index-engine/segment/index.ts";
import { BUILT_IN_INDEX_CONFIG, builtInTenantConfig } from "../../src/interface/index.ts";
import { parseSearchParameters } from "../../src/worker/parameters.ts";
import { mulberry32 } from "../../test/support/mulberry32.ts";

const PRODUCTS = 5_000;
const QUERIES = 200;
const PAGE = 10;

interface Language {
  readonly qualities: string;
  readonly things: string;
  /** What stands between two words. */
  readonly between: readonly string[];
  readonly isThingFirst?: boolean;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  ja: {
    qualities: `ワイヤレス 有線 折りたたみ 防水 軽量 子供 メンズ レディース 夏用 冬用 ミニ 大容量 電動 自動 業務 家庭 木製 革
      ガラス ステンレス シリコン 綿 北欧 日本製 卓上 携帯 充電式 屋外`,
    things: `イヤホン マウス キーボード 椅子 机 傘 自転車 炊飯器 コーヒーメーカー タンブラー カップ 布団 毛布 ケース シューズ 靴
      バッグ 財布 帽子 手袋 靴下 時計 眼鏡 扇風機 掃除機 加湿器 フライパン 鍋 包丁 まな板 ベッド ソファー カーテン 照明 充電器
      ケーブル スピーカー モニター スタンド タオル`,
    between: ["", " ", " ", "用 ", "の"],
  },
  ko: {
    qualities: `무선 유선 블루투스 게이밍 접이식 휴대용 어린이 남성 여성 겨울 여름 방수 미니 대용량 스마트 전기 자동 캠핑 사무용
      가정용 경량 가죽 실리콘 스테인리스 원목 면 극세사 고급`,
    things: `이어폰 마우스 키보드 의자 책상 우산 자전거 밥솥 커피머신 텀블러 컵 이불 장판 케이스 운동화 구두 가방 지갑 모자 장갑
      양말 시계 안경 선풍기 청소기 가습기 프라이팬 냄비 칼 도마 침대 소파 커튼 조명 충전기 케이블 스피커 모니터 거치대 수건`,
    between: ["", " ", " "],
  },
  zh: {
    qualities: `无线 有线 折叠 防水 轻便 儿童 男士 女士 夏季 冬季 迷你 大容量 电动 自动 商用 家用 实木 真皮 玻璃 不锈钢 硅胶 纯棉
      北欧 桌面 便携 充电 户外 静音`,
    things: `耳机 鼠标 键盘 椅子 书桌 雨伞 自行车 电饭煲 咖啡机 保温杯 杯子 被子 毛毯 手机壳 运动鞋 皮鞋 背包 钱包 帽子 手套 袜子
      手表 眼镜 风扇 吸尘器 加湿器 平底锅 炒锅 菜刀 砧板 床 沙发 窗帘 台灯 充电器 数据线 音箱 显示器 支架 毛巾`,
    between: ["", "", " "],
  },
  th: {
    qualities: `ไร้สาย พับได้ กันน้ำ เบา เด็ก ผู้ชาย ผู้หญิง ขนาดเล็ก ใหญ่ ไฟฟ้า อัตโนมัติ ไม้ หนัง แก้ว สแตนเลส ซิลิโคน ผ้าฝ้าย พกพา
      กลางแจ้ง เงียบ`,
    things: `หูฟัง เมาส์ คีย์บอร์ด เก้าอี้ โต๊ะ ร่ม จักรยาน หม้อหุงข้าว เครื่องชงกาแฟ แก้วน้ำ ผ้าห่ม เคส รองเท้า กระเป๋า หมวก ถุงมือ ถุงเท้า
      นาฬิกา แว่นตา พัดลม เครื่องดูดฝุ่น กระทะ มีด เขียง เตียง โซฟา ผ้าม่าน โคมไฟ สายชาร์จ ลำโพง จอ ผ้าเช็ดตัว`,
    between: ["", "", " "],
    isThingFirst: true,
  },
};

const KINDS = ["thing", "together", "apart"] as const;

for (const [locale, language] of Object.entries(LANGUAGES)) console.log(`${locale}   ${measured(locale, language)}`);

function measured(locale: string, { qualities: all, things: every, between, isThingFirst = false }: Language): string {
  const random = mulberry32(7);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)];
  const [qualities, things] = [all.split(/\s+/u), every.split(/\s+/u)];
  const written = (words: readonly string[], gap: () => string): string =>
    (isThingFirst ? words.toReversed() : words).reduce((text, word) => text + gap() + word);

  const fields = compileFieldPlan(BUILT_IN_INDEX_CONFIG, locale);
  const builder = new SegmentBuilder({
    analyzer: fields.analyzer,
    normGroup: (field) => fields.normGroup(field),
    language: fields.language,
    storedBlock: "block",
  });
  const words: ReadonlySet<string>[] = [];
  for (let i = 0; i < PRODUCTS; i++) {
    const own = [pick(qualities), pick(qualities), ...(random() < 0.4 ? [pick(qualities)] : []), pick(things)];
    words.push(new Set(own));
    const title = `Acme ${written(own, () => pick(between))} X${Math.floor(random() * 900)}`;
    const description = [pick(qualities), pick(qualities), pick(things), pick(things)].join(" ");
    const document = { id: String(i), data: { title, description }, categories: [[{ name: own.at(-1) ?? "" }]] };
    const outcome = fields.read(document, new TextEncoder().encode(JSON.stringify(document)));
    if (outcome.status !== "indexable") throw new Error(`product ${i} is ${outcome.status}`);
    builder.add(outcome.product);
  }
  const reader = Reader.of([openSegment(builder.finish().index)]);
  const tenant = builtInTenantConfig("bench", ["bench"]);

  const shares = new Map<string, number[]>(KINDS.map((kind) => [kind, []]));
  for (let i = 0; i < QUERIES; i++) {
    const [quality, thing] = [pick(qualities), pick(things)];
    for (const kind of KINDS) {
      const asked = kind === "thing" ? [thing] : [quality, thing];
      const isRight = (own: ReadonlySet<string>): boolean => asked.every((word) => own.has(word));
      const right = Math.min(PAGE, words.filter(isRight).length);
      if (right === 0) continue;
      const q = written(asked, () => (kind === "together" ? "" : " "));
      const parameters = new URLSearchParams({ q, limit: String(PAGE) });
      const { hits } = search(reader, parseSearchParameters(parameters.toString()), tenant, fields);
      shares.get(kind)?.push(hits.filter(({ id }) => isRight(words[Number(id)])).length / right);
    }
  }
  return [...shares]
    .map(([kind, of]) => `${kind} ${(of.reduce((sum, one) => sum + one, 0) / of.length).toFixed(3)}`)
    .join("   ");
}
