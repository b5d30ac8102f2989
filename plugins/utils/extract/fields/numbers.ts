/** Numbers and money as people write them. */

const CURRENCY_SIGNS: readonly [RegExp, string][] = [
  [/\bksh\.?|\bkes\b/i, 'KES'],
  [/\btsh\.?|\btzs\b/i, 'TZS'],
  [/\bush\.?|\bugx\b/i, 'UGX'],
  [/₦|\bngn\b/i, 'NGN'],
  [/gh₵|₵|\bghs\b/i, 'GHS'],
  [/\bzar\b/i, 'ZAR'],
  [/\bR\s?(?=\d)/, 'ZAR'],
  [/US\$|\busd\b/i, 'USD'],
  [/A\$|AU\$|\baud\b/i, 'AUD'],
  [/C\$|CA\$|\bcad\b/i, 'CAD'],
  [/NZ\$|\bnzd\b/i, 'NZD'],
  [/HK\$|\bhkd\b/i, 'HKD'],
  [/S\$|\bsgd\b/i, 'SGD'],
  [/R\$|\bbrl\b/i, 'BRL'],
  [/MX\$|\bmxn\b/i, 'MXN'],
  [/€|\beur\b|\beuros?\b/i, 'EUR'],
  [/£|\bgbp\b/i, 'GBP'],
  [/\bcny\b|\brmb\b|元/i, 'CNY'],
  [/¥|\bjpy\b|円/i, 'JPY'],
  [/₹|\binr\b|\brs\.?\s?(?=\d)/i, 'INR'],
  [/₩|\bkrw\b|원/i, 'KRW'],
  [/₽|\brub\b|руб/i, 'RUB'],
  [/₺|\btry\b|\btl\b/i, 'TRY'],
  [/₴|\buah\b/i, 'UAH'],
  [/₪|\bils\b/i, 'ILS'],
  [/฿|\bthb\b/i, 'THB'],
  [/₫|\bvnd\b/i, 'VND'],
  [/₱|\bphp\b/i, 'PHP'],
  [/zł|\bpln\b/i, 'PLN'],
  [/Kč|\bczk\b/i, 'CZK'],
  [/\bchf\b|\bsfr\.?/i, 'CHF'],
  [/\bsek\b/i, 'SEK'],
  [/\bnok\b/i, 'NOK'],
  [/\bdkk\b/i, 'DKK'],
  [/\baed\b|د\.إ/i, 'AED'],
  [/\bsar\b/i, 'SAR'],
  [/\begp\b/i, 'EGP'],
  [/\bidr\b|\brp\.?\s?(?=\d)/i, 'IDR'],
  [/\bmyr\b|\bRM\s?(?=\d)/, 'MYR'],
  [/\bhuf\b|\bft\b/i, 'HUF'],
  [/\$/, 'USD'],
]

/** The ISO 4217 code of the currency a text names, or null. */
export function currencyIn(text: string): string | null {
  const code = /^[A-Z]{3}$/.exec(text.trim())
  if (code) return code[0]
  for (const [sign, currency] of CURRENCY_SIGNS) if (sign.test(text)) return currency
  return null
}

const NUMBER =
  /[-+−]?\s?(?:\d{1,3}(?:[ \u00a0\u202f'’.,]\d{2,3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d+)?|[.,]\d+)(?!\d)/g

/** The value of digits with separators; which one is the decimal mark follows from their places. */
function valueOf(digits: string, isMachine: boolean): number {
  const plain = digits.replaceAll(/[\s\u00a0\u202f'’]/g, '').replace('−', '-')
  if (isMachine && /^[-+]?\d*\.?\d+$/.test(plain)) return Number(plain)
  const lastDot = plain.lastIndexOf('.')
  const lastComma = plain.lastIndexOf(',')
  const at = Math.max(lastDot, lastComma)
  if (at < 0) return Number(plain)
  const mark = plain[at]!
  const tail = plain.length - at - 1
  const isOnly = plain.indexOf(mark) === at && (lastDot < 0 || lastComma < 0)
  const isZero = /^[-+]?0?[.,]/.test(plain)
  const isDecimal = isOnly ? tail !== 3 || isZero : plain.indexOf(mark) === at
  const whole = plain.slice(0, at).replaceAll(/[.,]/g, '')
  return Number(isDecimal ? `${whole || '0'}.${plain.slice(at + 1)}` : whole + plain.slice(at + 1))
}

/** The first number of a text, with k/m multipliers; null without one. */
export function numberIn(text: string, isMachine = false): number | null {
  const duration = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text.trim())
  if (duration && /\d/.test(text)) {
    const [days, hours, minutes, seconds] = duration.slice(1).map((part) => Number(part ?? 0))
    return days! * 1440 + hours! * 60 + minutes! + Math.round(seconds! / 60)
  }
  NUMBER.lastIndex = 0
  const found = NUMBER.exec(text)
  if (!found) return null
  // The minus of a range or a code ("A-17") is no sign.
  const before = text[found.index - 1] ?? ' '
  const digits = /[\p{L}\d]/u.test(before)
    ? found[0].replace(/^[-+−]\s?/, '')
    : found[0].replace(/^[-+−]\s/, '')
  const value = valueOf(digits, isMachine)
  if (!Number.isFinite(value)) return null
  const after = text.slice(found.index + found[0].length)
  // '12 m' is a length, '$12 m' is money.
  const millions =
    currencyIn(text) === null ? /^\s?(?:mio\b|million)/i : /^\s?(?:m\b(?![²³/])|mio\b|million)/i
  const scale = /^\s?(?:k\b|thousand)/i.test(after)
    ? 1e3
    : millions.test(after)
      ? 1e6
      : /^\s?(?:bn\b|billion)/i.test(after)
        ? 1e9
        : 1
  return scale === 1 ? value : Math.round(value * scale * 100) / 100
}

// A run of figures is bounded: in a table of numbers it is as long as the page, and is tried from each of them.
const MONEY =
  /(?:(?:US|A|AU|C|CA|NZ|HK|S|R|MX)?\$|€|£|¥|₹|₦|₵|₩|₽|₺|₴|₪|฿|₫|₱|\b(?:KSh|KES|USD|EUR|GBP|NGN|ZAR|TZS|UGX|INR|Rs|CHF|SEK|NOK|DKK|PLN|AED|AUD|CAD|Rp|RM)\b\.?)\s?\d[\d.,'’ \u00a0]{0,24}\d|(?:(?:US|A|AU|C|CA|NZ|HK|S|R|MX)?\$|€|£|¥|₹|₦|₵)\s?\d|\d[\d.,'’ \u00a0]{0,24}(?:€|£|₽|zł|Kč|kr\b|EUR\b|USD\b|GBP\b|KES\b|CHF\b|SEK\b|円|元)/

const EVERY_MONEY = new RegExp(MONEY, 'g')
/** What is said before an amount that is not, or no longer, the price. */
const NOT_THE_PRICE =
  /(?:\b(?:was|were|rrp|msrp|uvp|list price|regular(?: price)?|originally|instead of|previously|formerly|before|you save|saves?|saving|off|discount of|statt|früher|vorher|antes|avant|au lieu de|prima|invece di|vóór|zamiast)|~)\s*[:=]?\s*$/i

/** The amount of a text that is its price: the first one that is not called a former one or a saving. */
export function priceIn(text: string): string | null {
  for (const match of text.matchAll(EVERY_MONEY))
    if (!NOT_THE_PRICE.test(text.slice(Math.max(0, match.index - 20), match.index)))
      return match[0].trim()
  return moneyIn(text)
}

/** The first amount of money in a text, as written; null without one. */
export const moneyIn = (text: string): string | null => MONEY.exec(text)?.[0]?.trim() ?? null
