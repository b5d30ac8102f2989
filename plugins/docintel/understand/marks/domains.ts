/** Names in the domains that a document prints. */
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import type { DocumentText } from '../../model/document.ts'

const DOMAIN = /(?:WWW\.|@|HTTPS?:\/\/(?:WWW\.)?)([A-Z\d-]{3,})\.(?:[A-Z]{2,3}\.)?[A-Z]{2,6}/g
const FREE_MAIL =
  /^(?:GMAIL|YAHOO|HOTMAIL|OUTLOOK|LIVE|ICLOUD|GMX|WEB|AOL|FACEBOOK|INSTAGRAM|TWITTER|PAYPAL|EXAMPLE|MSN|YMAIL|GOOGLE|LINKEDIN)$/

/** Names of the domains that the document prints, in letters alone; those of mail for all aside. */
export function domainsOf(document: DocumentText): string[] {
  const names: string[] = []
  for (const row of document.rows)
    for (const match of capitals(row.text).matchAll(DOMAIN))
      if (!FREE_MAIL.test(match[1]!)) names.push(basicLetters(match[1]!))
  return names.filter((n) => n.length >= 3)
}

/** Whether letters are the name in a domain. */
export const isNameOf = (domain: string, letters: string): boolean =>
  letters.includes(domain) ||
  (letters.length >= 5 &&
    domain.includes(letters.slice(0, 8)) &&
    letters.length <= domain.length + 12)
