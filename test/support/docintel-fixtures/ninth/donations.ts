/** The mail of the charity Better Giving that is a donor's receipt, made with React Email. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { addressOf, dayIn, plain } from '../fourth/sales.ts'
import type { Paper } from './sales.ts'

/** Who gives is a person; the whole sum is given to the charity, whose name the mail has. */
export function donationPaper(paper: Paper): Paper {
  const total = 25 * (paper.at + 1) + (paper.at === 2 ? 0.5 : 0)
  const truth = {
    ...paper.truth,
    seller: 'Better Giving',
    buyer: plain(paper.sale, 'employee'),
    net: total,
    vat: 0,
    total,
    goods: [{ description: 'Online donation', amount: total }],
  }
  return { ...paper, truth }
}

interface Templates {
  donation_receipt: { template(data: object): { node: unknown } }
}

export async function donationPage(folder: string, paper: Paper): Promise<string> {
  const { truth, sale } = paper
  const { donation_receipt: receipt } = (await import(
    join(folder, 'node_modules/@better-giving/react-emails/dist/index.js')
  )) as Templates
  const { renderToStaticMarkup } = createRequire(join(folder, 'package.json'))(
    'react-dom/server',
  ) as { renderToStaticMarkup(node: unknown): string }
  const { node } = receipt.template({
    from: {
      first_name: truth.buyer.split(' ')[0],
      full_name: truth.buyer,
      address: addressOf(sale).join(', '),
    },
    to_name: `${plain(sale, 'city')} Food Bank`,
    is_recurring: paper.at === 1,
    is_bg: false,
    tax_receipt_id: truth.id,
    id: `tr-${plain(sale, 'ordnumber')}`,
    date: dayIn(truth.date, 'en-US'),
    amount: { value: truth.total, currency: 'USD', value_usd: truth.total },
  })
  return `<!doctype html>${renderToStaticMarkup(node)}`
}
