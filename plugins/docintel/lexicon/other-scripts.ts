/**
 * Words of receipts and invoices in Chinese, Japanese, Korean, Thai, Arabic, Hebrew, Cyrillic and
 * Greek: labels of amounts, titles, company forms, talk. Compared without spaces, folded as the
 * texts are ("合 計" is "合計"), because those scripts part words otherwise or not at all.
 */
import { capitals } from './fold.ts'
import type { Column } from './column.ts'
import type { MoneyLabel } from './money-label.ts'

const OTHER_LETTER = /[\u0370-\u1FFF\u2E80-\uD7AF\uF900-\uFAFF]/
const IDEOGRAPH = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/g

/** Whether a text has letters of one of those scripts. */
export const hasOtherScript = (text: string): boolean => OTHER_LETTER.test(text)

/** Letters of any script; a Chinese or Korean character says as much as two or three Latin ones. */
export const letterWeight = (text: string): number =>
  text.replaceAll(/[^\p{L}\p{Mn}]/gu, '').length +
  2 * (text.normalize('NFC').match(IDEOGRAPH)?.length ?? 0)

const escaped = (word: string): string => word.replaceAll(/[.*+?^$()[\]{}|\\]/g, String.raw`\$&`)
/** Without spaces and marks, as labels are compared. */
const squeezed = (text: string): string => capitals(text).replaceAll(/[^\p{L}%]/gu, '')
const anyOf = (words: string): RegExp =>
  new RegExp(words.split(' ').map(squeezed).map(escaped).join('|'))
const exactly = (words: string): RegExp =>
  new RegExp(`^(?:${words.split(' ').map(squeezed).map(escaped).join('|')})$`)

/** In order: what contains the word for a sum but is none comes first. */
const MONEY: readonly (readonly [MoneyLabel, RegExp])[] = [
  ['total_inclusive', anyOf('价税合计 價稅合計 小写 小寫')],
  [
    'other',
    anyOf(
      'ผู้เสียภาษี ใบกำกับภาษี ใบเสร็จ الرقمالضريبي فاتورةضريبية ИНН 登録番号 纳税人 納稅人 统一编号 統一編號 사업자 残高 余额 餘額 잔액 単価 单价 單價 단가 ポイント 积分 積分 포인트 大写 大寫 ПРОПИСЬЮ 有効期限',
    ),
  ],
  [
    'count',
    anyOf(
      '点数 數量 数量 件数 件數 人数 人數 수량 인원 จำนวนรายการ จำนวนชิ้น عددالأصناف الكمية КОЛИЧЕСТВО КОЛВО ПОЗИЦИЙ כמות ΠΟΣΟΤΗΤΑ ΤΕΜΑΧΙΑ',
    ),
  ],
  ['rounding', anyOf('抹零 四舍五入 舍入 端数 ปัดเศษ 절사 تقريب ОКРУГЛ עיגול')],
  [
    'discount',
    anyOf(
      '割引 値引 优惠 優惠 折扣 折讓 折让 满减 立减 節省 节省 할인 ส่วนลด خصم СКИДК ЗНИЖК ОТСТЪПКА הנחה ΕΚΠΤΩΣ',
    ),
  ],
  [
    'change',
    anyOf(
      'お釣 おつり 釣銭 釣り 找零 找赎 找續 找回 거스름 เงินทอน ทอน الباقي المتبقي СДАЧА РЕШТА РЕСТО עודף ΡΕΣΤΑ',
    ),
  ],
  [
    'tendered',
    anyOf(
      'お預 預り 收您 收款金额 받은금액 받은돈 받은현금 รับเงิน รับมา المستلم ПОЛУЧЕНО ВНЕСЕНО התקבל',
    ),
  ],
  [
    'subtotal',
    anyOf(
      '小計 小计 税抜 本体合計 不含税 未稅 소계 공급가 รวมเป็นเงิน ก่อนภาษี المجموعالفرعي قبلالضريبة غيرشامل ПОДЫТОГ ПРОМЕЖУТОЧНЫЙ БЕЗНДС БЕЗПДВ ПІДСУМОК МЕЖДИННА סכוםביניים לפנימעמ ΥΠΟΣΥΝΟΛΟ ΚΑΘΑΡΗΑΞΙΑ',
    ),
  ],
  [
    'total_inclusive',
    anyOf(
      '税込 含税 价税合计 價稅合計 شاملالضريبة شاملضريبة СНДС ЗПДВ כוללמעמ ΜΕΦΠΑ รวมภาษี 부가세포함',
    ),
  ],
  [
    'tax',
    anyOf(
      '消費税 内税 外税 税額 税额 稅額 增值税 營業稅 부가세 부가가치세 세액 ภาษีมูลค่าเพิ่ม ภาษี ضريبة الضريبة НДС ПДВ ДДС מעמ ΦΠΑ',
    ),
  ],
  ['taxable', anyOf('対象 課税 과세 면세 มูลค่าสินค้า')],
  [
    'service',
    anyOf(
      '服务费 服務費 サービス料 奉仕料 봉사료 ค่าบริการ رسومالخدمة ОБСЛУЖИВАНИ דמישירות 加一 茶位 席料',
    ),
  ],
  ['shipping', anyOf('送料 运费 運費 배송비 ค่าจัดส่ง ค่าขนส่ง التوصيل ДОСТАВК משלוח ΜΕΤΑΦΟΡΙΚΑ')],
  [
    'total_payable',
    anyOf(
      'お会計 請求金額 請求額 支払金額 支払額 総合計 総額 应收 應收 应付 應付 实付 實付 實收金額 总计 總計 总额 總額 결제금액 결제할금액 받을금액 청구금액 총금액 총액 합계금액 판매금액 สุทธิ ทั้งสิ้น ยอดชำระ المبلغالمستحق المجموعالكلي الإجماليالكلي إجماليالفاتورة صافيالمبلغ КОПЛАТЕ ДОСПЛАТИ ЗАПЛАЩАНЕ לתשלום ΠΛΗΡΩΤΕΟ ΓΕΝΙΚΟΣΥΝΟΛΟ ΤΕΛΙΚΟΣΥΝΟΛΟ',
    ),
  ],
  ['cash', anyOf('現金 现金 현금 เงินสด نقدا نقدي НАЛИЧН ГОТІВК ВБРОЙ מזומן ΜΕΤΡΗΤΑ')],
  [
    'mobile',
    anyOf('微信 支付宝 支付寶 八達通 悠遊卡 悠游卡 電子マネー 交通系 카카오페이 พร้อมเพย์ 扫码 街口'),
  ],
  [
    'card',
    anyOf(
      'クレジット カード 信用卡 刷卡 银行卡 銀行卡 银联 銀聯 신용카드 카드 บัตร بطاقة مدى КАРТОЙ КАРТА КАРТКА БЕЗНАЛИЧН אשראי ΚΑΡΤΑ',
    ),
  ],
  ['paid', anyOf('实收 實收 已付 已收 ชำระแล้ว المدفوع المبلغالمدفوع ОПЛАЧЕНО שולם')],
  [
    'total',
    anyOf(
      '合計 合计 総計 お買上計 合計金額 金额合计 합계 총계 ยอดรวม รวมเงิน รวมทั้งหมด الإجمالي إجمالي المجموع مجموع ИТОГ ВСЕГО ЗАГАЛОМ РАЗОМ УСЬОГО ОБЩО ОБЩАСУМА סהכ ΣΥΝΟΛΟ',
    ),
  ],
  ['total', exactly('計 计 共計 共计 総 合 금액 รวม รวมยอด СУММА СУМА 金額 金额 المبلغ ΑΞΙΑ')],
]

const LABEL_LETTERS_MAX = 28

/** What a folded label in one of these scripts says about money; null in any other. */
export function classifyOtherScript(folded: string): MoneyLabel | null {
  if (!hasOtherScript(folded)) return null
  const text = squeezed(folded)
  if (text.length > LABEL_LETTERS_MAX) return null
  for (const [label, pattern] of MONEY) if (pattern.test(text)) return label
  return null
}

const HEADS: readonly (readonly [Column, RegExp])[] = [
  ['position', exactly('番号 序号 序號 ลำดับ')],
  ['code', exactly('商品コード 货号 編號 编号 상품코드 รหัส الرمز КОД АРТИКУЛ')],
  [
    'quantity',
    exactly('数量 數量 수량 จำนวน الكمية كمية КОЛИЧЕСТВО КОЛВО КІЛЬКІСТЬ כמות ΠΟΣΟΤΗΤΑ ΠΟΣ'),
  ],
  ['unit', exactly('単位 单位 單位 단위 หน่วย الوحدة ЕД ЕДИЗМ')],
  [
    'unit_price',
    exactly('単価 单价 單價 단가 ราคา ราคาต่อหน่วย หน่วยละ السعر سعرالوحدة ЦЕНА ЦІНА מחיר ΤΙΜΗ'),
  ],
  ['tax', exactly('税率 税額 税额 부가세 ภาษี الضريبة НДС')],
  [
    'amount',
    exactly(
      '金額 金额 小計 小计 合計 合计 금액 합계 จำนวนเงิน รวม ยอดรวม المبلغ الإجمالي المجموع СУММА СТОИМОСТЬ СУМА סכום סהכ ΑΞΙΑ ΣΥΝΟΛΟ',
    ),
  ],
  [
    'description',
    exactly(
      '品名 商品名 商品 品目 項目 项目 内容 摘要 菜名 菜品 名称 품명 상품명 품목 메뉴 รายการ รายการสินค้า الصنف البيان الوصف НАИМЕНОВАНИЕ ТОВАР НАЗВА תיאור פריט ΠΕΡΙΓΡΑΦΗ ΕΙΔΟΣ',
    ),
  ],
]

/** The column that a head in one of these scripts names, or null. */
export function columnOfOtherScript(folded: string, taken: ReadonlySet<Column>): Column | null {
  if (!hasOtherScript(folded)) return null
  const text = squeezed(folded)
  for (const [column, pattern] of HEADS) if (!taken.has(column) && pattern.test(text)) return column
  return null
}

const sourceOf = (words: string): string => words.split(' ').map(capitals).map(escaped).join('|')

/** Titles of receipts and invoices; source for capitals without accents. */
export const OTHER_TITLE_SOURCE = sourceOf(
  '領収証 領収書 レシート 請求書 御請求書 お買上明細 ご利用明細 収据 收据 收據 發票 发票 電子發票證明聯 增值税普通发票 统一发票 統一發票 結帳單 结账单 结帐单 账单 帳單 收银小票 购物小票 小票 销售单 消费单 预结单 영수증 매출전표 세금계산서 계산서 거래명세서 ใบเสร็จรับเงิน ใบเสร็จ ใบกำกับภาษี ใบแจ้งหนี้ فاتورة إيصال КАССОВЫЙ ЧЕК КВИТАНЦИЯ СЧЕТ СЧЁТ РАХУНОК ФАКТУРА ФИСКАЛЕН חשבונית קבלה ΑΠΟΔΕΙΞΗ ΤΙΜΟΛΟΓΙΟ',
)
const TITLES = new RegExp(OTHER_TITLE_SOURCE)
/** Whether a text in capitals names a receipt or invoice in one of these scripts. */
export const namesOtherSale = (upper: string): boolean =>
  hasOtherScript(upper) && TITLES.test(upper)

/** Papers that come before or with a sale, which need no other word in their title. */
const NO_SALE = exactly(
  '采购单 採購單 采购订单 採購訂單 订购单 訂購單 采购合同 採購合約 请购单 請購單 销售订单 銷售訂單 销货单 銷貨單 送货单 送貨單 出货单 出貨單 发货单 發貨單 报价单 報價單 估价单 估價單 询价单 詢價單 装箱单 裝箱單 入库单 出库单 見積書 御見積書 納品書 注文書 発注書 견적서 발주서 납품서',
)
/** Whether a cell in capitals is the title of an offer, an order or a delivery note in one of these scripts. */
export const namesOtherNoSale = (upper: string): boolean =>
  hasOtherScript(upper) &&
  !/\d/.test(upper) &&
  NO_SALE.test(squeezed(upper).replaceAll(/[A-Z]/g, ''))

/** Company forms, where the script needs no space around them. */
export const OTHER_LEGAL_SOURCE =
  sourceOf(
    '株式会社 (株) 有限会社 合同会社 有限公司 股份公司 주식회사 (주) 유한회사 จำกัด บริษัท شركة בע"מ',
  ) +
  String.raw`|(?:^|[\s,("«])(?:ООО|ЗАО|ОАО|ПАО|АО|ИП|ФОП|ТОВ|ЕООД|ООД|Α\.?Ε\.?|Ε\.?Π\.?Ε\.?|Ο\.?Ε\.?|Ι\.?Κ\.?Ε\.?)(?=$|[\s,."»«])`

/** Words that end or open the name of a shop. */
export const OTHER_BUSINESS_SOURCE = sourceOf(
  '店 屋 館 食堂 マート ストア カフェ レストラン 居酒屋 薬局 餐厅 餐廳 饭店 飯店 酒楼 酒樓 面馆 书局 書局 超市 商店 便利店 药房 冰室 茶餐廳 식당 카페 마트 약국 편의점 커피 치킨 ร้าน ครัว กาแฟ مطعم مقهى صيدلية سوبرماركت متجر مخبز МАГАЗИН КАФЕ РЕСТОРАН АПТЕКА СУПЕРМАРКЕТ מסעדה קפה סופר ΕΣΤΙΑΤΟΡΙΟ ΚΑΦΕ ΦΑΡΜΑΚΕΙΟ ΤΑΒΕΡΝΑ',
)

/** Talk to the customer and fields of the till. */
export const OTHER_CHATTER_SOURCE = sourceOf(
  'いらっしゃいませ ありがとう ご来店 毎度 谢谢 謝謝 欢迎 歡迎 光临 光臨 惠顾 惠顧 감사합니다 어서오세요 환영 교환 환불 ขอบคุณ ยินดีต้อนรับ شكرا أهلا СПАСИБО ПОЖАЛОВАТЬ ДЯКУЄМО תודה ΕΥΧΑΡΙΣΤ 電話 电话 登録番号 日期 日付 时间 時間 单号 單號 桌号 桌號 枱號 台号 担当 責任者 レジ 收银 收銀 流水号 テーブル 人数 人數 隨機碼 賣方 買方 統一編號 统一编号 税号 住所 地址 取引 사업자 대표 전화 주소 일시 테이블 주문번호 승인 เลขประจำตัว โทร วันที่ โต๊ะ พนักงาน الرقم التاريخ هاتف عنوان الكاشير ИНН КАССИР СМЕНА ДАТА АДРЕС ТЕЛ. ЧЕК תאריך טלפון ע.מ ח.פ ΑΦΜ Α.Φ.Μ ΔΟΥ ΤΗΛ ΗΜΕΡΟΜΗΝΙΑ',
)

/** Open the part of the buyer, or of the seller, with what follows in their line. */
export const OTHER_BUYER_SOURCE = capitals(
  '(?:购买方|購買方|购方|採購方|采购方|買方|买方|客户|客戶|顾客|買受人|お客様名|고객명|공급받는자|ผู้ซื้อ|ลูกค้า|العميل|المشتري|ПОКУПАТЕЛЬ|ПЛАТЕЛЬЩИК|КЛИЕНТ|ГРУЗОПОЛУЧАТЕЛЬ|ПОЛУЧАТЕЛЬ?(?=[\\s:.]*$)|ЗАКАЗЧИК|ПОКУПЕЦЬ|ЗАМОВНИК|ПЛАТНИК|КУПУВАЧ|ΑΓΟΡΑΣΤΗΣ|ΠΕΛΑΤΗΣ)',
)
export const OTHER_SELLER_SOURCE = capitals(
  '(?:発行者|発行元|請求元|销售方|銷售方|销方|賣方|卖方|供应商|供應商|廠商|营业人|營業人|공급자|ผู้ขาย|البائع|المورد|ПРОДАВЕЦ|ПОСТАВЩИК|ИСПОЛНИТЕЛЬ|ГРУЗООТПРАВИТЕЛЬ|ДОСТАВЧИК|ПРОДАВАЧ|ВИКОНАВЕЦЬ|ΠΩΛΗΤΗΣ|ПОСТАЧАЛЬНИК)',
)

/** Labels of tax numbers. */
export const OTHER_TAX_ID_SOURCE = `(?:${sourceOf(
  '统一社会信用代码/纳税人识别号 统一社会信用代码 纳税人识别号 納稅人識別號 统一编号 統一編號 統編 税号 稅號 登録番号 사업자등록번호 사업자번호',
)})`

/** A tax number, or its label alone, behind a name in one line. */
const TAX_ID_BEHIND = new RegExp(String.raw`(?<=[^\s]{2})[\s,、(/|]*${OTHER_TAX_ID_SOURCE}.*$`)
export const withoutTaxIdBehind = (name: string): string => name.replace(TAX_ID_BEHIND, '')

const STREETS = new RegExp(
  sourceOf(
    "ถนน ซอย แขวง เขต ตำบล อำเภอ จังหวัด กรุงเทพ شارع طريق مدينة الرياض جدة УЛ. УЛИЦА ПРОСПЕКТ ПР-Т ПЕР. БУЛ. ВУЛ. רחוב רח' שדרות ΟΔΟΣ ΛΕΩΦ Τ.Κ.",
  ),
)
const EAST_ASIAN =
  /〒|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,6}[都道府県].{0,40}[市区町村郡]|\d丁目|\d番地?|[\p{Script=Han}]{1,12}(?:省|市|区|區|縣|县).{0,40}(?:路|街|道|巷|弄|号|號)|[路街道巷段]\s?\d+\s?[号號]|\p{Script=Hangul}{1,12}(?:시|도|구|군)\s.{0,40}\p{Script=Hangul}(?:로|길|동|읍|면)/u

/** 0 or 2: whether a line in capitals holds a street or place as these scripts write them. */
export function otherAddressScore(upper: string): number {
  if (!hasOtherScript(upper)) return 0
  return STREETS.test(upper) || EAST_ASIAN.test(upper.normalize('NFC')) ? 2 : 0
}
