/**
 * Orders as letters in LaTeX with seven classes and packages for letters of TeX Live. They bring the head, the lines of
 * references, the place of the day and of the address; the sentences and the table of goods in the letter
 * are ours, as each user writes their own.
 */
import { tex } from '../fourth/tex.ts'
import type { Letter } from './sums.ts'

export const LETTER_CLASSES = [
  'akletter',
  'brief',
  'chletter',
  'frletter',
  'fullblck',
  'letteracdp',
  'yaletter',
] as const
export type LetterClass = (typeof LETTER_CLASSES)[number]

const lines = (texts: readonly string[]): string => texts.map(tex).join(String.raw`\\`)
const row = (cells: readonly string[]): string => String.raw`${cells.map(tex).join(' & ')}\\`
const wide = (text: string): string => String.raw`\multicolumn{3}{|r|}{${tex(text)}}`

/** A table with rules around each cell, or with three rules only. */
function table({ head, goods, sums, total }: Letter, isGrid: boolean): string {
  const rows = goods.map(row)
  if (isGrid) {
    const under = [...sums, total].map(
      ([label, amount]) => String.raw`${wide(label)} & ${tex(amount)}\\\hline`,
    )
    return String.raw`\begin{tabular}{|p{62mm}|r|r|r|}\hline
${row(head)}\hline
${rows.map((text) => String.raw`${text}\hline`).join('\n')}
${under.join('\n')}
\end{tabular}`
  }
  const under = sums.map(([label, amount]) => row([label, '', '', amount]))
  return String.raw`\begin{tabular}{p{62mm}rrr}\hline
${row(head)}\hline
${rows.join('\n')}
\hline
${under.join('\n')}
\textbf{${tex(total[0])}} & & & \textbf{${tex(total[1])}}\\\hline
\end{tabular}`
}

const opened = (options: string, name: string, packages: string): string =>
  String.raw`\documentclass[${options}]{${name}}
\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{lmodern,textcomp}
${packages}`

const BABEL: Readonly<Record<string, string>> = { de: 'german', fr: 'french', en: 'USenglish' }

export function letterTex(letter: Letter, by: LetterClass, language: string, at: number): string {
  const { seller, from, to, word, date, title, person, phone } = letter
  const body = String.raw`{\small\noindent ${table(letter, at % 2 === 0)}}

\medskip
${tex(letter.due)}`
  const inside = String.raw`\opening{${tex(word.dear)}}
${body}
\closing{${tex(word.regards)}}`
  const letterOf = (preamble: string, content: string, subject = ''): string =>
    String.raw`${preamble}
\begin{document}
\begin{letter}{${lines(to)}}${subject}
${content}
\end{letter}
\end{document}
`
  const sender = String.raw`\address{${lines([seller, ...from])}}
\signature{${tex(person)}}`
  switch (by) {
    case 'akletter': {
      const preamble = opened('11pt,a4paper', 'akletter', `\\usepackage[${BABEL[language]}]{babel}`)
      // The boxes of the firm, as the configuration that comes with the class fills them.
      const boxes = String.raw`\sbox{\FIRM}{\parbox[t]{\leftfield}{\bfseries\fontsize{17.28}{22pt}\selectfont ${tex(seller)}\hfill}}
\sbox{\firmaddress}{\parbox[t]{\rightfield}{\fontsize{9}{10pt}\selectfont\normalfont ${lines(from)}}}
\sbox{\FIRMHEAD}{\usebox{\FIRM}\raisebox{3mm}{\usebox{\firmaddress}}}
\sbox{\firmreturn}{\underline{\fontsize{7}{8pt}\selectfont\hskip5mm ${[seller, ...from].map(tex).join(String.raw` \textperiodcentered\ `)}\hskip5mm}}
\sbox{\firmfoot}{}`
      return String.raw`${preamble}
\name{${tex(person)}}\date{${tex(date)}}
\begin{document}
${boxes}
\begin{letter}{${lines(to)}}
\myref{${tex(letter.orderId)}}\invoice{${tex(letter.id)}}
\subject{${tex(title)}}
${inside}
\end{letter}
\end{document}
`
    }
    case 'brief':
      return letterOf(
        String.raw`${opened('11pt,a4paper', 'brief', '')}
\name{${tex(seller)}}\maakbriefhoofd{${tex(seller)}}{${lines(from)}}
\antwoordadres{${lines([seller, ...from])}}
\ondertekening{${tex(person)}}`,
        String.raw`\betreft{${tex(title)}}\onskenmerk{${tex(letter.orderId)}}\datum{${tex(date)}}
\opening{${tex(word.dear)}}
${body}
\afsluiting{${tex(word.regards)}}`,
      )
    case 'chletter':
      return letterOf(
        String.raw`${opened('11pt,a4paper', 'chletter', '')}
\name{${tex(seller)}}\address{${lines(from)}}
\return{${[seller, ...from].map(tex).join(', ')}}
\telephone{${tex(phone)}}
\signature{${tex(person)}}\date{${tex(date)}}`,
        String.raw`\opening{\textbf{${tex(title)}}\\[2mm] ${tex(word.dear)}}
${body}
\closing{${tex(word.regards)}}`,
      )
    case 'frletter':
    case 'fullblck':
      return letterOf(
        String.raw`${opened('11pt,a4paper', by === 'frletter' ? 'frletter' : 'letter', by === 'fullblck' ? String.raw`\usepackage{fullblck}` : '')}
${sender}
\telephone{${tex(phone)}}\date{${tex(date)}}`,
        String.raw`\opening{\textbf{${tex(title)}}\\[2mm] ${tex(word.dear)}}
${body}
\closing{${tex(word.regards)}}`,
      )
    case 'letteracdp':
      return letterOf(
        String.raw`${opened('11pt,a4paper', 'letteracdp', '')}
\name{${tex(person)}}\address{${lines([seller, ...from])}}
\telephone{${tex(phone)}}\place{${tex(letter.place)}}\date{${tex(date)}}
\signature{${tex(person)}}`,
        inside,
        `[${tex(title)}]`,
      )
    case 'yaletter':
      return String.raw`${opened('', 'yaletter', '')}
${at % 2 === 0 ? String.raw`\yaletterblock` : String.raw`\yalettermodblock`}
\yaoptions{saluword={${tex(word.dear.replace(/[,:!]$/, ''))}},salupunct={,},farewellword={${tex(word.regards)}},signatureword={${tex(person)}}}
\defineaddress{from}{${tex(seller)}}{${lines([seller, ...from])}}
\defineaddress{to}{${tex(to[0])}}{${lines(to)}}
\begin{document}
\yareturnaddress{from}
\yadate{${tex(date)}}
\yatoaddress{to}
\yasalutation{}

\noindent\textbf{${tex(title)}}

\setlength{\tabcolsep}{6pt}%
${body.replace(String.raw`\small`, '')}
\yafarewell
\yasignature
\end{document}
`
  }
}
