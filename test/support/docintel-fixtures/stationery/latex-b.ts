/** Invoices of LaTeX, the half of which only shares were printed. */
import { raw as R, tex, type Layout } from './layout.ts'
import { day, round, sums } from './sale.ts'

/** A discount on all goods, early payment in the terms, "netto" and "brutto" as rows of the table. */
const discounted: Layout = {
  name: 'tabular-discount',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'de', lines: 5, rates: [19], discountPercent: 5 },
  source: (sale) => {
    const eur = sums('.', ',')
    return tex(
      '[a4paper]{article}',
      R`\usepackage{eurosym}\usepackage[margin=22mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\hfill\begin{tabular}[b]{l}${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\end{tabular}\par\bigskip
RECHNUNG ${sale.id}\hfill ${day(sale.date, 'D.M.Y')}\par\bigskip
\begin{tabular}{|l|r|l|r|r|}\hline
Art & Anz. & ME & Preis/ME & Wert \\ \hline
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${l.unit} & ${eur(l.price)} & ${eur(l.amount)} \\ \hline`).join('\n')}
\multicolumn{4}{|r|}{Warenwert} & ${eur(sale.goods)} \\
\multicolumn{4}{|r|}{./. 5 \% Rabatt} & ${eur(-sale.discount)} \\
\multicolumn{4}{|r|}{netto} & ${eur(sale.net)} \\
\multicolumn{4}{|r|}{+ 19 \% MwSt.} & ${eur(sale.vat)} \\ \hline
\multicolumn{4}{|r|}{brutto} & \euro{} ${eur(sale.total)} \\ \hline
\end{tabular}\par\bigskip
Bei Zahlung binnen 8 Tagen 2 \% Skonto (${eur(round(sale.total * 0.98))} \euro), sonst rein netto bis ${day(sale.due, 'D.M.Y')}.`,
    )
  },
}

/** KOMA's letter in Switzerland: sums in a box at the right, amounts that are rounded. */
const francs: Layout = {
  name: 'koma-box-of-sums',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'de', lines: 5, rates: [8.1], priceMax: 60_000 },
  source: (sale) => {
    const chf = sums("'", '.')
    return tex(
      '{scrlttr2}',
      R`\usepackage[ngerman]{babel}\usepackage{tabularx,booktabs}
\setkomavar{fromname}{${sale.seller}}\setkomavar{fromaddress}{${sale.sellerStreet}\\${sale.sellerTown}}
\setkomavar{date}{${day(sale.date, 'D.M.Y')}}\setkomavar{subject}{Rechnung Nr. ${sale.id}}`,
      R`\begin{letter}{${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}}
\opening{}
\begin{tabularx}{\textwidth}{Xr@{\,}lrr}\toprule
Leistung & \multicolumn{2}{c}{Menge} & Ansatz & CHF \\ \midrule
${sale.lines.map((l) => R`${l.name} & ${l.quantity} & ${l.unit} & ${chf(l.price)} & ${chf(l.amount)} \\`).join('\n')}
\bottomrule\end{tabularx}\par\bigskip\hfill
\fbox{\begin{minipage}{60mm}Betrag exkl. MWST\hfill ${chf(sale.net)}\\
MWST 8.1\%\hfill ${chf(sale.vat)}\\[1ex]
\textbf{Betrag inkl. MWST}\hfill\textbf{${chf(sale.total)}}\end{minipage}}\par\bigskip
Zahlbar bis ${day(sale.due, 'D.M.Y')}
\end{letter}`,
    )
  },
}

/** A longtable over two pages with codes of tax that are explained below. */
const codes: Layout = {
  name: 'longtable-codes',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'en', lines: 40, rates: [20, 5] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return tex(
      '[a4paper,10pt]{article}',
      R`\usepackage{longtable}\usepackage[margin=25mm]{geometry}\parindent0pt`,
      R`\begin{flushright}${sale.seller}\\${sale.sellerStreet}\\${sale.sellerTown}\end{flushright}
\textbf{Tax invoice} ${sale.id}\\Invoice date ${day(sale.date, 'D/M/Y')}\\Payment due ${day(sale.due, 'D/M/Y')}\par\medskip
Bill to:\\${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\medskip
\begin{longtable}{rrp{60mm}rrc}
Line & Qty & Description & Each & Value & Code \\ \hline \endhead
\hline \multicolumn{6}{r}{continued} \\ \endfoot \hline \endlastfoot
${sale.lines.map((l, i) => R`${i + 1} & ${l.quantity} & ${l.name} & ${gbp(l.price)} & ${gbp(l.amount)} & ${l.rate === 20 ? '1' : '2'} \\`).join('\n')}
\end{longtable}
\begin{tabular}{crrr}Code & Rate & Goods & VAT \\
${sale.rates.map((r) => R`${r.rate === 20 ? '1' : '2'} & ${r.rate}.00 & ${gbp(r.base)} & ${gbp(r.tax)} \\`).join('\n')}
\end{tabular}\hfill\begin{tabular}{lr}Goods & ${gbp(sale.net)} \\ VAT & ${gbp(sale.vat)} \\ \textbf{Invoice total} & \textbf{£${gbp(sale.total)}} \\ \end{tabular}`,
    )
  },
}

/** Dutch, aligned at the comma; rate, tax and base in an order of its own. */
const dcolumn: Layout = {
  name: 'dcolumn-rates',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'nl', lines: 6, rates: [21, 9] },
  source: (sale) => {
    const eur = sums('.', ',')
    return tex(
      '[a4paper]{article}',
      R`\usepackage{dcolumn}\newcolumntype{d}{D{,}{,}{2}}\usepackage[margin=25mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`{\large\textbf{${sale.seller}}}\\${sale.sellerStreet}\\${sale.sellerTown}\par\bigskip
${sale.buyer}\\${sale.buyerStreet}\\${sale.buyerTown}\par\bigskip
FACTUUR\\Factuurnummer ${sale.id}\\Factuurdatum ${day(sale.date, 'D-M-Y')}\\Vervaldatum ${day(sale.due, 'D-M-Y')}\par\bigskip
\begin{tabular}{rlrdd}
Aantal & Omschrijving & BTW & \multicolumn{1}{c}{Prijs} & \multicolumn{1}{c}{Totaal} \\ \hline
${sale.lines.map((l) => R`${l.quantity} ${l.unit} & ${l.name} & ${l.rate}\% & ${eur(l.price)} & ${eur(l.amount)} \\`).join('\n')} \hline
& Subtotaal & & & ${eur(sale.net)} \\
${sale.rates.map((r) => R`& ${r.rate}\% BTW (${eur(r.tax)}) over ${eur(r.base)} & & & ${eur(r.tax)} \\`).join('\n')}
\cline{5-5} & Te voldoen & & & ${eur(sale.total)} \\
\end{tabular}`,
    )
  },
  absent: ['vat'],
}

/** French with a payment on account that was made before. */
const deposit: Layout = {
  name: 'acompte',
  half: 'b',
  maker: 'pdflatex',
  order: { language: 'fr', lines: 4, rates: [20], priceMax: 50_000 },
  source: (sale) => {
    const eur = sums('~', ',')
    const paid = round(sale.total * 0.3)
    return tex(
      '[a4paper]{article}',
      R`\usepackage[french]{babel}\usepackage{booktabs,multirow,eurosym}\usepackage[margin=22mm]{geometry}\pagestyle{empty}\parindent0pt`,
      R`${sale.seller}\hfill FACTURE\\${sale.sellerStreet}\hfill N° ${sale.id}\\${sale.sellerTown}\hfill ${day(sale.date, 'D/M/Y')}\par\bigskip
Client : ${sale.buyer}, ${sale.buyerStreet}, ${sale.buyerTown}\par\bigskip
\begin{tabular}{p{80mm}rrr}\toprule
Prestation & Quantité & Prix unitaire & Total \\ \midrule
${sale.lines.map((l) => R`${l.name} & ${l.quantity} ${l.unit} & ${eur(l.price)} \euro & ${eur(l.amount)} \euro \\`).join('\n')}
\midrule \multirow{5}{*}{TVA sur les débits} & \multicolumn{2}{r}{Total H.T.} & ${eur(sale.net)} \euro \\
& \multicolumn{2}{r}{T.V.A. 20 \%} & ${eur(sale.vat)} \euro \\
& \multicolumn{2}{r}{Total T.T.C.} & ${eur(sale.total)} \euro \\
& \multicolumn{2}{r}{Acompte versé} & ${eur(-paid)} \euro \\
& \multicolumn{2}{r}{\textbf{Solde}} & \textbf{${eur(round(sale.total - paid))} \euro} \\ \bottomrule
\end{tabular}\par\bigskip À payer avant le ${day(sale.due, 'D/M/Y')}`,
    )
  },
}

export const LATEX_B: readonly Layout[] = [discounted, francs, codes, dcolumn, deposit]
