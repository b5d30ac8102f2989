/**
 * Orders as LaTeX for two classes of TeX Live. `isodoc` has its own words in each language but for the
 * sum without tax and the quantity before a name; `factura` has all of them, in Spanish.
 */
import { MAIL_WORDS } from '../fifth/mails.ts'
import { addressOf, moneyOf, placeOf, plain } from '../fourth/sales.ts'
import { tex } from '../fourth/tex.ts'
import { MANNERS, type Manner, type SaleTruth } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'

/** The class's own rates: "G" and "R". */
export const VENEZUELAN: Manner = { ...MANNERS['es']!, faker: 'es_MX', rates: [16, 8] }

const daysOf = ({ date, due }: SaleTruth): number =>
  Math.round((Date.parse(due) - Date.parse(date)) / 86_400_000)

/** The class counts numbers with six digits. */
export const facturaId = ({ id }: SaleTruth): string => id.replaceAll(/\D/g, '').padStart(6, '0')

export function facturaTex({ sale, truth, goods }: Order, options: string): string {
  const [street, place] = addressOf(sale)
  const digits = facturaId(truth)
  const items = goods.map(
    ({ description, quantity, price, rate }) =>
      String.raw`\Item${rate === 8 ? 'R' : ''}{${quantity}}{${tex(description)}}{${price.toFixed(2)}}`,
  )
  return String.raw`\documentclass[${options},vencimiento,sinfirmas]{factura}
\usepackage[utf8]{inputenc}\usepackage{lmodern}
\Fecha{${truth.date.split('-').toReversed().join('-')}}\Credito{${daysOf(truth)}}
\Num{${digits}}\NumControl{${digits.split('').toReversed().join('')}}
\RazonSocial{${tex(truth.buyer)}}\RIF{J-30${digits}-4}
\Direccion{${tex(plain(sale, 'address1'))}, ${tex(placeOf(sale))}}\Telefono{${tex(plain(sale, 'fax'))}}
\Membrete{\vspace*{8mm}\centering{\Large ${tex(truth.seller)}}\\R.I.F.: J-29${digits}-7\\${tex(street)}\\${tex(place)}}
\begin{document}
\begin{factura}
${items.join('\n')}
\end{factura}
\end{document}
`
}

export const ISODOC_LANGUAGES = {
  de: 'de-DE',
  fr: 'fr-FR',
  nl: 'nl-NL',
  es: 'es-ES',
  it: 'it-IT',
  nb: 'nb-NO',
  en: 'en-GB',
} as const
export type IsodocLanguage = keyof typeof ISODOC_LANGUAGES

/** The fifth set has no Norwegian. */
const NET: Readonly<Record<string, string>> = { nb: 'Sum eks. mva' }

export function isodocTex(
  { sale, truth, goods, taxes }: Order,
  language: IsodocLanguage,
  manner: Manner,
): string {
  const [street, place] = addressOf(sale)
  const money = moneyOf(manner.numbers)
  const gap = place.indexOf(' ')
  const net = NET[language] ?? MAIL_WORDS[language]!.net
  const keys = {
    language: ISODOC_LANGUAGES[language],
    company: tex(truth.seller),
    who: tex(truth.seller),
    street: tex(street),
    zip: tex(place.slice(0, gap)),
    city: tex(place.slice(gap + 1)),
    countrycode: '',
    phone: tex(plain(sale, 'tel')),
    phoneprefix: '',
    email: 'post@example.com',
    website: 'www.example.com',
    cellphone: tex(plain(sale, 'fax')),
    bankname: 'Bank',
    iban: 'DE02 1203 0000 0000 2020 51',
    bic: 'BYLADEM1001',
    vatno: manner.vatId,
    currency: manner.currency,
    term: String(daysOf(truth)),
    date: truth.date.replaceAll('-', ''),
    ourref: tex(truth.id),
    to: [truth.buyer, plain(sale, 'address1'), placeOf(sale)].map(tex).join(String.raw`\\`),
  }
  const set = Object.entries(keys).map(([key, value]) => `${key}={${value}}`)
  const items = goods.map(
    ({ description, quantity, amount }) =>
      String.raw`\iitem{${tex(`${quantity} ${manner.unit} ${description}`)}}{${money(amount)}}`,
  )
  const rates = taxes.map(
    ({ rate, tax }) => String.raw`\iitem{${tex(`${rate}% `)}\vattext}{${money(tax)}}`,
  )
  return String.raw`\documentclass[11pt]{isodoc}
\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{lmodern}
\setupdocument{logo,footer,${set.join(',')}}
\begin{document}
\invoice{\itable{${items.join('')}\itotal[${tex(net)}]{${money(truth.net)}}${rates.join('')}\itotal{${money(truth.total)}}}

\bigskip\noindent\paymentdata}
\end{document}
`
}
