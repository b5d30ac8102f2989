/** Country, language and currency of a document, from marks that tell; votes, never a default. */
import { currencyMarksIn, currencyOfCountry, currencyOfMarkIn } from '../../lexicon/currencies.ts'
import { capitals } from '../../lexicon/fold.ts'
import { MATRICULE_FISCAL } from '../../lexicon/identifiers.ts'
import type { DocumentText } from '../../model/document.ts'
import type { RowMoney } from '../marks/row-money.ts'
import type { Scored } from '../days/issued-at.ts'
import type { FoundTaxId } from '../marks/tax-ids.ts'

/**
 * The name of a country whose invoices are in the words of those of France: it outweighs these words,
 * once, unless France itself is named too, which may sell there.
 */
const namedBesideFrench = (names: string): RegExp =>
  new RegExp(String.raw`^(?![^]*\b(?:FRANCE|SIRET|SIREN|CEDEX)\b)[^]*\b(?:${names})\b`, 'g')

const SIGNS: readonly [string, RegExp, number][] = [
  [
    'MY',
    /\b(?:SDN\.? ?BHD|MALAYSIA|SELANGOR|JOHOR|KUALA LUMPUR|PULAU PINANG|PENANG|PETALING JAYA|SHAH ALAM|JALAN|JLN|PERSIARAN|LORONG|LEBUH|SEKSYEN|TAMAN|IPOH|KLANG|SEREMBAN|N\. ?SEMBILAN|KUANTAN|KUCHING|KOTA KINABALU|SKUDAI|PUCHONG|MELAKA|PERAK|SABAH|SARAWAK|KEDAH|NEGERI SEMBILAN|PAHANG)\b/g,
    1.5,
  ],
  ['MY', /\bRM ?\d/g, 1],
  ['SG', /\b(?:PTE\.? ?LTD|SINGAPORE)\b/g, 2],
  [
    'KE',
    /\b(?:KENYA|NAIROBI|MOMBASA|KISUMU|NAKURU|KRA|M-?PESA|ELDORET|THIKA)\b|\bKSHS?\b|\bKES\b/g,
    1.5,
  ],
  ['UG', /\b(?:UGANDA|KAMPALA|ENTEBBE|URA|UGX|EFRIS)\b/g, 2],
  ['TZ', /\b(?:TANZANIA|DAR ES SALAAM|ARUSHA|TZS|TRA|VRN|MWANZA|DODOMA)\b/g, 1.5],
  ['NG', /\b(?:NIGERIA|LAGOS|ABUJA|NGN|FIRS|IBADAN)\b|₦/g, 2],
  ['GH', /\b(?:GHANA|ACCRA|GHS|GRA)\b|GH₵/g, 2],
  ['RW', /\b(?:RWANDA|KIGALI|RWF)\b/g, 2],
  [
    'ZA',
    /\b(?:SOUTH AFRICA|JOHANNESBURG|CAPE TOWN|DURBAN|PRETORIA|SANDTON|ZAR|GAUTENG|RSA|SOWETO|STELLENBOSCH|POLOKWANE|BLOEMFONTEIN)\b|\(PTY\) LTD\b|\bR ?\d+[.,]\d{2}\b/g,
    2,
  ],
  [
    'GB',
    /\b(?:UNITED KINGDOM|ENGLAND|LONDON|SCOTLAND|WALES|GB ?\d{9})\b|£ ?\d|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/g,
    1.2,
  ],
  [
    'GB',
    /(?:,|^) ?[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|\bVAT (?:REG(?:ISTRATION)?|NO)\b.*\b\d{3} ?\d{4} ?\d{2}\b/gm,
    0.8,
  ],
  [
    'ID',
    /\b(?:INDONESIA|NPWP|KASIR|KEMBALI(?:AN)?|TELP|JAKARTA|BANDUNG|SURABAYA|TANGERANG|BEKASI|PPN|PB ?1|BALI|DENPASAR|MEDAN|SEMARANG|YOGYAKARTA|BELANJA|TBK|DISKON|OVO|GOPAY|SHOPEEPAY|LINKAJA|QRIS|PAJAK|TUNAI BAYAR|PELANGGAN|BCA|MANDIRI)\b|\bRP\.? ?\d|^(?:PT|CV)\. /gm,
    1,
  ],
  [
    'PH',
    /\b(?:PHILIPPINES|MANILA|QUEZON CITY|MAKATI|CEBU|DAVAO|TAGUIG|PASIG|VATABLE SALES|VAT-EXEMPT SALES|PHP)\b|₱/g,
    1.5,
  ],
  ['TH', /\b(?:THAILAND|BANGKOK|PHUKET|CHIANG MAI|THB|BAHT)\b|฿/g, 2],
  ['HK', /\b(?:HONG KONG|KOWLOON|TSIM SHA TSUI|MONG KOK|HKD)\b|HK\$/g, 2],
  ['VN', /\b(?:VIETNAM|VIET NAM|HANOI|HA NOI|VND)\b|₫/g, 2],
  ['IE', /\b(?:IRELAND|DUBLIN)\b/g, 2],
  [
    'US',
    /\b(?:USA|U\.S\.A|UNITED STATES|SALES TAX|NEW YORK|CALIFORNIA|TEXAS|FLORIDA|CHICAGO|SEATTLE|SAN FRANCISCO)\b|,? (?:AL|AK|AZ|AR|CA|CO|CT|DC|FL|GA|IA|ID|IL|IN|KS|KY|LA|MA|MD|ME|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY),? \d{5}\b/g,
    2,
  ],
  [
    'CA',
    /\b(?:CANADA|TORONTO|VANCOUVER|MONTREAL|ONTARIO|QUEBEC|ALBERTA|EDMONTON|CALGARY|WINNIPEG|OTTAWA|HST|QST)\b|, (?:AB|BC|MB|NB|NS|ON|PE|QC|SK)$|\b[A-Z]\d[A-Z] \d[A-Z]\d\b/gm,
    2,
  ],
  [
    'AU',
    /\b(?:AUSTRALIA|ABN|SYDNEY|MELBOURNE|BRISBANE|PTY\.? LTD|NSW|QLD)\b|\b(?:VIC|WA|SA) \d{4}\b/g,
    1.5,
  ],
  ['NZ', /\b(?:NEW ZEALAND|AUCKLAND|WELLINGTON|CHRISTCHURCH|NZD)\b/g, 2],
  [
    'IN',
    /\b(?:INDIA|GSTIN|CGST|SGST|MUMBAI|DELHI|BANGALORE|BENGALURU|CHENNAI|HYDERABAD|PUNE|KARNATAKA|MAHARASHTRA|INR)\b|₹|\(RS\.?\)|[A-Z]{4,} ?-? ?[1-8]\d{5}$/gm,
    1.5,
  ],
  [
    'DE',
    /\b(?:DEUTSCHLAND|GERMANY|BERLIN|HAMBURG|MUNCHEN|FRANKFURT|GMBH|MWST|RECHNUNG|STEUERNUMMER|UST-?ID|HRB|AMTSGERICHT|STRASSE)\b/g,
    0.9,
  ],
  ['AT', /\b(?:OSTERREICH|AUSTRIA|WIEN|GRAZ|SALZBURG|ATU\d{8})\b/g, 2.5],
  ['CH', /\b(?:SCHWEIZ|SUISSE|SWITZERLAND|ZURICH|GENEVE|CHF|CHE-)\b/g, 2],
  ['FR', /\b(?:FRANCE|PARIS|LYON|MARSEILLE|SIRET|SIREN|TVA|CEDEX|TTC|SARL|FACTURE)\b/g, 1],
  ['TN', namedBesideFrench('TUNIS(?:IE|IA)?'), 3.5],
  ['TN', new RegExp(MATRICULE_FISCAL, 'g'), 3.5],
  ['TN', /\b(?:SFAX|SOUSSE|BIZERTE|TND)\b|\d ?DT\b/g, 2],
  ['DZ', namedBesideFrench('ALGER(?:IE|IA)?'), 3.5],
  ['DZ', /\b(?:ORAN|ANNABA|DZD)\b|\d ?DA\b/g, 2],
  ['MA', namedBesideFrench('MAROC|MOROCCO'), 3.5],
  ['MA', /\b(?:CASABLANCA|MARRAKECH|AGADIR|TANGER)\b|\d ?DHS?\b/g, 1.5],
  ['SN', namedBesideFrench('SENEGAL|DAKAR|NINEA'), 3.5],
  ['CI', namedBesideFrench("COTE D ?'?IVOIRE|ABIDJAN"), 3.5],
  ['BJ', namedBesideFrench('COTONOU'), 3.5],
  ['TG', namedBesideFrench('TOGO|LOME'), 3.5],
  ['BF', namedBesideFrench('BURKINA(?: FASO)?|OUAGADOUGOU'), 3.5],
  ['ML', namedBesideFrench('BAMAKO'), 3.5],
  ['NE', namedBesideFrench('NIAMEY'), 3.5],
  ['CM', namedBesideFrench('CAMEROUN|DOUALA|YAOUNDE'), 3.5],
  ['GA', namedBesideFrench('GABON|LIBREVILLE'), 3.5],
  ['CG', namedBesideFrench('BRAZZAVILLE'), 3.5],
  ['TD', namedBesideFrench("N'?DJAMENA"), 3.5],
  [
    'BE',
    /\b(?:BELGIE|BELGIQUE|BELGIUM|BRUXELLES|BRUSSEL|ANTWERPEN|BE ?0\d{3}\.?\d{3}\.?\d{3})\b/g,
    2.5,
  ],
  ['NL', /\b(?:NEDERLAND|NETHERLANDS|AMSTERDAM|ROTTERDAM|UTRECHT|KVK|BTW|FACTUUR)\b/g, 1],
  ['ES', /\b(?:ESPANA|SPAIN|MADRID|BARCELONA|VALENCIA|SEVILLA|CIF|NIF|FACTURA|EFECTIVO)\b/g, 1],
  [
    'IT',
    /\b(?:ITALIA|ITALY|ROMA|MILANO|TORINO|NAPOLI|P\.? ?IVA|PARTITA IVA|SCONTRINO|FATTURA|TOTALE|DOCUMENTO COMMERCIALE)\b/g,
    1,
  ],
  ['PT', /\b(?:PORTUGAL|LISBOA|PORTO|CONTRIBUINTE|NIPC|FATURA|LDA|ATCUD|MULTIBANCO)\b/g, 1.2],
  [
    'SE',
    /\b(?:SVERIGE|SWEDEN|STOCKHOLM|GOTEBORG|MALMO|BANKGIRO|MOMSREG|ORESAVRUNDNING|ATT BETALA|VARAV|[A-Z]*KVITTO|FORFALLODATUM|UPPSALA)\b|\bSE\d{12}\b/g,
    1.5,
  ],
  [
    'DK',
    /\b(?:DANMARK|DENMARK|KOBENHAVN|AARHUS|ODENSE|CVR|HERAF MOMS|DANKORT|MOBILEPAY|I ALT)\b|\bDK ?\d{8}\b/g,
    1.5,
  ],
  ['NO', /\b(?:NORGE|NORWAY|OSLO|BERGEN|TRONDHEIM|MVA|FORFALLSDATO|KONTONUMMER|HERAV)\b/g, 1.5],
  ['FI', /\b(?:SUOMI|FINLAND|HELSINKI|TAMPERE|TURKU|ALV|Y-TUNNUS|LASKU)\b/g, 1.5],
  ['PL', /\b(?:POLSKA|POLAND|WARSZAWA|KRAKOW|GDANSK|NIP|REGON|FAKTURA VAT|SP\. ?Z ?O\.?O)\b/g, 1.5],
  ['CZ', /\b(?:CESKA REPUBLIKA|CZECH REPUBLIC|PRAHA|BRNO|DPH|DIC|S\.R\.O)\b/g, 1.2],
  ['HU', /\b(?:MAGYARORSZAG|HUNGARY|BUDAPEST|ADOSZAM|AFA|KFT|ZRT)\b/g, 1.5],
  [
    'RO',
    /\b(?:ROMANIA|BUCURESTI|CLUJ|CIF: RO|FACTURA FISCALA|FURNIZOR|CUMPARATOR|LEI)\b|\bRO ?\d{7,9}\b/g,
    1.5,
  ],
  ['TR', /\b(?:TURKIYE|TURKEY|ISTANBUL|ANKARA\/|IZMIR|KDV|VKN|TCKN|VERGI)\b/g, 1.5],
  ['BR', /\b(?:BRASIL|CNPJ|SAO PAULO|RIO DE JANEIRO|CUPOM)\b|R\$/g, 2],
  ['MX', /\b(?:MEXICO|RFC|MXN|CDMX|C\.V\.)\b/g, 1.5],
  ['AE', /\b(?:UAE|U\.A\.E|DUBAI|ABU DHABI|SHARJAH|AED|TRN)\b|درهم|دبي|ابوظبي|الشارقه|الامارات/g, 2],
  [
    'SA',
    /\b(?:SAUDI|RIYADH|JEDDAH|DAMMAM|SAR)\b|\b3\d{13}3\b|\bMADA\b|ريال|الرياض|جدة|السعودية/g,
    2,
  ],
  ['EG', /\b(?:EGYPT|CAIRO|ALEXANDRIA|EGP)\b|جنيه|القاهرة|الاسكندرية/g, 2],
  ['JP', /[\p{Script=Hiragana}\p{Script=Katakana}]{2}|消費税|領収|登録番号|円/gu, 1.5],
  ['CN', /微信|支付宝|合计|总计|应收|应付|单价|谢谢|发票|收银|惠顾|人民币/g, 1.2],
  ['TW', /統一編號|電子發票|統編|營業稅|悠遊卡|載具|隨機碼|臺北|台北|NT\$/g, 2.5],
  ['HK', /香港|九龍|八達通|新界|加一服務費/g, 2.5],
  ['KR', /\p{Script=Hangul}{3}/gu, 1.5],
  ['TH', /\p{Script=Thai}{4}|TAX INVOICE ?\(ABB\)|\bTAX ID[ .:#]*0\d{12}\b/gu, 2],
  ['IL', /\p{Script=Hebrew}{3}/gu, 1.5],
  ['GR', /\p{Script=Greek}{4}/gu, 1.5],
  ['UA', /ГРН|УКРАИНА|КИІВ|КИЇВ|ПДВ/g, 2],
  ['RU', /РУБ|НДС|МОСКВА|РОССИЯ|САНКТ-ПЕТЕРБУРГ|\bООО\b|ИТОГ|ИНН|КАССОВЫЙ|НАЛИЧНЫМИ/g, 1.2],
  ['BG', /ДДС|СОФИЯ|БЪЛГАРИЯ|ЕИК|ЕООД/g, 2],
  [
    'VN',
    /\b(?:HOA DON|TIEN MAT|TONG CONG|THANH TOAN|KHACH|HO CHI MINH|SAI GON|TP\. ?HCM|CONG TY)\b/g,
    1.5,
  ],
  ['TR', /\b(?:TOPLAM|NAKIT|FIS NO|TARIH|VERGI|TCKN|PARA USTU|A\.S\.|LTD\. STI)/g, 1],
  ['CO', /\b(?:COLOMBIA|BOGOTA|MEDELLIN|CALI|BARRANQUILLA|NIT|DIAN|IMPOCONSUMO)\b/g, 1.5],
  ['AR', /\b(?:ARGENTINA|BUENOS AIRES|CUIT|C\.U\.I\.T|CABA)\b/g, 1.5],
  ['CL', /\b(?:CHILE|SANTIAGO|R\.U\.T|RUT|BOLETA ELECTRONICA)\b/g, 1.2],
  ['PE', /\b(?:PERU|LIMA|R\.U\.C|RUC|IGV|I\.G\.V)\b/g, 1.2],
]
const CAP = 3

/** ISO country with its confidence, or null when the signs are few or divided. */
export function findCountry(document: DocumentText, taxIds: FoundTaxId[]): Scored<string> | null {
  const upper = capitals(document.rows.map((r) => r.text).join('\n'))
  const votes = new Map<string, number>()
  for (const [country, pattern, weight] of SIGNS) {
    const hits = Math.min([...upper.matchAll(pattern)].length, CAP)
    if (hits > 0) votes.set(country, (votes.get(country) ?? 0) + hits * weight)
  }
  const own = taxIds.find((id) => id.country !== null)
  if (own?.country) votes.set(own.country, (votes.get(own.country) ?? 0) + 3)
  const ranked = [...votes].toSorted((a, b) => b[1] - a[1])
  const [best, second] = ranked
  if (!best || best[1] < 1.5) return null
  const margin = best[1] - (second?.[1] ?? 0)
  if (margin < 0.4) return null
  return {
    value: best[0],
    confidence: best[1] >= 4 && margin >= 2 ? 0.95 : best[1] >= 2.5 ? 0.85 : 0.65,
  }
}

/** ISO currency: marks beside amounts, then marks anywhere, then what the country uses. */
export function findCurrency(
  document: DocumentText,
  entries: RowMoney[],
  country: Scored<string> | null,
): Scored<string> | null {
  const votes = new Map<string, number>()
  const vote = (code: string | null, weight: number): void => {
    if (code) votes.set(code, (votes.get(code) ?? 0) + weight)
  }
  for (const entry of entries)
    for (const { mark } of entry.amounts)
      if (mark) vote(currencyOfMarkIn(mark, country?.value ?? null), 1)
  const adjacent = [...votes.values()].reduce((a, b) => a + b, 0)
  for (const row of document.rows) for (const code of currencyMarksIn(row.text)) vote(code, 0.6)
  // A lone symbol in a head ("Amount ($)", "Total €").
  for (const row of document.rows) {
    const lone = /(?:\(|\bin |\btotal |\bamount )\s?([$€£₹₦])\s?(?:\)|$|\s)/i.exec(row.text)
    if (lone) vote(currencyOfMarkIn(lone[1]!, country?.value ?? null), 0.8)
  }
  const local = country ? currencyOfCountry(country.value) : null
  if (local && votes.has(local)) vote(local, 0.5)
  // A dollar sign on a till in a country with an own currency is its own currency.
  const ranked = [...votes].toSorted((a, b) => b[1] - a[1])
  const best = ranked[0]
  if (best)
    return { value: best[0], confidence: adjacent >= 2 ? 0.96 : best[1] >= 1.5 ? 0.92 : 0.8 }
  if (local && country && country.confidence >= 0.65) return { value: local, confidence: 0.8 }
  return null
}

const LANGUAGES: readonly [string, RegExp][] = [
  ['en', /\b(?:THE|TOTAL|AMOUNT|DATE|INVOICE|RECEIPT|CASH|CHANGE|THANK|YOU|PRICE|TAX|DUE|BILL)\b/g],
  [
    'de',
    /\b(?:RECHNUNG|SUMME|BETRAG|DATUM|MWST|UST|NETTO|BRUTTO|VIELEN|DANK|UND|BAR|MENGE|GESAMT|STEUER|IHRE)\b/g,
  ],
  [
    'fr',
    /\b(?:FACTURE|MONTANT|TVA|TTC|HT|MERCI|DATE|ESPECES|CLIENT|QUANTITE|PRIX|NET|PAYER|VOTRE|ET|DE|LA)\b/g,
  ],
  [
    'nl',
    /\b(?:FACTUUR|BEDRAG|BTW|TOTAAL|DATUM|BEDANKT|AANTAL|EN|UW|KLANT|CONTANT|WISSELGELD|OMSCHRIJVING)\b/g,
  ],
  [
    'es',
    /\b(?:FACTURA|IMPORTE|IVA|FECHA|GRACIAS|EFECTIVO|CAMBIO|CANTIDAD|PRECIO|CLIENTE|BASE|IMPONIBLE|POR|SU)\b/g,
  ],
  [
    'it',
    /\b(?:FATTURA|TOTALE|IVA|DATA|GRAZIE|CONTANTE|CONTANTI|RESTO|QUANTITA|PREZZO|IMPONIBILE|SCONTRINO|COMPLESSIVO|DOCUMENTO)\b/g,
  ],
  [
    'pt',
    /\b(?:FATURA|IVA|OBRIGADO|DINHEIRO|TROCO|QTD|PRECO|VALOR|CONTRIBUINTE|DESCRICAO|ILIQUIDO|PELA)\b/g,
  ],
  [
    'sw',
    /\b(?:JUMLA|RISITI|ANKARA|TAREHE|ASANTE|KARIBU|BEI|IDADI|MTEJA|TASLIMU|CHENJI|KODI|BIDHAA)\b/g,
  ],
  ['ms', /\b(?:JUMLAH|TUNAI|BAKI|RESIT|TERIMA|KASIH|TARIKH|HARGA|CUKAI|INVOIS|SILA)\b/g],
]

/** BCP 47-like hints: the main language, with the country where known, then the country's own. */
export function localeHints(document: DocumentText, country: string | null): string[] {
  const upper = capitals(document.rows.map((r) => r.text).join('\n'))
  const scored = LANGUAGES.map(([language, pattern]) => ({
    language,
    hits: new Set([...upper.matchAll(pattern)].map((m) => m[0])).size,
  })).toSorted((a, b) => b.hits - a.hits)
  const hints: string[] = []
  for (const { language, hits } of scored.slice(0, 2))
    if (hits >= 2 && (hints.length === 0 || hits >= 4))
      hints.push(country ? `${language}-${country}` : language)
  return hints
}
