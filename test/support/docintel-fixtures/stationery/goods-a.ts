/** Layouts whose lines of goods are hard to read, the half that was looked at. */
import { raw as R, tex, type Layout } from './layout.ts'
import { day, round, sums, type Line, type Sale } from './sale.ts'

const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>body{font:9pt sans-serif}table{width:100%;border-collapse:collapse}td,th{padding:2px 6px;text-align:left;vertical-align:top}.r{text-align:right}${style}</style>${body}`
const head = (sale: Sale, title: string, pattern: string): string =>
  `<h2>${sale.seller}</h2><p>${sale.sellerStreet}, ${sale.sellerTown}</p><p>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p><b>${title} ${sale.id}</b><br>${day(sale.date, pattern)}</p>`
const foot = (labels: readonly string[], values: readonly string[]): string =>
  `<table style="width:45%;margin-left:55%">${labels.map((label, i) => `<tr><td>${label}<td class=r>${values[i]}</tr>`).join('')}</table>`

/** Names over three rows, the numbers at the height of the middle one. */
const middle: Layout = {
  name: 'numbers-in-the-middle',
  half: 'a',
  maker: 'chromium',
  order: { language: 'de', lines: 4, rates: [19] },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      'td{vertical-align:middle;border-bottom:1px solid #ccc}',
      `${head(sale, 'Rechnung', 'D.M.Y')}<table><tr><th>Beschreibung<th class=r>Menge<th class=r>Einzelpreis<th class=r>Gesamtpreis</tr>${sale.lines.map((l, i) => `<tr><td>Auftrag 40${i}7<br>${l.name}<br>Ausführung nach Absprache<td class=r>${l.quantity}<td class=r>${eur(l.price)} €<td class=r>${eur(l.amount)} €</tr>`).join('')}</table>${foot(['Nettobetrag', '19 % MwSt.', 'Gesamtbetrag'], [eur(sale.net), eur(sale.vat), eur(sale.total)])}`,
    )
  },
  absent: ['due'],
}

/** The sum first, the name last. */
const amountFirst: Layout = {
  name: 'amount-first',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 5, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return tex(
      '[a4paper]{article}',
      R`\usepackage[margin=24mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
Invoice ${sale.id}\hfill ${day(sale.date, 'D/M/Y')}\par\bigskip
\begin{tabular}{rrrl} Amount & Qty & Price & Description \\ \hline
${sale.lines.map((l) => R`${gbp(l.amount)} & ${l.quantity} & ${gbp(l.price)} & ${l.name} \\`).join('\n')} \hline
${gbp(sale.net)} & & & Net \\ ${gbp(sale.vat)} & & & VAT 20\% \\ ${gbp(sale.total)} & & & Total to pay \\ \end{tabular}`,
    )
  },
  absent: ['due'],
}

/** Fourteen narrow columns with codes, taxes and their rates. */
const narrow: Layout = {
  name: 'fourteen-columns',
  half: 'a',
  maker: 'chromium',
  order: { language: 'it', lines: 5, rates: [22] },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      'body{font-size:7pt}td,th{border:1px solid #888;padding:1px 3px}',
      `${head(sale, 'Fattura', 'D/M/Y')}<table><tr><th>Codice<th>Descrizione<th>NC<th>CST<th>CF<th>UM<th>Q.tà<th>Prezzo<th>Totale<th>Base<th>Imposta<th>Aliq.</tr>${sale.lines.map((l, i) => `<tr><td>0${i + 3}1${i}7<td>${l.name}<td>84${i}29010<td>060<td>5102<td>${l.unit}<td class=r>${l.quantity},0000<td class=r>${eur(l.price)}00<td class=r>${eur(l.amount)}<td class=r>${eur(l.amount)}<td class=r>${eur(round(l.amount * 0.22))}<td class=r>22,00</tr>`).join('')}</table>${foot(['Totale imponibile', 'Totale imposta', 'Totale documento'], [eur(sale.net), eur(sale.vat), eur(sale.total)])}`,
    )
  },
  absent: ['due'],
}

/** Three levels: service, region, usage; every level with its sum. */
const nested: Layout = {
  name: 'three-levels',
  half: 'a',
  maker: 'chromium',
  order: { language: 'en', lines: 8, rates: [20], priceMax: 800 },
  source: (sale) => {
    const usd = sums(',', '.')
    const sum = (lines: readonly Line[]): number => round(lines.reduce((s, l) => s + l.amount, 0))
    const [first, second] = [sale.lines.slice(0, 5), sale.lines.slice(5)]
    const region = (name: string, lines: readonly Line[]): string =>
      `<tr><td style="padding-left:20px">${name}<td class=r>$${usd(sum(lines))}</tr>${lines.map((l) => `<tr><td style="padding-left:40px">${l.name}<br><small>$${usd(l.price)} per ${l.unit} - ${l.quantity} ${l.unit}</small><td class=r>$${usd(l.amount)}</tr>`).join('')}`
    return page(
      '',
      `${head(sale, 'Invoice', 'Y-M-D')}<h3>Summary</h3>${foot(['Charges', 'VAT', 'Total'], [`$${usd(sale.net)}`, `$${usd(sale.vat)}`, `$${usd(sale.total)}`])}<h3>Details</h3>
<table><tr><th>Item<th class=r>Cost</tr><tr><td><b>Computing</b><td class=r>$${usd(sum(first))}</tr>${region('North', first.slice(0, 3))}${region('South', first.slice(3))}<tr><td><b>Keeping</b><td class=r>$${usd(sum(second))}</tr>${region('East', second)}</table>`,
    )
  },
  absent: ['due'],
}

/** Numbered headings, positions below them, sums of titles that repeat in a list at the end. */
const titles: Layout = {
  name: 'numbered-titles',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 6, rates: [19] },
  source: (sale) => {
    const eur = sums('.', ',')
    const parts = [sale.lines.slice(0, 2), sale.lines.slice(2, 4), sale.lines.slice(4)]
    const names = ['Vorbereitung', 'Ausführung', 'Abschluss']
    const sum = (lines: readonly Line[]): string =>
      eur(round(lines.reduce((s, l) => s + l.amount, 0)))
    return tex(
      '[a4paper]{scrartcl}',
      R`\usepackage{longtable,booktabs}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
\textbf{Rechnung ${sale.id}}\hfill ${day(sale.date, 'D.M.Y')}\par
\begin{longtable}{llrrr}\toprule OZ & Leistung & Menge & EP & GP \\ \midrule
${parts
  .map(
    (
      lines,
      p,
    ) => R`\textbf{0${p + 1}} & \textbf{${names[p]!}} & & & \\ ${lines.map((l, i) => R`0${p + 1}.00${i + 1}0 & ${l.name} & ${l.quantity} ${l.unit} & ${eur(l.price)} & ${eur(l.amount)} \\`).join(' ')}
& Summe Titel 0${p + 1} & & & ${sum(lines)} \\`,
  )
  .join('\n')}
\bottomrule\end{longtable}
\begin{tabular}{lr} ${parts.map((lines, p) => R`0${p + 1} ${names[p]!} & ${sum(lines)} \\`).join(' ')} \midrule Summe & ${eur(sale.net)} \\ 19\,\% MwSt. & ${eur(sale.vat)} \\ \textbf{Rechnungssumme} & \textbf{${eur(sale.total)}} \\ \end{tabular}`,
    )
  },
  absent: ['due'],
}

/** Delivery notes and serial numbers between the lines. */
const between: Layout = {
  name: 'rows-between',
  half: 'a',
  maker: 'writer',
  order: { language: 'de', lines: 5, rates: [19] },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      '',
      `<p>${sale.seller}<br>${sale.sellerStreet}<br>${sale.sellerTown}</p><p>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p><b>Rechnung Nr. ${sale.id}</b> vom ${day(sale.date, 'D.M.Y')}</p>
<table width=100% border=1 cellspacing=0><tr><td>Pos.<td>Art.-Nr.<td>Bezeichnung<td>Menge<td>E-Preis<td>G-Preis</tr>${sale.lines.map((l, i) => `${i % 2 === 0 ? `<tr><td colspan=6>Lieferschein 7${i}31 vom 0${i + 1}.${day(sale.date, 'M.Y')}</tr>` : ''}<tr><td>${i + 1}<td>K-3${i}0<td>${l.name}<br>Seriennr. 00${i}731, 00${i}732<td>${l.quantity}<td align=right>${eur(l.price)}<td align=right>${eur(l.amount)}</tr>`).join('')}
<tr><td colspan=5>Summe netto<td align=right>${eur(sale.net)}</tr><tr><td colspan=5>Umsatzsteuer 19 %<td align=right>${eur(sale.vat)}</tr><tr><td colspan=5>Summe brutto<td align=right>${eur(sale.total)}</tr></table>`,
    )
  },
  absent: ['due'],
}

/** Heads over two rows, marks of currency in cells of their own. */
const twoHeads: Layout = {
  name: 'heads-in-two-rows',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'fr', lines: 5, rates: [20] },
  source: (sale) => {
    const eur = sums('~', ',')
    return tex(
      '[a4paper]{article}',
      R`\usepackage[margin=24mm]{geometry}\usepackage{array}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
Facture ${sale.id}\hfill ${day(sale.date, 'D/M/Y')}\par\bigskip
\begin{tabular}{|l|c|r@{\ }l|r@{\ }l|}\hline Nature des & Nombre & \multicolumn{2}{c|}{Prix} & \multicolumn{2}{c|}{Montant} \\ travaux & d'unités & \multicolumn{2}{c|}{unitaire HT} & \multicolumn{2}{c|}{total HT} \\ \hline
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${eur(l.price)} & EUR & ${eur(l.amount)} & EUR \\`).join('\n')} \hline
\multicolumn{4}{|r|}{Total HT} & ${eur(sale.net)} & EUR \\ \multicolumn{4}{|r|}{TVA 20 \%} & ${eur(sale.vat)} & EUR \\ \multicolumn{4}{|r|}{Total TTC} & ${eur(sale.total)} & EUR \\ \hline\end{tabular}`,
    )
  },
  absent: ['due'],
}

/** No heads at all, and a line without a quantity. */
const noHeads: Layout = {
  name: 'no-heads',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'nl', lines: 4, rates: [21] },
  source: (sale) => {
    const eur = sums('.', ',')
    return tex(
      '[a4paper]{letter}',
      R`\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
Factuur ${sale.id}\hfill ${day(sale.date, 'D-M-Y')}\par\bigskip
\begin{tabular}{p{90mm}r}
${sale.lines.map((l, i) => (i === 1 ? R`${l.name} & ${eur(l.amount)} \\` : R`${l.name}, ${l.quantity} ${l.unit} van ${eur(l.price)} per ${l.unit} & ${eur(l.amount)} \\`)).join('\n')} \cline{2-2}
& ${eur(sale.net)} \\ 21\% btw & ${eur(sale.vat)} \\ \cline{2-2} Te betalen & ${eur(sale.total)} \\ \end{tabular}`,
    )
  },
  absent: ['due'],
}

/** Three pages, heads again on each, sums of pages and their numbers in between. */
const pages: Layout = {
  name: 'pages',
  half: 'a',
  maker: 'chromium',
  order: { language: 'es', lines: 45, rates: [21] },
  source: (sale) => {
    const eur = sums('.', ',')
    const chunks = [sale.lines.slice(0, 15), sale.lines.slice(15, 30), sale.lines.slice(30)]
    let carried = 0
    const heads =
      '<tr><th>Ref.<th>Descripción<th class=r>Uds.<th class=r>Precio<th class=r>Importe</tr>'
    return page(
      '.p{break-before:page}',
      chunks
        .map((lines, p) => {
          const before = carried
          carried = round(carried + lines.reduce((s, l) => s + l.amount, 0))
          const rows = lines
            .map(
              (l, i) =>
                `<tr><td>A${p}${i}4<td>${l.name}<td class=r>${l.quantity}<td class=r>${eur(l.price)}<td class=r>${eur(l.amount)}</tr>`,
            )
            .join('')
          const isLast = p === chunks.length - 1
          return `<div class=${p === 0 ? '' : 'p'}>${p === 0 ? head(sale, 'Factura', 'D/M/Y') : `<p>${sale.seller} - Factura ${sale.id} - Página ${p + 1} de 3</p>`}<table>${heads}${p === 0 ? '' : `<tr><td><td>Suma anterior<td><td><td class=r>${eur(before)}</tr>`}${rows}${isLast ? '' : `<tr><td><td>Suma y sigue<td><td><td class=r>${eur(carried)}</tr>`}</table></div>`
        })
        .join('') +
        foot(
          ['Base imponible', 'IVA 21 %', 'TOTAL'],
          [eur(sale.net), eur(sale.vat), eur(sale.total)],
        ),
    )
  },
  absent: ['due'],
}

/** Net, tax and gross of each line; heads with line breaks. */
const grossColumns: Layout = {
  name: 'gross-columns',
  half: 'a',
  maker: 'chromium',
  order: { language: 'en', lines: 5, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    const tax = (l: Line): number => round(l.amount * 0.2)
    return page(
      'td,th{border:1px solid #aaa}',
      `${head(sale, 'Tax Invoice', 'D/M/Y')}<table><tr><th>SKU<th>Product<th>Qty<th>Unit<br>price<th>Net<br>amount<th>VAT<br>%<th>VAT<br>amount<th>Gross<br>amount</tr>${sale.lines.map((l, i) => `<tr><td>B0${i}K4<td>${l.name}<br><small>Black, boxed</small><td>${l.quantity}<td class=r>£${gbp(l.price)}<td class=r>£${gbp(l.amount)}<td>20%<td class=r>£${gbp(tax(l))}<td class=r>£${gbp(round(l.amount + tax(l)))}</tr>`).join('')}<tr><td><td>Totals<td><td><td class=r>£${gbp(sale.net)}<td><td class=r>£${gbp(sale.vat)}<td class=r>£${gbp(sale.total)}</tr></table>`,
    )
  },
  adjust: (sale) => {
    const vat = round(sale.lines.reduce((s, l) => s + round(l.amount * 0.2), 0))
    return { ...sale, vat, total: round(sale.net + vat) }
  },
  absent: ['due'],
}

export const GOODS_A: readonly Layout[] = [
  middle,
  amountFirst,
  narrow,
  nested,
  titles,
  between,
  twoHeads,
  noHeads,
  pages,
  grossColumns,
]
