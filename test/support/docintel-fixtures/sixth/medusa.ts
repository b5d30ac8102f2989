/** Orders as PDF of the invoice of `medusa-documents`, a plugin of the shop Medusa, drawn with PDFKit. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { addressOf, plain } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from './orders.ts'

const BASE = 'x_medusa-documents/.medusa/server/src/modules/documents'

/** The languages of the plugin, and the names of its files of words. */
export const MEDUSA_LANGUAGES = { de: 'de-AT', en: 'en', es: 'es', fr: 'fr', pl: 'pl' } as const
export type MedusaLanguage = keyof typeof MEDUSA_LANGUAGES

export interface MedusaJob {
  language: MedusaLanguage
  store: Record<string, string>
  id: string
  /** As the server's language prints it. */
  day: string
  order: object
}

export function medusaJob(
  { sale, truth, goods }: Order,
  language: MedusaLanguage,
  manner: Manner,
  shipping: number,
): MedusaJob {
  const [street, place] = addressOf(sale)
  const space = place.indexOf(' ')
  const [first, ...rest] = truth.buyer.split(' ')
  const buyer = {
    first_name: first,
    last_name: rest.join(' '),
    city: plain(sale, 'city'),
    postal_code: plain(sale, 'zipcode'),
    address_1: plain(sale, 'address1'),
  }
  return {
    language,
    store: {
      company: truth.seller,
      address_1: street,
      city: place.slice(space + 1),
      postal_code: place.slice(0, space),
    },
    id: truth.id,
    day: new Date(`${truth.date}T12:00:00Z`).toLocaleDateString(manner.numbers),
    order: {
      currency_code: manner.currency,
      billing_address: buyer,
      shipping_address: buyer,
      items: goods.map(({ description, quantity, price }, at) => ({
        title: description,
        subtitle: ['S / Black', 'M / White', 'XL', '38'][at % 4],
        quantity,
        raw_unit_price: { value: price },
      })),
      shipping_subtotal: { numeric: shipping },
      tax_total: { numeric: truth.vat },
      total: { numeric: truth.total },
    },
  }
}

export async function drawMedusa(folder: string, job: MedusaJob): Promise<Uint8Array> {
  const require = createRequire(join(folder, 'package.json'))
  const i18next = require('i18next') as {
    init(options: object): Promise<unknown>
  }
  const file = join(
    folder,
    BASE,
    `assets/i18n/locales/${MEDUSA_LANGUAGES[job.language]}/translation.json`,
  )
  await i18next.init({
    lng: job.language,
    resources: { [job.language]: { translation: JSON.parse(readFileSync(file, 'utf8')) } },
  })
  const template = require(join(folder, BASE, 'services/templates/invoices/basic/basic.js')) as {
    default(settings: object, invoice: object, order: object): Promise<Uint8Array>
  }
  return await template.default(
    { storeAddress: job.store },
    { displayNumber: job.id, created_at: { toLocaleDateString: () => job.day } },
    job.order,
  )
}
