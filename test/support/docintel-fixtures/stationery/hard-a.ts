/** Layouts whose sums are easily mistaken, the half that was looked at. */
import { raw as R, tex, type Layout } from './layout.ts'
import { day, round, sums, type Sale } from './sale.ts'

const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>body{font:10pt serif}table{width:100%}.r{text-align:right}${style}</style>${body}`
const head = (sale: Sale, title: string, pattern: string): string =>
  `<p><b>${sale.seller}</b><br>${sale.sellerStreet}<br>${sale.sellerTown}</p><p>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p>${title} ${sale.id}<br>${day(sale.date, pattern)}</p>`
const article = (sale: Sale, title: string, pattern: string, body: string, packages = ''): string =>
  tex(
    '[a4paper]{article}',
    R`\usepackage[margin=24mm]{geometry}${packages}\pagestyle{empty}\parindent0pt`,
    R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
${title} ${sale.id}\hfill ${day(sale.date, pattern)}\par\bigskip ${body}`,
  )

/** Numbers as a calculating package prints them: no zeros at the end. */
const shortest: Layout = {
  name: 'shortest-numbers',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 5, rates: [20], priceMax: 9_000 },
  // Prices of whole and half pounds.
  adjust: (sale) => {
    const lines = sale.lines.map((l) => {
      const price = Math.ceil(l.price * 2) / 2
      return { ...l, price, amount: round(price * l.quantity) }
    })
    const net = round(lines.reduce((sum, l) => sum + l.amount, 0))
    const vat = round(net * 0.2)
    return { ...sale, lines, net, vat, total: round(net + vat) }
  },
  source: (sale) =>
    article(
      sale,
      'Invoice',
      'D/M/Y',
      R`\begin{tabular}{lrrr}
Item & Quantity & Price (GBP) & Total (GBP) \\ \hline
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${l.price} & ${l.amount} \\`).join('\n')} \hline
Sum & & & ${sale.net} \\ VAT (20\%) & & & ${sale.vat} \\ Total & & & ${sale.total} \\
\end{tabular}\par Due ${day(sale.due, 'D/M/Y')}`,
    ),
}

/** Prose: no table at all, the sums in one sentence. */
const prose: Layout = {
  name: 'prose',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 1, rates: [20], priceMax: 9_000 },
  source: (sale) => {
    const gbp = sums(',', '.')
    const [line] = sale.lines
    return article(
      sale,
      'Invoice number',
      'D/M/Y',
      R`For ${line!.name.toLowerCase()} (${line!.quantity} hours at £${gbp(line!.price)} an hour) I charge £${gbp(sale.net)}, to which VAT at 20\% of £${gbp(sale.vat)} is added. The total of this invoice is £${gbp(sale.total)}, payable by ${day(sale.due, 'D/M/Y')}.`,
    )
  },
  absent: ['goods', 'goods without marks'],
}

/** The sum to pay in a box at the top, then the goods; the rest of the sums in small print. */
const boxAbove: Layout = {
  name: 'box-above',
  half: 'a',
  maker: 'chromium',
  order: { language: 'en', lines: 5, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return page(
      '.b{background:#224;color:#fff;padding:10px;font-size:18pt}',
      `${head(sale, 'Invoice', 'D/M/Y')}<div class=b>£${gbp(sale.total)} due ${day(sale.due, 'D/M/Y')}</div>
<table><tr><th>Item<th class=r>Qty<th class=r>Unit price<th class=r>Amount</tr>${sale.lines.map((l) => `<tr><td>${l.name}<td class=r>${l.quantity}<td class=r>£${gbp(l.price)}<td class=r>£${gbp(l.amount)}</tr>`).join('')}
<tr><td><td><td class=r>Subtotal<td class=r>£${gbp(sale.net)}</tr><tr><td><td><td class=r>Total excluding tax<td class=r>£${gbp(sale.net)}</tr><tr><td><td><td class=r>VAT - United Kingdom (20% on £${gbp(sale.net)})<td class=r>£${gbp(sale.vat)}</tr><tr><td><td><td class=r>Total<td class=r>£${gbp(sale.total)}</tr><tr><td><td><td class=r><b>Amount due</b><td class=r><b>£${gbp(sale.total)}</b></tr></table>`,
    )
  },
}

/** The total first, then what of it is tax, then the net. */
const reversed: Layout = {
  name: 'total-first',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 5, rates: [19] },
  source: (sale) => {
    const eur = sums('.', ',')
    return article(
      sale,
      'Rechnung',
      'D.M.Y',
      R`\begin{tabular}{rlrr} & Leistung & Einzelpreis & Preis \\ \hline
${sale.lines.map((l) => R`${l.quantity} x & ${l.name} & ${eur(l.price)} & ${eur(l.amount)} \\`).join('\n')} \hline
\multicolumn{3}{r}{\textbf{Gesamtsumme inkl. MwSt.}} & \textbf{${eur(sale.total)}} \\
\multicolumn{3}{r}{darin 19\% MwSt.} & ${eur(sale.vat)} \\
\multicolumn{3}{r}{entspricht netto} & ${eur(sale.net)} \\ \end{tabular}\par\bigskip Fällig am ${day(sale.due, 'D.M.Y')}`,
    )
  },
}

/** A bill of a telephone company: what was due before, its payment, what is new. */
const balance: Layout = {
  name: 'balance-forward',
  half: 'a',
  maker: 'chromium',
  order: { language: 'en', lines: 4, rates: [20], priceMax: 1_900 },
  source: (sale) => {
    const gbp = sums(',', '.')
    const before = round(sale.total * 1.07)
    return page(
      '',
      `${head(sale, 'Bill', 'D/M/Y')}<h3>Your account</h3><table><tr><td>Last bill<td class=r>£${gbp(before)}</tr><tr><td>Payment received - thank you<td class=r>-£${gbp(before)}</tr><tr><td>Balance brought forward<td class=r>£0.00</tr></table>
<h3>New charges</h3><table><tr><th>Charge<th class=r>Quantity<th class=r>Each<th class=r>Cost</tr>${sale.lines.map((l) => `<tr><td>${l.name}<td class=r>${l.quantity}<td class=r>£${gbp(l.price)}<td class=r>£${gbp(l.amount)}</tr>`).join('')}</table>
<table><tr><td>Total charges excluding VAT<td class=r>£${gbp(sale.net)}</tr><tr><td>VAT at 20%<td class=r>£${gbp(sale.vat)}</tr><tr><td><b>Total now due by ${day(sale.due, 'D/M/Y')}</b><td class=r><b>£${gbp(sale.total)}</b></tr></table>`,
    )
  },
}

/** The tax repeated in another currency. */
const twoCurrencies: Layout = {
  name: 'two-currencies',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 4, rates: [20] },
  source: (sale) => {
    const num = sums(',', '.')
    return article(
      sale,
      'INVOICE',
      'D/M/Y',
      R`\begin{tabular}{lrrr} Service & Hours & Rate USD & Amount USD \\ \hline
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${num(l.price)} & ${num(l.amount)} \\`).join('\n')} \hline
Net & & & ${num(sale.net)} \\ VAT 20\% & & & ${num(sale.vat)} \\ Invoice total USD & & & ${num(sale.total)} \\ \end{tabular}\par\bigskip
{\small For UK VAT purposes at 1.2710: net GBP ${num(round(sale.net / 1.271))}, VAT GBP ${num(round(sale.vat / 1.271))}, total GBP ${num(round(sale.total / 1.271))}}\par Due ${day(sale.due, 'D/M/Y')}`,
    )
  },
}

/** A day's work a line: dates and hours before the description, sums with dashes for no cents. */
const hours: Layout = {
  name: 'hours-by-day',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'nl', lines: 6, rates: [21], priceMax: 9_000 },
  source: (sale) => {
    const eur = sums('.', ',')
    return article(
      sale,
      'Factuur',
      'D-M-Y',
      R`\begin{tabular}{llrrr} Datum & Werkzaamheden & Uren & Tarief & Bedrag \\ \hline
${sale.lines.map((l, i) => R`0${i + 1}-${day(sale.date, 'M-Y')} & ${l.name} & ${l.quantity},00 & ${eur(l.price)} & € ${eur(l.amount)} \\`).join('\n')} \cline{5-5}
& & & excl. & € ${eur(sale.net)} \\ & & & 21\% & € ${eur(sale.vat)} \\ & & & incl. & € ${eur(sale.total)} \\ \end{tabular}\par\bigskip Te betalen voor ${day(sale.due, 'D-M-Y')}`,
      R`\usepackage{eurosym}\DeclareUnicodeCharacter{20AC}{\euro}`,
    )
  },
}

/** Prices with tax; what of it is tax stands below, in a table of rate, gross, tax and net. */
const grossPrices: Layout = {
  name: 'gross-prices',
  half: 'a',
  maker: 'chromium',
  order: { language: 'de', lines: 5, rates: [19] },
  // The lines are printed with their tax, and net and tax are taken out of their sum.
  adjust: (sale) => {
    const total = sale.goods
    const net = round(total / 1.19)
    return { ...sale, total, net, vat: round(total - net) }
  },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      '',
      `${head(sale, 'Rechnung', 'D.M.Y')}<table><tr><th>Artikel<th class=r>Menge<th class=r>Preis<th class=r>Summe</tr>${sale.lines.map((l) => `<tr><td>${l.name}<td class=r>${l.quantity}<td class=r>${eur(l.price)} €<td class=r>${eur(l.amount)} €</tr>`).join('')}
<tr><td><td><td class=r>Summe<td class=r>${eur(sale.total)} €</tr></table><p>Alle Preise enthalten die gesetzliche MwSt.</p><table style="width:60%"><tr><th>MwSt-Satz<th class=r>Brutto<th class=r>MwSt<th class=r>Netto</tr><tr><td>19 %<td class=r>${eur(sale.total)}<td class=r>${eur(sale.vat)}<td class=r>${eur(sale.net)}</tr></table><p>Zahlbar bis ${day(sale.due, 'D.M.Y')}</p>`,
    )
  },
}

/** A hotel's account: charges, payments and a running balance; what is left is nothing. */
const folio: Layout = {
  name: 'folio',
  half: 'a',
  maker: 'chromium',
  order: { language: 'en', lines: 5, rates: [10] },
  adjust: (sale) => {
    const total = sale.goods
    const net = round(total / 1.1)
    return { ...sale, total, net, vat: round(total - net) }
  },
  source: (sale) => {
    const usd = sums(',', '.')
    let running = 0
    const rows = sale.lines.map((l, i) => {
      running = round(running + l.amount)
      return `<tr><td>0${i + 1}/${day(sale.date, 'M/Y')}<td>${l.name}<td class=r>${usd(l.amount)}<td><td class=r>${usd(running)}</tr>`
    })
    return page(
      '',
      `${head(sale, 'Guest invoice', 'D/M/Y')}<table><tr><th>Date<th>Description<th class=r>Charges<th class=r>Credits<th class=r>Balance</tr>${rows.join('')}<tr><td>09/${day(sale.date, 'M/Y')}<td>Visa card<td><td class=r>${usd(sale.total)}<td class=r>0.00</tr></table>
<table style="width:50%;margin-left:50%"><tr><td>Total charges<td class=r>${usd(sale.total)}</tr><tr><td>Total credits<td class=r>${usd(sale.total)}</tr><tr><td>Balance due<td class=r>0.00</tr><tr><td>Net amount<td class=r>${usd(sale.net)}</tr><tr><td>Tax 10%<td class=r>${usd(sale.vat)}</tr></table>`,
    )
  },
  absent: ['due'],
}

/** Goods given back in lines of their own, below zero. */
const credits: Layout = {
  name: 'negative-lines',
  half: 'a',
  maker: 'chromium',
  order: { language: 'fr', lines: 5, rates: [20] },
  adjust: (sale) => {
    const lines = sale.lines.map((l, i) => {
      const quantity = i === 3 ? -1 : l.quantity
      return { ...l, quantity, amount: round(quantity * l.price) }
    })
    const net = round(lines.reduce((sum, l) => sum + l.amount, 0))
    const vat = round(net * 0.2)
    return { ...sale, lines, net, vat, total: round(net + vat) }
  },
  source: (sale) => {
    const eur = sums(' ', ',')
    return page(
      'td,th{border-bottom:1px solid #ccc}',
      `${head(sale, 'Facture n°', 'D/M/Y')}<table><tr><th>Désignation<th class=r>Quantité<th class=r>Prix<th class=r>Montant</tr>${sale.lines.map((l) => `<tr><td>${l.name}<td class=r>${l.quantity}<td class=r>${eur(l.price)} €<td class=r>${eur(l.amount)} €</tr>`).join('')}</table>
<p class=r>Montant hors taxes ${eur(sale.net)} €<br>Taxe sur la valeur ajoutée (20 %) ${eur(sale.vat)} €<br><b>Montant toutes taxes comprises ${eur(sale.total)} €</b></p><p>Règlement au ${day(sale.due, 'D/M/Y')}</p>`,
    )
  },
}

export const HARD_A: readonly Layout[] = [
  shortest,
  prose,
  boxAbove,
  reversed,
  balance,
  twoCurrencies,
  hours,
  grossPrices,
  folio,
  credits,
]
