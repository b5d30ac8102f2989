/**
 * Orders as LaTeX: the French class `facture` of TeX Live, and the letters that GNUmed, a program for
 * doctors, sends in German. The words are theirs; in GNUmed's letter the seller's name stands for the
 * sample "FA für Allgemeinmedizin" and its doctor.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf, dayIn, placeOf, plain, type Sale } from '../fourth/sales.ts'
import { tex } from '../fourth/tex.ts'
import type { SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

const daysOf = ({ date, due }: SaleTruth): number =>
  Math.round((Date.parse(due) - Date.parse(date)) / 86_400_000)

export const FACTURE_OPTIONS = ['', 'sansremise', 'sansTVA,sansremise'] as const
export type FactureOptions = (typeof FACTURE_OPTIONS)[number]

/** With taxes and "sansremise" the class reckons with the rate that stands in the place of the discount. */
export function factureTex(
  { sale, truth, goods }: Order,
  options: FactureOptions,
  hasOtherAddress: boolean,
): string {
  const [street, place] = addressOf(sale)
  const [year, month, day] = truth.date.split('-').map(Number)
  const buyer = [truth.buyer, plain(sale, 'address1'), placeOf(sale)].map(tex).join(String.raw`\\`)
  const store = [plain(sale, 'employee'), 'Entrepôt, quai 3', placeOf(sale)]
    .map(tex)
    .join(String.raw`\\`)
  const rows = goods.map(({ description, quantity, price, rate }) => {
    const number = (value: number | string): string => String(value).replace('.', ',')
    const off = options === 'sansremise' ? number(rate) : '0'
    return String.raw`\ligne{${tex(description)}}[${quantity}]{${number(price.toFixed(2))}}[${off}][${number(rate)}]`
  })
  return String.raw`\documentclass[${options}]{facture}
\usepackage[top=2cm,bottom=2cm,left=1.5cm,right=2.5cm]{geometry}
\date{${day}/${month}/${year}}
\datelimite{${daysOf(truth)}}
\dest{${hasOtherAddress ? store : buyer}}
${hasOtherAddress ? String.raw`\fact{${buyer}}` : ''}
\nomemet{${tex(truth.seller)}}
\adresseemet{${tex(street)}\\${tex(place)}\\Tel : ${tex(plain(sale, 'tel'))}}
\codedest{${plain(sale, 'ordnumber')}}
\numero{${tex(truth.id)}}
\pied{SIRET : 303 265 045 00018}
\begin{document}
\entete

\begin{facture}
${rows.join('\n')}
\end{facture}
\end{document}
`
}

/** A person's bill has a person's name. */
export const patientOf = (sale: Sale): string => plain(sale, 'employee')

/** GNUmed prints days as Python does with "%Y %B %d". */
const pythonDay = (iso: string): string => {
  const month = new Intl.DateTimeFormat('de-DE', { month: 'long', timeZone: 'UTC' })
  return `${iso.slice(0, 4)} ${month.format(new Date(`${iso}T12:00:00Z`))} ${iso.slice(8)}`
}

const splitStreet = (address: string): { street: string; number: string } => {
  const gap = address.lastIndexOf(' ')
  return { street: tex(address.slice(0, gap)), number: tex(address.slice(gap + 1)) }
}

export function gnumedTex(
  folder: string,
  { sale, truth, goods, taxes }: Order,
  hasTax: boolean,
): string {
  const path = `x_gnumed-server/var/lib/gnumed/server/sql/v19-v20/data/v20-GNUmed-default_invoice_template-de${hasTax ? '' : '_no_vat'}.tex`
  const [street, place] = addressOf(sale)
  const at = splitStreet(street)
  const home = splitStreet(plain(sale, 'address1'))
  const placed = (text: string): { postcode: string; urb: string } => ({
    postcode: text.split(' ')[0]!,
    urb: tex(text.slice(text.indexOf(' ') + 1)),
  })
  const names = patientOf(sale).split(' ')
  const town = placed(placeOf(sale))
  const fields: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
    current_provider: tex(truth.seller),
    praxis: { branch: 'Zentrale', praxis: tex(truth.seller) },
    praxis_address: { ...at, ...placed(place), subunit: '1. Stock' },
    praxis_comm: '',
    free_text: tex(patientOf(sale)),
    adr_street: home.street,
    adr_number: home.number,
    adr_postcode: town.postcode,
    adr_location: town.urb,
    title: '',
    firstname: tex(names.slice(0, -1).join(' ')),
    lastname: tex(names.at(-1)!),
    date_of_birth: '7.Mai 1961',
    client_version: '1.8.9',
    form_name_long: 'Rechnung mit Mwst',
    form_version: '20.0',
    bill: {
      invoice_id: tex(truth.id),
      total_amount: truth.net.toFixed(2),
      percent_vat: String(taxes[0]!.rate),
      total_vat: truth.vat.toFixed(2),
      total_amount_with_vat: truth.total.toFixed(2),
    },
  }
  const put = (text: string, values: Readonly<Record<string, string>>): string =>
    text.replaceAll(/%\((\w+)\)s/g, (_, name: string) => values[name] ?? '')
  const rows = (row: string): string =>
    goods
      .map(({ description, quantity, price, amount }, k) =>
        put(row, {
          date_to_bill: pythonDay(truth.date),
          billable_code: String(3 + ((k * 7) % 90)),
          billable_description: tex(description),
          item_detail: `je ${price.toFixed(2)}`,
          unit_count: String(quantity),
          amount_multiplier: '1',
          total_amount: amount.toFixed(2),
        }),
      )
      .join('\n')
  return (
    readFileSync(join(folder, path), 'utf8')
      .replace('$<current_provider::::>$, FA für Allgemeinmedizin', '$<current_provider::::>$')
      // Its footnotes about the program would take a page of their own.
      .replaceAll(/^\\footnotetext.*\n/gm, '')
      // The text that a user types for the window of the envelope ends its line.
      .replace(/\$<free_text::[^>]*>\$\n/, () => `${tex(patientOf(sale))}\\\\\n`)
      .replaceAll(/\$<(\w+)::(.*?)>\$/g, (_, name: string, rest: string) => {
        const [template = ''] = rest.split('::')
        if (name === 'bill_item') return rows(template)
        if (name === 'praxis_comm')
          return rest.startsWith('email') ? 'praxis@example.com' : tex(plain(sale, 'tel'))
        const value = fields[name] ?? ''
        return typeof value === 'string' ? value : put(template, value)
      })
      .replace(
        String.raw`\begin{document}`,
        () => String.raw`\setkomavar{date}{${tex(dayIn(truth.date, 'de-DE'))}}\begin{document}`,
      )
  )
}
