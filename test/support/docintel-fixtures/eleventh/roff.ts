/**
 * Orders as letters that GNU roff sets with its macros mm and mom. The macros bring the places of the
 * addresses, of the day and of the subject; the table of goods is one of tbl's, of ours.
 */
import { execFileSync } from 'node:child_process'
import type { Letter } from './sums.ts'

/** A line may not begin with a sign that roff takes for a request. */
const roff = (text: string): string =>
  text.replaceAll('\\', String.raw`\e`).replace(/^[.']/, String.raw`\&$&`)
const quoted = (text: string): string => `"${roff(text).replaceAll('"', '""')}"`

/** The straight sign, not a typographic quote. */
const APOSTROPHE = String.raw`.char ' \[aq]`

function table({ head, goods, sums, total }: Letter, isBoxed: boolean): string {
  const rows = [head, ...goods].map((cells) => cells.map(roff).join('\t'))
  const under = [...sums, total].map(([label, amount]) => `${roff(label)}\t\t\t${roff(amount)}`)
  return `.TS
${isBoxed ? 'box ' : ''}tab(\t);
lb rb rb rb
l r r r.
${rows[0]!}
_
${rows.slice(1).join('\n')}
_
${under.join('\n')}
.TE`
}

export type RoffMacros = 'mm' | 'mom'

export function letterRoff(letter: Letter, by: RoffMacros, at: number): string {
  const { seller, from, to, word, date, title, person } = letter
  const goods = table(letter, at % 2 === 0)
  if (by === 'mm')
    return `${APOSTROPHE}
.nr Pt 0
.ND ${quoted(date)}
.WA ${quoted(person)}
${roff(seller)}
${from.map(roff).join('\n')}
.WE
.IA
${to.map(roff).join('\n')}
.IE
.LO SJ ${quoted(title)}
.LO SA ${quoted(word.dear)}
.LT ${['BL', 'SB', 'FB'][at % 3]!}
.P
${goods}
.P
${roff(letter.due)}
.FC ${quoted(word.regards)}
.SG
`
  return `${APOSTROPHE}
.AUTHOR ${quoted(person)}
.DOCTYPE LETTER
.PRINTSTYLE TYPESET
.PAPER A4
.START
.DATE
${roff(date)}
.FROM
${roff(seller)}
${from.map(roff).join('\n')}
.TO
${to.map(roff).join('\n')}
.GREETING
${roff(word.dear)}
.PP
\\*[BD]${roff(title)}\\*[PREV]
.PP
${goods}
.PP
${roff(letter.due)}
.CLOSING ${quoted(word.regards)}
.SIGNATURE ${quoted(person)}
`
}

/** A letter as PDF. The macros of mm take a sender's lines as they stand, so no sign may be spelt out. */
export function drawRoff(text: string, by: RoffMacros): Uint8Array {
  if (/[^\0-\xFF]/.test(text)) throw new Error('a letter of roff has Latin-1 alone')
  const options = ['-t', `-m${by}`, '-T', 'ps', '-P', '-pa4', '-dpaper=a4']
  const input = Buffer.from(text, 'latin1')
  const page = execFileSync('groff', options, { input, stdio: ['pipe', 'pipe', 'ignore'] })
  return execFileSync('ps2pdf', ['-sPAPERSIZE=a4', '-', '-'], { input: page })
}
