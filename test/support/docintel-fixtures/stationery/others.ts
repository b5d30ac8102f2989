/** Invoices of Chromium, a word processor, groff and tills, of both halves. */
import type { Layout } from './layout.ts'
import { day, round, sums, type Line, type Sale } from './sale.ts'

const page = (style: string, body: string): string =>
  `<!doctype html><meta charset="utf-8"><style>body{font:10pt sans-serif}${style}</style>${body}`

/** Lines of a cloud's bill by service, two or three of each. */
const services = (sale: Sale): { name: string; lines: Line[]; sum: number }[] =>
  ['Compute', 'Storage', 'Network'].flatMap((name, at) => {
    const lines = sale.lines.filter((_, place) => place % 3 === at)
    return lines.length === 0
      ? []
      : [{ name, lines, sum: round(lines.reduce((sum, l) => sum + l.amount, 0)) }]
  })

/** Services with their sums above what they are made of. */
const cloudAbove: Layout = {
  name: 'cloud-sums-above',
  half: 'a',
  maker: 'chromium',
  order: { language: 'en', lines: 7, rates: [20], priceMax: 900 },
  source: (sale) => {
    const usd = sums(',', '.')
    return page(
      'td{padding:2px 8px}td:last-child{text-align:right}table{width:100%}.s td{font-weight:bold}.l td:first-child{padding-left:24px}',
      `<h2>${sale.seller}</h2><p>${sale.sellerStreet}, ${sale.sellerTown}</p><p>Invoice number: ${sale.id}<br>Invoice date: ${day(sale.date, 'Y-M-D')}<br>Due date: ${day(sale.due, 'Y-M-D')}</p>
<p>Bill to<br>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p>
<table><tr><th align=left>Service charges</th><th>Usage</th><th>Rate</th><th align=right>Charges</th></tr>${services(
        sale,
      )
        .map(
          (s) =>
            `<tr class=s><td>${s.name}<td><td><td>$${usd(s.sum)}</tr>${s.lines.map((l) => `<tr class=l><td>${l.name}<td>${l.quantity} ${l.unit}<td>$${usd(l.price)}<td>$${usd(l.amount)}</tr>`).join('')}`,
        )
        .join('')}
<tr class=s><td>Charges before tax<td><td><td>$${usd(sale.net)}</tr><tr><td>VAT (20%)<td><td><td>$${usd(sale.vat)}</tr><tr class=s><td>Total for this invoice<td><td><td>$${usd(sale.total)}</tr></table>`,
    )
  },
}

/** The same with sums below, in German. */
const cloudBelow: Layout = {
  name: 'cloud-sums-below',
  half: 'b',
  maker: 'chromium',
  order: { language: 'de', lines: 8, rates: [19], priceMax: 900 },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      'table{width:100%}td.r,th.r{text-align:right}',
      `<div style="float:right">${sale.seller}<br>${sale.sellerStreet}<br>${sale.sellerTown}</div><p>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><br><br>
<p>Rechnungsnummer ${sale.id}<br>Rechnungsdatum ${day(sale.date, 'D.M.Y')}</p>
${services(sale)
  .map(
    (s) =>
      `<h4>${s.name}</h4><table><tr><th align=left>Posten<th class=r>Verbrauch<th class=r>Satz<th class=r>Kosten</tr>${s.lines.map((l) => `<tr><td>${l.name}<td class=r>${l.quantity} ${l.unit}<td class=r>${eur(l.price)} €<td class=r>${eur(l.amount)} €</tr>`).join('')}<tr><td><td><td class=r>Zwischensumme<td class=r>${eur(s.sum)} €</tr></table>`,
  )
  .join('')}
<h4>Zusammenfassung</h4><table><tr><td>Nettobetrag<td class=r>${eur(sale.net)} €</tr><tr><td>Umsatzsteuer 19 %<td class=r>${eur(sale.vat)} €</tr><tr><td>Gesamtbetrag<td class=r>${eur(sale.total)} €</tr></table><p>Der Betrag wird am ${day(sale.due, 'D.M.Y')} abgebucht.</p>`,
    )
  },
  absent: ['due'],
}

/** Prices and sums without and with tax side by side, a discount in some lines. */
const bothPrices: Layout = {
  name: 'prices-with-and-without',
  half: 'a',
  maker: 'chromium',
  order: { language: 'fr', lines: 5, rates: [20], withLineDiscounts: true },
  source: (sale) => {
    const eur = sums(' ', ',')
    return page(
      'table{width:100%;border-collapse:collapse}td,th{border:1px solid #999;padding:3px}td{text-align:right}td:first-child{text-align:left}',
      `<h1>${sale.seller}</h1><p>${sale.sellerStreet} - ${sale.sellerTown}</p><p>Facture : ${sale.id}<br>Date : ${day(sale.date, 'D/M/Y')}<br>Échéance : ${day(sale.due, 'D/M/Y')}</p><p>Facturé à :<br>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p>
<table><tr><th>Article<th>Qté<th>PU HT<th>PU TTC<th>Remise<th>Total HT<th>Total TTC</tr>${sale.lines
        .map(
          (l) =>
            `<tr><td>${l.name}<td>${l.quantity}<td>${eur(l.price)}<td>${eur(round(l.price * 1.2))}<td>${l.off === 0 ? '' : `-${l.off} %`}<td>${eur(l.amount)}<td>${eur(round(l.amount * 1.2))}</tr>`,
        )
        .join('')}</table>
<table style="width:45%;margin:12px 0 0 55%"><tr><th>Total HT<th>TVA 20 %<th>Total TTC</tr><tr><td>${eur(sale.net)}<td>${eur(sale.vat)}<td>${eur(sale.total)}</tr></table>`,
    )
  },
}

/** No table: each thing on a card, its sum at the right. */
const cards: Layout = {
  name: 'cards',
  half: 'b',
  maker: 'chromium',
  order: { language: 'en', lines: 4, rates: [20] },
  source: (sale) => {
    const gbp = sums(',', '.')
    return page(
      'div.c{display:flex;justify-content:space-between;border:1px solid #ccc;padding:6px;margin:6px 0}small{color:#666}',
      `<div class=c><b>${sale.seller}</b><span>Invoice ${sale.id}</span></div><p>${sale.sellerStreet}, ${sale.sellerTown}</p><p>Issued ${day(sale.date, 'D/M/Y')}, due ${day(sale.due, 'D/M/Y')}</p><p>Billed to<br>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p>
${sale.lines.map((l) => `<div class=c><span>${l.name}<br><small>${l.quantity} × £${gbp(l.price)}</small></span><b>£${gbp(l.amount)}</b></div>`).join('')}
<div class=c><span>Net</span><span>£${gbp(sale.net)}</span></div><div class=c><span>20% VAT</span><span>£${gbp(sale.vat)}</span></div><div class=c><b>You owe</b><b>£${gbp(sale.total)}</b></div>`,
    )
  },
}

/** A till's roll of 80 mm as a page: name above, count and price below, a letter for the tax. */
const roll: Layout = {
  name: 'roll',
  half: 'b',
  maker: 'chromium',
  order: { language: 'it', lines: 6, rates: [22, 10] },
  source: (sale) => {
    const eur = sums('.', ',')
    const code = (rate: number): string => (rate === 22 ? 'A' : 'B')
    return page(
      'body{width:72mm;font:9pt monospace}div{display:flex;justify-content:space-between}hr{border-top:1px dashed}',
      `<center><b>${sale.seller}</b><br>${sale.sellerStreet}<br>${sale.sellerTown}</center><hr>Fattura n. ${sale.id}<br>del ${day(sale.date, 'D/M/Y')}<br>Cliente: ${sale.buyer}<hr>
${sale.lines.map((l) => `${l.name}<div><span>&nbsp;${l.quantity} x ${eur(l.price)}</span><span>${eur(l.amount)} ${code(l.rate)}</span></div>`).join('')}<hr>
<div><span>Imponibile</span><span>${eur(sale.net)}</span></div>${sale.rates.map((r) => `<div><span>${code(r.rate)} IVA ${r.rate}% su ${eur(r.base)}</span><span>${eur(r.tax)}</span></div>`).join('')}<div><b>TOTALE EURO</b><b>${eur(sale.total)}</b></div>`,
    )
  },
  absent: ['due', 'vat'],
}

/** A word processor's table in Spanish, carriage below the goods. */
const portes: Layout = {
  name: 'writer-portes',
  half: 'a',
  maker: 'writer',
  order: { language: 'es', lines: 5, rates: [21], shipping: 24.5 },
  source: (sale) => {
    const eur = sums('.', ',')
    return page(
      'td.r{text-align:right}',
      `<p><b>${sale.seller}</b><br>${sale.sellerStreet}<br>${sale.sellerTown}</p><p align=right>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p>FACTURA ${sale.id} de fecha ${day(sale.date, 'D/M/Y')}</p>
<table width=100% border=1 cellspacing=0><tr><td>Cantidad<td>Concepto<td>Precio<td>Importe</tr>${sale.lines
        .map(
          (l) =>
            `<tr><td>${l.quantity} ${l.unit}<td>${l.name}<td class=r>${eur(l.price)}<td class=r>${eur(l.amount)}</tr>`,
        )
        .join('')}
<tr><td><td><td>Suma<td class=r>${eur(sale.goods)}</tr><tr><td><td><td>Portes<td class=r>${eur(sale.shipping)}</tr><tr><td><td><td>Base imponible<td class=r>${eur(sale.net)}</tr><tr><td><td><td>IVA 21%<td class=r>${eur(sale.vat)}</tr><tr><td><td><td>TOTAL FACTURA<td class=r>${eur(sale.total)}</tr></table><p>Vencimiento: ${day(sale.due, 'D/M/Y')}</p>`,
    )
  },
}

/** A word processor's table in Polish: net, rate, tax and gross of each line. */
const netAndGross: Layout = {
  name: 'writer-net-and-gross',
  half: 'b',
  maker: 'writer',
  order: { language: 'pl', lines: 4, rates: [23] },
  source: (sale) => {
    const pln = sums(' ', ',')
    const tax = (l: Line): number => round(l.amount * 0.23)
    return page(
      'td.r{text-align:right}td{font-size:8pt}',
      `<p>Sprzedawca:<br>${sale.seller}<br>${sale.sellerStreet}<br>${sale.sellerTown}</p><p>Nabywca:<br>${sale.buyer}<br>${sale.buyerStreet}<br>${sale.buyerTown}</p><p><b>Faktura nr ${sale.id}</b></p><p>Data wystawienia: ${day(sale.date, 'D.M.Y')}<br>Termin płatności: ${day(sale.due, 'D.M.Y')}</p>
<table width=100% border=1 cellspacing=0><tr><td>Lp.<td>Nazwa<td>Ilość<td>j.m.<td>Cena netto<td>Wartość netto<td>VAT<td>Kwota VAT<td>Wartość brutto</tr>${sale.lines
        .map(
          (l, i) =>
            `<tr><td>${i + 1}<td>${l.name}<td class=r>${l.quantity}<td>${l.unit}<td class=r>${pln(l.price)}<td class=r>${pln(l.amount)}<td>23%<td class=r>${pln(tax(l))}<td class=r>${pln(round(l.amount + tax(l)))}</tr>`,
        )
        .join(
          '',
        )}<tr><td><td>Razem<td><td><td><td class=r>${pln(sale.net)}<td><td class=r>${pln(sale.vat)}<td class=r>${pln(sale.total)}</tr></table><p>Do zapłaty: <b>${pln(sale.total)} zł</b></p>`,
    )
  },
}

/** groff's tables as text: letters for zero and standard rates. */
const tbl: Layout = {
  name: 'groff-letters',
  half: 'a',
  maker: 'groff',
  order: { language: 'en', lines: 6, rates: [20, 0] },
  source: (sale) => {
    const gbp = sums(',', '.')
    const zero = sale.rates.find((r) => r.rate === 0)
    return `.ll 78n
.pl 66
.nf
${sale.seller}
${sale.sellerStreet}, ${sale.sellerTown}
.sp
To:  ${sale.buyer}
     ${sale.buyerStreet}
     ${sale.buyerTown}
.sp
INVOICE ${sale.id}                Date ${day(sale.date, 'D/M/Y')}      Due ${day(sale.due, 'D/M/Y')}
.sp
.TS
l n n n c.
Goods	Quantity	Price	Amount	VAT
_
${sale.lines.map((l) => `${l.name}	${l.quantity}	${gbp(l.price)}	${gbp(l.amount)}	${l.rate === 20 ? 'S' : 'Z'}`).join('\n')}
_
Goods total			${gbp(sale.net)}
VAT: S 20%			${gbp(sale.vat)}
     Z 0% on ${gbp(zero?.base ?? 0)}			0.00
=
Payable			${gbp(sale.total)}
.TE
`
  },
}

/** A program of terminals: bars between columns, sums under them without a label of the total. */
const bars: Layout = {
  name: 'bars',
  half: 'b',
  maker: 'text',
  order: { language: 'de', lines: 5, rates: [19] },
  source: (sale) => {
    const eur = sums('.', ',')
    const row = (...cells: string[]): string =>
      `| ${cells[0]!.padEnd(4)}| ${cells[1]!.padEnd(30)}| ${cells[2]!.padStart(10)} | ${cells[3]!.padStart(10)} | ${cells[4]!.padStart(11)} |`
    const rule = `+${'-'.repeat(5)}+${'-'.repeat(31)}+${'-'.repeat(12)}+${'-'.repeat(12)}+${'-'.repeat(13)}+`
    return `${sale.seller}, ${sale.sellerStreet}, ${sale.sellerTown}

${sale.buyer}
${sale.buyerStreet}
${sale.buyerTown}

Rechnung ${sale.id}                          Datum ${day(sale.date, 'D.M.Y')}

${rule}
${row('Nr', 'Text', 'Menge', 'Preis', 'EUR')}
${rule}
${sale.lines.map((l, i) => row(String(i + 1), l.name, `${l.quantity} ${l.unit}`, eur(l.price), eur(l.amount))).join('\n')}
${rule}
${row('', 'Summe', '', '', eur(sale.net))}
${row('', 'MwSt', '', '19 %', eur(sale.vat))}
${rule}
${row('', '', '', 'zu zahlen', eur(sale.total))}
${rule}
zahlbar bis ${day(sale.due, 'D.M.Y')}
`
  },
}

/** Plain text with leaders, in Swedish. */
const plain: Layout = {
  name: 'plain-leaders',
  half: 'a',
  maker: 'text',
  order: { language: 'sv', lines: 5, rates: [25], priceMax: 70_000 },
  source: (sale) => {
    const sek = sums(' ', ',')
    const row = (text: string, value: number): string =>
      `${text} ${'.'.repeat(Math.max(3, 60 - text.length - sek(value).length))} ${sek(value)}`
    return `FAKTURA ${sale.id}

${sale.seller}
${sale.sellerStreet}
${sale.sellerTown}

Kund: ${sale.buyer}, ${sale.buyerStreet}, ${sale.buyerTown}
Fakturadatum: ${day(sale.date, 'Y-M-D')}
Förfallodatum: ${day(sale.due, 'Y-M-D')}

${sale.lines.map((l) => row(`${l.name}, ${l.quantity} ${l.unit} à ${sek(l.price)}`, l.amount)).join('\n')}

${row('Netto', sale.net)}
${row('Moms 25 %', sale.vat)}
${row('Summa', sale.total)}
`
  },
}

export const OTHERS: readonly Layout[] = [
  cloudAbove,
  bothPrices,
  portes,
  tbl,
  plain,
  cloudBelow,
  cards,
  roll,
  netAndGross,
  bars,
]
