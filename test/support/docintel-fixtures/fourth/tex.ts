/** Sales as LaTeX documents for the invoice packages of TeX Live. */
import type { Manner } from '../others/sale.ts'
import { addressOf, goodsOf, listOf, moneyOf, placeOf, plain, type Sale } from './sales.ts'

/** Text with the marks that LaTeX would take for its own. */
export const tex = (text: string): string =>
  text
    .replaceAll(/[&%$#_{}]/g, String.raw`\$&`)
    .replaceAll('~', String.raw`\textasciitilde{}`)
    .replaceAll('^', '')

/** A letter of KOMA-Script around the table of a package, as those packages' manuals show. */
function letter(
  sale: Sale,
  babel: string,
  subject: string,
  words: { dear: string; due: string },
  body: string,
  preamble: string,
): string {
  const [street, place] = addressOf(sale)
  return String.raw`\documentclass[version=last,fontsize=11pt,paper=a4,foldmarks=off,fromalign=right,fromphone=on]{scrlttr2}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}
\usepackage[${babel}]{babel}
${preamble}
\setkomavar{fromname}{${tex(sale.truth.seller)}}
\setkomavar{fromaddress}{${tex(street)}\\${tex(place)}}
\setkomavar{fromphone}{${tex(plain(sale, 'tel'))}}
\setkomavar{invoice}{${tex(sale.truth.id)}}
\setkomavar{date}{${tex(plain(sale, 'invdate'))}}
\setkomavar{subject}{${subject}}
\begin{document}
\begin{letter}{${tex(sale.truth.buyer)}\\${tex(plain(sale, 'address1'))}\\${tex(placeOf(sale))}}
\opening{${words.dear}}
${body}

${words.due} ${tex(plain(sale, 'duedate'))}.
\end{letter}
\end{document}
`
}

/** Words around the tables; the tables bring their own. */
const AROUND: Readonly<
  Record<string, { babel: string; title: string; dear: string; due: string; option: string }>
> = {
  de: w('ngerman', 'Rechnung', 'Guten Tag,', 'Bitte zahlen Sie bis zum', 'german'),
  fr: w('french', 'Facture', 'Madame, Monsieur,', 'Échéance :', 'french'),
  nl: w('dutch', 'Factuur', 'Geachte heer, mevrouw,', 'Te betalen voor', 'dutch'),
  it: w('italian', 'Fattura', 'Gentile cliente,', 'Scadenza:', 'italian'),
  es: w('spanish', 'Factura', 'Estimado cliente:', 'Fecha de vencimiento:', 'spanish'),
  sv: w('swedish', 'Faktura', 'Hej,', 'Förfallodatum', 'swedish'),
  fi: w('finnish', 'Lasku', 'Hyvä asiakas,', 'Eräpäivä', 'finnish'),
  en: w('british', 'Invoice', 'Dear customer,', 'Please pay by', 'english'),
}
function w(babel: string, title: string, dear: string, due: string, option: string) {
  return { babel, title, dear, due, option }
}

export function invoiceTex(sale: Sale, language: string, manner: Manner): string {
  const words = AROUND[language]!
  const goods = goodsOf(sale)
  const comma = language === 'en' ? '' : ',comma'
  const body = String.raw`\begin{invoice}{${manner.currency}}{${goods[0]!.rate}}
\ProjectTitle{${words.title} ${tex(sale.truth.id)}}
${goods.map((good) => String.raw`\Fee{${tex(good.description)}}{${good.price.toFixed(2)}}{${good.quantity}}`).join('\n')}
\end{invoice}`
  return letter(
    sale,
    words.babel,
    words.title,
    words,
    body,
    String.raw`\usepackage[${words.option}${comma}]{invoice}`,
  )
}

export function invoice2Tex(sale: Sale, babel: string, symbol: string): string {
  const words = AROUND[babel === 'british' ? 'en' : 'de']!
  const goods = goodsOf(sale)
  const body = String.raw`\begin{invoice}
${goods.map((good) => String.raw`\invoiceitem[${good.rate / 100}]{${good.quantity}}{${tex(good.description)}}{${good.price.toFixed(2)}}`).join('\n')}
\end{invoice}`
  return letter(
    sale,
    babel,
    `${words.title} ${tex(sale.truth.id)}`,
    words,
    body,
    String.raw`\usepackage{textcomp}\usepackage[currency-symbol={${symbol}}]{invoice2}`,
  )
}

export function simpleInvoiceTex(sale: Sale, language: 'en' | 'nb', manner: Manner): string {
  const money = moneyOf(manner.numbers)
  const [street, place] = addressOf(sale)
  const { truth } = sale
  const [year, month, day] = truth.date.split('-') as [string, string, string]
  const days = (Date.parse(truth.due) - Date.parse(truth.date)) / 86_400_000
  const babel = language === 'nb' ? 'norsk' : 'UKenglish'
  return String.raw`\documentclass[a4paper,${babel}]{article}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}
\usepackage[margin=2.5cm]{geometry}
\usepackage[${language === 'nb' ? 'norsk' : 'english'}]{simpleinvoice}
\SetDate[${day}/${month}/${year}]
\pagestyle{empty}
\setinvoicenumber{${tex(truth.id)}}
\setdeadline{${days}}
\setreceivername{${tex(truth.buyer)}}
\setreceiveraddress{${tex(plain(sale, 'address1'))} \\ ${tex(placeOf(sale))}}
\setname{${tex(truth.seller)}}
\setaddress{${tex(street)} \\ ${tex(place)}}{${tex(street)}, ${tex(place)}}
\setphonenumber{${tex(plain(sale, 'tel'))}}
\setemail{post@example.com}
\setyourref{${tex(plain(sale, 'employee'))}}
\setaccountnumber{1503 40 12345}
${goodsOf(sale)
  .map(
    (good, at) =>
      String.raw`\additem{${tex(good.description)}}{${money(good.price)}}{${listOf(sale, 'linetaxrate')[at]}}{${money(good.amount)}}`,
  )
  .join('\n')}
\setsubtotal{${money(truth.net)}}
\setvat{${money(truth.vat)}}
\settotal{${manner.currency} ${money(truth.total)}}
\begin{document}
\makeinvoice
\end{document}
`
}

/** The class reads its goods from a file; `shipping` is added to their sum. */
export function commercialTex(sale: Sale, shipping: number): string {
  const [street, place] = addressOf(sale)
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return String.raw`\begin{filecontents*}[overwrite]{goods.csv}
Description,Country,Quantity,UnitValue,Amount
${goodsOf(sale)
  .map(
    (good) =>
      `${tex(good.description)},USA,${good.quantity},${good.price.toFixed(2)},${good.amount.toFixed(2)}`,
  )
  .join('\n')}
\end{filecontents*}
\documentclass{invoice-class}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern}
\begin{document}
\fromaddress{${tex(sale.truth.seller)}\\${tex(street)}\\${tex(place)}\\Tel. ${tex(plain(sale, 'tel'))}}
\shipper{${tex(plain(sale, 'employee'))}}
\location{${tex(place)}}
\InputFile{goods.csv}
\waybill{${plain(sale, 'ordnumber')}}
\shippingdate{${day.format(new Date(`${sale.truth.date}T12:00:00Z`))}}
\toaddress{${tex(sale.truth.buyer)}\\${tex(plain(sale, 'address1'))}\\${tex(placeOf(sale))}}
\destination{Canada}
\carrier{UPS}
\weight{12}{6}
\packages{1}
\shippingcost{${shipping.toFixed(2)}}
\printinvoice
\end{document}
`
}
