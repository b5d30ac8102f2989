/**
 * The seller where no letterhead names it, as on paper with a printed head or with a picture for a
 * logo: whom the terms say to pay, from whom goods are returned with leave, who is not liable.
 */
import type { DocumentText } from '../model/document.ts'
import type { Scored } from './issued-at.ts'

const NAME = String.raw`(\p{Lu}[^.;:!?()]{1,58}?)`
/** What follows a name in a sentence. */
const END = String.raw`(?=[.;,]? (?:before|prior|within|until|bis|avant|antes|prima|at|on|upon|in writing|with|account|Konto|IBAN)(?![\p{L}])|[.;,]?$|[.;,] )`

const TERMS = [
  // "All checks payable to X", "remittance to: X", "authorization must be obtained from X before".
  String.raw`(?:payable|made out|remit(?:tances?|ted)?|remit payments?) to:? ${NAME}${END}`,
  String.raw`(?:obtained|authori[sz]ed|approved|purchased) (?:from|by) ${NAME}${END}`,
  String.raw`(?<=^|[.!] )${NAME} (?:will|shall|can|is|are|does|do)(?: not| in no case)? (?:be )?(?:held )?(?:responsible|liable|accept|assume)`,
  String.raw`(?:remains?|stays?) (?:the )?property of ${NAME}${END}`,
  // "This is your receipt from X of June 24".
  String.raw`(?:[Rr]eceipt|[Ii]nvoice) from ${NAME}(?= (?:of|for|on|dated) |[.!]|$)`,
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

const WORDS_MAX = 8
const CONFIDENCE = { once: 0.7, again: 0.8 }

/** The name that the terms of a document give its issuer, or null; `buyer` is never it. */
export function namedInTerms(document: DocumentText, buyer: string | null): Scored<string> | null {
  const text = document.rows.map((row) => row.text.replaceAll(/\s+/g, ' ')).join(' ')
  const counts = new Map<string, number>()
  for (const pattern of TERMS)
    for (const match of text.matchAll(pattern)) {
      const name = match[1]!.replace(/,$/, '').trim()
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
