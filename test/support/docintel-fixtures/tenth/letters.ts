/**
 * Orders as letters in LaTeX with the classes g-brief, dinbrief and lettre of TeX Live; the table of goods
 * in them is that of the package calctab. Its words and the sentences around it are ours, as each user
 * writes their own; the classes bring the head, the lines of references and the date.
 */
import { addressOf, dayIn, placeOf, plain } from '../fourth/sales.ts'
import { tex } from '../fourth/tex.ts'
import type { Manner } from '../others/sale.ts'
import type { Order } from '../sixth/orders.ts'
import { wordsOf } from './words.ts'

export type LetterClass = 'g-brief' | 'dinbrief' | 'lettre'

const BABEL: Readonly<Record<string, string>> = { de: 'ngerman', fr: 'french', en: 'british' }
/** The signs of thousands and of decimals. */
const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  'de-DE': ['.', ','],
  'fr-FR': ['~', ','],
  'de-CH': [String.raw`\textquotesingle{}`, '.'],
  'en-GB': [',', '.'],
  'en-US': [',', '.'],
}
const CURRENCIES: Readonly<Record<string, string>> = { EUR: String.raw`\euro` }

/** Numbers as calctab reckons with them. */
const comma = (number: string): string => number.replace('.', ',')

/** A table of calctab, which reckons the sums itself. */
function table(
  { goods, taxes }: Order,
  language: string,
  manner: Manner,
  isTaxed: boolean,
): string {
  const word = wordsOf(language)
  const [thousands, decimals] = SIGNS[manner.numbers]!
  const currency = CURRENCIES[manner.currency] ?? manner.currency
  const on = { de: 'auf', fr: 'sur', en: 'on' }[language] ?? 'on'
  const idOf = (at: number): string => `row${String.fromCodePoint(97 + at)}`
  const rows = goods.map(
    ({ description, quantity, price }, at) =>
      String.raw`\amount[id=${idOf(at)}]{${tex(description)}}{${quantity}}{${comma(price.toFixed(2))}}`,
  )
  const rates = taxes.map(({ rate }) => {
    const ids = goods.flatMap((good, at) => (good.rate === rate ? [idOf(at)] : []))
    return String.raw`\perc[${ids.join(',')}]{${tex(manner.tax)}}{${comma(String(rate))}}`
  })
  const all = goods.map((_, at) => idOf(at)).join(',')
  const net = String.raw`\add[${all}]{${word.net}}`
  return String.raw`\ctcurrency{${currency}}\ctdescription{${word.article}}\ctontraslation{${on}}%
\ctheaderone{${word.quantity}}\ctheadertwo{${word.price}}%
\npthousandsep{${thousands}}\npdecimalsign{${decimals}}\nprounddigits{2}%
{\small\begin{xcalctab}
${rows.join('\n')}
${isTaxed ? [net, ...rates].join('\n') : ''}
\add{${word.total}}
\end{xcalctab}}`
}

export interface LetterWish {
  isTaxed: boolean
  isCredit: boolean
}

export function letterTex(
  made: Order,
  by: LetterClass,
  language: string,
  manner: Manner,
  { isTaxed, isCredit }: LetterWish,
): string {
  const { sale, truth } = made
  const word = wordsOf(language)
  const [street, place] = addressOf(sale).map(tex) as [string, string]
  const seller = tex(truth.seller)
  const phone = tex(plain(sale, 'tel'))
  const to = [truth.buyer, plain(sale, 'address1'), placeOf(sale)].map(tex).join(String.raw`\\`)
  const subject = `${isCredit ? word.credit : word.invoice} ${word.number} ${tex(truth.id)}`
  // The Swiss share their numbers, not their names of months.
  const swiss = { de: 'de-CH', fr: 'fr-CH', en: 'en-GB' }[language] ?? manner.numbers
  const locale = manner.currency === 'CHF' ? swiss : manner.numbers
  const date = tex(dayIn(truth.date, locale))
  const due = isCredit ? '' : `${word.due} ${tex(dayIn(truth.due, locale))}.`
  const body = `${table(made, language, manner, isTaxed)}\n\n${due}`
  const packages = String.raw`\usepackage{textcomp,lmodern}\usepackage{calctab}`
  if (by === 'g-brief')
    return String.raw`\documentclass[11pt,a4paper,${language === 'de' ? 'ngerman' : 'english'}]{g-brief2}
${packages}
\trennlinien\unserzeichen
\Name{${seller}}\NameZeileA{${seller}}
\AdressZeileA{${street}}\AdressZeileB{${place}}
\TelefonZeileA{${phone}}\InternetZeileA{post@example.com}
\BankZeileA{Stadtbank}\BankZeileB{IBAN DE02 1203 0000 0000 2020 51}
\RetourAdresse{${seller}, ${street}, ${place}}
\Adresse{${to}}
\MeinZeichen{${tex(plain(sale, 'ordnumber'))}}\Datum{${date}}\Betreff{${subject}}
\Anrede{${word.dear}}\Gruss{${word.regards}}{1cm}\Unterschrift{${tex(plain(sale, 'employee'))}}
\begin{document}
\begin{g-brief}
${body}
\end{g-brief}
\end{document}
`
  if (by === 'dinbrief')
    return String.raw`\documentclass[11pt]{dinbrief}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage[${BABEL[language]}]{babel}
${packages}
\makeatletter\def\current@color{0 g 0 G}\let\default@color\current@color\makeatother
\address{${seller}\\${street}\\${place}}
\backaddress{${seller}, ${street}, ${place}}
\signature{${tex(plain(sale, 'employee'))}}
\place{${place.slice(place.indexOf(' ') + 1)}}\date{${date}}
\begin{document}
\begin{letter}{${to}}
\yourmail{}\sign{${tex(plain(sale, 'ordnumber'))}}\phone{${phone.replaceAll(' ', '')}}{}
\subject{${subject}}
\opening{${word.dear}}
${body}
\closing{${word.regards}}
\end{letter}
\end{document}
`
  const option = {
    fr: manner.currency === 'CHF' ? 'romand' : 'francais',
    de: 'allemand',
    en: 'anglais',
  }
  return String.raw`\documentclass[11pt,${option[language as keyof typeof option]}]{lettre}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}
${packages}
\begin{document}
\begin{letter}{${to}}
\name{${tex(plain(sale, 'employee'))}}
\address{${seller}\\${street}\\${place}}
\lieu{${place.slice(place.indexOf(' ') + 1)}}\date{${date}}
\telephone{${phone}}\nofax
\nref{${tex(plain(sale, 'ordnumber'))}}
\conc{${subject}}
\opening{${word.dear}}
${body}
\closing{${word.regards}}
\end{letter}
\end{document}
`
}
