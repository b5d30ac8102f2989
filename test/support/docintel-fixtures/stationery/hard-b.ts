/** Layouts whose sums are easily mistaken, the half of which only shares were printed. */
import { raw as R, tex, type Layout } from './layout.ts'
import { day, round, sums, type Sale } from './sale.ts'

const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>body{font:9pt sans-serif}table{width:100%}.r{text-align:right}${style}</style>${body}`
const head = (sale: Sale, title: string, pattern: string): string =>
  `<p>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p class=r>${sale.seller}<br>${sale.sellerStreet}<br>${sale.sellerTown}</p><p>${title} ${sale.id}</p><p>${day(sale.date, pattern)}</p>`

/** Numbers in mathematics, thousands by a brace's comma, the tax right of its base in one row. */
const mathematics: Layout = {
  name: 'math-numbers',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'de', lines: 5, rates: [19, 7], priceMax: 50_000 },
  source: (sale) => {
    const eur = (value: number): string => `$${sums(R`\;`, ',')(value)}$`
    return tex(
      '[a4paper]{article}',
      R`\usepackage[margin=24mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
Rechnung Nr.~${sale.id}\\Datum ${day(sale.date, 'D.M.Y')}\par\bigskip
\begin{tabular}{|c|l|c|r|r|}\hline Nr & Gegenstand & Anzahl & Preis & Summe \\ \hline
${sale.lines.map((l, i) => R`${i + 1} & ${l.name}, ${l.rate}\,\% & ${l.quantity}${l.unit} & ${eur(l.price)} & ${eur(l.amount)} \\ \hline`).join('\n')}
\multicolumn{4}{|l|}{Summe ohne Steuer} & ${eur(sale.net)} \\
${sale.rates.map((r) => R`\multicolumn{4}{|l|}{${r.rate}\,\% von ${eur(r.base)}} & ${eur(r.tax)} \\`).join('\n')}
\hline \multicolumn{4}{|l|}{\textbf{Summe}} & \textbf{${eur(sale.total)}} \\ \hline\end{tabular}\par Frist: ${day(sale.due, 'D.M.Y')}`,
    )
  },
  absent: ['vat'],
}

/** Prose in French. */
const honoraires: Layout = {
  name: 'prose-french',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'fr', lines: 2, rates: [20], priceMax: 40_000 },
  source: (sale) => {
    const eur = sums('~', ',')
    return tex(
      '{letter}',
      R`\usepackage[french]{babel}\usepackage{eurosym}\address{${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}}\date{${day(sale.date, 'D/M/Y')}}`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\opening{NOTE D'HONORAIRES ${sale.id}}
${sale.lines.map((l) => R`${l.name} : ${l.quantity} ${l.unit} à ${eur(l.price)}~\euro, soit ${eur(l.amount)}~\euro.\par`).join('\n')}
Le montant hors taxes s'élève donc à ${eur(sale.net)}~\euro. La TVA au taux de 20~\% est de ${eur(sale.vat)}~\euro. Le total à payer pour le ${day(sale.due, 'D/M/Y')} est de \textbf{${eur(sale.total)}~\euro}.
\closing{Cordialement}\end{letter}`,
    )
  },
  absent: ['goods', 'goods without marks'],
}

/** A bill of energy: counts of units that look like sums, a standing charge, sums by rate of tax. */
const energy: Layout = {
  name: 'energy',
  half: 'b',
  maker: 'chromium',
  order: { language: 'en', lines: 3, rates: [5], priceMax: 2_500 },
  source: (sale) => {
    const gbp = sums(',', '.')
    return page(
      '',
      `${head(sale, 'Energy bill', 'D/M/Y')}<table><tr><td>Meter reading last time<td class=r>12,480.00 kWh</tr><tr><td>Meter reading now<td class=r>13,906.50 kWh</tr><tr><td>Units used<td class=r>1,426.50 kWh</tr></table>
<table><tr><th>What you used<th class=r>Units<th class=r>Rate<th class=r>Cost</tr>${sale.lines.map((l) => `<tr><td>${l.name}<td class=r>${l.quantity}<td class=r>£${gbp(l.price)}<td class=r>£${gbp(l.amount)}</tr>`).join('')}</table>
<p>Total cost before VAT £${gbp(sale.net)}<br>VAT at 5.00% £${gbp(sale.vat)}<br><b>Total for this period £${gbp(sale.total)}</b></p><p>We will take £${gbp(sale.total)} from your bank account on ${day(sale.due, 'D/M/Y')}.</p>`,
    )
  },
}

/** Sales tax of the States, paid by card already: nothing is due. */
const paidAlready: Layout = {
  name: 'paid-already',
  half: 'b',
  maker: 'chromium',
  order: { language: 'en', lines: 4, rates: [8.25] },
  source: (sale) => {
    const usd = sums(',', '.')
    return page(
      '',
      `${head(sale, 'Invoice #', 'Y-M-D')}<table><tr><th>Product<th class=r>Price<th class=r>Qty<th class=r>Total</tr>${sale.lines.map((l) => `<tr><td>${l.name}<td class=r>$${usd(l.price)}<td class=r>${l.quantity}<td class=r>$${usd(l.amount)}</tr>`).join('')}</table>
<table style="width:40%;margin-left:60%"><tr><td>Items<td class=r>$${usd(sale.net)}</tr><tr><td>Shipping<td class=r>Free</tr><tr><td>Sales tax<td class=r>$${usd(sale.vat)}</tr><tr><td>Order total<td class=r>$${usd(sale.total)}</tr><tr><td>Visa ending 4417<td class=r>-$${usd(sale.total)}</tr><tr><td>Balance<td class=r>$0.00</tr></table>`,
    )
  },
  absent: ['due'],
}

/** Bottles with their deposits, discounts in the lines, sums in a row of heads at the foot. */
const bottles: Layout = {
  name: 'deposits-in-lines',
  half: 'b',
  maker: 'chromium',
  order: { language: 'de', lines: 6, rates: [19], priceMax: 4_000, withLineDiscounts: true },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      'th,td{padding:2px 5px}',
      `${head(sale, 'Rechnung', 'D.M.Y')}<table><tr><th>Pos<th>Artikel<th class=r>Menge<th class=r>Preis<th class=r>Rabatt %<th class=r>Betrag</tr>${sale.lines.map((l, i) => `<tr><td>${i + 1}<td>${l.name}<td class=r>${l.quantity}<td class=r>${eur(l.price)}<td class=r>${l.off || ''}<td class=r>${eur(l.amount)}</tr>`).join('')}</table><br><br>
<table border=1 cellspacing=0><tr><th>Warenwert netto<th>Fracht<th>Steuersatz<th>Steuerbetrag<th>Rechnungsbetrag EUR</tr><tr><td class=r>${eur(sale.net)}<td class=r>0,00<td class=r>19,00 %<td class=r>${eur(sale.vat)}<td class=r>${eur(sale.total)}</tr></table><p>Fällig ${day(sale.due, 'D.M.Y')}</p>`,
    )
  },
}

/** Rounded to five hundredths, the total of goods with tax before it. */
const rounded: Layout = {
  name: 'rounded-total',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'de', lines: 4, rates: [8.1] },
  adjust: (sale) => ({ ...sale, total: Math.round(sale.total * 20) / 20 }),
  source: (sale) => {
    const chf = sums("'", '.')
    const exact = round(sale.net + sale.vat)
    return tex(
      '[a4paper]{scrartcl}',
      R`\usepackage{booktabs}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
\textbf{Rechnung ${sale.id}} \hfill ${day(sale.date, 'D.M.Y')}\par\bigskip
\begin{tabular}{p{70mm}rrr}\toprule Arbeit & Anzahl & Ansatz & Betrag \\ \midrule
${sale.lines.map((l) => R`${l.name} & ${l.quantity} ${l.unit} & ${chf(l.price)} & ${chf(l.amount)} \\`).join('\n')}\midrule
Zwischensumme & & & ${chf(sale.net)} \\ 8,1\,\% MWST & & & ${chf(sale.vat)} \\ Summe & & & ${chf(exact)} \\ Rundung & & & ${chf(round(sale.total - exact))} \\ \midrule
\textbf{Rechnungsbetrag CHF} & & & \textbf{${chf(sale.total)}} \\ \bottomrule\end{tabular}\par Zahlbar bis ${day(sale.due, 'D.M.Y')}`,
    )
  },
}

/** Lines as equations, the sums without a table. */
const equations: Layout = {
  name: 'equations',
  half: 'b',
  maker: 'text',
  order: { language: 'en', lines: 4, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return `${sale.seller}
${sale.sellerStreet}
${sale.sellerTown}

Invoice ${sale.id}, ${day(sale.date, 'D/M/Y')}
For ${sale.buyer}, ${sale.buyerStreet}, ${sale.buyerTown}

${sale.lines.map((l) => `- ${l.name}: ${l.quantity} x £${gbp(l.price)} = £${gbp(l.amount)}`).join('\n')}

Sum: £${gbp(sale.net)}
VAT (20%): £${gbp(sale.vat)}
Grand total: £${gbp(sale.total)}
Please pay by ${day(sale.due, 'D/M/Y')}
`
  },
}

/** Each line with its net, tax and gross; the sums of the columns without a label. */
const threeColumns: Layout = {
  name: 'sums-of-columns',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'it', lines: 5, rates: [22] },
  adjust: (sale) => {
    const vat = round(sale.lines.reduce((sum, l) => sum + round(l.amount * 0.22), 0))
    return { ...sale, vat, total: round(sale.net + vat) }
  },
  source: (sale) => {
    const eur = sums('.', ',')
    return tex(
      '[a4paper]{article}',
      R`\usepackage{booktabs}\usepackage[margin=20mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`\textsc{${sale.seller}}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip Spett.le ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
Fattura n. ${sale.id} del ${day(sale.date, 'D/M/Y')}\par\bigskip
\begin{tabular}{lrrrrr}\toprule Descrizione & Q.tà & Prezzo & Imponibile & IVA & Totale \\ \midrule
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${eur(l.price)} & ${eur(l.amount)} & ${eur(round(l.amount * 0.22))} & ${eur(round(l.amount * 1.22))} \\`).join('\n')} \midrule
& & & ${eur(sale.net)} & ${eur(sale.vat)} & ${eur(sale.total)} \\ \bottomrule\end{tabular}\par\bigskip Scadenza ${day(sale.due, 'D/M/Y')}`,
    )
  },
}

export const HARD_B: readonly Layout[] = [
  mathematics,
  honoraires,
  energy,
  paidAlready,
  bottles,
  rounded,
  equations,
  threeColumns,
]
