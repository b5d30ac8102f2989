/**
 * Orders in the invoice of Aerix for Nota: its template and its model, which reckons the sums, are run as
 * their maker built them; languages beside Dutch and English are ours, in a file of words like those two.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { addressOf, dayIn, placeOf, plain, round } from '../fourth/sales.ts'
import type { NinthTruth, Paper } from './sales.ts'

const AERIX = 'node_modules/aerix-invoice-nota-template'

interface Model {
  subtotal(): number
  VAT(): number
  total(): number
  fullID(): string
  bookingDate(): string
  expiryDate(): string
  currency(value: unknown): string
}
type ModelMaker = new (data: object) => Model

/** The package's own shims of Underscore and Moment: what the model asks of them. */
const SHIMS = {
  underscore: {
    extend: Object.assign,
    reduce: <T, All>(list: readonly T[] | undefined, add: (all: All, one: T) => All, from: All) =>
      (list ?? []).reduce(add, from),
    some: <T>(list: readonly T[] | undefined, test: (one: T) => boolean) => (list ?? []).some(test),
  },
  'underscore.string': {
    contains: (text: string, part: string) => text.includes(part),
    pad: (text: string, length: number, filling: string) => text.padStart(length, filling),
  },
}

function modelMaker(folder: string, day: (iso: string) => string): ModelMaker {
  const source = readFileSync(join(folder, AERIX, 'dist/js/template-model.js'), 'utf8')
  const moment = Object.assign(
    (iso: string) => ({
      format: () => day(iso),
      add: (days: number) => ({
        format: () => day(new Date(Date.parse(iso) + days * 86_400_000).toISOString().slice(0, 10)),
      }),
    }),
    { locale: () => undefined },
  )
  let made: ModelMaker | undefined
  const define = (_: readonly string[], factory: (...parts: unknown[]) => ModelMaker): void => {
    made = factory(SHIMS.underscore, SHIMS['underscore.string'], {}, {}, moment)
  }
  new Function('define', source)(define)
  return made!
}

/** Ours: number, date, this, expires, days after, please, transfer, to account, noting, thanks, terms, questions, contact. */
const SENTENCES: Readonly<Record<string, string>> = {
  de: 'Nummer|Datum|Diese|ist zahlbar|Tage nach|Bitte überweisen Sie bis|den Gesamtbetrag von|auf das Konto|unter Angabe von|Vielen Dank!|unterliegt unseren Geschäftsbedingungen|Bei Fragen zu dieser|erreichen Sie uns unter',
  fr: 'numéro|date|Cette|est payable|jours après la|Merci de virer avant le|la somme de|sur le compte|en indiquant|Merci !|est soumise à nos conditions générales|Pour toute question sur cette|écrivez-nous à',
  es: 'número|fecha|Esta|vence|días después de la|Rogamos transfieran antes del|el importe de|a la cuenta|indicando|¡Gracias!|está sujeta a nuestras condiciones|Si tiene preguntas sobre esta|escríbanos a',
  it: 'numero|data|Questa|scade|giorni dopo la|Vi preghiamo di versare entro il|la somma di|sul conto|indicando|Grazie!|è soggetta alle nostre condizioni|Per domande su questa|scriveteci a',
  pl: 'numer|data|Ta|jest płatna|dni od daty|Prosimy o przelew do dnia|kwoty|na konto|podając|Dziękujemy!|podlega naszym warunkom|W razie pytań do tej|prosimy pisać na adres',
}
const SENTENCE_KEYS = [
  'number',
  'date',
  'this',
  'expires',
  'days-after',
  'closing-expiry-please',
  'closing-transfer',
  'closing-to-account',
  'closing-denoting',
  'closing-thanks',
  'terms',
  'closing-questions',
  'closing-contact',
]

/** Words of the template in a language, by the keys of the package's own files. */
function translationOf(folder: string, { language, words }: Paper): Record<string, string> {
  if (language === 'nl' || language === 'en') {
    const path = join(folder, AERIX, 'json/locales', `${language}.json`)
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  }
  const sentences = SENTENCES[language]!.split('|')
  return {
    ...Object.fromEntries(SENTENCE_KEYS.map((key, at) => [key, sentences[at]!])),
    invoice: words.invoice,
    'valid-through': words.due,
    details: words.invoiceDetails,
    to: words.to,
    project: words.reference,
    product: words.item,
    price: words.price,
    quantity: words.quantity,
    amount: words.amount,
    subtotal: words.subtotal,
    vat: words.tax,
    total: words.total,
    bank: words.transfer,
    coc: 'ID',
    notes: words.notes,
  }
}

const daysOf = ({ date, due }: NinthTruth): number =>
  Math.round((Date.parse(due) - Date.parse(date)) / 86_400_000)

/** The page, and what is true of it: its number and the sums are the model's. */
export function aerixPage(
  folder: string,
  paper: Paper,
  isOfHours: boolean,
): { text: string; truth: NinthTruth } {
  const { truth, goods, taxes, sale, manner } = paper
  const require = createRequire(join(folder, 'package.json'))
  const handlebars = (require('handlebars') as { create(): Handlebars }).create()
  const Model = modelMaker(folder, (iso) => dayIn(iso, manner.numbers))
  const [street, place] = addressOf(sale)
  const split = (text: string): { postalcode: string; town: string } => {
    const gap = text.indexOf(' ')
    return { postalcode: text.slice(0, gap), town: text.slice(gap + 1) }
  }
  const [company, ...lawform] = truth.seller.split(' ')
  const hourlyRate = 85.5
  const hours = goods.map(({ quantity, description }) => ({ description, hours: quantity / 2 }))
  const model = new Model({
    meta: {
      id: Number(truth.id.replaceAll(/\D/g, '').slice(-4)) || 15,
      date: truth.date,
      type: truth.kind === 'not_a_bill' ? 'quotation' : 'invoice',
    },
    origin: {
      company,
      lawform: lawform.join(' '),
      address: street,
      ...split(place),
      country: manner.vatId.slice(0, 2),
      email: 'contact@example.com',
      website: 'example.com',
      iban: 'NL91ABNA0417164300',
      bank: 'ABN AMRO',
      bic: 'ABNANL2A',
      kvk: '61226734',
      vat: manner.vatId,
    },
    validityPeriod: daysOf(truth),
    vatPercentage: taxes[0]!.rate / 100,
    currencySymbol:
      manner.currency === 'EUR' ? '€' : manner.currency === 'GBP' ? '£' : manner.currency,
    hourlyRate,
    client: {
      organization: truth.buyer,
      contactPerson: plain(sale, 'employee'),
      address: plain(sale, 'address1'),
      ...split(placeOf(sale)),
      country: paper.language === 'nl' ? 'Nederland' : manner.vatId.slice(0, 2),
    },
    projectName: plain(sale, 'ordnumber'),
    ...(isOfHours
      ? { services: hours }
      : {
          products: goods.map(({ description, price, quantity }) => ({
            description,
            price,
            quantity,
          })),
        }),
  })
  const words = translationOf(folder, paper)
  const called = (value: unknown): unknown =>
    typeof value === 'function' ? (value as () => unknown).call(model) : value
  handlebars.registerHelper('i18n', (key, count, attribute, letters) => {
    const name = String(called(key))
    const of =
      typeof attribute === 'string'
        ? (count as Record<string, number> | undefined)?.[attribute]
        : count
    const word =
      (typeof of === 'number' && of !== 1 ? words[`${name}_plural`] : undefined) ??
      words[name] ??
      name
    if (letters === 'uppercase') return word.toUpperCase()
    if (letters === 'capitalize') return word.slice(0, 1).toUpperCase() + word.slice(1)
    return word
  })
  handlebars.registerHelper('currency', (value) => model.currency(value))
  const template = readFileSync(join(folder, AERIX, 'templates/main.hbs'), 'utf8').replace(
    /<img id="logo"[^>]*>/,
    '',
  )
  const text = handlebars.compile(template)(model, {
    allowProtoPropertiesByDefault: true,
    allowProtoMethodsByDefault: true,
  })
  const cents = (value: number): number => Number(value.toFixed(2))
  return {
    text,
    truth: {
      ...truth,
      id: model.fullID(),
      net: cents(model.subtotal()),
      vat: cents(model.VAT()),
      total: cents(model.total()),
      goods: goods.map(({ description, amount }, at) => ({
        description,
        amount: isOfHours ? round(hours[at]!.hours * hourlyRate) : amount,
      })),
    },
  }
}

interface Handlebars {
  registerHelper(name: string, helper: (...values: unknown[]) => string): void
  compile(template: string): (data: object, options: object) => string
}

/** The page with the style of its maker, which is left out of what is frozen. */
export function aerixStyled(folder: string, body: string): string {
  const style = readFileSync(join(folder, AERIX, 'dist/css/styles.css'), 'utf8').replace(
    /\/\*# sourceMappingURL[\s\S]*?\*\//g,
    '',
  )
  // The margins of the printer stand for those of the page.
  const paper = '.page{padding-left:0;padding-right:0}'
  return `<!doctype html><meta charset="utf-8"><style>${style}${paper}</style><body class="page">${body}</body>`
}
