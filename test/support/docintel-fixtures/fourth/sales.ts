/** Sales of the fourth set and what its makers' layouts take from them. */
import { makeSale, MANNERS, type Faker, type Manner, type SaleTruth } from '../others/sale.ts'

export type Sale = ReturnType<typeof makeSale>

export const AMERICAN: Manner = {
  ...MANNERS['en']!,
  faker: 'en_US',
  numbers: 'en-US',
  day: 'M/D/Y',
  currency: 'USD',
}
export const CANADIAN: Manner = { ...AMERICAN, numbers: 'en-CA', faker: 'en_CA', currency: 'CAD' }
export const SWISS: Readonly<Record<string, Manner>> = {
  de: { ...MANNERS['de']!, faker: 'de_CH', numbers: 'de-CH', rates: [8.1, 2.6], currency: 'CHF' },
  fr: { ...MANNERS['fr']!, faker: 'fr_CH', numbers: 'de-CH', rates: [8.1, 2.6], currency: 'CHF' },
  it: { ...MANNERS['it']!, numbers: 'de-CH', rates: [8.1, 2.6], currency: 'CHF' },
  en: { ...MANNERS['en']!, numbers: 'de-CH', rates: [8.1, 2.6], currency: 'CHF' },
}

export const listOf = ({ values }: Sale, name: string): string[] => values[name] as string[]
export const plain = ({ values }: Sale, name: string): string => values[name] as string
export const addressOf = (sale: Sale): [string, string] =>
  plain(sale, 'address').split('<br>') as [string, string]
export const placeOf = (sale: Sale): string => `${plain(sale, 'zipcode')} ${plain(sale, 'city')}`
export const round = (value: number): number => Math.round(value * 100) / 100

/** Amounts as a country prints them. */
export function moneyOf(locale: string): (value: number) => string {
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: 'always',
  } as Intl.NumberFormatOptions)
  return (value) => format.format(value).replaceAll(/[\u00A0\u202F]/g, ' ')
}

export interface Good {
  description: string
  quantity: number
  price: number
  amount: number
  rate: number
}

export const goodsOf = (sale: Sale): Good[] =>
  sale.truth.goods.map(({ description, amount }, at) => {
    const quantity = Number(listOf(sale, 'qty')[at])
    return {
      description,
      quantity,
      amount,
      price: round(amount / quantity),
      rate: Number(listOf(sale, 'linetaxrate')[at]),
    }
  })

export function taxesOf(sale: Sale): { rate: number; base: number; tax: number }[] {
  const goods = goodsOf(sale)
  return [...new Set(goods.map((good) => good.rate))].map((rate) => {
    const base = round(goods.reduce((sum, good) => sum + (good.rate === rate ? good.amount : 0), 0))
    return { rate, base, tax: round((base * rate) / 100) }
  })
}

/**
 * A sale whose printed prices give its amounts, so without a discount. `isOneRate` takes one
 * with a single tax rate, `isLate` one of a day after the 12th, whose date reads in one way only,
 * `below` one whose goods cost less together.
 */
export function saleFor(
  faker: Faker,
  manner: Manner,
  seed: number,
  { isOneRate = false, isLate = false, below = Infinity } = {},
): Sale {
  for (let at = seed; ; at += 1000) {
    const sale = makeSale(faker, manner, at)
    const isPlain = goodsOf(sale).every(
      ({ quantity, price, amount }) => round(quantity * price) === amount,
    )
    if (!isPlain) continue
    if (sale.truth.net >= below) continue
    if (isOneRate && taxesOf(sale).length > 1) continue
    if (isLate && Number(sale.truth.date.slice(8)) <= 12) continue
    return sale
  }
}

/** The truth of a layout that prints no tax. */
export function untaxed(truth: SaleTruth): SaleTruth {
  return { ...truth, vat: 0, total: truth.net }
}

/** Taxes in cents, not rounded. */
const exactTaxes = (sale: Sale): number[] =>
  taxesOf(sale).map(({ rate, base }) => (Math.round(base * 100) * Math.round(rate * 10)) / 1000)

const withTax = ({ truth }: Sale, cents: number): SaleTruth => ({
  ...truth,
  vat: cents / 100,
  total: round(truth.net + cents / 100),
})
const sum = (values: number[]): number => values.reduce((all, value) => all + value, 0)

/** The truth of programs that cut the tax of a rate off after the cent. */
export const cutTaxes = (sale: Sale): SaleTruth =>
  withTax(sale, sum(exactTaxes(sale).map(Math.floor)))

/** The truth of programs that round the taxes of all rates together. */
export const jointTaxes = (sale: Sale): SaleTruth =>
  withTax(sale, Math.round(sum(exactTaxes(sale))))

export const dayIn = (
  iso: string,
  locale: string,
  style: 'long' | 'medium' | 'short' = 'long',
): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: 'UTC' }).format(
    new Date(`${iso}T12:00:00Z`),
  )
