/** Orders as text for a till printer, set by the npm package `receipt`. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MAIL_WORDS } from '../fifth/mails.ts'
import { escapeHtml } from '../fifth/templates.ts'
import { addressOf, dayIn, moneyOf, plain, type Good } from '../fourth/sales.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from './orders.ts'

const WIDTH = 50
/** Letters of a name that fit into the column of the table. */
export const NAME_WIDTH = WIDTH - 18

/** Its table cuts names off; its own words are English, those of the sender are of the language. */
export function tillPage(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  language: string,
  manner: Manner,
  off: number,
): string {
  const receipt = createRequire(join(folder, 'package.json'))('receipt') as {
    config: { currency: string; width: number; ruler: string }
    create(chunks: object[]): string
  }
  Object.assign(receipt.config, { currency: '', width: WIDTH, ruler: '-' })
  const word = MAIL_WORDS[language]!
  const money = moneyOf(manner.numbers)
  const sum = (value: number): string => `${manner.currency} ${money(value)}`
  const line = ({ description, quantity, price }: Good, at: number): object => ({
    item: description,
    qty: quantity,
    cost: Math.round(price * 100),
    ...(off && at === 0 && { discount: { type: 'absolute', value: Math.round(off * 100) } }),
  })
  const text = receipt.create([
    {
      type: 'text',
      value: [truth.seller, ...addressOf(sale), plain(sale, 'tel')],
      align: 'center',
    },
    { type: 'empty' },
    {
      type: 'properties',
      lines: [
        { name: word.id, value: truth.id },
        { name: word.date, value: dayIn(truth.date, manner.numbers) },
      ],
    },
    { type: 'table', lines: goods.map(line) },
    { type: 'empty' },
    {
      type: 'properties',
      lines: [
        { name: `${manner.tax} (${taxes[0]!.rate}%)`, value: sum(truth.vat) },
        { name: word.net, value: sum(truth.net) },
        { name: word.total, value: sum(truth.total) },
      ],
    },
  ])
  return `<!doctype html><pre style="font: 15px 'DejaVu Sans Mono', monospace">${escapeHtml(text)}</pre>`
}
