/** Whether the foot of an invoice names a party beside data that only its issuer prints there. */
import { basicLetters, capitals } from '../../lexicon/fold.ts'
import type { DocumentText } from '../../model/document.ts'
import type { Spot, Zones } from './zones.ts'

/** Fewer letters may stand in any word. */
export const FOOT_LETTERS = 5
/** What an issuer prints of itself at the foot. */
export const FOOT_DATA =
  /(?:^|\W)(?:IBAN|BANK|KONTO|BANKGIRO|SORT CODE|ACCOUNT NAME|HRB|HRA|AMTSGERICHT|RCS|CAPITAL|REGISTERED|REG(?:ISTRATION)? NO|VAT (?:REG\w*|NO|NUMBER|ID)|UST-?ID\w*|STEUER-?N\w*|ORG\.? ?NR|Y-TUNNUS|CVR|KVK|SIRET|PAYABLE TO|REMIT TO|KONTOINHABER|TITULAR|BENEFICIARY|BENEFICIARIO|INTESTATO A)(?:$|[\s.:\-#])/

/** Whether a row below the goods names this party among data that only an issuer prints there. */
export function isNamedInFoot(
  { rows }: DocumentText,
  zones: Zones,
  { row }: Spot,
  letters: string,
): boolean {
  if (letters.length < FOOT_LETTERS) return false
  return rows.slice(Math.max(row.index, zones.bodyStart) + 1).some((other) => {
    if (zones.tableRows.has(other.index)) return false
    const upper = capitals(other.text)
    const around = [rows[other.index - 1], other, rows[other.index + 1]]
    return (
      basicLetters(upper).includes(letters) &&
      around.some((near) => near && FOOT_DATA.test(capitals(near.text)))
    )
  })
}
