/** Layouts whose lines of goods are hard to read, the half of which only shares were printed. */
import { raw as R, tex, type Layout } from './layout.ts'
import { day, round, sums, type Line, type Sale } from './sale.ts'

const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>body{font:10pt sans-serif}table{width:100%;border-collapse:collapse}td,th{padding:3px;text-align:left}.r{text-align:right}${style}</style>${body}`
const head = (sale: Sale, title: string, pattern: string): string =>
  `<div style="display:flex;justify-content:space-between"><div>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</div><div><b>${sale.seller}</b><br>${sale.sellerStreet}<br>${sale.sellerTown}</div></div><h3>${title} ${sale.id}</h3><p>${day(sale.date, pattern)}</p>`
const foot = (labels: readonly string[], values: readonly string[]): string =>
  `<div style="text-align:right">${labels.map((label, i) => `${label}&emsp;${values[i]}`).join('<br>')}</div>`

/** The numbers at the foot of names over two rows. */
const bottom: Layout = {
  name: 'numbers-at-the-foot',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'en', lines: 5, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return tex(
      '[a4paper]{article}',
      R`\usepackage[margin=24mm]{geometry}\usepackage{array,booktabs}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\hfill INVOICE\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
No. ${sale.id}\hfill ${day(sale.date, 'D/M/Y')}\par\bigskip
\begin{tabular}{b{70mm}rrr}\toprule Work done & Units & Rate & Charge \\ \midrule
${sale.lines.map((l) => R`${l.name} as agreed in our letter of last month and on the telephone & ${l.quantity} ${l.unit} & ${gbp(l.price)} & ${gbp(l.amount)} \\ \addlinespace`).join('\n')}\midrule
Sub-total & & & ${gbp(sale.net)} \\ VAT @ 20\% & & & ${gbp(sale.vat)} \\ TOTAL & & & £${gbp(sale.total)} \\ \bottomrule\end{tabular}`,
    )
  },
  absent: ['due'],
}

/** A sheet of hours: day, from, to, what, sum. */
const sheet: Layout = {
  name: 'sheet-of-hours',
  half: 'b',
  maker: 'chromium',
  order: { language: 'de', lines: 6, rates: [19], priceMax: 9_900 },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      'td{border-bottom:1px dotted}',
      `${head(sale, 'Honorarrechnung', 'D.M.Y')}<table><tr><th>Tag<th>von<th>bis<th>Tätigkeit<th class=r>Std.<th class=r>Satz<th class=r>Honorar</tr>${sale.lines.map((l, i) => `<tr><td>0${i + 1}.${day(sale.date, 'M.')}<td>08:00<td>1${i}:30<td>${l.name}<td class=r>${l.quantity},0<td class=r>${eur(l.price)}<td class=r>${eur(l.amount)}</tr>`).join('')}</table>${foot(['Honorar netto', 'zzgl. USt. 19 %', 'Rechnungsbetrag'], [eur(sale.net), eur(sale.vat), eur(sale.total)])}`,
    )
  },
  absent: ['due'],
}

/** Units, prices per unit and codes behind the sums. */
const codesBehind: Layout = {
  name: 'codes-behind',
  half: 'b',
  maker: 'text',
  order: { language: 'it', lines: 6, rates: [22, 10] },
  source: (sale) => {
    const eur = sums('.', ',')
    return `${sale.seller}
${sale.sellerStreet} - ${sale.sellerTown}

Spett.le ${sale.buyer}
${sale.buyerStreet}
${sale.buyerTown}

FATTURA N. ${sale.id}   DEL ${day(sale.date, 'D/M/Y')}

DESCRIZIONE                     UM     QTA      PREZZO        IMPORTO  IVA
${sale.lines.map((l) => `${l.name.padEnd(32)}${l.unit.padEnd(4)}${`${l.quantity},00`.padStart(6)}${eur(l.price).padStart(12)}${eur(l.amount).padStart(15)}  ${l.rate}`).join('\n')}

IVA   IMPONIBILE      IMPOSTA
${sale.rates.map((r) => `${String(r.rate).padEnd(4)}${eur(r.base).padStart(12)}${eur(r.tax).padStart(13)}`).join('\n')}

TOTALE MERCE      ${eur(sale.net)}
TOTALE IVA        ${eur(sale.vat)}
TOTALE FATTURA    EUR ${eur(sale.total)}
`
  },
  absent: ['due'],
}

/** Lines that are included for nothing, carriage as a line. */
const included: Layout = {
  name: 'included-lines',
  half: 'b',
  maker: 'chromium',
  order: { language: 'en', lines: 4, rates: [20] },
  source: (sale) => {
    const usd = sums(',', '.')
    return page(
      'tr:nth-child(even){background:#eef}',
      `${head(sale, 'Invoice', 'D/M/Y')}<table><tr><th>Description<th class=r>Unit price<th class=r>Quantity<th class=r>Line total</tr>${sale.lines.map((l, i) => `<tr><td>${l.name}<td class=r>${usd(l.price)} GBP<td class=r>${l.quantity}<td class=r>${usd(l.amount)} GBP</tr>${i === 1 ? '<tr><td>Care guide (included)<td class=r>0.00 GBP<td class=r>1<td class=r>0.00 GBP</tr>' : ''}`).join('')}</table>${foot(['Subtotal:', 'VAT (20%):', 'Total:'], [`${usd(sale.net)} GBP`, `${usd(sale.vat)} GBP`, `${usd(sale.total)} GBP`])}`,
    )
  },
  absent: ['due'],
}

/** Groups by site with headings and sums, in French, each a table of its own. */
const sites: Layout = {
  name: 'tables-by-site',
  half: 'b',
  maker: 'writer',
  order: { language: 'fr', lines: 6, rates: [20] },
  source: (sale) => {
    const eur = sums(' ', ',')
    const table = (name: string, lines: readonly Line[]): string =>
      `<p><b>Chantier ${name}</b></p><table width=100% border=1 cellspacing=0><tr><td>Désignation<td>Qté<td>P.U. HT<td>Montant HT</tr>${lines.map((l) => `<tr><td>${l.name}<td align=right>${l.quantity}<td align=right>${eur(l.price)}<td align=right>${eur(l.amount)}</tr>`).join('')}<tr><td colspan=3 align=right>Sous-total chantier ${name}<td align=right>${eur(round(lines.reduce((s, l) => s + l.amount, 0)))}</tr></table>`
    return page(
      '',
      `<p>${sale.seller}<br>${sale.sellerStreet}<br>${sale.sellerTown}</p><p>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p>Facture n° ${sale.id} du ${day(sale.date, 'D/M/Y')}</p>${table('Nord', sale.lines.slice(0, 3))}${table('Sud', sale.lines.slice(3))}<p>Total HT ${eur(sale.net)} €<br>TVA 20 % ${eur(sale.vat)} €<br>Total TTC ${eur(sale.total)} €</p>`,
    )
  },
  absent: ['due'],
}

/** Nested lines with the sums of services at the right of their names, in Swedish. */
const services: Layout = {
  name: 'services-in-bold',
  half: 'b',
  maker: 'chromium',
  order: { language: 'sv', lines: 7, rates: [25], priceMax: 900 },
  source: (sale) => {
    const sek = sums(' ', ',')
    const group = (name: string, lines: readonly Line[]): string =>
      `<tr><td><b>${name}</b><td><td><td class=r><b>${sek(round(lines.reduce((s, l) => s + l.amount, 0)))} kr</b></tr>${lines.map((l) => `<tr><td>&emsp;${l.name}<td class=r>${l.quantity} ${l.unit}<td class=r>${sek(l.price)} kr<td class=r>${sek(l.amount)} kr</tr>`).join('')}`
    return page(
      '',
      `${head(sale, 'Faktura', 'Y-M-D')}<table><tr><th>Tjänst<th class=r>Antal<th class=r>À-pris<th class=r>Belopp</tr>${group('Drift', sale.lines.slice(0, 4))}${group('Lagring', sale.lines.slice(4))}</table>${foot(['Summa exkl. moms', 'Moms 25 %', 'Att betala'], [`${sek(sale.net)} kr`, `${sek(sale.vat)} kr`, `${sek(sale.total)} kr`])}`,
    )
  },
  absent: ['due'],
}

export const GOODS_B: readonly Layout[] = [bottom, sheet, codesBehind, included, sites, services]
