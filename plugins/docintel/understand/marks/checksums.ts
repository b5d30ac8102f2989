/** Check digits of tax numbers, as the issuing states publish them. Input: compact, capitals. */

const digitsOf = (text: string): number[] => [...text].map(Number)
const weighted = (digits: number[], weights: number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * (digits[i] ?? 0), 0)

/** ISO 7064 MOD 11,10 (German VAT and tax numbers). */
function mod1110(text: string): boolean {
  const digits = digitsOf(text)
  let product = 10
  for (const digit of digits.slice(0, -1)) {
    const sum = (digit + product) % 10 || 10
    product = (2 * sum) % 11
  }
  const check = 11 - product
  return (check === 10 ? 0 : check) === digits.at(-1)
}
function luhn(text: string): boolean {
  let sum = 0
  for (const [i, digit] of digitsOf(text).toReversed().entries()) {
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
/** The remainder of a long number, digit by digit. */
function remainder(text: string, by: number): number {
  let rest = 0
  for (const digit of text) rest = (rest * 10 + Number(digit)) % by
  return rest
}
const mod97 = (text: string): number =>
  remainder([...text].map((c) => (/\d/.test(c) ? c : String(c.codePointAt(0)! - 55))).join(''), 97)

function spanish(body: string): boolean {
  const person = /^([XYZ\d])(\d{7})([A-Z])$/.exec(body)
  if (person) {
    const lead = { X: '0', Y: '1', Z: '2' }[person[1]!] ?? person[1]!
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(lead + person[2]) % 23] === person[3]
  }
  const company = /^[A-W](\d{7})([\dA-J])$/.exec(body)
  if (!company) return false
  let sum = 0
  for (const [i, digit] of digitsOf(company[1]!).entries()) {
    const value = i % 2 === 0 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  const check = (10 - (sum % 10)) % 10
  return company[2] === String(check) || company[2] === 'JABCDEFGHI'[check]
}
function gstin(text: string): boolean {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  let sum = 0
  for (const [i, char] of Array.from(text.slice(0, 14)).entries()) {
    const product = alphabet.indexOf(char) * (i % 2 === 0 ? 1 : 2)
    sum += Math.floor(product / 36) + (product % 36)
  }
  return alphabet[(36 - (sum % 36)) % 36] === text[14]
}
function polish(text: string): boolean {
  return weighted(digitsOf(text), [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(text[9])
}
function danish(text: string): boolean {
  return weighted(digitsOf(text), [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
}
function dutch(body: string): boolean {
  const nine = weighted(digitsOf(body.slice(0, 9)), [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return nine === Number(body[8]) || mod97(`NL${body}`) === 1
}
function austrian(body: string): boolean {
  const digits = digitsOf(body.slice(1))
  let sum = 4
  for (const [i, digit] of digits.slice(0, 7).entries()) {
    const value = i % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return (10 - (sum % 10)) % 10 === digits[7]
}
function portuguese(text: string): boolean {
  const check = 11 - (weighted(digitsOf(text), [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return (check >= 10 ? 0 : check) === Number(text[8])
}
function british(text: string): boolean {
  const sum = weighted(digitsOf(text), [8, 7, 6, 5, 4, 3, 2]) + Number(text.slice(7, 9))
  return sum % 97 === 0 || (sum + 55) % 97 === 0
}
function abn(text: string): boolean {
  const digits = digitsOf(text)
  digits[0]! -= 1
  return weighted(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0
}
function cnpj(text: string): boolean {
  const digits = digitsOf(text)
  const check = (weights: number[]): number => {
    const rest = weighted(digits, weights) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  return (
    check([5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === digits[12] &&
    check([6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]) === digits[13]
  )
}

/** EU VAT numbers and their like: form after the prefix, and its check where one is published. */
export const VAT_FORMS: Readonly<
  Record<string, { form: RegExp; check?: (body: string) => boolean }>
> = {
  AT: { form: /^U\d{8}$/, check: austrian },
  BE: {
    form: /^[01]\d{9}$/,
    check: (b) => 97 - (Number(b.slice(0, 8)) % 97) === Number(b.slice(8)),
  },
  BG: { form: /^\d{9,10}$/ },
  CY: { form: /^\d{8}[A-Z]$/ },
  CZ: { form: /^\d{8,10}$/ },
  DE: { form: /^\d{9}$/, check: mod1110 },
  DK: { form: /^\d{8}$/, check: danish },
  EE: { form: /^\d{9}$/ },
  EL: { form: /^\d{9}$/ },
  ES: { form: /^[A-Z\d]\d{7}[A-Z\d]$/, check: spanish },
  FI: { form: /^\d{8}$/ },
  FR: {
    form: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
    check: (b) =>
      !/^\d{2}/.test(b) || (12 + 3 * (Number(b.slice(2)) % 97)) % 97 === Number(b.slice(0, 2)),
  },
  GB: { form: /^\d{9}(?:\d{3})?$/, check: (b) => british(b.slice(0, 9)) },
  HR: { form: /^\d{11}$/, check: mod1110 },
  HU: { form: /^\d{8}$/ },
  IE: { form: /^\d[A-Z\d+*]\d{5}[A-Z]{1,2}$/ },
  IT: { form: /^\d{11}$/, check: luhn },
  LT: { form: /^(?:\d{9}|\d{12})$/ },
  LU: { form: /^\d{8}$/, check: (b) => Number(b.slice(0, 6)) % 89 === Number(b.slice(6)) },
  LV: { form: /^\d{11}$/ },
  MT: { form: /^\d{8}$/ },
  NL: { form: /^\d{9}B\d{2}$/, check: dutch },
  PL: { form: /^\d{10}$/, check: polish },
  PT: { form: /^\d{9}$/, check: portuguese },
  RO: { form: /^\d{2,10}$/ },
  SE: { form: /^\d{10}01$/, check: (b) => luhn(b.slice(0, 10)) },
  SI: { form: /^\d{8}$/ },
  SK: { form: /^\d{10}$/ },
  XI: { form: /^\d{9}$/ },
}
export const CHECKS = { gstin, abn, cnpj } as const
