/**
 * The seller where no letterhead names it, as on paper with a printed head or with a picture for a
 * logo: whom the terms say to pay, from whom goods are returned with leave, who is not liable.
 */
import type { DocumentText } from '../../model/document.ts'
import type { Scored } from '../days/issued-at.ts'

const NAME = String.raw`(\p{Lu}[^.;:!?()]{1,58}?)`
/** A name in the head of a mail: without an amount, and in one line. */
const HEAD_NAME = String.raw`(\p{Lu}[^.;:!?()#\p{Sc}\n]{1,58}?)`
/** What follows a name in a sentence. */
const END = String.raw`(?=[.;,]? (?:before|prior|within|until|bis|avant|antes|prima|at|on|upon|in writing|with|account|Konto|IBAN)(?![\p{L}])|[.;,]?$|[.;,] )`

const TERMS = [
  // "All checks payable to X", "remittance to: X", "authorization must be obtained from X before".
  String.raw`(?:payable|made out|remit(?:tances?|ted)?|remit payments?) to:? ${NAME}${END}`,
  String.raw`(?:obtained|authori[sz]ed|approved|purchased) (?:from|by) ${NAME}${END}`,
  String.raw`(?<=^|[.!] )${NAME} (?:will|shall|can|is|are|does|do)(?: not| in no case)? (?:be )?(?:held )?(?:responsible|liable|accept|assume)`,
  String.raw`(?:remains?|stays?) (?:the )?property of ${NAME}${END}`,
  // "This is your receipt from X of June 24".
  String.raw`(?:[Rr]eceipt|[Ii]nvoice) from (\p{Lu}[^.;:!?()#\p{Sc}\d]{1,58}?)(?= (?:of|for|on|dated) |[.!]|$)`,
  // Germany, France, the Netherlands.
  String.raw`Kontoinhaber(?:in)?:? ${NAME}${END}`,
  String.raw`Eigentum (?:von|der Firma|der|des) ${NAME}${END}`,
  String.raw`(?:à l[’']ordre de|[Tt]itulaire(?: du compte)? ?:|la propriété de) ${NAME}${END}`,
  String.raw`(?:t\.?n\.?v\.?|ten name van|op naam van|eigendom van):? ${NAME}${END}`,
  // Spain, Portugal, Italy, the north, Poland.
  String.raw`(?:a nombre de|a favor de|em nome de|[Tt]itular(?: de la cuenta| da conta)? ?:|propiedad de) ${NAME}${END}`,
  String.raw`(?:[Ii]ntestat[oa] a|[Bb]eneficiario ?:|proprietà di) ${NAME}${END}`,
  String.raw`(?:[Bb]etalningsmottagare|[Bb]etalingsmodtager|[Bb]etalingsmottaker|[Kk]onto(?:inne)?haver|[Kk]ontoinnehavare|[Tt]ilin omistaja|[Ww]łaściciel (?:konta|rachunku)) ?:? ${NAME}${END}`,
].map((pattern) => new RegExp(pattern, 'gu'))

/** The end of a line ends a name too, unless its last word leads on. */
const LINE_END = String.raw`(?=[.!]|(?<!,|&| and| und| et| e| y| og| och| en)\n|$)`

/** Mails and rolls thank in a line of its own, which need not end in a mark. */
const THANKS = [
  // "You created an order with X. Questions?", "Thank you for your purchase at X!".
  String.raw`(?:[Oo]rder(?:ed)?|[Pp]urchased?|[Ss]hopp(?:ing|ed)|[Bb]ooking|[Bb]usiness|[Rr]iding|[Ff]lying|[Ss]taying|[Dd]ining) (?:with|from|at) ${NAME}${LINE_END}`,
  String.raw`[Pp]ayment (?:of \S+ )?to ${HEAD_NAME}(?= (?:was|has|is) |[.!]|\n|$)`,
  // "Your receipt from X #1234", in the head of a mail.
  String.raw`(?:[Rr]eceipt|[Ii]nvoice|[Pp]urchase|[Oo]rder) from ${HEAD_NAME}(?= #| -|[.!]|(?<! of| for| on| dated)\n|$)`,
  String.raw`(?:[Bb]estellung|[Ee]inkauf|[Kk]auf|[Bb]uchung) bei ${NAME}${LINE_END}`,
  String.raw`(?:[Cc]ommande|[Aa]chats?|[Rr]éservation) (?:chez|auprès de|sur) ${NAME}${LINE_END}`,
  String.raw`(?:[Cc]ompra|[Pp]edido|[Rr]eserva|[Ee]ncomenda) (?:en|na|no|em|con|com) ${NAME}${LINE_END}`,
  String.raw`(?:[Aa]cquisto|[Oo]rdine|[Pp]renotazione) (?:presso|da|su) ${NAME}${LINE_END}`,
  String.raw`(?:[Bb]estelling|[Aa]ankoop|[Bb]oeking) bij ${NAME}${LINE_END}`,
  String.raw`(?:[Bb]eställning|[Bb]estilling|[Kk]öp|[Kk]jøp|[Kk]øb|[Ff]örköp) (?:hos|i) ${NAME}${LINE_END}`,
  // "© 2024 X. All rights reserved".
  String.raw`(?:©|\([cC]\)|[Cc]opyright)(?: ©)?(?: \d{4}(?: ?[-–] ?\d{4})?)?,? ${NAME}(?=[.,]? (?:All|Alle|Tous|Todos|Tutti) |[.\n]|$)`,
].map((pattern) => new RegExp(pattern, 'gu'))

const WORDS_MAX = 8
const CONFIDENCE = { once: 0.7, again: 0.8 }

/** The name that the terms of a document give its issuer, or null; `buyer` is never it. */
export function namedInTerms(document: DocumentText, buyer: string | null): Scored<string> | null {
  const lines = document.rows.map((row) => row.text.replaceAll(/\s+/g, ' '))
  const counts = new Map<string, number>()
  const [running, inLines] = [lines.join(' '), lines.join('\n')]
  const found = [
    ...TERMS.flatMap((pattern) => [...running.matchAll(pattern)]),
    ...THANKS.flatMap((pattern) => [...inLines.matchAll(pattern)]),
  ]
  for (const match of found) {
    const name = match[1]!.replace(/,$/, '').replaceAll('\n', ' ').trim()
    if (name.split(' ').length > WORDS_MAX || name === buyer || !/\p{L}{2}/u.test(name)) continue
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  // "Dooley" and "Dooley, Champlin and Russel" are one name.
  const whole = [...counts.keys()].filter(
    (name) => ![...counts.keys()].some((other) => other !== name && other.startsWith(name)),
  )
  const times = (name: string): number =>
    [...counts].reduce((sum, [other, count]) => sum + (name.startsWith(other) ? count : 0), 0)
  const [best] = whole.toSorted((a, b) => times(b) - times(a))
  if (best === undefined) return null
  return { value: best, confidence: times(best) > 1 ? CONFIDENCE.again : CONFIDENCE.once }
}
