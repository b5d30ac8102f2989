/** Invoices of LaTeX, the half that was looked at. */
import { raw as R, tex, type Layout } from './layout.ts'
import { day, round, sums } from './sale.ts'

/** KOMA's letter, thousands by thin spaces, units glued to quantities, sums below a rule in the table. */
const letterOfKoma: Layout = {
  name: 'koma-tabularx',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 5, rates: [19], priceMax: 48_000 },
  source: (sale) => {
    const eur = sums(R`\,`, ',')
    return tex(
      '{scrlttr2}',
      R`\usepackage[ngerman]{babel}\usepackage{tabularx}
\setkomavar{fromname}{${sale.seller}}
\setkomavar{fromaddress}{${sale.sellerStreet}\\${sale.sellerTown}}
\setkomavar{invoice}{${sale.id}}\setkomavar{date}{${day(sale.date, 'D.M.Y')}}
\setkomavar{subject}{Rechnung}`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\opening{Sehr geehrte Damen und Herren,}
wir erlauben uns, wie folgt abzurechnen:\par\medskip
\begin{tabularx}{\textwidth}{rXrrr}
Pos. & Leistung & Menge & Einzel & Gesamt \\ \hline
${sale.lines
  .map(
    (l, i) =>
      `${i + 1} & ${l.name} & ${l.quantity}${l.unit} & ${eur(l.price)} & ${eur(l.amount)} ${R`\\`}`,
  )
  .join('\n')}
\hline
& Netto & & & ${eur(sale.net)} \\
& zzgl. 19\,\% Umsatzsteuer & & & ${eur(sale.vat)} \\ \hline\hline
& \textbf{Summe} & & & \textbf{${eur(sale.total)}} \\
\end{tabularx}\par\medskip
Bitte überweisen Sie den Betrag bis zum ${day(sale.due, 'D.M.Y')}.
\closing{Mit freundlichen Grüßen}
\end{letter}`,
    )
  },
}

/** The class isodoc, its table of two columns. */
const isodoc: Layout = {
  name: 'isodoc',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'nl', lines: 4, rates: [21] },
  source: (sale) => {
    const eur = sums('.', ',')
    return tex(
      '{isodoc}',
      R`\usepackage[dutch]{babel}
\setupdocument{language=nl-NL,company={${sale.seller}},who={},street={${sale.sellerStreet}},
city={${sale.sellerTown}},country=Nederland,currency=EUR,forcedate={${day(sale.date, 'D-M-Y')}},term=14,
ourref={${sale.id}},to={${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}}`,
      R`\invoice{\itable{
${sale.lines.map((l) => R`\iitem{${l.name}, ${l.quantity} ${l.unit} à ${eur(l.price)}}{${eur(l.amount)}}`).join('\n')}
\itotal[Totaal exclusief BTW]{${eur(sale.net)}}
\iitem{BTW 21\%}{${eur(sale.vat)}}
\itotal{${eur(sale.total)}}
}}`,
    )
  },
  absent: ['due', 'date'],
}

/** A commercial invoice for export: no tax; packing, carriage and insurance below the goods. */
const exported: Layout = {
  name: 'commercial-export',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 4, rates: [0], shipping: 48.6 },
  source: (sale) => {
    const usd = sums(',', '.')
    const insurance = 12.5
    const packing = round(sale.shipping - insurance)
    return tex(
      '[letterpaper]{article}',
      R`\usepackage{multicol,longtable}\usepackage[margin=22mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`\begin{center}\Large Commercial Invoice\end{center}
\begin{multicols}{2}\textbf{From:}\par ${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\columnbreak\par\textbf{To:}\par ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\end{multicols}
\begin{tabular}{|p{50mm}|p{50mm}|p{50mm}|}\hline \scriptsize Invoice number: & \scriptsize Exporting Carrier & \scriptsize Date: \\ ${sale.id} & Post & ${day(sale.date, 'Y-M-D')} \\ \hline\end{tabular}
\begin{longtable}{|p{55mm}|c|r|r|r|}\hline
Description & Country of Origin & Quantity & Unit Value\$ & Amount (USD) \\ \hline
${sale.lines.map((l) => R`${l.name} & GB & ${l.quantity} & ${l.price.toFixed(2)} & ${l.amount.toFixed(2)} \\`).join('\n')}
\hline
\multicolumn{4}{|r|}{Currency type and amount} & \$${usd(sale.goods)} \\
\multicolumn{4}{|r|}{Packing cost} & \$${usd(packing)} \\
\multicolumn{4}{|r|}{Shipping cost} & \$0.00 \\
\multicolumn{4}{|r|}{Insurance cost} & \$${usd(insurance)} \\ \hline\hline
\multicolumn{4}{|r|}{Total Invoice Value} & \$${usd(sale.total)} \\ \hline
\end{longtable}
\footnotesize It is hereby certified that this invoice shows the actual price of the goods described.`,
    )
  },
  absent: ['due', 'vat', 'net'],
}

/** Sums in a column below the amounts; what is due stands alone under a line. */
const booktabs: Layout = {
  name: 'booktabs-total-alone',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 5, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return tex(
      '[11pt]{article}',
      R`\usepackage[margin=25mm]{geometry}\usepackage{booktabs}\pagestyle{empty}\parindent0pt`,
      R`{\Huge INVOICE}\hfill ${sale.seller}\\ \null\hfill ${sale.sellerStreet}, ${sale.sellerTown}\\[2em]
To: ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\\[1em]
No. ${sale.id} \hfill Date: ${day(sale.date, 'D/M/Y')} \hfill Due: ${day(sale.due, 'D/M/Y')}\\[2em]
\begin{tabular}{p{75mm}rrr}
\toprule Activity & Qty & Rate & £ \\ \midrule
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${gbp(l.price)} & ${gbp(l.amount)} \\`).join('\n')}
\cmidrule{4-4} & & & ${gbp(sale.net)} \\
VAT at 20\% & & & ${gbp(sale.vat)} \\ \cmidrule{4-4}
& & & \textbf{${gbp(sale.total)}} \\ \bottomrule
\end{tabular}`,
    )
  },
}

/** The letter of DIN, a table over two pages whose sums are carried, codes of tax with a legend. */
const dinbrief: Layout = {
  name: 'dinbrief-carried',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 34, rates: [19, 7] },
  source: (sale) => {
    const eur = sums('.', ',')
    const first = sale.lines.slice(0, 20)
    const carried = first.reduce((sum, l) => sum + l.amount, 0)
    const row = (l: (typeof first)[number], at: number): string =>
      R`${at + 1} & ${l.quantity} ${l.unit} & ${l.name} & ${l.rate === 19 ? 'A' : 'B'} & ${eur(l.price)} & ${eur(l.amount)} \\`
    const columns = '{rlp{55mm}crr}'
    return tex(
      '[12pt]{dinbrief}',
      R`\usepackage[ngerman]{babel}\address{${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}}
\backaddress{${sale.seller}, ${sale.sellerTown}}\date{${day(sale.date, 'D.M.Y')}}`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\subject{Rechnung Nr. ${sale.id}}\opening{}
\small\begin{tabular}${columns}
Pos & Anzahl & Artikel & St & Preis & Betrag \\ \hline
${first.map(row).join('\n')}
\hline & & Übertrag & & & ${eur(carried)} \\
\end{tabular}\newpage
\begin{tabular}${columns}
& & Übertrag & & & ${eur(carried)} \\ \hline
${sale.lines
  .slice(20)
  .map((l, i) => row(l, i + 20))
  .join('\n')}
\hline & & Nettosumme & & & ${eur(sale.net)} \\
${sale.rates.map((r) => R`& & ${r.rate === 19 ? 'A' : 'B'}: ${r.rate}\% MwSt auf ${eur(r.base)} & & & ${eur(r.tax)} \\`).join('\n')}
\hline & & Endsumme & & & ${eur(sale.total)} \\
\end{tabular}\par\medskip Zahlbar bis ${day(sale.due, 'D.M.Y')}.
\end{letter}`,
    )
  },
  absent: ['vat'],
}

/** No table: leaders of dots between what was done and its price. */
const leaders: Layout = {
  name: 'letter-leaders',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 4, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return tex(
      '{letter}',
      R`\address{${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}}\date{${day(sale.date, 'D/M/Y')}}\parindent0pt`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\opening{\textbf{Invoice ${sale.id}}}
For professional services:\par
${sale.lines.map((l) => R`${l.name} (${l.quantity} @ ${gbp(l.price)})\dotfill ${gbp(l.amount)}\par`).join('\n')}
\medskip Total before VAT\dotfill ${gbp(sale.net)}\par
VAT 20\%\dotfill ${gbp(sale.vat)}\par
\textbf{Please pay}\dotfill \textbf{${gbp(sale.total)}}\par
\medskip Payment by ${day(sale.due, 'D/M/Y')}.
\closing{Yours faithfully,}
\end{letter}`,
    )
  },
}

/** Columns of siunitx, thousands by spaces, taxes by rate with the base last. */
const siunitx: Layout = {
  name: 'siunitx',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'fr', lines: 6, rates: [20, 5.5], priceMax: 62_000 },
  source: (sale) => {
    const plain = (value: number): string => value.toFixed(2)
    return tex(
      '[a4paper]{article}',
      R`\usepackage[french]{babel}\usepackage{siunitx,booktabs}\usepackage[margin=20mm]{geometry}
\sisetup{output-decimal-marker={,},group-minimum-digits=4,group-separator={~},table-format=6.2}\pagestyle{empty}\parindent0pt`,
      R`\textbf{${sale.seller}}\\${sale.sellerStreet}\\${sale.sellerTown}\par
\hfill\begin{minipage}{70mm}${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\end{minipage}\par\bigskip
{\Large Facture n\textsuperscript{o} ${sale.id}} du ${day(sale.date, 'D/M/Y')}\par\bigskip
\begin{tabular}{lS[table-format=3.0]SSS[table-format=2.1]}\toprule
{Désignation} & {Qté} & {P.U.} & {Montant} & {TVA} \\ \midrule
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${plain(l.price)} & ${plain(l.amount)} & ${l.rate} \\`).join('\n')}
\bottomrule\end{tabular}\par\bigskip
\begin{tabular}{S[table-format=2.1]SS}\toprule {Taux} & {Montant TVA} & {Base HT} \\ \midrule
${sale.rates.map((r) => R`${r.rate} & ${plain(r.tax)} & ${plain(r.base)} \\`).join('\n')}
\bottomrule\end{tabular}\hfill
\begin{tabular}{lS} Hors taxes & ${plain(sale.net)} \\ Taxes & ${plain(sale.vat)} \\ \textbf{À régler} & \bfseries ${plain(sale.total)} \\ \end{tabular}\par\bigskip
Échéance : ${day(sale.due, 'D/M/Y')}`,
    )
  },
}

/** Swiss: thousands by apostrophes, the rate inside the description, francs before the total. */
const swiss: Layout = {
  name: 'tabularray-swiss',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 4, rates: [8.1, 2.6], priceMax: 54_000 },
  source: (sale) => {
    const chf = sums(R`\textquotesingle{}`, '.')
    return tex(
      '[a4paper]{scrartcl}',
      R`\usepackage{tabularray}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller} \textperiodcentered{} ${sale.sellerStreet} \textperiodcentered{} ${sale.sellerTown}\par\bigskip
${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
\textbf{Rechnung ${sale.id}}\\Datum: ${day(sale.date, 'D.M.Y')}\\Fällig: ${day(sale.due, 'D.M.Y')}\par\bigskip
\begin{tblr}{colspec={Q[l,65mm]rrr},hline{1,2,Z}={1pt}}
Bezeichnung & Anzahl & à Fr. & Fr. \\
${sale.lines.map((l) => R`${l.name} (${l.rate} \%) & ${l.quantity}x & ${chf(l.price)} & ${chf(l.amount)} \\`).join('\n')}
\end{tblr}\par
\begin{flushright}Zwischentotal Fr. ${chf(sale.net)}\\
${sale.rates.map((r) => R`MWST ${r.rate}\% von ${chf(r.base)}: Fr. ${chf(r.tax)}\\`).join('\n')}
\textbf{Total Fr. ${chf(sale.total)}}\end{flushright}`,
    )
  },
  absent: ['vat'],
}

/** Groups with headings and sums of their own, names over two rows, labels right beside the sums. */
const groups: Layout = {
  name: 'multirow-groups',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 6, rates: [19] },
  source: (sale) => {
    const eur = sums('.', ',')
    const [material, work] = [sale.lines.slice(0, 3), sale.lines.slice(3)]
    const part = (title: string, lines: typeof material): string =>
      R`\multicolumn{4}{l}{\textbf{${title}}} \\
${lines
  .map(
    (l) =>
      R`${l.name} & ${l.quantity} ${l.unit} & ${eur(l.price)} \euro & ${eur(l.amount)} \euro \\ \quad\footnotesize nach Aufmaß vom 3. des Monats & & & \\`,
  )
  .join('\n')}
\multicolumn{3}{r}{Summe ${title}:} & ${eur(lines.reduce((sum, l) => sum + l.amount, 0))} \euro \\`
    return tex(
      '[a4paper]{article}',
      R`\usepackage{eurosym,array}\usepackage[margin=25mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`\begin{center}\textbf{\Large ${sale.seller}}\\${sale.sellerStreet}, ${sale.sellerTown}\end{center}
An ${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
\textbf{Schlussrechnung Nr. ${sale.id}} vom ${day(sale.date, 'D.M.Y')}\par\bigskip
\begin{tabular}{p{70mm}rrr} \hline
Bezeichnung & Menge & Einheitspreis & Gesamtpreis \\ \hline
${part('Material', material)}
${part('Arbeit', work)} \hline
\multicolumn{3}{r}{Gesamt netto:} & ${eur(sale.net)} \euro \\
\multicolumn{3}{r}{19 \% MwSt:} & ${eur(sale.vat)} \euro \\
\multicolumn{3}{r}{\textbf{Gesamt brutto:}} & \textbf{${eur(sale.total)} \euro} \\
\end{tabular}\par\bigskip Zahlungsziel: ${day(sale.due, 'D.M.Y')}`,
    )
  },
}

/** The package invoice: fees by project, sums of each, the rest computed by the package. */
const fees: Layout = {
  name: 'package-invoice',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'en', lines: 4, rates: [19] },
  // Each project is taxed by itself, and the package cuts off what is below a hundredth.
  adjust: (sale) => {
    const taxOf = (lines: typeof sale.lines): number =>
      Math.floor(19 * round(lines.reduce((sum, l) => sum + l.amount, 0)) + 1e-6) / 100
    const vat = round(taxOf(sale.lines.slice(0, 2)) + taxOf(sale.lines.slice(2)))
    return { ...sale, vat, total: round(sale.net + vat) }
  },
  source: (sale) => {
    const fee = (l: (typeof sale.lines)[number]): string =>
      R`\Fee{${l.name}} {${l.price.toFixed(2)}} {${l.quantity}}`
    return tex(
      '[a4paper]{letter}',
      R`\usepackage[english]{babel}\usepackage{longtable}\usepackage{invoice}
\address{${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}}\date{${day(sale.date, 'D/M/Y')}}`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\opening{Invoice no. ${sale.id}}
\begin{invoice}{Euro}{19}
\ProjectTitle{First stage}
${sale.lines.slice(0, 2).map(fee).join('\n')}
\STProject
\ProjectTitle{Second stage}
${sale.lines.slice(2).map(fee).join('\n')}
\STProject
\end{invoice}
Due on ${day(sale.due, 'D/M/Y')}.
\closing{Sincerely}
\end{letter}`,
    )
  },
}

/** The package invoice2 with a column of tax rates. */
const invoice2: Layout = {
  name: 'package-invoice2',
  half: 'a',
  maker: 'pdflatex',
  order: { language: 'de', lines: 5, rates: [19], priceMax: 30_000 },
  // The package prints the lines with their tax.
  adjust: (sale) => ({
    ...sale,
    lines: sale.lines.map((l) => ({ ...l, amount: round(l.amount * 1.19) })),
  }),
  source: (sale) =>
    tex(
      '{scrlttr2}',
      R`\usepackage[ngerman]{babel}\usepackage{eurosym}\usepackage{invoice2}
\setkomavar{fromname}{${sale.seller}}\setkomavar{fromaddress}{${sale.sellerStreet}\\${sale.sellerTown}}
\setkomavar{date}{${day(sale.date, 'D.M.Y')}}\setkomavar{subject}{Rechnung ${sale.id}}`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\opening{Guten Tag,}
\begin{invoice}[vat=0.19,currency-symbol={\euro}]
${sale.lines.map((l) => R`\invoiceitem{${l.quantity}}{${l.name}}{${l.price.toFixed(2)}}`).join('\n')}
\end{invoice}
Zahlbar bis ${day(sale.due, 'D.M.Y')}.
\closing{Mit freundlichen Grüßen}
\end{letter}`,
    ),
}

export const LATEX_A: readonly Layout[] = [
  letterOfKoma,
  isodoc,
  exported,
  booktabs,
  dinbrief,
  leaders,
  siunitx,
  swiss,
  groups,
  fees,
  invoice2,
]
