/** Currency marks as they stand beside amounts, and what a bare symbol means in which country. */
import { CURRENCY_OF_COUNTRY } from './country-currencies.ts'

/** Marks that name one currency. Longer ones first where one begins with another. */
const EXACT: readonly [string, string][] = [
  ['US$', 'USD'],
  ['USD$', 'USD'],
  ['U$S', 'USD'],
  ['A$', 'AUD'],
  ['AU$', 'AUD'],
  ['C$', 'CAD'],
  ['CA$', 'CAD'],
  ['S$', 'SGD'],
  ['SG$', 'SGD'],
  ['HK$', 'HKD'],
  ['NZ$', 'NZD'],
  ['NT$', 'TWD'],
  ['R$', 'BRL'],
  ['MX$', 'MXN'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
  ['₦', 'NGN'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['₫', 'VND'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['₽', 'RUB'],
  ['₸', 'KZT'],
  ['₼', 'AZN'],
  ['₾', 'GEL'],
  ['֏', 'AMD'],
  ['₮', 'MNT'],
  ['₭', 'LAK'],
  ['៛', 'KHR'],
  ['₪', 'ILS'],
  ['₵', 'GHS'],
  ['GH₵', 'GHS'],
  ['GHC', 'GHS'],
  ['KSH', 'KES'],
  ['KSHS', 'KES'],
  ['K.SH', 'KES'],
  ['TSH', 'TZS'],
  ['TSHS', 'TZS'],
  ['USH', 'UGX'],
  ['USHS', 'UGX'],
  ['RM', 'MYR'],
  ['RP', 'IDR'],
  ['ZŁ', 'PLN'],
  ['KČ', 'CZK'],
  ['FT', 'HUF'],
  ['FRW', 'RWF'],
  ['FCFA', 'XOF'],
  ['CFA', 'XOF'],
  ['RMB', 'CNY'],
  ['EURO', 'EUR'],
  ['EUROS', 'EUR'],
  ['DHS', 'AED'],
  ['DT', 'TND'],
  ['CHF', 'CHF'],
  ['TL', 'TRY'],
  ['ZL', 'PLN'],
  ['KC', 'CZK'],
  ['SFR', 'CHF'],
  ['円', 'JPY'],
  ['원', 'KRW'],
  ['บาท', 'THB'],
  ['درهم', 'AED'],
  ['ريال', 'SAR'],
  ['ر.س', 'SAR'],
  ['د.إ', 'AED'],
  ['ج.م', 'EGP'],
  ['جنيه', 'EGP'],
  ['د.ك', 'KWD'],
  ['ГРН', 'UAH'],
  ['₴', 'UAH'],
  ['РУБ', 'RUB'],
  ['ЛВ', 'BGN'],
  ['ש"ח', 'ILS'],
  ['Đ', 'VND'],
  ['VNĐ', 'VND'],
  ['ĐỒNG', 'VND'],
  ['COP$', 'COP'],
  ['S/.', 'PEN'],
]
const CODES = [
  'USD',
  'EUR',
  'GBP',
  'MYR',
  'KES',
  'UGX',
  'TZS',
  'NGN',
  'ZAR',
  'GHS',
  'INR',
  'AUD',
  'NZD',
  'CAD',
  'SGD',
  'HKD',
  'CHF',
  'SEK',
  'NOK',
  'DKK',
  'PLN',
  'CZK',
  'HUF',
  'BGN',
  'JPY',
  'CNY',
  'THB',
  'IDR',
  'PHP',
  'VND',
  'KRW',
  'TWD',
  'AED',
  'SAR',
  'QAR',
  'EGP',
  'RWF',
  'ETB',
  'ZMW',
  'BWP',
  'MZN',
  'AOA',
  'XOF',
  'XAF',
  'BRL',
  'MXN',
  'ARS',
  'CLP',
  'ILS',
  'RUB',
  'TRY',
  'RON',
  'RSD',
  'UAH',
  'PKR',
  'LKR',
  'BDT',
  'NPR',
  'MUR',
  'NAD',
  'ISK',
  'MWK',
  'BIF',
  'CDF',
  'GNF',
  'MGA',
  'XPF',
  'KZT',
  'UZS',
  'KGS',
  'AZN',
  'BYN',
  'MDL',
  'MNT',
  'KHR',
  'MMK',
  'PYG',
  'COP',
  'CLP',
  'UYU',
  'EGP',
  'KWD',
  'OMR',
  'JOD',
  'TND',
  'DZD',
] as const
/** Marks that several countries share: the country decides. */
const SHARED: readonly string[] = [
  '$',
  'KR',
  'RS',
  'R',
  '¥',
  'SH',
  'SHS',
  'N',
  'LEI',
  'BR',
  'DH',
  'DA',
  'MAD',
  '元',
  '圓',
]

const BY_MARK = new Map<string, string>([...EXACT, ...CODES.map((c): [string, string] => [c, c])])

const clean = (mark: string): string =>
  mark
    .toUpperCase()
    .replaceAll(/[\s.]+$/g, '')
    .replace('₵.', '₵')

/** ISO code of an unambiguous mark ("RM", "KSh.", "EUR"), else null. */
function currencyOfMark(mark: string): string | null {
  return BY_MARK.get(clean(mark)) ?? null
}

/** Currencies whose sums are printed with a bare dollar sign. */
const DOLLAR_SIGNED: ReadonlySet<string> = new Set([
  'AUD',
  'CAD',
  'NZD',
  'SGD',
  'HKD',
  'MXN',
  'MYR',
  'TWD',
  'COP',
  'ARS',
  'CLP',
])

/** What a mark means in a country: those that several share by the country, the others everywhere. */
export const currencyOfMarkIn = (mark: string, country: string | null): string | null =>
  currencyOfSharedMark(mark, country) ?? currencyOfMark(mark)

/** What a shared mark ("$", "kr") means in a country; null when the country does not use it. */
function currencyOfSharedMark(mark: string, country: string | null): string | null {
  const sign = clean(mark)
  const local = country ? (CURRENCY_OF_COUNTRY[country] ?? null) : null
  switch (sign) {
    case '$':
      if (local && DOLLAR_SIGNED.has(local)) return local
      return 'USD'
    case 'KR':
      return local && ['SEK', 'NOK', 'DKK'].includes(local) ? local : null
    case 'RS':
      return local && ['INR', 'PKR', 'LKR'].includes(local) ? local : 'INR'
    case '¥':
      return local === 'CNY' ? 'CNY' : 'JPY'
    case '元':
    case '圓':
      return local && ['CNY', 'TWD', 'HKD'].includes(local) ? local : 'CNY'
    case 'SH':
    case 'SHS':
      return local && ['KES', 'UGX', 'TZS'].includes(local) ? local : null
    case 'FCFA':
    case 'CFA':
      return local === 'XAF' ? local : 'XOF'
    case 'R':
      return local === 'ZAR' ? 'ZAR' : null
    case 'N':
      return local === 'NGN' ? 'NGN' : null
    case 'BR':
      return local === 'ETB' ? 'ETB' : null
    // "Da" is a word in Italy and "mad" one in Denmark. A paper in French that names no other country
    // is taken for one of France, which has no such mark.
    case 'DA':
      return country === 'DZ' || country === 'FR' ? 'DZD' : null
    case 'MAD':
      return country === 'MA' || country === 'FR' ? 'MAD' : null
    case 'DH':
    case 'DHS':
      if (country === 'MA' || country === 'FR') return 'MAD'
      return local === 'AED' ? 'AED' : null
    default:
      return null
  }
}

export function currencyOfCountry(country: string): string | null {
  return CURRENCY_OF_COUNTRY[country] ?? null
}

const escape = (text: string): string => text.replaceAll(/[$.|?*+()[\]{}\\^]/g, String.raw`\$&`)
const ALL = [...new Set([...EXACT.map(([m]) => m), ...CODES, ...SHARED])].toSorted(
  (a, b) => b.length - a.length,
)

/** Source of a regular expression group for any mark; letters need a border on the outer side. */
export const MARK_SOURCE = ALL.map(escape).join('|')

/** The same for marks that stand behind or before a number even where its thousands are parted by spaces. */
export const NUMBER_MARK_SOURCE = [...EXACT.map(([m]) => m), ...CODES, '$', 'KR']
  .toSorted((a, b) => b.length - a.length)
  .map(escape)
  .join('|')

const LOOSE = new RegExp(
  String.raw`(?<![\p{L}\d])(${[...EXACT.map(([m]) => m), ...CODES]
    .toSorted((a, b) => b.length - a.length)
    .map(escape)
    .join('|')})(?![\p{L}])`,
  'giu',
)
/** A word that names neither a sum nor a price. */
const NAME_BEFORE =
  /(?<!\p{L})(?!(?:TOTAL|AMOUNT|PRICE|VAT|TAX|DUE|NET|SUM|PAID|BALANCE|CASH|CURRENCY|VALUE|IN) )\p{L}{2,} $/iu

/** Unambiguous marks anywhere in a text ("Amount (KES)", "TOTAL RM"), in order, as ISO codes. */
export function currencyMarksIn(text: string): string[] {
  const found: string[] = []
  if (/\b(?:total[eo]?|importe|montant|en|in) \(?euros?\b/i.test(text)) found.push('EUR')
  for (const match of text.matchAll(LOOSE)) {
    const mark = match[1]!
    // "Atatürk Cad." is a Turkish street.
    if (mark === 'CAD' && text[match.index + 3] === '.') continue
    if (/^cad$/i.test(mark) && mark !== 'CAD') continue
    // A lower-case "rp", "ft" or "rm" is a word; symbols and capitals are marks.
    if (/^[a-z]/.test(mark) && !/^(ksh|tsh|ush|euro)/i.test(mark)) continue
    // Two letters name articles and makers as well; beside an amount they count.
    if (/^(?!RM$)[A-Z]{2}$/i.test(mark)) continue
    // These are words and names as well; beside an amount they count, alone they do not.
    if (/^(FT|RP|CFA|EUROS?|ALL|TOP)$/i.test(mark)) continue
    // "Hong Kong SAR", and a dish of that name.
    if (
      mark === 'SAR' &&
      (NAME_BEFORE.test(text.slice(0, match.index)) ||
        /^ \p{L}{3}/u.test(text.slice(match.index + 3)))
    )
      continue
    const code = currencyOfMark(mark)
    if (code) found.push(code)
  }
  return found
}
