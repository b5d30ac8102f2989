/** A made-up sale in the manner of a country, its names and goods from @faker-js/faker. */
import type { Values } from './fill.ts'

/** The part of @faker-js/faker that is used; it is installed beside the templates. */
export interface Faker {
  seed(seed: number): void
  company: { name(): string }
  person: { fullName(): string }
  location: {
    streetAddress(): string
    city(): string
    zipCode(): string
  }
  commerce: { productName(): string }
  phone: { number(): string }
  number: { int(range: { min: number; max: number }): number }
  helpers: { arrayElement<T>(list: readonly T[]): T }
}

/** How a country writes an invoice. */
export interface Manner {
  /** Locale of the data, a name of @faker-js/faker's `allFakers`. */
  faker: string
  /** Locale of the numbers, BCP 47. */
  numbers: string
  /** "D.M.Y" and the like. */
  day: string
  tax: string
  rates: readonly [number, number]
  unit: string
  currency: string
  vatId: string
}

export const MANNERS: Readonly<Record<string, Manner>> = {
  de: m('de', 'de-DE', 'D.M.Y', 'MwSt.', [19, 7], 'Stk', 'EUR', 'DE136695976'),
  fr: m('fr', 'fr-FR', 'D/M/Y', 'TVA', [20, 5.5], 'u', 'EUR', 'FR40303265045'),
  nl: m('nl', 'nl-NL', 'D-M-Y', 'BTW', [21, 9], 'st', 'EUR', 'NL004495445B01'),
  da: m('da', 'da-DK', 'D-M-Y', 'Moms', [25, 25], 'stk', 'DKK', 'DK13585628'),
  en: m('en_GB', 'en-GB', 'D/M/Y', 'VAT', [20, 5], 'ea', 'GBP', 'GB980780684'),
  hu: m('hu', 'hu-HU', 'Y.M.D', 'ÁFA', [27, 5], 'db', 'EUR', 'HU12892312'),
  cs: m('cs_CZ', 'cs-CZ', 'D.M.Y', 'DPH', [21, 12], 'ks', 'CZK', 'CZ25123891'),
  es: m('es', 'es-ES', 'D/M/Y', 'IVA', [21, 10], 'ud', 'EUR', 'ESB58378431'),
  it: m('it', 'it-IT', 'D/M/Y', 'IVA', [22, 10], 'pz', 'EUR', 'IT00743110157'),
  sv: m('sv', 'sv-SE', 'Y-M-D', 'Moms', [25, 12], 'st', 'SEK', 'SE556188840401'),
  nb: m('nb_NO', 'nb-NO', 'D.M.Y', 'MVA', [25, 15], 'stk', 'NOK', 'NO995525828MVA'),
  pt: m('pt_PT', 'pt-PT', 'D/M/Y', 'IVA', [23, 6], 'un', 'EUR', 'PT501964843'),
  br: m('pt_BR', 'pt-BR', 'D/M/Y', 'ICMS', [18, 12], 'un', 'BRL', ''),
  sk: m('sk', 'sk-SK', 'D.M.Y', 'DPH', [20, 10], 'ks', 'EUR', 'SK2022749619'),
  pl: m('pl', 'pl-PL', 'D.M.Y', 'VAT', [23, 8], 'szt', 'PLN', 'PL8567346215'),
  fi: m('fi', 'fi-FI', 'D.M.Y', 'ALV', [24, 14], 'kpl', 'EUR', 'FI20774740'),
  ru: m('ru', 'ru-RU', 'D.M.Y', 'НДС', [20, 10], 'шт', 'RUB', ''),
}
function m(
  faker: string,
  numbers: string,
  day: string,
  tax: string,
  rates: readonly [number, number],
  unit: string,
  currency: string,
  vatId: string,
): Manner {
  return { faker, numbers, day, tax, rates, unit, currency, vatId }
}

/** What a paper is; what asks for no money is an offer, an order's confirmation or a delivery note. */
export type PaperKind = 'invoice' | 'receipt' | 'credit_note' | 'not_a_bill'

export interface SaleTruth {
  /** Sets before the ninth do not say them. */
  currency?: string
  kind?: PaperKind
  seller: string
  buyer: string
  date: string
  due: string
  id: string
  net: number
  vat: number
  total: number
  goods: { description: string; amount: number }[]
}

const round = (value: number): number => Math.round(value * 100) / 100

/** The values that a template of SQL-Ledger or LedgerSMB asks for, and what is true of them. */
export function makeSale(
  faker: Faker,
  manner: Manner,
  seed: number,
): { values: Values; truth: SaleTruth } {
  faker.seed(seed)
  const int = (min: number, max: number): number => faker.number.int({ min, max })
  const format = new Intl.NumberFormat(manner.numbers, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  })
  const money = (value: number): string => format.format(value).replaceAll(/[\u00A0\u202F]/g, ' ')
  const day = (date: Date): string =>
    manner.day
      .replace('D', String(date.getUTCDate()).padStart(2, '0'))
      .replace('M', String(date.getUTCMonth() + 1).padStart(2, '0'))
      .replace('Y', String(date.getUTCFullYear()))
  const issued = new Date(Date.UTC(2024, int(0, 10), int(1, 28)))
  const terms = faker.helpers.arrayElement([10, 14, 30])
  const due = new Date(issued.getTime() + terms * 86_400_000)
  const [seller, buyer] = [faker.company.name(), faker.company.name()]
  const address = [
    faker.location.streetAddress(),
    `${faker.location.zipCode()} ${faker.location.city()}`,
  ]
  const to = [faker.location.streetAddress(), faker.location.zipCode(), faker.location.city()]
  const rows = Array.from({ length: int(2, 6) }, (_, at) => {
    const quantity = int(1, 12)
    const price = int(150, 49_900) / 100
    const off = seed % 5 === 0 && at === 1 ? 10 : 0
    return {
      number: `${faker.helpers.arrayElement(['A', 'P-', 'ART', ''])}${int(100, 99_999)}`,
      description: faker.commerce.productName(),
      quantity,
      price,
      off,
      rate: manner.rates[seed % 3 === 0 && at % 2 === 1 ? 1 : 0],
      amount: round(quantity * price * (1 - off / 100)),
    }
  })
  const rates = [...new Set(rows.map((row) => row.rate))]
  const bases = rates.map((rate) =>
    round(rows.filter((row) => row.rate === rate).reduce((sum, row) => sum + row.amount, 0)),
  )
  const taxes = rates.map((rate, at) => round((bases[at]! * rate) / 100))
  const net = round(bases.reduce((sum, base) => sum + base, 0))
  const vat = round(taxes.reduce((sum, tax) => sum + tax, 0))
  const total = round(net + vat)
  const id = `${faker.helpers.arrayElement(['', 'F', '2024-', 'INV'])}${int(1000, 99_999)}`
  const [street, zipcode, city] = to as [string, string, string]
  const percent = (rate: number): string => String(rate)
  return {
    truth: {
      seller,
      buyer,
      date: issued.toISOString().slice(0, 10),
      due: due.toISOString().slice(0, 10),
      id,
      net,
      vat,
      total,
      goods: rows.map(({ description, amount }) => ({ description, amount })),
    },
    values: {
      company: seller,
      address: address.join('<br>'),
      tel: faker.phone.number(),
      fax: faker.phone.number(),
      invdate: day(issued),
      duedate: day(due),
      invnumber: id,
      name: buyer,
      address1: street,
      zipcode,
      city,
      shiptoname: buyer,
      shiptoaddress1: street,
      shiptozipcode: zipcode,
      shiptocity: city,
      employee: faker.person.fullName(),
      ordnumber: String(int(10_000, 99_999)),
      terms: String(terms),
      currency: manner.currency,
      number: rows.map((row) => row.number),
      runningnumber: rows.map((_, at) => String(at + 1)),
      description: rows.map((row) => row.description),
      item_description: rows.map((row) => row.description),
      qty: rows.map((row) => String(row.quantity)),
      unit: rows.map(() => manner.unit),
      sellprice: rows.map((row) => money(row.price)),
      netprice: rows.map((row) => money(row.price)),
      discount: rows.map((row) => (row.off === 0 ? '' : money((row.price * row.off) / 100))),
      discountrate: rows.map((row) => (row.off === 0 ? '' : String(row.off))),
      linetotal: rows.map((row) => money(row.amount)),
      linetaxrate: rows.map((row) => percent(row.rate)),
      subtotal: money(net),
      tax: taxes.map(money),
      taxbase: bases.map(money),
      taxrate: rates.map(percent),
      taxdescription: rates.map((rate) => `${manner.tax} ${percent(rate)}%`),
      taxnumber: rates.map(() => manner.vatId),
      invtotal: money(total),
      total: money(total),
    },
  }
}
